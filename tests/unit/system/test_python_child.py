"""Children of ours run our modules, whatever lies in the folder they are started in."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

from core.system.processes.python_child import python_child


def test_a_module_runs_in_a_folder_with_files_of_the_same_names(tmp_path: Path) -> None:
    for name in ("json", "core", "runpy"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit('the wrong one')\n")
    (tmp_path / "in.json").write_text('{"a": 1}')
    done = subprocess.run(
        python_child("json.tool", "--compact", "in.json"), cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert json.loads(done.stdout) == {"a": 1}


def test_our_own_modules_are_found(tmp_path: Path) -> None:
    (tmp_path / "core.py").write_text("raise SystemExit('the wrong one')\n")
    done = subprocess.run(python_child("core.version"), cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
