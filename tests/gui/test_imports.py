"""What the window's process must not load, and that starting it needs no display server."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_the_window_loads_neither_layout_nor_solver_libraries() -> None:
    code = (
        "import sys, app.window.application\n"
        "print([name for name in ('pygraphviz', 'pysat', 'networkx', 'jawa') if name in sys.modules])"
    )
    run = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert run.stdout.strip() == "[]", run.stderr
