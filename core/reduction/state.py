"""The state of a reduction that follows from its answers: best so far, timeline, needed items, other failures."""

from __future__ import annotations

from collections import deque

from core.predicate.verdict import ANSWERS, Outcome
from core.protocol import events
from core.reduction.candidate_tester import CandidateTester
from core.reduction.records import Answer, Clock, PreparedCandidate, SubInput
from core.reduction.wiring import Observer
from core.search.questions import Candidate
from core.sets import ItemSet

_COMPARED = 1000
"""Number of candidates of each verdict that are compared with a new answer, to detect a predicate that is not monotone.
See decisions/033-is-it-monotone.md."""


class ReductionState:
    """Best, timeline, proofs and failures of one reduction. Each phase may have another tester, which numbers the
    items."""

    def __init__(
        self,
        best: SubInput,
        outcome: Outcome | None,
        clock: Clock,
        emit: events.Listener,
        observer: Observer,
    ) -> None:
        self.start = self.held = self.best = best
        self.history: list[SubInput] = []
        self.timeline: list[events.Accepted] = []
        self.smallest: dict[str, SubInput] = dict.fromkeys(outcome.failures if outcome else (), best)
        """The smallest candidate with each failure that a probe named."""
        self.neighbour: SubInput | None = None
        """The first candidate rejected since the last gain that proves some items needed. Until there is one, the
        neighbour of an earlier, larger best."""
        self._proved_at = -1
        self._tester = best.tester
        self._clock = clock
        self._emit = emit
        self._observer = observer
        self._elements: frozenset[int] = frozenset()
        self._needed: ItemSet = 0
        self._compared = {yes: deque[ItemSet](maxlen=_COMPARED) for yes in (True, False)}
        """The last candidates by their answers."""

    @property
    def nearest(self) -> SubInput | None:
        """The neighbour, if it belongs to the present best; else None."""
        return self.neighbour if self._proved_at == self.best.bytes else None

    def use(self, tester: CandidateTester) -> None:
        """Begin a phase whose item numbers are those of ``tester``."""
        if tester is not self._tester:
            self._tester = tester
            for candidates in self._compared.values():
                candidates.clear()
        self._elements = frozenset()
        self._needed = 0

    def start_from(self, whole: PreparedCandidate) -> None:
        """Take in the start of a phase, which is interesting. A start as large as the best becomes the best, in its own
        numbering."""
        if whole.sub_input.smaller_than(self.best):
            self.accept(whole.sub_input, whole.candidate)
        elif self.best.tester is not self._tester and whole.sub_input.bytes == self.best.bytes:
            self.best = whole.sub_input
        if self.best.tester is self._tester and self.best.items == whole.items:
            self._elements = frozenset(whole.candidate)

    def enter(self, prepared: PreparedCandidate, answer: Answer) -> int:
        """Take in an answer; return the bytes by which the best became smaller."""
        before, yes = self.best.bytes, answer.interesting
        outcome = answer.outcome if answer.first else None
        if outcome is not None:
            self._compare(prepared.items, answer.probe, outcome, yes)
            self._meet(prepared.sub_input, answer.probe, outcome)
            self._observer.answered(prepared.sub_input, outcome)
        if yes and prepared.sub_input.smaller_than(self.best):
            self.accept(prepared.sub_input, prepared.candidate)
        if not yes and prepared.key is not None and (outcome is None or outcome.verdict in ANSWERS):
            near = len(prepared.candidate) == len(self._elements) - 1 and self._elements.issuperset(prepared.candidate)
            if near and self.best.tester is self._tester:
                self.prove(self.best.items & ~prepared.items, prepared)
        return before - self.best.bytes

    def accept(self, best: SubInput, candidate: Candidate = ()) -> None:
        """Make ``best`` the best, at the end of the timeline. The step is emitted even if the observer cannot write
        it."""
        self.best, self._elements = best, frozenset(candidate)
        try:
            self._observer.best(best)
        finally:
            self._tell(best)

    def _tell(self, best: SubInput) -> None:
        at, probe = self._clock.waited(), self._clock.counts.probes
        step = events.Accepted(probe, best.packed, at, best.classes, best.items.bit_count(), best.bytes)
        self.history.append(best)
        self.timeline.append(step)
        self._emit(step)

    def prove(self, items: ItemSet, prepared: PreparedCandidate) -> None:
        """Note that at least one of ``items`` is needed: ``prepared``, which lacks exactly these items, was not
        interesting."""
        tester = self._tester
        if self.nearest is None:
            self.neighbour, self._proved_at = prepared.sub_input, self.best.bytes
        self._observer.needed(tester, items)
        shown = tester.shown(items)
        if shown & ~self._needed:
            self._needed |= shown
            self._emit(events.Needed(events.pack(self._needed, tester.shown_count)))

    def _compare(self, items: ItemSet, probe: int, outcome: Outcome, yes: bool) -> None:
        """Count a contradiction if no monotone predicate could have answered so."""
        if outcome.verdict not in ANSWERS:
            return
        against = any(items & other == (items if yes else other) for other in self._compared[not yes])
        self._compared[yes].append(items)
        if against:
            self._clock.counts.contradictions += 1
            self._emit(events.Contradiction(probe, self._clock.counts.contradictions))

    def _meet(self, sub_input: SubInput, probe: int, outcome: Outcome) -> None:
        met = [failure for failure in outcome.failures if failure not in self.smallest]
        for failure in outcome.failures:
            smallest = self.smallest.get(failure)
            if smallest is None or sub_input.smaller_than(smallest):
                self.smallest[failure] = sub_input
        if met:
            self._emit(events.Met(probe, met))
