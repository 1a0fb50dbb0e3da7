"""A reduction's phases: what ends them, and in which order lists are asked about."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import pytest

from core.archive.jar import read_jar
from core.archive.packer import Packer
from core.model.class_model import build
from core.plan.catalogue import AlgorithmSpec, Level, Options, PhaseSpec, find
from core.plan.phases import Plan
from core.predicate.verdict import Outcome, Verdict
from core.reduction.candidate_tester import SourceTester
from core.reduction.control import RunLimits
from core.reduction.sources.whole_source import WholeSource
from core.search.questions import Algorithm, Test
from core.search.spaces.class_spaces import Classes, SearchProblem
from tests.support.asking import ItemAsker
from tests.support.driving import driver_of

LIMIT = 330


class NeverInteresting:
    """A predicate that only the full input satisfies, so that no search gains anything."""

    packer = Packer()

    def probe(self, entries, work, cancel=None, seconds=None) -> Outcome:
        return Outcome(Verdict.NOT_INTERESTING, 0.001, 1, "")

    confirm = probe


def _nothing() -> Algorithm:
    """Asks nothing."""
    return ()
    yield


def _endless(problem: SearchProblem, options: Options) -> tuple[Classes, Algorithm]:
    """As many different candidates as anybody likes to hear about."""
    space = Classes(problem)

    def ask() -> Iterator[Test]:
        for candidate in itertools.combinations(space.elements, 2):
            yield Test(candidate)

    return space, ask()  # type: ignore[return-value]


ENDLESS = PhaseSpec("endless", Level.CLASSES, _endless)
BRIEF = PhaseSpec("brief", Level.CLASSES, lambda problem, options: (Classes(problem), _nothing()))


@pytest.mark.parametrize(
    ("phases", "options", "probes", "reason"),
    [
        ((ENDLESS, BRIEF), Options(), 300, "patience"),
        ((ENDLESS,), Options(), LIMIT, "probes"),
        ((ENDLESS, BRIEF), Options(thorough=True), LIMIT, "probes"),
    ],
    ids=["others follow", "it is all there is", "thorough"],
)
def test_a_search_without_gain_ends_where_others_follow(phases, options, probes, reason, sample_jar, tmp_path):
    source = WholeSource(build(read_jar([sample_jar])))
    tester = SourceTester(source, NeverInteresting(), tmp_path)  # type: ignore[arg-type]
    driver = driver_of(tester, limits=RunLimits(probes=LIMIT))
    driver.begin(source.full)
    plan = Plan(
        source, lambda jar: pytest.fail("no model is needed"), lambda source: tester, lambda name: False, options
    )
    plan.follow(driver, AlgorithmSpec("test", "Test", "", phases), "class")
    reduction = driver.reduction()
    assert (reduction.phases[0].probes, reduction.phases[0].reason) == (probes, reason)
    assert len(reduction.phases) == (len(phases) if reason == "patience" else 1)


def _leaves(problem: SearchProblem, options: Options) -> tuple[Classes, Algorithm]:
    """Leaves something untried as long as its price is above 9 bytes."""
    options.leave(options.worth > 9)
    return Classes(problem), _nothing()


@pytest.mark.parametrize("thorough", [False, True])
def test_singles_wait_until_nothing_is_left_for_a_lower_price(thorough, sample_jar, tmp_path):
    source = WholeSource(build(read_jar([sample_jar])))
    tester = SourceTester(source, NeverInteresting(), tmp_path)  # type: ignore[arg-type]
    driver = driver_of(tester)
    driver.begin(source.full)
    ran: list[tuple[int, str]] = []
    patient = PhaseSpec("patient", Level.CLASSES, _leaves, patient=True)
    singles = PhaseSpec("singles", Level.CLASSES, BRIEF.start, gradual=True)
    plan = Plan(
        source,
        lambda jar: pytest.fail("no model is needed"),
        lambda source: tester,
        lambda name: False,
        Options(thorough=thorough),
        lambda number, phase, source, space: ran.append((number, phase.name)),
    )
    plan.follow(driver, AlgorithmSpec("test", "Test", "", (patient, singles), rounds=6, repeated=2), "class")
    prices = [driver.best.bytes * share for share in (4e-4, 2e-4, 1e-4, 5e-5, 2e-5)]
    assert prices[0] > 9 > prices[-1]
    first = 1 if thorough else next(number for number, price in enumerate(prices, 1) if price <= 9)
    assert ran.index((first, "singles")) == ran.index((first, "patient")) + 1
    assert [number for number, name in ran if name == "patient"][:first] == list(range(1, first + 1))
    assert min(number for number, name in ran if name == "singles") == first


@pytest.mark.parametrize(("options", "early"), [(Options(), True), (Options(much=True), False)], ids=["few", "much"])
def test_the_first_search_in_bodies_gives_way_to_what_its_edits_free(options, early, sample_jar, tmp_path):
    source = WholeSource(build(read_jar([sample_jar])))
    tester = SourceTester(source, NeverInteresting(), tmp_path)  # type: ignore[arg-type]
    driver = driver_of(tester)
    driver.begin(source.full)
    seen: list[tuple[bool, float]] = []

    def note(problem: SearchProblem, options: Options) -> tuple[Classes, Algorithm]:
        seen.append((options.freeing, options.worth))
        return Classes(problem), _nothing()

    phase = PhaseSpec("bodies", Level.BODIES, note, patient=True)
    plan = Plan(
        source,
        lambda jar: pytest.fail("no model is needed"),
        lambda source: SourceTester(source, NeverInteresting(), tmp_path),  # type: ignore[arg-type]
        lambda name: False,
        options,
    )
    plan.follow(driver, AlgorithmSpec("test", "Test", "", (phase,), rounds=3, repeated=1), "full")
    size = driver.best.bytes
    assert seen == [(early, size * (0.01 if early else 4e-4)), (False, size * 2e-4), (False, size * 1e-4)]


def nested() -> SearchProblem:
    """Each item needs the one before it."""
    return SearchProblem(4, [1] * 4, [(1 << number + 1) - 1 for number in range(4)])


@pytest.mark.parametrize("minimiser", ["naive", "ddmin", "wddmin", "probdd", "wprobdd", "cdd"])
def test_closures_that_hold_others_are_dropped_before_these(minimiser):
    space, algorithm = find(f"closures/{minimiser}").phases[0].start(nested(), Options())
    result = ItemAsker(lambda kept: kept & 1, space.items).run(algorithm)
    # the other way round dropping {0} would change nothing, and the largest closure could not go any more
    assert space.items(result) == 1


@pytest.mark.parametrize("minimiser", ["ddmin", "wddmin"])
def test_what_asks_about_parts_first_hears_of_the_lightest_first(minimiser):
    _, algorithm = find(f"closures/{minimiser}").phases[0].start(nested(), Options(classic=True))
    asked: list[tuple[int, ...]] = []
    ItemAsker(lambda kept: 0 in kept, lambda candidate: asked.append(candidate) or frozenset(candidate)).run(algorithm)
    first = next(candidate for candidate in asked if 0 < len(candidate) < 4)
    assert first == tuple(range(len(first)))
