"""Java processes that stay: each decompiles and compiles one candidate after another.

The protocol is described in ``resources/java/warm/Host.java``. A host is replaced when it crashes, when it
takes too long, after many requests, and when it holds on to too much memory. It ends by itself when we do,
since its input ends then.
"""

from __future__ import annotations

import contextlib
import os
import selectors
import signal
import struct
import subprocess
import tempfile
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from threading import Event as Flag

from core.predicate.command import TEMPORARY, environment_of
from core.predicate.effort import RequestLimit
from core.predicate.jvm.archives import ClassArchive
from core.system.processes.families import Family
from core.system.processes.process_groups import has_ended
from core.system.removal import remove

_LENGTH = struct.Struct(">i")
_HEAD = struct.Struct(">qqqi")
_POLL = 0.05
_CHUNK = 1 << 16
_LONGEST = 1 << 30

MOST_REQUESTS = 2000
"""Requests after which a host is replaced, whatever it looks like."""

FULL = 0.7
"""Share of the heap limit that may be in use after a request."""

_MOST_FAILURES = 3
"""Hosts that may fail one after another before none is tried for a while."""

_FIRST_REST, _LONGEST_REST = 16, 1024
"""Requests that are turned down then; twice as many each time, until a host answers."""


PLACE = "{temporary}"
"""Placeholder for a host's own folder for temporary files, in the words of the host's command."""

_PREFIX = "jarlet-host-"


class HostError(Exception):
    """A host cannot start, broke down, or answers what cannot be understood."""


class HostTimeoutError(HostError):
    """The host took too long and was killed."""


class HostCancelledError(HostError):
    """The host was killed because the request was cancelled."""


@dataclass(frozen=True, slots=True)
class HostAnswer:
    """The outcome of a candidate: javac's output, the beginning of the decompiler's, seconds, heap in bytes, and the
    texts of the sources with errors, by their paths as javac names them."""

    javac: str
    decompiler: str
    sources: int
    decompiling: float
    compiling: float
    heap: int
    failing: Mapping[str, str] = field(default_factory=dict)
    seconds: float = 0.0
    """Seconds of the request, without those in which this process was stopped."""


@dataclass(frozen=True)
class HostCommand:
    """The command that starts hosts. ``heap`` is the limit of the heap in bytes, set by the command. ``files`` are size
    and time of the files that the words name, so that a rebuilt tool makes another command."""

    words: tuple[str, ...]
    heap: int
    archive: ClassArchive | None = None
    files: tuple[str, ...] = ()


class Host:
    """One process. Not for several threads at once."""

    def __init__(self, command: HostCommand, work: Path | None = None) -> None:
        self._command = command
        self._folder = Path(tempfile.mkdtemp(prefix=_PREFIX, dir=work))
        self._asked = 0
        self._heap = 0
        self._took = 0.0
        try:
            # found by the next start, should it live on after the end of this one
            environment = environment_of(self._folder)
            quick = command.words if command.archive is None else command.archive.quick(command.words)
            words = [word.replace(PLACE, str(self._folder / TEMPORARY)) for word in quick]
            (self._folder / TEMPORARY).mkdir()
            self._family = Family(words, self._folder, environment, subprocess.PIPE, subprocess.DEVNULL)
            self._process = self._family.process
        except OSError as error:
            remove(self._folder)
            raise HostError(f"{command.words[0]} cannot be started: {error}") from error
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._input, self._output = self._process.stdin, self._process.stdout
        os.set_blocking(self._input.fileno(), False)
        os.set_blocking(self._output.fileno(), False)

    @property
    def worn(self) -> bool:
        """Return True if the host should be replaced."""
        return self._asked >= MOST_REQUESTS or self._heap > FULL * self._command.heap

    @property
    def pid(self) -> int:
        return self._process.pid

    def ask(self, jar: bytes, seconds: float | None, cancel: Flag | None) -> HostAnswer:
        """Return the answer for a candidate. After any HostError the host is gone."""
        data = self.exchange(jar, seconds, cancel)
        try:
            answer = _parsed(data)
        except HostError:
            self.kill()
            raise
        self._heap = answer.heap
        return replace(answer, seconds=self._took)

    def exchange(self, request: bytes, seconds: float | None, cancel: Flag | None) -> bytes:
        """Return the answer of the program to a request, as bytes. After any HostError the host is gone."""
        try:
            answer = self._exchange(_LENGTH.pack(len(request)) + request, seconds, cancel)
        except BaseException:
            self.kill()
            raise
        self._asked += 1
        return answer

    def kill(self) -> None:
        """End the host at once, with all processes that it started."""
        self._family.kill()
        self._family.wait()
        for pipe in (self._input, self._output):
            with contextlib.suppress(OSError):
                pipe.close()
        remove(self._folder)

    def retire(self, seconds: float, cancel: Flag) -> None:
        """Let the host come to its own end, for at most so long, or until ``cancel`` is set."""
        with contextlib.suppress(OSError):
            self._input.close()
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline and not cancel.is_set() and not has_ended(self._process):
            time.sleep(_POLL)
        self.kill()

    def _exchange(self, request: bytes, seconds: float | None, cancel: Flag | None) -> bytes:
        left = memoryview(request)
        answer, limit = bytearray(), RequestLimit(self.pid, seconds)
        wanted = _LENGTH.size
        with selectors.DefaultSelector() as selector:
            selector.register(self._output, selectors.EVENT_READ)
            selector.register(self._input, selectors.EVENT_WRITE)
            while len(answer) < wanted:
                if cancel is not None and cancel.is_set():
                    raise HostCancelledError("cancelled")
                if limit.passed():
                    raise HostTimeoutError("too slow")
                for key, _ in selector.select(_POLL):
                    try:
                        if key.fileobj is self._input:
                            left = left[os.write(self._input.fileno(), left[:_CHUNK]) :]
                            if not left:
                                selector.unregister(self._input)
                        else:
                            chunk = os.read(self._output.fileno(), _CHUNK)
                            if not chunk:
                                raise HostError("the process ended")
                            answer += chunk
                    except BlockingIOError:
                        continue
                    except OSError as error:
                        raise HostError(f"the process ended: {error}") from error
                if wanted == _LENGTH.size and len(answer) >= wanted:
                    (length,) = _LENGTH.unpack_from(answer)
                    if not 0 <= length <= _LONGEST:
                        raise HostError("the answer is malformed")
                    wanted += length
        self._took = limit.elapsed()
        return bytes(answer[_LENGTH.size :])


