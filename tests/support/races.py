"""A failure that comes and goes: each run draws by the content of its candidate and a counter, so that the runs are
independent and repeatable. Without one of the ``helpers`` the failure shows ``loss`` times as often, without the
``core`` never.
"""

import random
from collections import Counter
from pathlib import Path

from core.predicate.command import PredicateCommand
from core.predicate.condition import Condition
from core.predicate.predicate import CommandPredicate
from core.predicate.verdict import Outcome, Verdict
from core.reduction.wiring import Judge
from core.search.minimisers.ddmin import complements_only
from core.search.spaces import Classes, SearchProblem
from core.sets import members
from tests.support.driving import SetTester, driver_of

ITEMS = 40
PHASES = 4
CORE, HELPERS = {7, 21, 33}, {3, 30}


class Race(CommandPredicate):
    """A predicate that runs nothing: the failure shows with some probability, the ``rate`` of the full input."""

    def __init__(self, rate: float, seed: int, loss: float = 0.5) -> None:
        super().__init__(PredicateCommand.parse("true"), condition=Condition())
        object.__setattr__(self, "draws", Counter())
        object.__setattr__(self, "full_rate", rate)
        object.__setattr__(self, "seed", seed)
        object.__setattr__(self, "loss", loss)

    def rate(self, numbers) -> float:
        """The probability of a candidate."""
        lost = len(HELPERS - set(numbers))
        return 0.0 if not set(numbers) >= CORE else self.full_rate * self.loss**lost

    def probe(self, entries, work, cancel=None, seconds=None):
        names = ",".join(name for name, _ in entries)
        self.draws[names] += 1
        draw = random.Random(f"{self.seed} {names} {self.draws[names]}").random()
        shows = draw < self.rate([int(name) for name, _ in entries])
        return Outcome(Verdict.INTERESTING if shows else Verdict.NOT_INTERESTING, 0.001, 0, "")

    confirm = probe

    def calibrated(self, entries, work, cancel=None):
        return self, self.probe(entries, work)

    def limited(self, timeout):
        return self


class RaceTester(SetTester):
    """Candidates of a predicate, without any jar."""

    def prepare(self, items, number, afresh=False):
        entries, run = entries_of(items), self.predicate.confirm if afresh else self.predicate.probe
        return lambda cancel, seconds: run(entries, Path("nowhere"))


def entries_of(items):
    return [(str(number), b"") for number in members(items)]


def reduced(predicate, measured=True):
    """The items that are left of a reduction by a predicate, which has run the full input, after some phases. Not
    ``measured``: the best is run again at the end alone."""
    problem = SearchProblem(ITEMS, [100] * ITEMS, [1 << number for number in range(ITEMS)])
    driver = driver_of(RaceTester(problem, predicate), judge=Judge(confirm=True, rare=measured))
    driver.begin((1 << ITEMS) - 1)
    space = Classes(problem)

    def plan():
        for _ in range(PHASES):
            driver.measure()
            driver.run(space, complements_only(members(driver.best.items)))

    driver.search(plan)
    return members(driver.reduction().best.items)
