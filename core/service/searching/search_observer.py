"""The observer of one search: passes events to output and session, the rest of the check, and the confirmations."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from core.check.beside import RestOfCheck
from core.predicate.verdict import Outcome
from core.reduction.candidate_tester import CandidateTester, ElementTester
from core.reduction.records import SubInput, entries_of
from core.reduction.wiring import Observer
from core.service.searching.stalls import Stalls
from core.service.searching.testers import Testers
from core.service.searching.unseen import Unseen
from core.sets import ItemSet


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
        assert isinstance(tester, ElementTester)
        self.name(tester.elements.named(items))

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
