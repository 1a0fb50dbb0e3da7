"""What a driver needs, without any jar: a predicate on sets of items, problems of closures, algorithms by name."""

import base64
import time

from core.predicate.verdict import Outcome, Verdict
from core.reduction.candidate_tester import CandidateTester
from core.reduction.control import Control, RunLimits
from core.reduction.driver import Driver
from core.reduction.probing.memory import InMemory
from core.reduction.probing.workers import WorkerPool
from core.reduction.wiring import Judge, Observer, Probing
from core.search.minimisers.ddmin import complements_only
from core.search.reducers.binary import binary_reduction
from core.search.spaces import Classes, Closures, SearchProblem, VerifiedClasses
from core.sets import members

SPACES = {"binary": Closures, "closure": Closures, "verify": VerifiedClasses, "ddmin": Classes}


def start(algorithm, space):
    if algorithm == "binary":
        return binary_reduction(space.elements, space.cost)
    return complements_only(space.elements)


class SetTester:
    """A tester of item sets, without any jar; ``key`` may merge sets as equal content does."""

    def __init__(self, problem, predicate, key=lambda items: items):
        self.count = self.shown_count = problem.count
        self.problem = problem
        self.predicate = predicate
        self.asked = []
        self.packed = []
        self.expected = []
        self._key = key

    def key(self, items):
        return str(self._key(items)).encode()

    def prepare(self, items, number, afresh=False):
        def job(cancel, seconds):
            self.asked.append(items)
            said = self.predicate(items)
            if isinstance(said, Outcome):
                return said
            verdict = said if isinstance(said, Verdict) else Verdict.INTERESTING if said else Verdict.NOT_INTERESTING
            return Outcome(verdict, 0.001, 0, "")

        return job

    def pack(self, items):
        self.packed.append(items)

    def get_ready(self):
        return False

    def expect(self, items):
        self.expected.append(items)

    def shown(self, items):
        return items

    def named(self, items):
        return [f"a/C{number}" for number in members(items)]

    def classes_of(self, items):
        return items.bit_count()

    def bytes_of(self, items):
        return self.problem.bytes_of(items)


def chain(n):
    """Item i needs item i + 1, and so on in fours: 0..3, 4..7, ..."""
    closures = [sum(1 << j for j in range(i, (i // 4) * 4 + 4)) for i in range(n)]
    return SearchProblem(n, [100 + i for i in range(n)], closures)


class NotingObserver(Observer):
    """Notes what it is told, item sets only."""

    def __init__(self):
        self.bests = []

    def best(self, best):
        self.bests.append(best)


def probing_of(emit=lambda event: None, workers=1, **more):
    """The parts by which probes run; ``more``: fields of :class:`Probing`."""
    plain = {"control": Control(), "limits": RunLimits(), "memory": InMemory(), "pool": WorkerPool(workers)}
    return Probing(emit, **plain | more)


def made_tester(elements, predicate, folder):
    """A tester of candidates, as the predicate runs by itself."""
    return CandidateTester(elements, predicate, folder, elements.count, predicate.confirm, lambda predicate: predicate)


def driver_of(tester, emit=lambda event: None, *, workers=1, judge=None, observer=None, **probing):
    """A driver with threads as workers; ``probing``: fields of :class:`Probing`."""
    return Driver(tester, probing_of(emit, workers, **probing), judge or Judge(), observer or Observer())


def drive(problem, predicate, algorithm="binary", *, key=lambda items: items, **more):
    """Runs an algorithm from all items on: the reduction, its tester, and all events."""
    told = []
    tester = SetTester(problem, predicate, key)
    space = SPACES[algorithm](problem)
    driver = driver_of(tester, told.append, **more)
    driver.begin((1 << problem.count) - 1)
    driver.run(space, start(algorithm, space))
    return driver.reduction(), tester, told


def jittery(predicate):
    """The predicate in runs of differing lengths, so that workers overtake each other."""

    def slow(items):
        time.sleep(hash(items) % 5 / 5000)
        return predicate(items)

    return slow


def unpacked(kept: str) -> int:
    """Return the item set that an event names."""
    return int.from_bytes(base64.b64decode(kept), "little")


def told_of(told, kind):
    """The events of a kind."""
    return [event for event in told if isinstance(event, kind)]
