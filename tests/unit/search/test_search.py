"""The algorithms against the runs that the papers print, and their promises on random predicates."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.search.minimisers.ddmin import complements_only, ddmin, split_evenly
from core.search.reducers.binary import binary_reduction
from core.search.spaces import Classes, Closures, SearchProblem, VerifiedClasses
from tests.support.asking import ListAsker

ORACLES = json.loads((Path(__file__).parents[1] / "data" / "oracles.json").read_text())
FIGURES = ORACLES["binary_reduction"]


def split_by_ceiling(elements: tuple[int, ...], n: int) -> list[tuple[int, ...]]:
    """Return parts of ``ceil(len / n)`` elements, the last part shorter: possibly fewer than ``n`` parts (JR19)."""
    size = -(-len(elements) // n)
    return [elements[i : i + size] for i in range(0, len(elements), size)]


def words(trace, names=None):
    """A trace as the oracle file writes it."""
    return [[[names[e] if names else e for e in candidate], "yes" if yes else "no"] for candidate, yes in trace]


@pytest.mark.parametrize(("cache", "tests"), [(True, "tests_cached"), (False, "tests_uncached")])
def test_ddmin_runs_figure_2_of_weighted_delta_debugging(cache, tests):
    figure = ORACLES["wdd_figure_2"]
    tester = ListAsker(lambda c: set(figure["needed"]) <= set(c), cache=cache)
    assert tester.run(ddmin(tuple(figure["elements"]))) == figure["result"]
    assert len(tester.trace) == figure["ddmin"][tests]
    if cache:
        trace = [["".join(map(str, c)), "T" if yes else "F"] for c, yes in tester.trace]
        assert trace == figure["ddmin"]["trace"]


def test_ddmin_solves_the_lectures_quiz_with_a_cache_by_content():
    quiz = ORACLES["quiz_2424"]
    text = "2424"

    def content(candidate):
        return "".join(text[e] for e in candidate)

    for cache, tests in ((False, "tests_uncached"), (True, "tests_cached_by_index")):
        tester = ListAsker(lambda c: "42" in content(c), cache=cache)
        assert content(tester.run(ddmin(tuple(range(4))))) == quiz["result"]
        assert len(tester.trace) == quiz[tests]


FIGURE_1 = FIGURES["figure_1_ddmin_on_classes"]
CLOSURE_OF = {int(number): set(closure) for number, closure in FIGURE_1["closure_of_class"].items()}


def valid(candidate):
    return all(CLOSURE_OF[e] <= set(candidate) for e in candidate)


@pytest.mark.parametrize(("cache", "tests"), [(True, "tests_cached"), (False, "tests_uncached")])
def test_ddmin_on_classes_runs_figure_1_of_binary_reduction(cache, tests):
    needed = set(FIGURE_1["needed"])
    tester = ListAsker(lambda c: valid(c) and needed <= set(c), cache=cache)
    algorithm = ddmin(tuple(range(17)), split=split_by_ceiling, complements_at_two=False)
    assert tester.run(algorithm) == FIGURE_1["result"]
    assert len(tester.trace) == FIGURE_1[tests]
    if not cache:
        assert [c for c, _ in tester.trace] == FIGURE_1["rows"]


def test_verify_asks_only_the_valid_rows_of_figure_1():
    problem = SearchProblem(17, [1] * 17, [sum(1 << e for e in CLOSURE_OF[i]) for i in range(17)])
    space = VerifiedClasses(problem)
    tester = ListAsker(lambda c: 1 in c, cache=False, admissible=space.admissible)
    algorithm = ddmin(space.elements, split=split_by_ceiling, complements_at_two=False)
    assert tester.run(algorithm) == FIGURE_1["result"]
    assert [c for c, _ in tester.trace] == FIGURE_1["valid_candidates"]


NAMES = list(FIGURES["closures"])
CLOSURES = [set(FIGURES["closures"][name]) for name in NAMES]
ASCENDING = tuple(NAMES.index(name) for name in FIGURES["ascending_by_size"])


def covers(needed):
    return lambda candidate: set(needed) <= set().union(*(CLOSURES[e] for e in candidate))


@pytest.mark.parametrize("run", ["run_order_S1_to_S8", "run_ascending"])
def test_closure_runs_figure_4(run):
    figure = FIGURES["figure_4_closure"]
    order = tuple(range(8)) if run == "run_order_S1_to_S8" else ASCENDING
    tester = ListAsker(covers(figure["needed"]), cache=False)
    result = tester.run(ddmin(order, complements_at_two=False))
    assert [NAMES[e] for e in result] == figure[run]["result"]
    assert words(tester.trace, NAMES) == figure[run]["trace"]


def test_closure_runs_figure_5():
    figure = FIGURES["figure_5_closure"]
    tester = ListAsker(covers(figure["needed"]), cache=False)
    result = tester.run(ddmin(ASCENDING, complements_at_two=False))
    assert [NAMES[e] for e in result] == figure["result"]
    assert words(tester.trace, NAMES) == figure["trace"]
    assert len(tester.trace) == figure["tests_uncached_no_n2_complements"] == 16
    cached = ListAsker(covers(figure["needed"]))
    cached.run(ddmin(ASCENDING, complements_at_two=False))
    assert len(cached.trace) == figure["tests_cached"]


def count(candidate):
    return len(candidate)


def union_size(candidate):
    return len(set().union(*(CLOSURES[e] for e in candidate)))


@pytest.mark.parametrize(
    ("order", "cost", "figure", "needed"),
    [
        (tuple(range(8)), count, FIGURES["figure_6_binary"]["first_cost_count"], [1]),
        (ASCENDING, union_size, FIGURES["figure_6_binary"]["second_cost_union"], [1]),
        (ASCENDING, union_size, FIGURES["figure_7_binary"], FIGURES["figure_7_binary"]["needed"]),
    ],
    ids=["figure 6 by count", "figure 6 by union", "figure 7"],
)
def test_binary_reduction_runs_figures_6_and_7(order, cost, figure, needed):
    tester = ListAsker(covers(needed), cache=False)
    result = tester.run(binary_reduction(order, cost))
    assert words(tester.trace, NAMES) == figure["trace"]
    assert [NAMES[e] for e in result] == figure.get("result", figure.get("result_in_order_found"))


def test_the_space_of_closures_is_that_of_the_papers_example():
    problem = SearchProblem(17, [1] * 17, [sum(1 << e for e in CLOSURE_OF[i]) for i in range(17)])
    space = Closures(problem)
    sets = [{i for i in range(17) if space.items((e,)) >> i & 1} for e in space.elements]
    assert sorted(map(sorted, sets)) == sorted(map(sorted, CLOSURES))
    assert [len(s) for s in sets] == sorted(map(len, CLOSURES))
    assert space.cost((0, 1)) == len(sets[0] | sets[1])


def test_required_items_are_in_every_candidate_and_no_element():
    problem = SearchProblem(4, [10, 20, 30, 40], [0b0001, 0b0011, 0b0100, 0b1000], required=0b1000)
    classes, closures = Classes(problem), Closures(problem)
    assert classes.elements == (0, 1, 2)
    assert classes.items((1,)) == 0b1010
    assert closures.items(()) == 0b1000
    assert [closures.items((e,)) for e in closures.elements] == [0b1001, 0b1011, 0b1100]
    assert closures.cost(closures.elements) == 100


ALGORITHMS = {
    "textbook": ddmin,
    "ceiling": lambda elements: ddmin(elements, split=split_by_ceiling),
    "complements only": complements_only,
    "binary": lambda elements: binary_reduction(elements, len),
}


@pytest.mark.parametrize("name", ALGORITHMS)
@given(data=st.data())
def test_monotone_predicates_are_reduced_to_what_is_needed(name, data):
    n = data.draw(st.integers(1, 60))
    needed = data.draw(st.sets(st.integers(0, n - 1), min_size=1))
    tester = ListAsker(lambda c: needed <= set(c))
    assert set(tester.run(ALGORITHMS[name](tuple(range(n))))) == needed


@pytest.mark.parametrize("name", ["textbook", "ceiling", "complements only"])
@given(data=st.data())
def test_delta_debugging_is_one_minimal_even_where_the_predicate_is_not_monotone(name, data):
    n = data.draw(st.integers(2, 12))
    salt = data.draw(st.integers(0, 10_000))
    full = frozenset(range(n))

    def predicate(candidate):
        return frozenset(candidate) == full or hash((salt, frozenset(candidate))) % 3 == 0

    result = ListAsker(predicate).run(ALGORITHMS[name](tuple(range(n))))
    assert predicate(result)
    if len(result) > 1:
        assert not any(predicate([e for e in result if e != left]) for left in result)


@given(st.integers(1, 200), st.integers(1, 200))
def test_splits_keep_the_order_and_lose_nothing(size, n):
    elements = tuple(range(size))
    n = min(n, size)
    even, ceiling = split_evenly(elements, n), split_by_ceiling(elements, n)
    for parts in (even, ceiling):
        assert tuple(e for part in parts for e in part) == elements
        assert all(parts)
    assert len(even) == n
    assert len({len(part) for part in even}) <= 2
    assert sorted(map(len, even), reverse=True) == list(map(len, even))
