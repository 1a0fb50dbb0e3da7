"""The parts of a driver: the runner of probes, the judge of outcomes, and the listeners."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from operator import attrgetter

from core.predicate.verdict import Outcome
from core.protocol import events
from core.reduction.candidate_tester import CandidateTester
from core.reduction.control import Control, RunLimits
from core.reduction.probing.memory import Memory
from core.reduction.probing.workers import WorkerPool
from core.reduction.records import SubInput
from core.sets import ItemSet


@dataclass(frozen=True)
class Probing:
    """The parts by which the probes of one reduction run, made once for each driver."""

    emit: events.Listener
    """The listener that gets all events of the reduction."""
    control: Control
    limits: RunLimits
    memory: Memory
    """Outcomes by content. Reductions that share one memory use each other's outcomes."""
    pool: WorkerPool


@dataclass(frozen=True, slots=True)
class Judge:
    """The choice of interesting outcomes, and the doubts about the result."""

    interesting: Callable[[Outcome], bool] = attrgetter("interesting")
    confirm: bool = False
    """True to run the result once more at the end."""
    checked: bool = False
    """True if the reduction starts from the full input and the check has run the full input."""
    rare: bool = False
    """True to run the best once more during the search too, as answers come from few runs of a rare failure."""


class Observer:
    """Base of those who follow a reduction. Every method does nothing; a subclass overrides what it needs. All methods
    are called on the driver's thread."""

    def best(self, best: SubInput) -> None:
        """Take a new best candidate."""

    def needed(self, tester: CandidateTester, items: ItemSet) -> None:
        """Take a set of items, numbered by ``tester``, of which at least one is needed."""

    def answered(self, candidate: SubInput, outcome: Outcome) -> None:
        """Take the outcome of a candidate that is asked about for the first time."""

    def before_answer(self) -> bool:
        """Prepare for an answer that may take a probe, and return True if the reduction ends instead."""
        return False

    def runs_ahead(self) -> bool:
        """Return True if workers may run candidates of later questions."""
        return True
