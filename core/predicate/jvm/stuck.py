"""The place in the code where the Java processes of a run are stuck, from samples of their threads.

A thread that works moves on between two samples: only the calls around its work are in both. So the innermost frames
that a busy thread has in all samples name an endless loop, an endless recursion or a deadlock. The stacks are asked for
as ``jcmd PID Thread.print`` asks, without a virtual machine of its own: by the socket that HotSpot opens for its tools
(Linux).
"""

from __future__ import annotations

import contextlib
import math
import os
import re
import signal
import socket
import time
from collections.abc import Callable, Iterable, Sequence
from itertools import takewhile
from pathlib import Path
from typing import NamedTuple

from core.predicate.output import traces

HANG = "hang at "
"""Beginning of the name of a hang, before its frames."""
UNKNOWN = f"{HANG}unknown"
"""Name of a hang at an unknown place: no Java process answers."""

_FIRST, _PAUSE, _PAUSE_SHARE = 0.5, 0.2, 0.04
"""Seconds until the first look at the threads; seconds between two looks; the pause as a share of the time so far, if
that is longer. See decisions/057-hangs.md."""
_STANDS, _STANDS_OTHER, _STANDS_SHARE = 4.0, 5.0, 1 / 3
"""Least seconds for which a known and an unknown hang must stand, and least share of the time of the run.
See decisions/057-hangs.md."""
_INNER, _INNER_SHARE = 1.0, 0.2
"""Most frames within the common ones of an unknown hang, or most of them as a share of these: work that goes on has
more. See decisions/057-hangs.md."""
_WORKS = 20.0
"""Least processor time of all threads from one sample to the next where some of them work, in milliseconds. See
decisions/057-hangs.md."""
_MOSTLY = 0.75
"""Least share of the samples with the frames of a known hang. See decisions/057-hangs.md."""
_FEWEST, _LAST = 6, 8
"""Least number of samples by which a hang stands, and samples at the end of a run. See decisions/057-hangs.md."""

_CPU = re.compile(r" cpu=([\d.]+)ms")
_WAITS = re.compile(r" (?:waiting on condition|in Object\.wait\(\))")


class ThreadSample(NamedTuple):
    """A thread at one moment: milliseconds of its processor time, whether it may go on by itself, and its frames,
    outermost first."""

    processor: float
    ready: bool
    frames: list[str]


Sample = dict[tuple[int, str], ThreadSample]
"""The threads of one moment, by process and name."""


def hang_text(output: str) -> str:
    """Return a sentence on the place where a run was stuck, by its output."""
    name = next((name for name in traces.names(output) if name.startswith(HANG)), UNKNOWN)
    if name == UNKNOWN:
        return "No Java process of it tells where it is stuck."
    frames = name.removeprefix(HANG).split(" < ")
    return f"It is stuck in {next((frame for frame in frames if not traces.is_of_jdk(frame)), frames[0])}."


def sample(pids: Iterable[int]) -> Sample:
    """Return the threads of the Java processes among ``pids``."""
    found: Sample = {}
    for pid in pids:
        for block in thread_dump(pid).split("\n\n"):
            head, _, stack = block.strip().partition("\n")
            frames = traces.frames(stack)[::-1] if head.startswith('"') else []
            if frames:
                cpu = _CPU.search(head)
                name = head[: head.rfind('"')]
                found[pid, name] = ThreadSample(float(cpu[1]) if cpu else 0.0, not _WAITS.search(head), frames)
    return found


def place(samples: Sequence[Sample]) -> tuple[list[str], float]:
    """Return the common frames of the stuck thread, innermost first, and the mean number of its frames within these;
    no frames if no thread is stuck.

    If any thread works, only busy threads count: a thread that waits for a busy one is not stuck. A busy thread that is
    new, or goes from one task of a pool to the next, makes progress. If no thread works, threads with frames of their
    own count, first those that wait for no other thread. Of several stuck threads the one with the most common frames
    is taken."""
    found = []
    first, last = samples[0], samples[-1]
    took = {key: each.processor - (first[key].processor if key in first else 0.0) for key, each in last.items()}
    works = sum(took.values()) >= _WORKS * (len(samples) - 1)
    for key in set(first).intersection(*samples[1:]):
        stacks = [each[key].frames for each in samples]
        frames = _common(stacks)
        if 2 * took[key] >= max(took.values()) if works else not all(map(traces.is_of_jdk, frames)):
            inner = sum(map(len, stacks)) / len(stacks) - len(frames)
            found.append((last[key].ready, len(frames), frames, inner))
    frames, inner = max(found, default=(False, 0, [], 0.0))[-2:]
    while len(frames) > 1 and all(map(traces.is_of_jdk, frames[-2:])):
        frames.pop()
    return ([], 0.0) if all(map(traces.is_of_jdk, frames)) else (frames[::-1], inner)


def _common(stacks: Sequence[list[str]]) -> list[str]:
    """Return the frames, outermost first, in which all stacks agree."""
    levels = takewhile(lambda level: len(set(level)) == 1, zip(*stacks, strict=False))
    return [frame for frame, *_ in levels]


