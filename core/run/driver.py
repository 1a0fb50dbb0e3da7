"""Answers an algorithm's questions: cache, graph or predicate, in this order of preference.

The driver owns everything that an algorithm does not see: probes, the cache by content,
limits, pause and stop, events, and the best candidate so far. It never returns a candidate
that was not tested interesting.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from core.predicate.verdict import Outcome, Verdict
from core.run import events
from core.run.control import Control, Limits, Stop
from core.search.questions import Algorithm, Candidate, First, Least, Question, Test
from core.search.spaces import ItemSet, Space

_TOLD_PER_SECOND = 20
"""Answers without a probe that are told to listeners; the rest is only counted."""


class Judge(Protocol):
    """What the driver must know of the input and the predicate."""

    count: int
    """Number of items."""

    def key(self, items: ItemSet) -> bytes:
        """Hash of what would be written: equal keys mean equal candidates."""

    def probe(self, items: ItemSet, number: int, seconds: float | None) -> Outcome:
        """Runs the predicate, for at most ``seconds`` where that is less than its own limit."""

    def classes_of(self, items: ItemSet) -> int:
        """Number of classes kept."""

    def bytes_of(self, items: ItemSet) -> int:
        """Bytes kept."""


@dataclass(frozen=True, slots=True)
class Step:
    """An accepted step of the timeline."""

    at: float
    probe: int
    classes: int
    items: int
    bytes: int


@dataclass
class Counts:
    """Answers by where they came from, and probes by what they said."""

    probes: int = 0
    cached: int = 0
    invalid: int = 0
    verdicts: dict[str, int] = field(default_factory=dict)
    predicate_seconds: float = 0.0
    paused_seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Reduction:
    """How a run ended: the smallest candidate that was tested interesting, and how it was found.

    ``reason`` is ``done`` when the algorithm came to its end, else what stopped it.
    """

    items: ItemSet
    reason: str
    seconds: float
    counts: Counts
    timeline: tuple[Step, ...]


class Driver:
    """One run of one algorithm in one space, with one worker."""

    def __init__(
        self,
        space: Space,
        judge: Judge,
        listener: events.Listener,
        *,
        control: Control | None = None,
        limits: Limits | None = None,
        on_best: Callable[[ItemSet], None] = lambda items: None,
    ) -> None:
        self._space = space
        self._judge = judge
        self._tell = listener
        self._control = control or Control()
        self._limits = limits or Limits()
        self._on_best = on_best
        self._answers: dict[bytes, bool] = {}
        self._keys: dict[ItemSet, bytes] = {}
        self._counts = Counts()
        self._timeline: list[Step] = []
        self._needed: ItemSet = 0
        self._best: ItemSet = 0
        self._best_elements: frozenset[int] = frozenset(space.elements)
        self._best_bytes = 0
        self._start = 0.0
        self._last_told = 0.0

    def run(self, algorithm: Algorithm, full: ItemSet) -> Reduction:
        """Drives ``algorithm`` to its end, a limit or a stop. ``full`` is known to be interesting."""
        self._start = time.monotonic()
        self._best, self._best_bytes = full, self._judge.bytes_of(full)
        self._answers[self._key(full)] = True
        reason = "done"
        try:
            answer: Any = None
            while True:
                answer = self._answer(algorithm.send(answer))
        except StopIteration:
            pass
        except Stop as stop:
            reason = stop.reason
        finally:
            algorithm.close()
        self._count()
        return Reduction(self._best, reason, self._elapsed(), self._counts, tuple(self._timeline))

    def _answer(self, question: Question) -> bool | int | None:
        match question:
            case Test(candidate):
                self._tell(events.Asked("test", 0, 1, len(candidate)))
                return self._interesting(candidate)
            case First(candidates):
                return self._first(candidates)
            case Least(prefixes):
                return self._least(prefixes)

    def _first(self, candidates: Sequence[Candidate]) -> int | None:
        for index, candidate in enumerate(candidates):
            self._tell_rarely(events.Asked("first", index, len(candidates), len(candidate)))
            if self._interesting(candidate):
                return index
        return None

    def _least(self, prefixes: Sequence[Candidate]) -> int:
        """Bisection over 0 .. n, as J-Reduce does it (seed 000, section 4.2)."""
        low, high = 0, len(prefixes) - 1
        boring: dict[int, Candidate] = {}
        while low <= high:
            middle = (low + high) // 2
            candidate = prefixes[middle]
            self._tell(events.Asked("least", low, high, len(candidate)))
            if self._interesting(candidate):
                high = middle - 1
            else:
                boring[middle] = candidate
                low = middle + 1
        least = min(low, len(prefixes) - 1)
        if least - 1 in boring:
            self._prove(self._space.items(prefixes[least]) & ~self._space.items(boring[least - 1]))
        return least

    def _interesting(self, candidate: Candidate) -> bool:
        if not self._space.admissible(candidate):
            self._counts.invalid += 1
            self._tell_answer("invalid", candidate, Verdict.BORING)
            yes = False
        else:
            items = self._space.items(candidate)
            key = self._key(items)
            if key in self._answers:
                self._counts.cached += 1
                yes = self._answers[key]
                self._tell_answer("cache", candidate, Verdict.INTERESTING if yes else Verdict.BORING)
            else:
                yes = self._probe(candidate, items)
                self._answers[key] = yes
        if not yes and len(candidate) == len(self._best_elements) - 1 and self._best_elements.issuperset(candidate):
            self._prove(self._best & ~self._space.items(candidate))
        return yes

    def _probe(self, candidate: Candidate, items: ItemSet) -> bool:
        self._counts.paused_seconds += self._control.wait(
            lambda: self._tell(events.Paused()), lambda: self._tell(events.Resumed())
        )
        self._check_limits()
        self._counts.probes += 1
        number = self._counts.probes
        classes, size = self._judge.classes_of(items), self._judge.bytes_of(items)
        self._tell(events.Trying(number, events.pack(items, self._judge.count), classes, size))
        left = None if self._limits.seconds is None else self._limits.seconds - self._elapsed()
        outcome = self._judge.probe(items, number, left)
        cut_short = outcome.verdict is Verdict.TIMED_OUT and left is not None and outcome.seconds >= left
        if cut_short or self._control.cancel.is_set():
            self._counts.probes -= 1  # it was killed, not answered
            raise Stop("time" if cut_short else "stopped")
        verdict = outcome.verdict
        self._counts.predicate_seconds += outcome.seconds
        self._counts.verdicts[verdict.value] = self._counts.verdicts.get(verdict.value, 0) + 1
        self._tell(
            events.Probed(
                probe=number,
                verdict=verdict.value,
                source="run",
                seconds=outcome.seconds,
                at=self._elapsed(),
                classes=classes,
                bytes=size,
                exit=outcome.exit,
                detail=outcome.detail,
                stdout=outcome.stdout,
                stderr=outcome.stderr,
            )
        )
        self._count()
        if outcome.interesting and size < self._best_bytes:
            self._accept(candidate, items, number, classes, size)
        return outcome.interesting

    def _accept(self, candidate: Candidate, items: ItemSet, number: int, classes: int, size: int) -> None:
        self._best, self._best_bytes, self._best_elements = items, size, frozenset(candidate)
        self._on_best(items)
        step = Step(self._elapsed(), number, classes, items.bit_count(), size)
        self._timeline.append(step)
        packed = events.pack(items, self._judge.count)
        self._tell(events.Accepted(number, packed, step.at, classes, step.items, size))

    def _prove(self, items: ItemSet) -> None:
        """Something among ``items`` is needed: dropping them, and nothing else, was boring."""
        if items & ~self._needed:
            self._needed |= items
            self._tell(events.Needed(events.pack(self._needed, self._judge.count)))

    def _check_limits(self) -> None:
        if self._limits.seconds is not None and self._elapsed() >= self._limits.seconds:
            raise Stop("time")
        if self._limits.probes is not None and self._counts.probes >= self._limits.probes:
            raise Stop("probes")

    def _key(self, items: ItemSet) -> bytes:
        key = self._keys.get(items)
        if key is None:
            key = self._keys[items] = self._judge.key(items)
        return key

    def _elapsed(self) -> float:
        """Seconds of the run so far, pauses left out."""
        return time.monotonic() - self._start - self._counts.paused_seconds

    def _tell_answer(self, source: str, candidate: Candidate, verdict: Verdict) -> None:
        if not self._may_tell():
            return
        items = self._space.items(candidate)
        classes, size = self._judge.classes_of(items), self._judge.bytes_of(items)
        self._tell(
            events.Probed(
                self._counts.probes, verdict.value, source, 0.0, self._elapsed(), classes, size, None, "", "", ""
            )
        )
        self._count()

    def _tell_rarely(self, event: events.Event) -> None:
        if self._may_tell():
            self._tell(event)

    def _may_tell(self) -> bool:
        now = time.monotonic()
        if now - self._last_told < 1 / _TOLD_PER_SECOND:
            return False
        self._last_told = now
        # a long row of answers without a probe must still be stoppable
        if self._control.cancel.is_set():
            raise Stop("stopped")
        return True

    def _count(self) -> None:
        counts = self._counts
        self._tell(events.Counted(counts.probes, counts.cached, counts.invalid, self._elapsed()))
