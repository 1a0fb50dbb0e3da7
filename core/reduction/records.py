"""The data of a reduction: candidates, answers, counts, the timeline, phases and the result."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import Any

from core.entries import Entries
from core.predicate.verdict import Outcome
from core.protocol.events import Accepted, pack
from core.protocol.run_words import AnswerOrigin, EndReason
from core.reduction.candidate_tester import CandidateTester
from core.reduction.elements import Elements
from core.renaming import Renaming
from core.search.questions import Candidate
from core.sets import ItemSet


@dataclass(frozen=True, slots=True, eq=False)
class SubInput:
    """A set of items in the numbering of its tester, with its sizes. Mostly a set that was tested interesting."""

    tester: CandidateTester
    items: ItemSet
    classes: int
    bytes: int

    @property
    def elements(self) -> Elements:
        """The elements some of which the sub-input keeps."""
        return self.tester.elements

    @property
    def entries(self) -> Entries:
        """Names and contents of the entries that the sub-input is written with."""
        return self.elements.entries(self.items)

    @property
    def renaming(self) -> Renaming:
        """The changes of names from the full input to the sub-input."""
        return self.elements.renaming_after(self.items)

    @property
    def packed(self) -> str:
        """The items as events carry them."""
        return pack(self.tester.shown(self.items), self.tester.shown_count)

    def smaller_than(self, other: SubInput) -> bool:
        """Return True if this sub-input has fewer bytes, or as many bytes and fewer items of one tester."""
        if self.bytes != other.bytes or self.tester is not other.tester:
            return self.bytes < other.bytes
        return self.items.bit_count() < other.items.bit_count()


def sub_input_of(tester: CandidateTester, items: ItemSet) -> SubInput:
    """Return ``items`` with their sizes."""
    return SubInput(tester, items, tester.classes_of(items), tester.bytes_of(items))


@dataclass(eq=False, slots=True)
class PreparedCandidate:
    """A candidate with its items and the hash of its content. A candidate that is not admissible in its space has no
    hash."""

    candidate: Candidate
    items: ItemSet
    key: bytes | None
    tester: CandidateTester
    _sub_input: SubInput | None = None

    @property
    def sub_input(self) -> SubInput:
        """The items with their sizes, worked out on first use."""
        if self._sub_input is None:
            self._sub_input = sub_input_of(self.tester, self.items)
        return self._sub_input


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer to a question about one candidate.

    ``first``: True if the algorithm has not had this outcome before in this reduction. Invalid candidates, and contents
    that the caller vouches for, have no outcome.
    """

    origin: AnswerOrigin
    interesting: bool
    outcome: Outcome | None
    probe: int
    lane: int = 0
    first: bool = False


class Covered:
    """The length of the union of time spans, which are added in the order of their ends."""

    def __init__(self) -> None:
        self.seconds = 0.0
        self._spans: list[tuple[float, float]] = []

    def add(self, start: float, end: float) -> None:
        """Add a span, in seconds by any clock."""
        while self._spans and self._spans[-1][1] >= start:
            earlier, later = self._spans.pop()
            self.seconds -= later - earlier
            start, end = min(start, earlier), max(end, later)
        self._spans.append((start, end))
        self.seconds += end - start


@dataclass(frozen=True, slots=True)
class Spent:
    """Probes and seconds of runs that are not of a search: of the check, and of watched runs."""

    probes: int = 0
    predicate_seconds: float = 0.0
    predicate_alone: float = 0.0
    """Wall seconds in which nothing was done but waiting for the predicate."""

    def __add__(self, other: Spent) -> Spent:
        return Spent(
            self.probes + other.probes,
            self.predicate_seconds + other.predicate_seconds,
            self.predicate_alone + other.predicate_alone,
        )


@dataclass
class Counts:
    """Counts of answers by origin and of probes by verdict.

    The number of workers changes only ``speculated``, ``covered_seconds`` and ``paused_seconds``.
    """

    probes: int = 0
    """Number of runs of the predicate whose answer the algorithm asked for."""
    cached: int = 0
    """Number of answers by content that was known before, from this reduction or an earlier one."""
    invalid: int = 0
    """Number of answers by the space, without the predicate."""
    verdicts: dict[str, int] = field(default_factory=dict)
    predicate_seconds: float = 0.0
    """Seconds of the probes, summed over all workers."""
    paused_seconds: float = 0.0
    recalled: int = 0
    """Number of those cached answers whose content the memory knew from before this reduction."""
    speculated: int = 0
    """Number of runs started ahead, cancelled or not, whose answer the algorithm did not ask for."""
    covered_seconds: float = 0.0
    """Wall seconds in which the predicate ran, for probes and confirmations. The rest of the time is our own."""
    contradictions: int = 0
    """Number of answers that a monotone predicate would not have given after the earlier ones."""
    confirmations: int = 0
    """Number of runs of known contents, made to see whether the answer changes."""
    confirmation_seconds: float = 0.0
    """Seconds of the confirmations, summed over all workers."""
    flaky: int = 0
    """Number of confirmations that changed the answer."""
    ended: str = ""
    """The limit that ended a confirmation without an answer, in words; empty if none did."""
    unfinished: int = 0
    """Number of probes that the time limit of the reduction ended: 0 or 1."""

    @property
    def answered(self) -> int:
        """Number of answers about candidates that the predicate gave, now or in an earlier reduction."""
        return self.probes + self.cached

    def probed(self, outcome: Outcome) -> None:
        """Count a probe whose answer the algorithm asked for."""
        self.probes += 1
        self.predicate_seconds += outcome.seconds
        self.verdicts[outcome.verdict.value] = self.verdicts.get(outcome.verdict.value, 0) + 1

    def confirmed(self, outcome: Outcome) -> None:
        """Count a run of a known content."""
        self.confirmations += 1
        self.confirmation_seconds += outcome.seconds


class Clock:
    """A clock that stands still during pauses."""

    def __init__(self, counts: Counts) -> None:
        self._start = time.monotonic()
        self._before = 0.0
        self.counts = counts

    def start(self, before: float) -> None:
        """Start the clock. ``before``: seconds that the user has waited until now."""
        self._start = time.monotonic()
        self._before = before

    def waited(self) -> float:
        """Return the seconds since the user began to wait, as events tell them."""
        return self._before + self.elapsed()

    def elapsed(self) -> float:
        return time.monotonic() - self._start - self.counts.paused_seconds


@dataclass(frozen=True, slots=True)
class PhaseResult:
    """The best at the end of a phase, with the costs of the phase. The best may be older than the phase."""

    best: SubInput
    reason: EndReason
    probes: int
    seconds: float
    """Wall seconds without pauses."""
    gained: int
    """Bytes by which the best became smaller."""


@dataclass(frozen=True, slots=True)
class Reduction:
    """The result of a reduction: the smallest candidate that was tested interesting, and the way there.

    ``reason`` is ``done`` when all phases came to their ends, else the reason for the stop.
    """

    reason: EndReason
    seconds: float
    counts: Counts
    timeline: tuple[Accepted, ...]
    best: SubInput
    phases: tuple[PhaseResult, ...]
    failures: dict[str, SubInput]
    """The smallest candidate with each failure that a probe named."""
    confirmed: tuple[int, int]
    """Number of further runs of the result, and number of those that were interesting."""
    outcome: Outcome | None
    """Outcome of the last further run of the result."""


@dataclass(frozen=True)
class ReportedReduction:
    """A finished reduction with its report."""

    reduction: Reduction
    report: dict[str, Any]
