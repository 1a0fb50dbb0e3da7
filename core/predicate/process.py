"""Running one command so that it cannot hurt: own session, time limit, bounded output, nothing left behind.

The command leads a process group of its own, which is killed whole on time-out, on cancel, and after every normal end.
On Linux, processes that left the group (daemons) are killed too. They are found by the mark of their family (see
:mod:`core.system.processes.families`), or without one by a marker in their environment or their current folder.
"""

from __future__ import annotations

import errno
import hashlib
import math
import os
import selectors
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event as Flag
from typing import IO

from core.errors import PredicateError
from core.predicate.effort import Effort, Haste
from core.predicate.jvm.stuck import UNKNOWN, Sampler
from core.predicate.limits import ProbeLimits, Watch
from core.system.processes import process_table
from core.system.processes.families import Family, has_ended
from core.system.stopwatch import AwakeClock

KEPT_OUTPUT = 32 * 1024 * 1024
"""Bytes of each output stream that are kept; the rest only goes into the digest."""

_POLL = 0.05
"""Seconds between two looks at a command that keeps its output open."""

_PLACELESS = 60.0
"""Seconds that a run without a limit may hang at an unknown place. See decisions/057-hangs.md."""

_ENDING = 5.0
"""Seconds that a watched run has for its end. See decisions/057-hangs.md."""

_EXHAUSTED = (errno.EAGAIN, errno.EMFILE, errno.ENFILE, errno.ENOMEM)
"""Errors of a system that has, or gives to this user, no more processes, open files or memory."""

NO_MORE = "End other programs, run fewer probes at a time (--jobs 1), or raise the limit (ulimit -u, ulimit -n)."
"""Advice where the system gives no more processes, threads or open files."""

_FIRST_LINE = 256
"""Bytes of a script that the system reads for its interpreter."""

_CHUNK = 1 << 16
"""Bytes of an output that are read at a time."""


@dataclass
class Stream:
    """One captured output: the first ``KEPT_OUTPUT`` bytes, the length and the digest of all."""

    data: bytearray = field(default_factory=bytearray)
    length: int = 0
    _digest: hashlib._Hash = field(default_factory=hashlib.sha256)

    @classmethod
    def of(cls, data: bytes) -> Stream:
        """Return the stream of an output."""
        stream = cls()
        stream.add(data)
        return stream

    def add(self, chunk: bytes) -> None:
        self.length += len(chunk)
        self._digest.update(chunk)
        if len(self.data) < KEPT_OUTPUT:
            self.data += chunk[: KEPT_OUTPUT - len(self.data)]

    @property
    def whole(self) -> bool:
        return self.length == len(self.data)

    @property
    def digest(self) -> bytes:
        return self._digest.digest()

    @property
    def text(self) -> str:
        return self.data.decode("utf-8", errors="replace")


@dataclass(frozen=True)
class ProcessResult:
    """The end of a command. ``exit`` is its code, negative for a signal (as ``subprocess`` counts)."""

    exit: int
    seconds: float
    stdout: Stream
    stderr: Stream
    timed_out: bool = False
    cancelled: bool = False
    exceeded: str = ""
    """The limit that it was killed for, in words."""
    processor: float = 0.0
    """Seconds of its processor time, with those of the children it waited for; 0 if not known."""
    busiest: float = 0.0
    """The most of them that one thread can have taken."""
    idle: float = 0.0
    """The most seconds in a row in which nothing of it may have run or waited for a processor."""
    starved: float = 0.0
    """Seconds in which threads of it were ready and got no processor; 0 if not known."""

    @property
    def stopped(self) -> bool:
        """Return True if Jarlet killed the command. The exit code then says nothing."""
        return self.timed_out or self.cancelled or bool(self.exceeded)


@dataclass(frozen=True)
class Launch:
    """A command that is ready to start."""

    argv: Sequence[str]
    folder: Path
    """Folder of the run's files."""
    environment: Mapping[str, str]
    marker: str = ""
    """Text ``NAME=FOLDER`` of the environment, unique to this run; the folder is the run's own as well."""
    place: Path | None = None
    """Working directory of the command, if it is not ``folder``."""
    watched: bool = False
    """True if its virtual machines write down at their end what ran: a limit asks them to end, before it kills."""


