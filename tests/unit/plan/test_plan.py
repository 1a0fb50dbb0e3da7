"""Phases of a run: what ends them, and in which order lists are asked about."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import pytest

from core.archive.jar import read_jar
from core.archive.packer import Packer
from core.model.class_model import build
from core.plan.catalogue import find
from core.plan.phase_elements import PhaseElements
from core.plan.plan_run import PlanRun
from core.plan.prices import FRUITLESS
from core.predicate.verdict import Outcome, Verdict
from core.protocol.search_settings import SearchSettings
from core.protocol.settings import Settings
from core.reduction.control import RunLimits
from core.reduction.elements import WholeElements
from core.search.phases import Knowledge, Level, Phase, PhaseEffort, Pointers, Search, Skip
from core.search.questions import Algorithm, Test
from core.search.reducers.binary import CLASS_BY_CLASS
from core.search.reducers.needed_items import ITEMS
from core.search.spaces import Classes, SearchProblem
from core.service.aims import aim_of
from tests.support.asking import ItemAsker
from tests.support.driving import driver_of, made_tester
from tests.support.phases import search_of

LIMIT = 330


class NeverInteresting:
    """A predicate that only the full input satisfies, so that no search gains anything."""

    packer = Packer()

    def probe(self, entries, work, cancel=None, seconds=None) -> Outcome:
        return Outcome(Verdict.NOT_INTERESTING, 0.001, 1, "")

    confirm = probe


def _endless(problem: SearchProblem, knowledge: Knowledge, effort: PhaseEffort, pointers: Pointers) -> Search:
    """Ask about as many different candidates as anybody likes to hear about."""
    space = Classes(problem)

    def ask() -> Iterator[Test]:
        for candidate in itertools.combinations(space.elements, 2):
            yield Test(candidate)

    return Search(space, ask(), knowledge)  # type: ignore[arg-type]


def _nothing() -> Algorithm:
    """Ask nothing."""
    return ()
    yield


ENDLESS = Phase("endless", Level.CLASSES, _endless)


@pytest.fixture
def make_run(sample_jar, tmp_path):
    def make(*, thorough: bool = False, granularity: str = "class") -> PlanRun:
        settings = Settings(predicate="x", thorough=thorough, granularity=granularity)
        elements = WholeElements(build(read_jar([sample_jar])))

        def tester(elements):
            return made_tester(elements, NeverInteresting(), tmp_path)  # type: ignore[arg-type]

        driver = driver_of(tester(elements), limits=RunLimits(probes=LIMIT))
        driver.begin(elements.full)
        elements_of = PhaseElements(
            elements,
            lambda jar, runs, whole: pytest.fail("no model is needed"),
            tester,
            lambda name: False,
            library=lambda name: None,
        )
        return PlanRun(driver, elements_of, None, aim_of(settings), lambda event: None)

    return make


@pytest.mark.parametrize(
    ("end", "thorough", "probes", "reason"),
    [(FRUITLESS, False, 300, "patience"), (None, False, LIMIT, "probes"), (FRUITLESS, True, LIMIT, "probes")],
    ids=["others follow", "it is all there is", "thorough"],
)
def test_a_search_without_gain_ends_where_others_follow(make_run, end, thorough, probes, reason):
    run = make_run(thorough=thorough)
    run.phase(ENDLESS, end=end)
    (phase,) = run.driver.reduction().phases
    assert (phase.probes, phase.reason) == (probes, reason)


def test_a_phase_learns_even_where_it_has_nothing_to_ask(make_run):
    run = make_run()
    phase = Phase("skips", Level.CLASSES, lambda *given: Skip("it has seen enough", Knowledge(needed={"A"})))
    run.phase(phase)
    assert run.knowledge.needed == {"A"}
    assert run.skipped_phases == [(1, "skips", "it has seen enough")]
    assert run.driver.reduction().phases == ()


def test_what_a_search_learns_is_kept_however_it_ends(make_run):
    def start(problem: SearchProblem, knowledge: Knowledge, effort: PhaseEffort, pointers: Pointers) -> Search:
        learnt = knowledge.copy()

        def ask() -> Iterator[Test]:
            learnt.needed.add("B")
            yield from _endless(problem, knowledge, effort, pointers).algorithm

        return Search(Classes(problem), ask(), learnt)  # type: ignore[arg-type]

    run, before = make_run(), Knowledge()
    run.knowledge = before
    run.phase(Phase("learns", Level.CLASSES, start), end=FRUITLESS)
    assert run.knowledge.needed == {"B"}
    assert not before.needed, "what a phase is given stays as it is"


def test_a_phase_that_does_not_weigh_is_not_run_again_on_the_same_bytes(make_run):
    run, started = make_run(), []

    def start(problem: SearchProblem, knowledge: Knowledge, effort: PhaseEffort, pointers: Pointers) -> Search:
        started.append(effort.worth)
        return Search(Classes(problem), _nothing(), knowledge)

    for weighs in (False, True):
        for share in (0.1, 0.01):
            run.phase(Phase(f"weighs: {weighs}", Level.CLASSES, start, weighs), share)
    size = run.bytes
    assert started == [0.1 * size, 0.1 * size, 0.01 * size]


def test_phases_finer_than_the_granularity_are_left_out(make_run):
    run = make_run()
    run.phase(Phase("finer", Level.ITEMS, lambda *given: pytest.fail("it is not to be started")))
    assert not run.driver.reduction().phases


def nested() -> SearchProblem:
    """Each item needs the one before it."""
    return SearchProblem(4, [1] * 4, [(1 << number + 1) - 1 for number in range(4)])


@pytest.mark.parametrize("minimiser", ["naive", "ddmin", "wddmin", "probdd", "wprobdd", "cdd"])
def test_closures_that_hold_others_are_dropped_before_these(minimiser):
    search = search_of(find(f"closures/{minimiser}").phases[0], nested())
    result = ItemAsker(lambda kept: kept & 1, search.space.items).run(search.algorithm)
    # the other way round dropping {0} would change nothing, and the largest closure could not go any more
    assert search.space.items(result) == 1


@pytest.mark.parametrize("minimiser", ["ddmin", "wddmin"])
def test_what_asks_about_parts_first_hears_of_the_lightest_first(minimiser):
    search = search_of(
        find(f"closures/{minimiser}").phases[0], nested(), effort=PhaseEffort(search=SearchSettings(classic=True))
    )
    asked: list[tuple[int, ...]] = []
    ItemAsker(lambda kept: 0 in kept, lambda candidate: asked.append(candidate) or frozenset(candidate)).run(
        search.algorithm
    )
    first = next(candidate for candidate in asked if 0 < len(candidate) < 4)
    assert first == tuple(range(len(first)))


def test_only_the_search_that_drops_whole_classes_asks_for_a_model_for_these(make_run):
    asked = []

    class AskedError(Exception):
        pass

    def build_model(jar, runs, whole):
        asked.append(whole)
        raise AskedError

    run = make_run(granularity="full")
    run.elements._build_model = build_model
    for phase in (CLASS_BY_CLASS, ITEMS):
        with pytest.raises(AskedError):
            run.elements.of_phase(phase, run.best)
    assert asked == [True, False]
