"""One reduction as seen by an algorithm: an algorithm is a function of a :class:`PlanRun`, and calls its method
``phase``. In the end the run tells in which granularities its result is 1-minimal.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from core.plan.evidence import GatheredEvidence
from core.plan.phase_elements import PhaseElements
from core.plan.prices import worth
from core.predicate.aim import Aim
from core.protocol import events
from core.protocol.run_words import EndReason
from core.reduction.candidate_tester import CandidateTester
from core.reduction.control import Patience, TargetGain
from core.reduction.driver import Driver
from core.reduction.records import PhaseResult, Reduction, SubInput
from core.search.phases import Certificate, Knowledge, Level, Minimal, Phase, PhaseEffort, Pointers, Search, Skip

_LEVELS = {
    "class": frozenset({Level.CLASSES, Level.LINES, Level.NAMES}),
    "member": frozenset({Level.CLASSES, Level.ITEMS, Level.LINES, Level.NAMES}),
    "full": frozenset(Level),
}
"""Levels that each granularity searches."""


@dataclass(eq=False)
class PlanRun:
    """One reduction: the best sub-input so far, the knowledge, and the finished phases.

    ``driver`` has begun. ``evidence`` is None if the search may not use any. A plan may read all of the ``aim``.
    Events go to ``emit``.
    """

    driver: Driver
    elements: PhaseElements
    evidence: GatheredEvidence | None
    aim: Aim
    emit: events.Listener

    def __post_init__(self) -> None:
        self.knowledge = Knowledge()
        self.round = 1
        """Number of the current round, from 1."""
        self.skipped_phases: list[tuple[int, str, str]] = []
        """Round, phase and reason of each phase without a search."""
        self.phase_names: list[str] = []
        """Names of the phases with a search, in their order."""
        self.searched: set[Level] = set()
        """Levels of the phases with a search."""
        self._stages: list[Stage] = []
        self._ended: dict[str, bytes] = {}
        self._named: dict[bytes, bytes] = {}
        """Digest of a content without neutral names, by that of the content with them."""

    @property
    def best(self) -> SubInput:
        """The smallest candidate that was tested interesting."""
        return self.driver.best

    @property
    def bytes(self) -> int:
        """Bytes of the best so far."""
        return self.driver.best.bytes

    @property
    def stopped(self) -> bool:
        """True if a stop or a limit has ended the reduction: no later phase asks anything."""
        return self.driver.stopped

    @property
    def granularity(self) -> str:
        """The finest pieces that may be removed: ``class``, ``member`` or ``full``."""
        return self.aim.search.granularity

    def searches(self, level: Level) -> bool:
        """Return True if the granularity, and the trust in a program, allow searches of a level."""
        changing = self.elements.dead is not None and level in (Level.PARAMETERS, Level.REWRITING)
        return level in _LEVELS[self.granularity] and not changing

    def effort(self, share: float) -> PhaseEffort:
        """Return the effort of a phase in which a probe must promise ``share`` of the remaining bytes."""
        search = self.aim.search
        return PhaseEffort(0.0 if search.thorough else worth(share, self.bytes), search)

    def phase(self, phase: Phase, share: float = 0.0, *, end: Patience | TargetGain | None = None) -> None:
        """Run one phase from the best so far.

        ``share`` is the price: the share of the bytes that a probe must promise. ``end`` ends a phase that does
        not weigh its gains. Three kinds of phase ask nothing: one finer than the granularity, any after a stop, and one
        that does not weigh and has ended on the same bytes before.
        """
        self.driver.measure()
        if self.stopped or self.best is self.elements.settled or not self.searches(phase.level):
            return
        start = content_of(self.best)
        if self._ended.get(phase.name) == start and not phase.weighs:
            return
        elements = self.elements.of_phase(phase, self.best)
        if elements.count == 0:
            return
        tester, effort = self.elements.tester(elements), self.effort(share)
        search = phase.start(elements.problem, self.knowledge, effort, self._pointers(tester))
        if isinstance(search, Skip):
            self.skipped_phases.append((self.round, phase.name, search.why))
            self.knowledge = search.learnt or self.knowledge
            return
        if not search.space.elements:
            return
        reason = self.search(phase.name, phase.level, tester, search, None if effort.search.thorough else end).reason
        if search.ending.skipped and reason is EndReason.DONE:
            reason = EndReason.PATIENCE
        after = self._ended[phase.name] = content_of(self.best)
        if phase.level is Level.NAMES:
            self._named[after] = start
        self._stages.append(Stage(search.proves, start, after, reason, search.ending.certificate))

    def search(
        self, name: str, level: Level, tester: CandidateTester, search: Search, end: Patience | TargetGain | None = None
    ) -> PhaseResult:
        """Run a search among the candidates of a tester. Keep the knowledge of the search."""
        space, elements = search.space, tester.elements
        self.emit(events.Searching(self.round, name, level.value, len(space.elements), elements.count))
        background = self.elements.background(elements)
        result = self.driver.run(space, search.algorithm, tester, end=end, background=background)
        self.phase_names.append(name)
        self.searched.add(level)
        self.knowledge = search.learnt
        return result

    def minimality(self, reduction: Reduction) -> dict[str, str]:
        """Return the granularities in which the result is 1-minimal."""
        final = content_of(reduction.best)
        return one_minimal(self._stages, self._named.get(final, final), reduction.reason)

    def _pointers(self, tester: CandidateTester) -> Pointers:
        if self.evidence is None:
            return Pointers()
        return self.evidence.pointers(tester.elements, partial(self.driver.shown_by, tester))


def content_of(sub_input: SubInput) -> bytes:
    """Return the digest of a sub-input as written."""
    return sub_input.tester.key(sub_input.items)


YES, UNCHECKED = "yes", "not checked"

ENDS = {
    EndReason.PATIENCE: "ended since the last probes gained little",
    EndReason.ENOUGH: "ended early to watch the program again",
    EndReason.TIME: "ended by the time limit",
    EndReason.PROBES: "ended by the limit of probes",
    EndReason.STOPPED: "stopped",
}
"""Reasons that end a search before everything was tried, in words of the report."""


@dataclass(frozen=True, slots=True)
class Stage:
    """A finished phase: the granularities in which its result may be 1-minimal, and its end."""

    proves: frozenset[Minimal]
    before: bytes
    """Digest of the best's content before the phase."""
    after: bytes
    """Digest of the best's content after the phase."""
    reason: EndReason
    """Reason of the end, as in :class:`core.reduction.records.PhaseResult`."""
    certificate: Certificate | None


