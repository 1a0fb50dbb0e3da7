"""The testers of a reduction's candidates: the predicate with the time limit of a phase, or of a confirmation.
The observer of their search passes events to output and session, the rest of the check, and the confirmations."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from threading import Event as Flag

from core.check.beside import RestOfCheck
from core.cluster.cluster_predicate import ClusterPredicate
from core.entries import Entries
from core.predicate.predicate import CommandPredicate, Predicate
from core.predicate.several.rare import RarePredicate
from core.predicate.verdict import Outcome
from core.protocol import events
from core.reduction.candidate_tester import CandidateTester
from core.reduction.elements import Elements
from core.reduction.probing.time_limits import TimeLimits, least_limit
from core.reduction.records import SubInput, entries_of
from core.reduction.wiring import Observer
from core.service.searching.confirming import Confirmations
from core.service.searching.stalls import Stalls
from core.service.searching.unseen import Unseen
from core.sets import ItemSet

_SLOWER = 2.0
"""Time limit of confirmations and of retried timed-out candidates, as a multiple of the probes' limit.
See decisions/025-limits-of-a-probe.md.
"""


class Testers:
    """A maker of testers for all reductions of an input with ``count`` items. ``work`` is a folder for the probes;
    ``jobs``: number of parallel probes; ``left``: function that returns the seconds until the time limit.
    """

    def __init__(
        self, predicate: Predicate, work: Path, count: int, jobs: int, left: Callable[[], float | None] = lambda: None
    ) -> None:
        self._predicate = predicate
        self._left = left
        self._work = work
        self._count = count
        self._limits = TimeLimits(predicate.timeout, least_limit(predicate), jobs)
        self.confirmations: Confirmations | None = None
        """The confirmations made ahead; None if there are none."""

    @property
    def remote(self) -> bool:
        """True if probes run on other machines."""
        return isinstance(self._predicate, ClusterPredicate)

    def of(self, elements: Elements) -> CandidateTester:
        """Return a tester of candidates, with the time limit of the next phase."""
        limited = self._predicate.limited(self._limits.next_phase())
        confirm = partial(self._confirm, self.confirming())
        return CandidateTester(elements, limited, self._work, self._count, confirm, self._hurried)

    def _hurried(self, predicate: Predicate) -> Predicate:
        if isinstance(predicate, CommandPredicate) and not predicate.warm:
            return predicate.hurried(self._limits.haste)
        return predicate

    def confirming(self) -> Predicate:
        """Return the predicate with the time limit of confirmations."""
        limit = self._limits.limit
        if self._limits.fixed:
            return self._predicate
        least = self._predicate.timeout or 0.0
        return self._predicate.limited(None if limit is None else _SLOWER * max(limit, least))

    def begin(self, checked: Outcome, *, fixed: bool) -> None:
        """Record the check's run of the input. ``fixed``: True if the time limit is the user's own."""
        self._limits.fixed = fixed
        hosted = isinstance(self._predicate, CommandPredicate) and self._predicate.warm
        self._limits.begin(checked, restarts=hosted)

    def note(self, event: events.Event) -> None:
        """Record the events of a reduction about its probes."""
        self._limits.note(event)

    def _confirm(self, predicate: Predicate, entries: Entries, work: Path, cancel: Flag) -> Outcome:
        made = None if self.confirmations is None else self.confirmations.take(entries, cancel)
        if isinstance(predicate, RarePredicate):
            return predicate.confirm(entries, work, cancel, self._left())
        return made or predicate.confirm(entries, work, cancel)


@dataclass
class SearchObserver(Observer):
    """An observer that passes on a driver's calls. ``keep`` receives a new best, ``name`` the names of needed items,
    ``stalls`` first answers. ``rest`` is the part of the check beside the search, if there is one; ``release``
    passes on what was held back until the check has passed; ``unseen`` has inputs that may end the search.
    """

    keep: Callable[[SubInput], None]
    name: Callable[[list[str]], None]
    testers: Testers
    rest: RestOfCheck | None
    release: Callable[[], None]
    stalls: Stalls
    unseen: Unseen | None

    def best(self, best: SubInput) -> None:
        self.keep(best)

    def needed(self, tester: CandidateTester, items: ItemSet) -> None:
        self.name(tester.named(items))

    def answered(self, candidate: SubInput, outcome: Outcome) -> None:
        self.stalls.answered(candidate, outcome)

    def idle(self, neighbour: SubInput) -> None:
        if self.testers.remote and self.testers.confirmations is not None:
            self.testers.confirmations.idle(lambda: entries_of(neighbour))

    def before_answer(self) -> bool:
        rest = self.rest
        if self.unseen is not None and self.unseen.missed:
            return True
        if rest is None:
            return False
        rest.between()
        if rest.over and rest.objection is None:
            self.release()
        return rest.objection is not None

    def runs_ahead(self) -> bool:
        """Return True once the check is over: until then the command may not bear the end of a run beside it."""
        return self.rest is None or self.rest.over
