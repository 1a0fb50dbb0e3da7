"""The line that starts a module of this very Jarlet as a process of its own.

There are three homes of a module: a source tree (``core.command_loop``); an installed package with ``core``, ``app``
and ``resources`` in ``jarlet`` (``jarlet.core.command_loop``); and a bundle without a Python of its own, whose program
runs a module by name.
"""

from __future__ import annotations

import sys
from pathlib import Path

_PREFIX = __name__.removesuffix("core.system.processes.python_child")
"""Prefix of the names of our packages: empty in a source tree, ``jarlet.`` where Jarlet is installed."""

_ROOT = Path(__file__).resolve().parents[3 + _PREFIX.count(".")]
_OURS = ("core", "app")

RUN_MODULE = "--run-module"
"""The first argument by which the program of a bundle is asked to run a module."""

_START = (
    "import runpy, sys; sys.path.insert(0, sys.argv.pop(1)); "
    "runpy.run_module(sys.argv.pop(1), run_name='__main__', alter_sys=True)"
)
# The folder of an installed package holds others, which may not come before Python's own modules.
_START_INSTALLED = (
    "import runpy, sys; sys.path.insert(0, sys.argv.pop(1)); import jarlet; sys.path.append(sys.path.pop(0)); "
    "runpy.run_module(sys.argv.pop(1), run_name='__main__', alter_sys=True)"
)


def python_child(module: str, *arguments: str) -> list[str]:
    """Return the command that runs ``module`` with this interpreter, in any folder and whatever lies there.

    Our own modules go by their names in a source tree. ``-P`` keeps the current folder, which may hold a ``json.py``,
    out of the import path; the folder of our packages is put into it.
    """
    name = _PREFIX + module if module.partition(".")[0] in _OURS else module
    if getattr(sys, "frozen", False):
        return [sys.executable, RUN_MODULE, name, *arguments]
    start = _START_INSTALLED if _PREFIX else _START
    return [sys.executable, "-P", "-c", start, str(_ROOT), name, *arguments]