def one_minimal(stages: Sequence[Stage], final: bytes, ended: EndReason) -> dict[str, str]:
    """Return for each :class:`Minimal` ``yes``, or the reason why it is not known.

    ``final`` is the digest of the result, ``ended`` the reason of the end of the whole search. A proof about a content
    that later phases made smaller does not count.

    ``yes`` for items: every largest valid sub-input that lacks one of the items was tried, or is a subset of an
    uninteresting one. Then it holds for classes too, because classes are items. ``yes`` for instructions: a search
    through all edits of the result ended by itself and found nothing. The search asks about groups, so this answer
    assumes a monotone predicate, as implied candidates do for items.
    """
    return {each.value: _verdict(each, stages, final, ended) for each in Minimal}


def _verdict(subject: Minimal, stages: Sequence[Stage], final: bytes, ended: EndReason) -> str:
    asked = [stage for stage in stages if subject in stage.proves]
    proved = [stage for stage in asked if stage.reason is EndReason.DONE and stage.after == final]
    if subject is Minimal.INSTRUCTIONS:
        proved = [stage for stage in proved if stage.before == final]  # what is left may have edits of its own
    if any(stage.certificate is None or stage.certificate.complete for stage in proved):
        return YES
    if proved:
        return f"{UNCHECKED}, not every way to drop an item was tried"
    why = asked[-1].reason if asked and asked[-1].reason in ENDS else ended
    return f"{UNCHECKED}, {ENDS.get(why, 'no phase tried them')}"
