"""A command with all its descendants, so that it can be ended whole.

The command leads a session and a process group of its own. These do not hold a daemon: a process that left the group,
cleared its environment and lost its parent. On Linux such a process still carries a mark: its limit of file locks
(``RLIMIT_LOCKS``). The system hands this limit down from parent to child through fork and exec, but has ignored it
since version 2.4.25. The limit is ours for the moment of the start, so the command has it from its first instruction
on. The mark tells simultaneous probes apart, unlike adoption of orphans (``PR_SET_CHILD_SUBREAPER``).

Not found are a process that sets this limit or changes its user, and one started by another service (``systemd-run``,
``at``, a container, an older build daemon).
"""

from __future__ import annotations

import contextlib
import itertools
import os
import secrets
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import Enum
from pathlib import Path

from core.system.processes import background, process_table
from core.system.processes.measures import Mark

RUN = secrets.randbits(38) + 1
"""Number of this process in the marks of all that it starts."""

_GONE = -2
_BITS = 20
_numbers = itertools.count(1)
_starting = threading.Lock()
_living: set[Family] = set()

_LONGEST = 2.0
"""Seconds after which still living processes are left: the system blocks their end."""


class Family:
    """A started command; ``process`` is its first process. Raises OSError or ValueError as ``Popen`` does."""

    def __init__(
        self,
        argv: Sequence[str],
        folder: Path,
        environment: Mapping[str, str] | None = None,
        stdin: int = subprocess.DEVNULL,
        stderr: int = subprocess.PIPE,
    ) -> None:
        with _marked() as self.mark:
            self.process = subprocess.Popen(
                argv,
                cwd=folder,
                env=None if environment is None else dict(environment),
                stdin=stdin,
                stdout=subprocess.PIPE,
                stderr=stderr,
                start_new_session=True,
            )
            _living.add(self)
        background.take(self.process.pid)

    def kill(self) -> None:
        """End all processes. The first process must not have been waited for: its number is then nobody else's."""
        kill_group(self.process)
        if self.mark:
            _kill(lambda mark: mark == self.mark)

    def wait(self) -> int:
        """Return the exit code of the first process, once it has ended."""
        code = self.process.wait()
        _living.discard(self)
        return code


def kill_group(process: subprocess.Popen[bytes]) -> None:
    """End a group at once. Its leader must not have been waited for: its number is then nobody else's."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)


def has_ended(process: subprocess.Popen[bytes]) -> bool:
    """Return True if the leader has ended. The leader is not reaped, so that the group's id stays ours."""
    if process.returncode is not None:
        return True
    return os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None


def has_mark(pid: int, mark: int) -> bool:
    """Return True if a process carries the mark. No process carries the mark 0."""
    return bool(mark) and _mark_of(pid) == mark


def kill_run(run: int) -> None:
    """End all processes that the process with the number ``run`` started, and their descendants."""
    if _works():
        _kill(lambda mark: mark >> _BITS == run)


def die(number: int) -> None:
    """End this process by a signal, and all its families before. For handlers of signals: in the main thread."""
    # no other thread starts anything from here on; not got if the handler interrupts the very start of a command
    _starting.acquire(timeout=1)
    for family in tuple(_living):
        kill_group(family.process)
    kill_run(RUN)
    signal.signal(number, signal.SIG_DFL)
    os.kill(os.getpid(), number)


@contextlib.contextmanager
def _marked() -> Iterator[int]:
    """Give processes started within it a mark, and yield the mark; 0 if there are no marks."""
    with _starting:
        if not _works():
            yield 0
            return
        before = Mark.own()
        if before is None:
            yield 0  # a Jarlet around this one, or somebody's wish
            return
        mark = RUN << _BITS | next(_numbers) % (1 << _BITS)
        Mark.set((mark, before[1]))
        try:
            yield mark
        finally:
            Mark.set(before)


def _works() -> bool:
    return sys.platform.startswith("linux") and hasattr(os, "pidfd_open") and process_table.listed()


def _mark_of(pid: int) -> int:
    """Return the mark of a process, 0 if it has none or is another user's, ``_GONE`` if there is no such process."""
    try:
        return Mark.of(pid) or 0
    except ProcessLookupError:
        return _GONE
    except (OSError, ValueError):
        return 0


def _kill(wanted: Callable[[int], bool]) -> None:
    """Kill all processes with a wanted mark, and those that they start meanwhile, until none lives."""
    deadline = time.monotonic() + _LONGEST
    dead: set[int] = set()
    while time.monotonic() < deadline:
        # Names come in ascending order, and a child's number is higher than its parent's: who lives was listed, or
        # has an ancestor that was. So one look suffices, unless somebody listed ended before its mark was read: its
        # child may have come too late for the list.
        listed = process_table.numbers()
        marks = [(pid, _mark_of(pid)) for pid in listed]
        ends = {pid: _kill_one(pid, wanted) for pid, mark in marks if wanted(mark)}
        ended = {pid for pid, end in ends.items() if end is _End.BEFORE}
        killed = _End.KILLED in ends.values()
        if not killed and ended <= dead and all(mark != _GONE for _, mark in marks):
            return
        dead = ended
        if killed:
            time.sleep(0.0005)


class _End(Enum):
    """The outcome for a process that was to be killed."""

    KILLED = "killed"
    BEFORE = "had ended before"
    OTHERS = "nobody's of ours"


def _kill_one(pid: int, wanted: Callable[[int], bool]) -> _End:
    """Kill a process by a handle, so that a number used again hits nobody."""
    try:
        handle = os.pidfd_open(pid)
    except OSError:
        return _End.BEFORE
    try:
        row = process_table.row(pid)
        if row.state in ("Z", "X"):
            return _End.BEFORE
        if pid == os.getpid() or not wanted(_mark_of(pid)):
            return _End.OTHERS
        # the first process of a container adopts every orphan
        if row.parent == os.getpid() != 1 and all(family.process.pid != pid for family in tuple(_living)):
            return _End.OTHERS  # another thread started it, without a mark of its own, in the moment of a marked start
        signal.pidfd_send_signal(handle, signal.SIGKILL)
    except OSError:
        return _End.BEFORE
    finally:
        os.close(handle)
    return _End.KILLED
