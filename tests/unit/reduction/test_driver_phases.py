"""Phases of one driver, and what it knows of earlier runs."""

import pytest

from core.errors import OutputError
from core.predicate.verdict import Outcome, Verdict
from core.protocol import events
from core.reduction.control import Patience, RunLimits, TargetGain
from core.reduction.probing.memory import InMemory
from core.reduction.wiring import Judge
from core.search.spaces import Classes, Closures, SearchProblem
from tests.support.driving import NotingObserver, SetTester, chain, drive, driver_of, jittery, start, told_of, unpacked


class Renumbered(SetTester):
    """The items of a subset, numbered afresh: content and sizes are the first tester's."""

    def __init__(self, first, members):
        self.members = members
        self.first = first
        problem = SearchProblem(
            len(members), [first.problem.sizes[m] for m in members], [1 << i for i in range(len(members))]
        )
        super().__init__(problem, lambda items: first.predicate(self.shown(items)))
        self.shown_count = first.count

    def shown(self, items):
        return sum(1 << member for place, member in enumerate(self.members) if items >> place & 1)

    def key(self, items):
        return self.first.key(self.shown(items))


def two_phases(needed=1 << 2 | 1 << 9, **more):
    """Closures, then the classes of the best alone, each for itself."""
    problem = chain(40)
    first = SetTester(problem, lambda items: items & needed == needed)
    told = []
    driver = driver_of(first, told.append, **more)
    driver.begin((1 << 40) - 1)
    space = Closures(problem)
    phases = [driver.run(space, start("binary", space))]
    second = Renumbered(first, [i for i in range(40) if driver.best.items >> i & 1])
    space = Classes(second.problem)
    phases.append(driver.run(space, start("ddmin", space), second))
    return driver, phases, first, second, told


@pytest.mark.parametrize("workers", [1, 3])
def test_phases_share_cache_and_best_whatever_their_numbering(workers):
    observer = NotingObserver()
    driver, phases, first, second, told = two_phases(workers=workers, observer=observer)
    assert [phase.reason for phase in phases] == ["done", "done"]
    assert phases[0].best.items == 0b1100 | 0b1110 << 8
    assert phases[0].best.tester is first
    assert driver.best.tester is second
    assert second.shown(driver.best.items) == 1 << 2 | 1 << 9
    keys = [first.key(items) for items in first.asked] + [second.key(items) for items in second.asked]
    assert len(keys) == len(set(keys)) or workers > 1
    full = first.bytes_of((1 << 40) - 1)
    assert phases[0].gained + phases[1].gained == full - driver.best.bytes
    reduction = driver.reduction()
    assert reduction.phases == tuple(phases)
    assert reduction.counts.probes == phases[0].probes + phases[1].probes
    assert [finding.bytes for finding in observer.bests] == [step.bytes for step in reduction.timeline]
    # what is told is told in the first numbering
    assert unpacked(told_of(told, events.Accepted)[-1].kept) == 1 << 2 | 1 << 9
    assert unpacked(told_of(told, events.Needed)[-1].kept) == 1 << 2 | 1 << 9


def test_after_a_limit_no_further_phase_asks_anything():
    _, phases, _, second, _ = two_phases(limits=RunLimits(probes=4))
    assert [phase.reason for phase in phases] == ["probes", "probes"]
    assert not second.asked
    assert phases[1].probes == phases[1].gained == 0


def test_a_phase_that_starts_from_something_not_interesting_is_lost():
    problem = chain(16)
    driver = driver_of(SetTester(problem, lambda items: True))
    driver.begin((1 << 16) - 1)
    other = SetTester(problem, lambda items: False, key=lambda items: ("other", items))
    space = Classes(problem)
    phase = driver.run(space, start("ddmin", space), other)
    assert (phase.reason, phase.probes, phase.best.items) == ("lost", 1, (1 << 16) - 1)
    assert driver.run(space, start("ddmin", space)).reason == "lost"  # the tester stays


@pytest.mark.parametrize("workers", [1, 4])
def test_a_phase_ends_when_it_does_not_pay_any_more(workers):
    problem = SearchProblem(64, [1000] * 64, [1 << i for i in range(64)])
    driver = driver_of(SetTester(problem, jittery(lambda items: items & 1 == 1)), workers=workers)
    driver.begin((1 << 64) - 1)
    space = Classes(problem)
    # the halves of the beginning gain 32,000 bytes a probe, the last ones little
    phase = driver.run(space, start("ddmin", space), end=Patience(probes=2, per_probe=4_000))
    assert phase.reason == "patience"
    assert 1 < phase.best.items.bit_count() < 64
    assert phase.probes < 12
    again = driver.run(space, start("ddmin", space), end=Patience(probes=3, per_probe=1))
    assert driver.reduction().reason == "done"
    assert again.reason in ("done", "patience")


