"""The testers of a reduction's candidates: the predicate with the time limit of a phase, or of a confirmation.
The observer of their search passes events to output and session, the rest of the check, and the confirmations."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from threading import Event as Flag
from typing import Protocol

from core.cluster.cluster_predicate import ClusterPredicate
from core.entries import Entries
from core.evidence.clues import Clues
from core.predicate.predicate import CommandPredicate, Predicate, ToolPredicate
from core.predicate.several.rare import RarePredicate
from core.predicate.verdict import Outcome
from core.protocol import events
from core.reduction.candidate_tester import CandidateTester
from core.reduction.elements import Elements
from core.reduction.probing.time_limits import TimeLimits, least_limit
from core.reduction.records import ReportedReduction, SubInput
from core.reduction.wiring import Observer
from core.service.preparation import Preparation
from core.service.searching.confirming import Confirmations
from core.service.searching.saver import Saver
from core.service.searching.stalls import Stalls
from core.service.searching.unseen import Unseen
from core.sets import ItemSet

_SLOWER = 2.0
"""Time limit of confirmations and of retried timed-out candidates, as a multiple of the probes' limit.
See decisions/025-limits-of-a-probe.md.
"""

_MEASURING = 0.25
"""Share of the time left that new runs of a rare failure's best take at most while the search goes on.
See decisions/056-rare-failures.md."""


class Testers:
    """A maker of testers for all reductions of an input with ``count`` items. ``checked`` is the outcome of the input;
    ``work`` is a folder for the probes; ``jobs``: number of parallel probes; ``left``: function that returns the
    seconds until the time limit. ``fixed``: True if the time limit of a probe is the user's own.
    """

    def __init__(
        self,
        predicate: Predicate,
        checked: Outcome,
        work: Path,
        count: int,
        jobs: int,
        left: Callable[[], float | None],
        *,
        fixed: bool,
    ) -> None:
        self._predicate = predicate
        self._left = left
        self._work = work
        self._count = count
        self.limits = TimeLimits(predicate.timeout, least_limit(predicate), jobs, fixed)
        self.limits.begin(checked, restarts=isinstance(predicate, CommandPredicate) and predicate.warm)
        self.confirmations: Confirmations | None = None
        """The confirmations made ahead; None if there are none."""
        self.searching = True
        """False once the search is over: new runs of a rare failure may then take all of the time that is left."""

    @property
    def remote(self) -> bool:
        """True if probes run on other machines."""
        return isinstance(self._predicate, ClusterPredicate)

    def of(self, elements: Elements) -> CandidateTester:
        """Return a tester of candidates, with the time limit of the next phase."""
        limited = self._predicate.limited(self.limits.next_phase())
        confirm = partial(self._confirm, self.confirming())
        return CandidateTester(elements, limited, self._work, self._count, confirm, self.hurried)

    def hurried(self, predicate: Predicate) -> Predicate:
        """Return the predicate with the limits of processor time; itself if it is a command that may ask resident
        processes, since nothing tells what they take."""
        if isinstance(predicate, ToolPredicate) and not (isinstance(predicate, CommandPredicate) and predicate.warm):
            return predicate.hurried(self.limits.haste)
        return predicate

    def confirming(self) -> Predicate:
        """Return the predicate with the time limit of confirmations."""
        limit = self.limits.limit
        if self.limits.fixed:
            return self._predicate
        least = self._predicate.timeout or 0.0
        return self._predicate.limited(None if limit is None else _SLOWER * max(limit, least))

    def _confirm(self, predicate: Predicate, entries: Entries, work: Path, cancel: Flag) -> Outcome:
        made = None if self.confirmations is None else self.confirmations.take(entries, cancel)
        if isinstance(predicate, RarePredicate):
            left = self._left()
            part = _MEASURING if self.searching else 1.0
            return predicate.confirm(entries, work, cancel, None if left is None else part * left)
        return made or predicate.confirm(entries, work, cancel)


class Follower(Protocol):
    """Whoever follows the reductions of an input."""

    best: SubInput | None
    needed: set[str]
    """Names of items that probes proved to be needed."""

    def know(self, clues: Clues) -> None:
        """Take clues about the input's run."""

    def finish(self, found: ReportedReduction) -> None:
        """Take a finished reduction."""


@dataclass
class SearchObserver(Observer):
    """An observer that passes on a driver's calls: to ``follower``, to output and session, to the confirmations, the
    stalls and the unseen inputs. The rest of the check ends its search.
    """

    ready: Preparation
    follower: Follower
    saver: Saver
    testers: Testers
    stalls: Stalls
    unseen: Unseen | None

    def best(self, best: SubInput) -> None:
        self.follower.best = best
        self.saver.save(best, self.ready.predicate.packer)
        if self.unseen is not None:
            self.unseen.look(best.entries, best.bytes)
        if self.testers.confirmations is not None:
            self.testers.confirmations.gained(best.bytes)

    def needed(self, tester: CandidateTester, items: ItemSet) -> None:
        self.follower.needed.update(tester.named(items))

    def confirm_ahead(self, event: events.Event) -> None:
        """Begin a confirmation after a probe without a gain, once it is due."""
        failed = isinstance(event, events.Probed) and event.verdict != "interesting"  # a gain is told beforehand
        if failed and self.runs_ahead() and self.testers.confirmations is not None:
            self.testers.confirmations.probed()

    def answered(self, candidate: SubInput, outcome: Outcome) -> None:
        self.stalls.answered(candidate, outcome)

    def before_answer(self) -> bool:
        rest = self.ready.rest
        if self.unseen is not None and self.unseen.missed:
            return True
        if rest is None:
            return False
        rest.between()
        if rest.over and rest.objection is None:
            self.saver.provisional.release()
        return rest.objection is not None

    def runs_ahead(self) -> bool:
        """Return True once the check is over: until then the command may not bear the end of a run beside it."""
        return self.ready.rest is None or self.ready.rest.over
