"""What follows from the answers of a reduction: the best so far, its timeline, what is needed, other failures."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

from core.predicate.verdict import ANSWERS, Outcome
from core.protocol import events
from core.reduction.candidate_tester import CandidateTester
from core.reduction.records import Clock, Counts, PreparedCandidate, SubInput, TimelineStep, packed
from core.search.item_sets import ItemSet
from core.search.questions import Candidate

_COMPARED = 1000
"""Candidates without the failure that an interesting one is compared with, to see whether the predicate is monotone."""


class ReductionState:
    """Best, timeline, proofs and failures of one reduction. The tester that numbers item sets may change with each
    phase."""

    def __init__(
        self,
        best: SubInput,
        outcome: Outcome | None,
        counts: Counts,
        clock: Clock,
        listener: events.Listener,
        on_best: Callable[[SubInput], None],
        on_needed: Callable[[CandidateTester, ItemSet], None] = lambda tester, items: None,
    ) -> None:
        self.start = self.best = best
        self.history: list[SubInput] = []
        self.timeline: list[TimelineStep] = []
        self.smallest: dict[str, SubInput] = dict.fromkeys(outcome.failures if outcome else (), best)
        """For each failure that a probe named, the smallest candidate that showed it."""
        self.neighbour: SubInput | None = None
        """The first candidate since the best became so small that was not interesting and proved items to be needed;
        until there is one, that of a larger best."""
        self._proved_at = -1
        self._tester = best.tester
        self._counts = counts
        self._clock = clock
        self._emit = listener
        self._on_best = on_best
        self._on_needed = on_needed
        self._elements: frozenset[int] = frozenset()
        self._needed: ItemSet = 0
        self._uninteresting: deque[ItemSet] = deque(maxlen=_COMPARED)
        self._interesting: deque[ItemSet] = deque(maxlen=_COMPARED)

    @property
    def nearest(self) -> SubInput | None:
        """The neighbour, where it is one of the best as it is now."""
        return self.neighbour if self._proved_at == self.best.bytes else None

    def use(self, tester: CandidateTester) -> None:
        """A phase begins: item numbers are those of ``tester``."""
        if tester is not self._tester:
            self._tester = tester
            self._uninteresting.clear()
            self._interesting.clear()
        self._elements = frozenset()
        self._needed = 0

    def start_from(self, whole: PreparedCandidate) -> None:
        """What the phase starts from is interesting. Where it is as large as the best, it is the best, renumbered."""
        if whole.sub_input.smaller_than(self.best):
            self.accept(whole.sub_input, whole.candidate)
        elif self.best.tester is not self._tester and whole.sub_input.bytes == self.best.bytes:
            self.best = whole.sub_input
        if self.best.tester is self._tester and self.best.items == whole.items:
            self._elements = frozenset(whole.candidate)

    def enter(self, prepared: PreparedCandidate, probe: int, outcome: Outcome | None, yes: bool) -> int:
        """An answer; with its outcome where nothing followed from that yet. Gives the bytes that the best shrank by."""
        before = self.best.bytes
        if outcome is not None:
            self._compare(prepared.items, probe, outcome, yes)
            self._meet(prepared.sub_input, probe, outcome)
        if yes and prepared.sub_input.smaller_than(self.best):
            self.accept(prepared.sub_input, prepared.candidate)
        if not yes and prepared.key is not None and (outcome is None or outcome.verdict in ANSWERS):
            near = len(prepared.candidate) == len(self._elements) - 1 and self._elements.issuperset(prepared.candidate)
            if near and self.best.tester is self._tester:
                self.prove(self.best.items & ~prepared.items, prepared)
        return before - self.best.bytes

    def accept(self, best: SubInput, candidate: Candidate = ()) -> None:
        """Another best, at the end of the timeline; told even where it cannot be written, since it is the best all the
        same."""
        self.best, self._elements = best, frozenset(candidate)
        try:
            self._on_best(best)
        finally:
            self._tell(best)

    def _tell(self, best: SubInput) -> None:
        step = TimelineStep(self._clock.waited(), self._counts.probes, best.classes, best.items.bit_count(), best.bytes)
        self.history.append(best)
        self.timeline.append(step)
        self._emit(events.Accepted(step.probe, packed(best), step.at, step.classes, step.items, step.bytes))

    def prove(self, items: ItemSet, prepared: PreparedCandidate) -> None:
        """Something among ``items`` is needed: ``prepared``, which lacks them and nothing else, was not interesting."""
        tester = self._tester
        if self.nearest is None:
            self.neighbour, self._proved_at = prepared.sub_input, self.best.bytes
        self._on_needed(tester, items)
        shown = tester.shown(items)
        if shown & ~self._needed:
            self._needed |= shown
            self._emit(events.Needed(events.pack(self._needed, tester.shown_count)))

    def _compare(self, items: ItemSet, probe: int, outcome: Outcome, yes: bool) -> None:
        """Whether a monotone predicate could have answered so."""
        if outcome.verdict not in ANSWERS:
            return
        if yes:
            against = any(items & other == items for other in self._uninteresting)
            self._interesting.append(items)
        else:
            against = any(items & other == other for other in self._interesting)
            self._uninteresting.append(items)
        if against:
            self._counts.contradictions += 1
            self._emit(events.Contradiction(probe, self._counts.contradictions))

    def _meet(self, sub_input: SubInput, probe: int, outcome: Outcome) -> None:
        met = [failure for failure in outcome.failures if failure not in self.smallest]
        for failure in outcome.failures:
            smallest = self.smallest.get(failure)
            if smallest is None or sub_input.smaller_than(smallest):
                self.smallest[failure] = sub_input
        if met:
            self._emit(events.Met(probe, met))