class Pipes:
    """Pipes with what takes their bytes. Within a ``with`` statement; the pipes are closed at its end."""

    def __init__(self, outputs: Sequence[tuple[IO[bytes], Callable[[bytes], None]]]) -> None:
        self._pipes = [pipe for pipe, _ in outputs]
        self._selector = selectors.DefaultSelector()
        for pipe, sink in outputs:
            os.set_blocking(pipe.fileno(), False)
            self._selector.register(pipe, selectors.EVENT_READ, sink)

    @property
    def open(self) -> bool:
        """True if at least one of the pipes has not reached its end."""
        return bool(self._selector.get_map())

    def wait(self, seconds: float) -> bool:
        """Wait at most ``seconds`` for bytes and hand over those that came. Return True if any came."""
        ready = self._selector.select(seconds)
        for key, _ in ready:
            try:
                chunk = os.read(key.fd, _CHUNK)
            except BlockingIOError:
                continue
            if chunk:
                key.data(chunk)
            else:
                self._selector.unregister(key.fileobj)
        return bool(ready)

    def __enter__(self) -> Pipes:
        return self

    def __exit__(self, *error: object) -> None:
        self._selector.close()
        for pipe in self._pipes:
            pipe.close()


def run(
    launch: Launch,
    timeout: float | None = None,
    cancel: Flag | None = None,
    limits: ProbeLimits | None = None,
    haste: Haste | None = None,
) -> ProcessResult:
    """Run a command until it ends, ``timeout`` seconds pass, a limit of processor time (``haste``) or another one is
    reached, or ``cancel`` is set. Raise PredicateError if the command cannot be started at all, or nothing can tell
    whether it hangs.
    """
    limits, haste, place = limits or ProbeLimits(), haste or Haste(), launch.place or launch.folder
    begun = time.monotonic()
    try:
        family = Family(launch.argv, place, launch.environment)
    except (OSError, ValueError) as error:
        raise PredicateError(why_not_started(launch.argv, place, error)) from error
    process = family.process
    stdout, stderr = Stream(), Stream()
    # the limit of file size comes first: what starts before is not bound by it
    watch = Watch(limits, process.pid, launch.folder, lambda: effort.rows())
    effort = Effort(process.pid, haste, family.mark)
    sampler = Sampler(effort.members, UNKNOWN if haste.hang is None else haste.hang, limits.stands, limits.tells)
    clock = AwakeClock()
    most = min((each for each in (timeout, limits.seconds) if each is not None), default=math.inf)
    timed_out = cancelled = lost = False
    exceeded = ""
    endless = haste.hang == "" and haste.watch is None and limits.stands is None and most == math.inf
    assert process.stdout is not None
    assert process.stderr is not None
    with Pipes([(process.stdout, stdout.add), (process.stderr, stderr.add)]) as outputs:
        while not has_ended(process):
            cancelled = cancel is not None and cancel.is_set()
            late, slow = clock.elapsed() > most, effort.exceeded()
            if not slow and sampler.stands(effort.passed(), stdout.length + stderr.length):
                slow = "it hangs"
            lost = endless and not sampler.saw and clock.elapsed() > _PLACELESS
            timed_out = late or lost or bool(slow)
            exceeded = ("" if late else slow) or watch.exceeded(stdout.length + stderr.length)
            if cancelled or timed_out or exceeded:
                break
            if outputs.open:
                outputs.wait(_POLL)
            else:  # both outputs closed: the end is near, usually immediate
                time.sleep(0.002)
        seconds, spent, busiest, idle = time.monotonic() - begun, effort.spent(), effort.busiest(), effort.idle()
        starved = min(seconds, effort.starved())
        if timed_out and haste.hang is not None:
            stderr.add(sampler.trace().encode())
        if timed_out and launch.watched:
            _let_end(process, effort.members)
        family.kill()
        if not family.mark:
            _kill_strays(launch.marker)
        exit_code = family.wait()
        sampler.close()
        # read the rest in the pipes, without waiting for a survivor that keeps them open
        deadline = time.monotonic() + 1.0
        while outputs.open and time.monotonic() < deadline and outputs.wait(_POLL):
            pass
    if lost and not cancelled:
        raise PredicateError(
            f"The command has not ended after {_PLACELESS:.0f} s, and no Java process of it tells where it is stuck. "
            "Give the seconds that a run may take (--timeout): one that takes longer hangs."
        )
    if not (cancelled or timed_out or exceeded):
        exceeded = limits.told_by(exit_code) or watch.written()
    return ProcessResult(
        exit_code, seconds, stdout, stderr, timed_out, cancelled, exceeded, spent, busiest, idle, starved
    )