class Sampler:
    """The samples of one run: its processes are those of ``pids()``. ``hang``: the name of a known hang; empty to find
    one; :data:`UNKNOWN` to look only at the end. ``least``: seconds for which any hang must stand, whatever the time of
    the run. ``tells``: True if the command prints each thing it works on: while it prints nothing it makes no
    progress."""

    def __init__(self, pids: Callable[[], Iterable[int]], hang: str, least: float | None, tells: bool) -> None:
        self._pids, self._least, self._tells = pids, least, tells
        self._printed, self._quiet = 0, 0.0
        self._stands = (_STANDS, _STANDS_OTHER) if least is None else (least, least)
        self._share, self._pause = (_STANDS_SHARE, math.inf) if least is None else (0.0, least / _LAST)
        self._hang = hang
        self._known = hang.removeprefix(HANG).split(" < ") if hang not in ("", UNKNOWN) else []
        self._next = _FIRST
        self._samples: list[tuple[float, Sample]] = []
        self._frames: list[str] = []
        self._asked: set[int] = set()
        """The Java processes that have opened their sockets."""

    def _sample(self) -> Sample:
        found = sample(self._pids())
        self._asked |= {pid for pid, _ in found}
        return found

    def close(self) -> None:
        """Remove the sockets that the processes of a run leave when they are killed."""
        for pid in self._asked:
            with contextlib.suppress(OSError):
                os.unlink(_socket(pid))

    def stands(self, now: float, printed: int) -> bool:
        """Look at the threads at a time by :meth:`Effort.passed`, with so many printed bytes. Return True once a hang
        stands for long enough."""
        if printed > self._printed:
            self._printed, self._quiet = printed, now
        if self._hang == UNKNOWN or now < self._next:
            return False
        self._samples.append((now, self._sample()))
        self._next = now + min(max(_PAUSE, _PAUSE_SHARE * now), self._pause)
        if self._tells and now - self._quiet < self._stands[0]:
            return False
        known, other = (self._since(now - seconds) for seconds in self._stands)
        if self._known and len(known) >= _FEWEST and self._seen_in(known):
            self._frames = self._known
        elif len(other) >= _FEWEST:
            frames, inner = place(other)
            self._frames = frames if self._tells or inner <= max(_INNER, _INNER_SHARE * len(frames)) else []
        return bool(self._frames)

    @property
    def saw(self) -> bool:
        """True if there were threads to look at."""
        return any(found for _, found in self._samples)

    def trace(self) -> str:
        """Return where the run is stuck, or was slow, as the text of a stack trace; empty if it was slow at no one
        place."""
        stood = self._least is not None or self._frames is self._known
        frames = self._frames if stood else self._last()
        if self._least is not None and not frames and self.saw:
            return ""
        frames = frames or [UNKNOWN.removeprefix(HANG)]
        return "\n".join([HANG.split()[0], *(f"\tat {frame}(Unknown Source)" for frame in frames), ""])

    def _last(self) -> list[str]:
        """Return the frames of the place at the end of a run, by some more samples."""
        samples, pause = self._since(self._samples[-1][0]) if self._samples else [], _PAUSE / 2
        for _ in range(_LAST):
            samples.append(self._sample())
            time.sleep(pause)
            pause *= 1.4
        return self._known if self._known and self._seen_in(samples) else place(samples)[0]

    def _since(self, begin: float) -> list[Sample]:
        """Return the samples of the last part since ``begin`` or earlier; none if no sample is older."""
        begin = min(begin, (1 - self._share) * self._samples[-1][0], self._samples[-_FEWEST:][0][0])
        if self._samples[0][0] > begin:
            return []
        return [each for at, each in self._samples if at >= begin]

    def _seen_in(self, samples: Sequence[Sample]) -> bool:
        return sum(map(self._seen, samples)) >= _MOSTLY * len(samples)

    def _seen(self, found: Sample) -> bool:
        """Return True if a thread has the known frames, one after another."""
        known = f" {' < '.join(self._known)} "
        return any(known in f" {' < '.join(thread.frames[::-1])} " for thread in found.values())


_REQUEST = b"1\0threaddump\0\0\0\0"
_LONGEST = 2.0
"""Seconds after which a process does not answer: its threads are stopped, or it has no such socket."""


def thread_dump(pid: int) -> str:
    """Return the stacks of a process's threads, as its virtual machine prints them; empty for a process without a
    virtual machine, or for one that does not answer."""
    with contextlib.suppress(OSError):
        if "libjvm.so" in Path(f"/proc/{pid}/maps").read_text() and _listens(pid):
            with socket.socket(socket.AF_UNIX) as client:
                client.settimeout(_LONGEST)
                client.connect(_socket(pid))
                client.sendall(_REQUEST)
                return b"".join(iter(lambda: client.recv(1 << 16), b"")).decode("utf-8", "replace")
    return ""


def _listens(pid: int) -> bool:
    """Have the process open its socket. Return True once the socket is there."""
    if os.path.exists(_socket(pid)):
        return True
    handled = int(Path(f"/proc/{pid}/status").read_text().partition("SigCgt:")[2].split()[0], 16)
    if not handled >> signal.SIGQUIT - 1 & 1:
        return False  # the signal would end it
    wish = Path(f"/tmp/.attach_pid{pid}")
    wish.touch()
    try:
        os.kill(pid, signal.SIGQUIT)
        end = time.monotonic() + _LONGEST
        while not os.path.exists(_socket(pid)) and time.monotonic() < end:
            time.sleep(0.01)
    finally:
        wish.unlink(missing_ok=True)
    return os.path.exists(_socket(pid))


def _socket(pid: int) -> str:
    return f"/tmp/.java_pid{pid}"
