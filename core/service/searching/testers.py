"""The testers of a reduction's candidates: the predicate with the time limit of a phase, or of a confirmation."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from threading import Event as Flag

from core.cluster.cluster_predicate import ClusterPredicate
from core.entries import Entries
from core.predicate.predicate import CommandPredicate, Predicate
from core.predicate.verdict import Outcome
from core.protocol import events
from core.reduction.candidate_tester import ElementTester
from core.reduction.elements import Elements
from core.reduction.probing.time_limits import TimeLimits, least_limit
from core.service.searching.confirming import Confirmations

_SLOWER = 2.0
"""Time limit of confirmations and of retried timed-out candidates, as a multiple of the probes' limit.
See decisions/025-limits-of-a-probe.md.
"""


class Testers:
    """A maker of testers for all reductions of an input with ``count`` items. ``work`` is a folder for the probes;
    ``jobs``: number of parallel probes.
    """

    def __init__(self, predicate: Predicate, work: Path, count: int, jobs: int) -> None:
        self._predicate = predicate
        self._work = work
        self._count = count
        self._limits = TimeLimits(predicate.timeout, least_limit(predicate), jobs)
        self.confirmations: Confirmations | None = None
        """The confirmations made ahead; None if there are none."""

    @property
    def remote(self) -> bool:
        """True if probes run on other machines."""
        return isinstance(self._predicate, ClusterPredicate)

    def of(self, elements: Elements) -> ElementTester:
        """Return a tester of candidates, with the time limit of the next phase."""
        limited = self._predicate.limited(self._limits.next_phase())
        confirm = partial(self._confirm, self.confirming())
        return ElementTester(elements, limited, self._work, self._count, confirm, self._hurried)

    def _hurried(self, predicate: Predicate) -> Predicate:
        if isinstance(predicate, CommandPredicate) and not predicate.residency.warm:
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
        hosted = isinstance(self._predicate, CommandPredicate) and self._predicate.residency.warm
        self._limits.begin(checked, restarts=hosted)

    def note(self, event: events.Event) -> None:
        """Record the events of a reduction about its probes."""
        self._limits.note(event)

    def _confirm(self, predicate: Predicate, entries: Entries, work: Path, cancel: Flag) -> Outcome:
        made = None if self.confirmations is None else self.confirmations.take(entries, cancel)
        return made or predicate.confirm(entries, work, cancel)