class HostPool:
    """Hosts for as many threads as ask; a free one is reused, else one is started. Their folders are made in ``work``.

    When hosts fail one after another, requests are turned down for a while, counted in requests and not in seconds, so
    that the same run makes the same tries; then one host more is tried.
    """

    def __init__(self, command: HostCommand, work: Path | None = None) -> None:
        self._command, self._work = command, work
        self._lock = threading.Lock()
        self._free: list[Host] = []
        self._all: set[Host] = set()
        self._failures = 0
        self._turned_down, self._rest = 0, _FIRST_REST
        self._closed = False

    def ask(self, jar: bytes, seconds: float | None = None, cancel: Flag | None = None) -> HostAnswer:
        """Return the answer for a candidate. Raise HostError; its sub-classes tell what happened."""
        host = self._take()
        try:
            answer = host.ask(jar, seconds, cancel)
        except HostError as error:
            with self._lock:
                self._all.discard(host)
                if not isinstance(error, (HostTimeoutError, HostCancelledError)):
                    self._failures += 1
            raise
        except BaseException:
            with self._lock:
                self._all.discard(host)
            raise
        with self._lock:
            self._failures, self._turned_down, self._rest = 0, 0, _FIRST_REST
            keep = not (host.worn or self._closed)
            if keep:
                self._free.append(host)
            else:
                self._all.discard(host)
        if not keep:
            host.kill()
        return answer

    def prepare(self) -> None:
        """Start a host that waits, unless there is one. A failure to start shows at the next request."""
        with self._lock:
            if self._all or self._closed:
                return
        with contextlib.suppress(HostError):
            host = self._take()
            with self._lock:
                keep = not self._closed
                if keep:
                    self._free.append(host)
            if not keep:
                host.kill()

    def pids(self) -> Sequence[int]:
        """Return the process numbers of the living hosts."""
        with self._lock:
            return sorted(host.pid for host in self._all)

    def close(self) -> None:
        """End all hosts; those at work end their requests with HostError."""
        with self._lock:
            self._closed = True
            free, self._free = self._free, []
            busy = self._all - set(free)
            self._all = set()
        for host in free:
            host.kill()
        for host in busy:  # their own threads clean up after them
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(host.pid, signal.SIGKILL)

    def _take(self) -> Host:
        with self._lock:
            if self._closed:
                raise HostError("closed")
            if self._failures >= _MOST_FAILURES:
                self._turned_down += 1
                if self._turned_down <= self._rest:
                    raise HostError("the hosts fail one after another")
                self._failures -= 1
                self._turned_down, self._rest = 0, min(2 * self._rest, _LONGEST_REST)
            if self._free:
                return self._free.pop()
        try:
            host = Host(self._command, self._work)
        except HostError:
            with self._lock:
                self._failures += 1
            raise
        with self._lock:
            self._all.add(host)
        return host


def _parsed(data: bytes) -> HostAnswer:
    try:
        decompiling, compiling, heap, sources = _HEAD.unpack_from(data)
        texts: list[str] = []
        place = _HEAD.size
        while place < len(data) or len(texts) < 2:
            (length,) = _LENGTH.unpack_from(data, place)
            place += _LENGTH.size
            texts.append(data[place : place + length].decode("utf-8", "replace"))
            place += length
    except struct.error as error:
        raise HostError(f"the answer is malformed: {error}") from error
    failing = dict(zip(texts[2::2], texts[3::2], strict=False))
    return HostAnswer(texts[0], texts[1], sources, decompiling / 1e6, compiling / 1e6, heap, failing)