@pytest.mark.parametrize("workers", [1, 4])
def test_a_phase_ends_when_it_has_gained_enough(workers):
    problem = SearchProblem(64, [1000] * 64, [1 << i for i in range(64)])
    driver = driver_of(SetTester(problem, jittery(lambda items: items & 1 == 1)), workers=workers)
    driver.begin((1 << 64) - 1)
    space = Classes(problem)
    phase = driver.run(space, start("ddmin", space), end=TargetGain(40_000))
    assert (phase.reason, phase.gained) == ("enough", 48_000)  # the half, and a half of the rest
    assert driver.run(space, start("ddmin", space), end=TargetGain(40_000)).reason == "done"


def named(failures):
    """An outcome that names failures; interesting where there is any."""
    return Outcome(
        Verdict.INTERESTING if failures else Verdict.NOT_INTERESTING, 0.001, 0, "", failures=tuple(sorted(failures))
    )


def test_another_failure_starts_from_what_is_known_of_it():
    problem = SearchProblem(32, [1] * 32, [1 << i for i in range(32)])
    parts = {"a": 1 << 3, "b": 1 << 20, "c": 1 << 20 | 1 << 21}

    def predicate(items):
        return named({name for name, part in parts.items() if items & part == part})

    memory, told = InMemory(), []
    space = Classes(problem)
    full = (1 << 32) - 1
    tester = SetTester(problem, predicate)
    first = driver_of(tester, told.append, memory=memory, judge=Judge(lambda outcome: "a" in outcome.failures))
    first.begin(full, predicate(full))
    first.run(space, start("ddmin", space))
    assert first.best.items == 1 << 3
    assert all(map(first.smallest_with, "abc"))
    assert not told_of(told, events.Met)
    smallest = first.smallest_with("b")
    assert smallest.items.bit_count() < 32
    assert smallest.items & parts["b"]
    asked = len(tester.asked)
    second = driver_of(tester, told.append, memory=memory, judge=Judge(lambda outcome: "b" in outcome.failures))
    second.begin(smallest.items)
    space = Classes(problem)
    space.elements = tuple(i for i in range(32) if smallest.items >> i & 1)
    second.run(space, start("ddmin", space))
    assert second.best.items == 1 << 20
    assert second.reduction().counts.probes == len(tester.asked) - asked


@pytest.mark.parametrize("workers", [1, 3])
def test_what_an_earlier_run_found_out_is_not_run_again(workers):
    needed = 1 << 2 | 1 << 9
    memory = InMemory()

    def predicate(items):
        return items & needed == needed

    stopped, _, _ = drive(chain(40), predicate, memory=memory, limits=RunLimits(probes=4))
    assert stopped.reason == "probes"
    resumed, tester, _ = drive(chain(40), predicate, memory=memory, workers=workers)
    whole, _, _ = drive(chain(40), predicate)
    assert resumed.best.items == whole.best.items
    assert resumed.counts.recalled == 4
    assert resumed.counts.probes == whole.counts.probes - 4
    assert [step.bytes for step in resumed.timeline] == [step.bytes for step in whole.timeline]
    again, tester, told = drive(chain(40), predicate, memory=memory, workers=workers)
    assert again.best.items == whole.best.items
    assert not tester.asked
    assert again.counts.recalled == whole.counts.probes
    assert unpacked(told_of(told, events.Accepted)[-1].kept) == whole.best.items


def test_a_best_that_cannot_be_written_is_told_all_the_same():
    told = []

    class FullDisk(NotingObserver):
        def best(self, best):
            super().best(best)
            if len(self.bests) == 2:
                raise OutputError("No space.")

    problem = chain(16)
    driver = driver_of(SetTester(problem, lambda items: items & 1), told.append, observer=(observer := FullDisk()))
    driver.begin((1 << 16) - 1)
    space = Classes(problem)
    with pytest.raises(OutputError):
        driver.run(space, start("ddmin", space))
    assert [event.bytes for event in told_of(told, events.Accepted)][-1] == observer.bests[-1].bytes


def test_each_probe_names_what_it_lacks_of_the_best():
    told = []
    problem = chain(8)
    tester = SetTester(problem, lambda items: items & 1)
    driver = driver_of(tester, told.append, workers=1)
    driver.begin(0xFF)
    space = Classes(problem)
    driver.run(space, start("ddmin", space))
    tried = told_of(told, events.Trying)
    best = 0xFF
    for event, kept in zip(tried, tester.asked, strict=True):
        lacks = [number for number in range(8) if (best & ~kept) >> number & 1]
        assert (event.without, event.more) == (f"a/C{lacks[0]}", len(lacks) - 1)
        best = kept if kept & 1 else best
