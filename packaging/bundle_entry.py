"""The program of the bundle: the command line, and every module that Jarlet starts as a process of its own.

``--run-module NAME ARGUMENTS`` is what :func:`core.system.processes.python_child.python_child` writes where there is
no Python to start. What a bundle adds to the environment for itself is taken out, so that the user's tools have theirs.
"""

from __future__ import annotations

import os
import runpy
import sys

RUN_MODULE = "--run-module"


def _give_back(name: str) -> None:
    """PyInstaller puts its own folder into LD_LIBRARY_PATH and keeps what was there: for us the libraries are loaded,
    a JVM or a decompiler must not get ours."""
    before = os.environ.pop(f"{name}_ORIG", None)
    if before is not None:
        os.environ[name] = before
    elif name in os.environ and os.environ[name].startswith(getattr(sys, "_MEIPASS", "\0")):
        del os.environ[name]


def main() -> int:
    """Runs what the arguments ask for; the exit code."""
    _give_back("LD_LIBRARY_PATH")
    if len(sys.argv) > 2 and sys.argv[1] == RUN_MODULE:
        module = sys.argv[2]
        sys.argv[:] = [sys.argv[0], *sys.argv[3:]]
        runpy.run_module(module, run_name="__main__", alter_sys=True)
        return 0
    from jarlet.app.__main__ import main as run

    return run()


if __name__ == "__main__":
    sys.exit(main())
