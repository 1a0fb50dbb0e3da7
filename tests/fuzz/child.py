"""Runs one case in a forked child: the imports of the command line are paid once."""

from __future__ import annotations

import contextlib
import os
import resource
import signal
import sys
import time
import traceback
from pathlib import Path

from tests.fuzz.case import Case, Ended

_ADDRESS_SPACE = 8 << 30
"""Bytes that a case may map beside those that its parent has mapped: the machine survives what goes wrong."""
_POLL = 0.02
_GENTLY = 10.0
_SHOWN = 200_000


def run(case: Case, folder: Path, seconds: float) -> Ended:
    """Runs the case in *folder*; ends it after *seconds*: gently first, so that it can kill its probes."""
    log = folder / "output.txt"
    (folder / "stdin.txt").write_text("".join(f"{line}\n" for line in case.lines), "utf-8", "surrogatepass")
    sys.stdout.flush()
    start = time.monotonic()
    pid = os.fork()
    if not pid:
        _child(case, folder, log)  # does not return
    signals = [(seconds, signal.SIGTERM), (seconds + _GENTLY, signal.SIGKILL)]
    while True:
        done, status, usage = os.wait4(pid, os.WNOHANG)
        if done:
            break
        if signals and time.monotonic() - start > signals[0][0]:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(pid, signals.pop(0)[1])
        time.sleep(_POLL)
    late = len(signals) < 2
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, signal.SIGKILL)  # what it left behind
    with log.open("rb") as file:
        output = file.read(_SHOWN).decode("utf-8", "replace")
    spent = time.monotonic() - start
    return Ended(os.waitstatus_to_exitcode(status), spent, usage.ru_maxrss << 10, output, late)


def _child(case: Case, folder: Path, log: Path) -> None:
    """Becomes the program: standard streams, limits, folders of its own, then the command."""
    code = 99
    try:
        os.setsid()
        limit = _mapped() + _ADDRESS_SPACE
        resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        os.chdir(folder)
        for number, path, flags in ((0, folder / "stdin.txt", os.O_RDONLY), (1, log, os.O_WRONLY | os.O_CREAT)):
            handle = os.open(path, flags, 0o600)
            os.dup2(handle, number)
            os.close(handle)
        os.dup2(1, 2)
        sys.stdin, sys.stdout, sys.stderr = (
            open(number, mode, encoding="utf-8", errors=errors, closefd=False)  # noqa: SIM115
            for number, mode, errors in ((0, "r", "surrogateescape"), (1, "w", "strict"), (2, "w", "backslashreplace"))
        )
        code = _main(case)
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else 1 if end.code else 0
    except BaseException:
        traceback.print_exc()
        code = 70
    finally:
        with contextlib.suppress(Exception):
            sys.stdout.flush()
            sys.stderr.flush()
        os._exit(code & 0xFF)


def _mapped() -> int:
    """Return the size of this process's address space in bytes: a test process with Qt and many threads maps much."""
    return int(Path("/proc/self/statm").read_text("ascii").split()[0]) * resource.getpagesize()


def _main(case: Case) -> int:
    if case.command == "engine":
        from core.command_loop import main as engine

        return engine()
    from app.cli import main

    return main([case.command, *case.arguments])
