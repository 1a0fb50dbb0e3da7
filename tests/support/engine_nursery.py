"""Engine processes without the third of a second of CPU that loading one takes: forked of one that has it loaded.

What is forked is the engine itself, a child of the test's process with a number, a session and pipes of its own; only
the interpreter's start and the imports are shared. ``tests/gui/test_jobs.py``, ``tests/system/test_streams.py`` and
others start it as the product does, and so do all tests while their coverage is measured.
"""

from __future__ import annotations

import ctypes
import gc
import importlib
import inspect
import json
import os
import secrets
import socket
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn

ROOT = Path(__file__).resolve().parents[2]
STARTS_AS_USUAL = "COVERAGE_PROCESS_START" in os.environ
_SUBREAPER = 36
"""``PR_SET_CHILD_SUBREAPER``: the children of a process that has ended become this one's."""

_LONGEST = 1 << 17
"""Bytes of an order."""

WITH_AN_INPUT = ("numpy.ma", "platformdirs", "psutil")
"""Modules that an engine loads with its first input."""


class Nursery:
    """A process that has the engine loaded and forks one for each :meth:`order`; started with the first."""

    def __init__(self) -> None:
        self._socket: socket.socket | None = None
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Has it load the engine, unless it has."""
        if self._process is None:
            self._socket, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
            command = [sys.executable, "-m", __name__, str(theirs.fileno())]
            self._process = subprocess.Popen(
                command, cwd=ROOT, pass_fds=[theirs.fileno()], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL
            )
            theirs.close()

    def order(self, streams: list[int], environment: dict[str, str], folder: str, own_session: bool) -> int:
        """The number of a new engine, a child of this process, with these streams."""
        self.start()
        assert self._socket is not None
        words = json.dumps([environment, folder, own_session]).encode()
        assert len(words) < _LONGEST
        _adopts(True)
        try:
            socket.send_fds(self._socket, [words], streams)
            return int(self._socket.recv(_LONGEST))
        finally:
            _adopts(False)

    def close(self) -> None:
        """Ends it; the engines stay."""
        if self._socket is not None and self._process is not None:
            self._socket.close()
            self._process.wait()


NURSERY = Nursery()


class ForkedEngine(subprocess.Popen[Any]):
    """``Popen`` of an engine, which comes from the nursery; any other command is started as usual."""

    def _execute_child(self, *arguments: Any) -> None:
        usual: Callable[..., None] = super()._execute_child  # type: ignore[misc]
        given = inspect.signature(usual).bind(*arguments).arguments
        if STARTS_AS_USUAL or "core.command_loop" not in list(given["args"]):
            usual(*arguments)
            return
        ends = [given[name] for name in ("p2cread", "p2cwrite", "c2pread", "c2pwrite", "errread", "errwrite")]
        streams = [own if end == -1 else end for own, end in enumerate((ends[0], ends[3], ends[5]))]
        environment = dict(os.environ if given["env"] is None else given["env"])
        folder = os.fspath(given["cwd"] or os.getcwd())
        self.pid = NURSERY.order(streams, environment, folder, given["start_new_session"])
        self._child_created = True
        self._close_pipe_fds(*ends)  # type: ignore[attr-defined]


def _adopts(wanted: bool) -> None:
    """Whether orphans among the descendants of this process become its children."""
    if ctypes.CDLL(None, use_errno=True).prctl(_SUBREAPER, int(wanted), 0, 0, 0):
        raise OSError(ctypes.get_errno(), "prctl")


def _serve(orders: socket.socket) -> None:
    """Forks an engine for each order; returns where the tests have ended."""
    while True:
        words, streams, _, _ = socket.recv_fds(orders, _LONGEST, 3)
        if not words:
            return
        reading, writing = os.pipe()
        between = os.fork()
        if not between:
            engine = os.fork()
            if engine:  # its orphan goes to the process of the tests
                os.write(writing, str(engine).encode())
                os._exit(0)
            for end in (reading, writing, orders.detach()):
                os.close(end)
            _become_engine(streams, *json.loads(words))
        os.waitpid(between, 0)
        orders.send(os.read(reading, 100))
        for end in (reading, writing, *streams):
            os.close(end)


def _become_engine(streams: list[int], environment: dict[str, str], folder: str, own_session: bool) -> NoReturn:
    """What a start of Python gives a process of its own; then the engine, to its end."""
    from core import command_loop
    from core.system.processes import families

    for number, stream in enumerate(streams):
        os.dup2(stream, number)
        os.close(stream)
    if own_session:
        os.setsid()
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    tempfile.tempdir = None
    families.RUN = secrets.randbits(38) + 1  # what it starts is nobody else's
    sys.stdin, sys.stdout, sys.stderr = (
        open(number, mode, encoding="utf-8", closefd=False)  # noqa: SIM115 - as long as the process
        for number, mode in ((0, "r"), (1, "w"), (2, "w"))
    )
    command_loop.run()


def _main() -> None:
    from core.system.interpreter import collector_paused, one_numpy_thread

    with collector_paused(lasting=True), one_numpy_thread():
        for name in ("core.service.engine", *WITH_AN_INPUT):
            importlib.import_module(name)
    gc.freeze()
    assert len(os.listdir("/proc/self/task")) == 1, "threads do not come along"
    _serve(socket.socket(fileno=int(sys.argv[1])))


if __name__ == "__main__":
    _main()
