"""What flows through a reduction and what it leaves: candidates, answers, counts, the timeline, phases, the result."""

from __future__ import annotations

import time
from dataclasses import dataclass, field

from core.predicate.verdict import Outcome
from core.protocol.events import pack
from core.reduction.candidate_tester import CandidateTester
from core.search.item_sets import ItemSet
from core.search.questions import Candidate


@dataclass(frozen=True, slots=True, eq=False)
class SubInput:
    """A sub-input in the numbering of its tester, with its sizes; mostly one that was tested interesting."""

    tester: CandidateTester
    items: ItemSet
    classes: int
    bytes: int

    def smaller_than(self, other: SubInput) -> bool:
        """Fewer bytes; or as many, and fewer items of the same tester."""
        if self.bytes != other.bytes or self.tester is not other.tester:
            return self.bytes < other.bytes
        return self.items.bit_count() < other.items.bit_count()


def sub_input_of(tester: CandidateTester, items: ItemSet) -> SubInput:
    """The items with their sizes."""
    return SubInput(tester, items, tester.classes_of(items), tester.bytes_of(items))


def packed(sub_input: SubInput) -> str:
    """The sub-input's items as events carry them."""
    return pack(sub_input.tester.shown(sub_input.items), sub_input.tester.shown_count)


@dataclass(eq=False, slots=True)
class PreparedCandidate:
    """A candidate with what it keeps, and the hash of its content; no hash if the space turns it down."""

    candidate: Candidate
    items: ItemSet
    key: bytes | None
    tester: CandidateTester
    _sub_input: SubInput | None = None

    @property
    def sub_input(self) -> SubInput:
        """The items with their sizes, which are only worked out where they are needed."""
        if self._sub_input is None:
            self._sub_input = sub_input_of(self.tester, self.items)
        return self._sub_input


@dataclass(frozen=True, slots=True)
class TimelineStep:
    """An accepted step of the timeline; ``probe`` is the number of probes until then."""

    at: float
    probe: int
    classes: int
    items: int
    bytes: int


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer that the algorithm asked for: ``source`` as in :class:`core.protocol.events.Probed`.

    ``first`` tells whether nothing followed from the outcome yet in this reduction. There is no outcome for invalid
    candidates and for what is interesting by the caller's word.
    """

    source: str
    interesting: bool
    outcome: Outcome | None
    probe: int
    lane: int = 0
    first: bool = False


class Covered:
    """How long at least one of several spans of time lasted; they are added in the order of their ends."""

    def __init__(self) -> None:
        self.seconds = 0.0
        self._spans: list[tuple[float, float]] = []

    def add(self, start: float, end: float) -> None:
        """One more span, in seconds by any clock."""
        while self._spans and self._spans[-1][1] >= start:
            earlier, later = self._spans.pop()
            self.seconds -= later - earlier
            start, end = min(start, earlier), max(end, later)
        self._spans.append((start, end))
        self.seconds += end - start


@dataclass(frozen=True, slots=True)
class Spent:
    """What the check before a reduction took: probes, seconds of wall time, and of them the predicate's."""

    probes: int = 0
    seconds: float = 0.0
    predicate_seconds: float = 0.0
    predicate_alone: float = 0.0
    """Seconds of wall time in which nothing was done but waiting for the predicate."""

    def __add__(self, other: Spent) -> Spent:
        return Spent(
            self.probes + other.probes,
            self.seconds + other.seconds,
            self.predicate_seconds + other.predicate_seconds,
            self.predicate_alone + other.predicate_alone,
        )


@dataclass
class Counts:
    """Answers by where they came from, and probes by what they said. All but the ``speculated`` ones, the
    ``covered`` and the ``paused`` seconds are the same for any number of workers."""

    probes: int = 0
    """Runs of the predicate whose answer the algorithm asked for."""
    cached: int = 0
    """Answers by content known before, in this reduction or before."""
    invalid: int = 0
    """Answers by the space, without the predicate."""
    verdicts: dict[str, int] = field(default_factory=dict)
    predicate_seconds: float = 0.0
    """Duration of the probes, summed over all workers."""
    paused_seconds: float = 0.0
    recalled: int = 0
    """Of ``cached``, contents that the memory knew from before this reduction."""
    speculated: int = 0
    """Runs started ahead, cancelled or not, whose answer was not asked for."""
    speculated_seconds: float = 0.0
    covered_seconds: float = 0.0
    """Wall time in which the predicate ran, for probes and confirmations; the rest of the reduction's is our own."""
    contradictions: int = 0
    """Answers that a monotone predicate would not have given after the earlier ones."""
    confirmations: int = 0
    """Runs of contents known before, to see whether the answer is the same."""
    confirmation_seconds: float = 0.0
    """Duration of these, summed over all workers."""
    flaky: int = 0
    """Confirmations that changed the answer."""


class Clock:
    """Seconds since it was started, pauses left out."""

    def __init__(self, counts: Counts) -> None:
        self._start = time.monotonic()
        self._before = 0.0
        self._counts = counts

    def start(self, before: float = 0.0) -> None:
        """``before``: seconds that the user has waited by now."""
        self._start = time.monotonic()
        self._before = before

    def waited(self) -> float:
        """Seconds since the user began to wait: what events tell."""
        return self._before + self.elapsed()

    def elapsed(self) -> float:
        return time.monotonic() - self._start - self._counts.paused_seconds


@dataclass(frozen=True, slots=True)
class PhaseResult:
    """What a phase found: the best at its end (which may be that of its beginning) and what that took.

    ``reason``: ``done``; ``patience`` (it did not pay any more); ``lost`` (what it was to start from is not
    interesting, so it asked nothing else); or what stopped the whole reduction.
    """

    best: SubInput
    reason: str
    probes: int
    cached: int
    invalid: int
    seconds: float
    """Wall time without pauses."""
    predicate_seconds: float
    gained: int
    """Bytes that the best became smaller by."""

    @property
    def items(self) -> ItemSet:
        """The best's items, in the numbering of ``best.tester``."""
        return self.best.items


@dataclass(frozen=True, slots=True)
class Reduction:
    """How a reduction ended: the smallest candidate that was tested interesting, and how it was found.

    ``reason`` is ``done`` when all phases came to their ends, else what stopped it.
    """

    items: ItemSet
    reason: str
    seconds: float
    counts: Counts
    timeline: tuple[TimelineStep, ...]
    best: SubInput
    """The same as ``items``, with its tester."""
    history: tuple[SubInput, ...] = ()
    """What was accepted, parallel to ``timeline``."""
    phases: tuple[PhaseResult, ...] = ()
    failures: dict[str, SubInput] = field(default_factory=dict)
    """For each failure that a probe named, the smallest candidate that showed it."""
    confirming: float = 0.0
    """Of ``seconds``, those in which the result was confirmed."""
    confirmed: tuple[int, int] = (0, 0)
    """How often the result was run once more, and how often it was interesting then."""
    outcome: Outcome | None = None
    """What the result showed when it was run once more."""
