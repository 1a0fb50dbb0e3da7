"""What follows from the answers of a reduction: the best so far, its timeline, what is needed, other failures."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

from core.predicate.verdict import ANSWERS, Outcome
from core.protocol import events
from core.reduction.candidate_tester import Judge
from core.reduction.prepared import Look
from core.reduction.prober import Clock
from core.reduction.records import Counts, Finding, Step, packed
from core.search.questions import Candidate
from core.search.spaces.class_spaces import ItemSet

_COMPARED = 1000
"""Boring candidates that an interesting one is compared with, to see whether the predicate is monotone."""


class Ledger:
    """Keeps the books. Item sets are numbered by ``judge``, which may change from phase to phase."""

    def __init__(
        self,
        best: Finding,
        outcome: Outcome | None,
        counts: Counts,
        clock: Clock,
        listener: events.Listener,
        on_best: Callable[[Finding], None],
        on_needed: Callable[[Judge, ItemSet], None] = lambda judge, items: None,
    ) -> None:
        self.start = self.best = best
        self.history: list[Finding] = []
        self.timeline: list[Step] = []
        self.smallest: dict[str, Finding] = dict.fromkeys(outcome.failures if outcome else (), best)
        """For each failure that a probe named, the smallest candidate that showed it."""
        self.neighbour: Finding | None = None
        """The last boring candidate by which items were proved to be needed."""
        self._judge = best.judge
        self._counts = counts
        self._clock = clock
        self._tell = listener
        self._on_best = on_best
        self._on_needed = on_needed
        self._elements: frozenset[int] = frozenset()
        self._needed: ItemSet = 0
        self._boring: deque[ItemSet] = deque(maxlen=_COMPARED)
        self._interesting: deque[ItemSet] = deque(maxlen=_COMPARED)

    def use(self, judge: Judge) -> None:
        """A phase begins: item numbers are those of ``judge``."""
        if judge is not self._judge:
            self._judge = judge
            self._boring.clear()
            self._interesting.clear()
        self._elements = frozenset()

    def start_from(self, whole: Look) -> None:
        """What the phase starts from is interesting. Where it is as large as the best, it is the best, renumbered."""
        if whole.finding.smaller_than(self.best):
            self.accept(whole.finding, whole.candidate)
        elif self.best.judge is not self._judge and whole.finding.bytes == self.best.bytes:
            self.best = whole.finding
        if self.best.judge is self._judge and self.best.items == whole.items:
            self._elements = frozenset(whole.candidate)

    def enter(self, look: Look, probe: int, outcome: Outcome | None, yes: bool) -> int:
        """An answer; with its outcome where nothing followed from that yet. Gives the bytes that the best shrank by."""
        before = self.best.bytes
        if outcome is not None:
            self._compare(look.items, probe, outcome, yes)
            self._meet(look.finding, probe, outcome)
        if yes and look.finding.smaller_than(self.best):
            self.accept(look.finding, look.candidate)
        if not yes and look.key is not None and (outcome is None or outcome.verdict in ANSWERS):
            near = len(look.candidate) == len(self._elements) - 1 and self._elements.issuperset(look.candidate)
            if near and self.best.judge is self._judge:
                self.prove(self.best.items & ~look.items, look)
        return before - self.best.bytes

    def accept(self, best: Finding, candidate: Candidate = ()) -> None:
        """Another best, at the end of the timeline."""
        self.best, self._elements = best, frozenset(candidate)
        self._on_best(best)
        step = Step(self._clock.elapsed(), self._counts.probes, best.classes, best.items.bit_count(), best.bytes)
        self.history.append(best)
        self.timeline.append(step)
        self._tell(events.Accepted(step.probe, packed(best), step.at, step.classes, step.items, step.bytes))

    def prove(self, items: ItemSet, look: Look) -> None:
        """Something among ``items`` is needed: dropping them, and nothing else, was boring, as ``look`` told."""
        judge = self._judge
        self.neighbour = look.finding
        self._on_needed(judge, items)
        shown = judge.shown(items)
        if shown & ~self._needed:
            self._needed |= shown
            self._tell(events.Needed(events.pack(self._needed, judge.shown_count)))

    def _compare(self, items: ItemSet, probe: int, outcome: Outcome, yes: bool) -> None:
        """Whether a monotone predicate could have answered so."""
        if outcome.verdict not in ANSWERS:
            return
        if yes:
            against = any(items & other == items for other in self._boring)
            self._interesting.append(items)
        else:
            against = any(items & other == other for other in self._interesting)
            self._boring.append(items)
        if against:
            self._counts.contradictions += 1
            self._tell(events.Contradiction(probe, self._counts.contradictions))

    def _meet(self, finding: Finding, probe: int, outcome: Outcome) -> None:
        met = [failure for failure in outcome.failures if failure not in self.smallest]
        for failure in outcome.failures:
            smallest = self.smallest.get(failure)
            if smallest is None or finding.smaller_than(smallest):
                self.smallest[failure] = finding
        if met:
            self._tell(events.Met(probe, met))
