"""The line that starts a module of this very Jarlet as a process of its own."""

from __future__ import annotations

import sys
from pathlib import Path

_ROOT = Path(__file__).resolve().parents[2]
_START = (
    "import runpy, sys; sys.path.insert(0, sys.argv.pop(1)); "
    "runpy.run_module(sys.argv.pop(1), run_name='__main__', alter_sys=True)"
)


def python_child(module: str, *arguments: str) -> list[str]:
    """The command that runs ``module`` with this interpreter, in any folder and whatever lies there.

    ``-P`` keeps the current folder, which may hold a ``json.py``, out of the import path; the folder of the packages
    ``core`` and ``app`` is put into it.
    """
    return [sys.executable, "-P", "-c", _START, str(_ROOT), module, *arguments]