def _let_end(process: subprocess.Popen[bytes], members: Callable[[], Sequence[int]]) -> None:
    """Ask the ``members`` of a run to end, and wait until they have, ``_ENDING`` seconds at most."""
    for pid in members():
        with suppress(OSError):
            os.kill(pid, signal.SIGTERM)
    latest = time.monotonic() + _ENDING
    while time.monotonic() < latest and not (has_ended(process) and {*members()} <= {process.pid}):
        time.sleep(_POLL)


def _kill_strays(marker: str) -> None:
    """Kill every process whose environment holds ``marker``, every process in its folder without a terminal (a user's
    shell there has one), and their new children meanwhile (Linux)."""
    if not marker or not process_table.listed():
        return
    needle, place = os.fsencode(marker), os.fsencode(os.path.realpath(marker.partition("=")[2]))
    clean = 0
    for _ in range(8):  # a fork bomb may outrun one sweep, and what begins a program has no environment just then
        found = False
        for pid in process_table.numbers():
            if pid == os.getpid():
                continue
            try:
                if needle not in process_table.environment(pid) and not _lives_in(pid, place):
                    continue
                os.kill(pid, signal.SIGKILL)
                found = True
            except OSError:
                continue  # gone, or another user's
        clean = 0 if found else clean + 1
        if clean == 2:
            return


def _lives_in(pid: int, place: bytes) -> bool:
    """Return True if the process has no terminal and lives in the folder ``place`` or below, even if that folder is
    gone."""
    where = process_table.place(pid)
    return (where == place or where.startswith(place + b"/")) and not process_table.row(pid).terminal


def why_not_started(argv: Sequence[str], place: Path, error: OSError | ValueError) -> str:
    """Return a sentence or two on ``error``, which starting ``argv`` in the folder ``place`` gave."""
    begin = f"The predicate command cannot be started: {argv[0]!r}"
    if not isinstance(error, OSError):
        return f"{begin}: {error}."
    if error.errno in _EXHAUSTED:
        return f"{begin}: {error.strerror}. {NO_MORE}"
    if not place.is_dir():
        return f"{begin}: the folder that it should run in, {place}, is not there any more."
    program = argv[0] if os.sep in argv[0] else shutil.which(argv[0])
    if program is not None and (place / program).is_file():
        start = _start_of(place / program)
        if start.startswith(b"#!"):
            return f"{begin}: {_of_interpreter(start)}"
        if error.errno == errno.ENOEXEC:
            return (
                f"{begin}: it has no first line like '#!/bin/sh', nor is it a program of this machine. Add that line."
            )
        if error.errno == errno.ENOENT:
            return f"{begin}: it exists, but its loader does not: it was built for another system."
    if error.errno == errno.E2BIG:
        return f"{begin}: its arguments and environment are longer than the system allows. Put them into a script."
    return f"{begin}: {error.strerror or error}. Check the command's first word, and that the file may be executed."


def _of_interpreter(start: bytes) -> str:
    line = start[2:].split(b"\n", 1)[0]
    words = os.fsdecode(line).split(maxsplit=1)
    name = words[0] if words else ""
    if line.endswith(b"\r"):
        return f"its first line ends as on Windows, so the system looks for '{name}\\r'. Save it with Unix line ends."
    if not name:
        return "its first line, '#!', names no interpreter: write '#!/bin/sh', for instance."
    if not Path(name).exists():
        return f"the script is there, but not its interpreter {name}, which its first line names. Correct that line."
    return f"the script is there, but its interpreter {name} cannot be run. Correct its first line."


def _start_of(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            return file.read(_FIRST_LINE)
    except OSError:
        return b""
