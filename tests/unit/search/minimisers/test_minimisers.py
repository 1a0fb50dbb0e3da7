"""The list minimisers against the runs of WDD, and their promises on random predicates."""

import json
import random
from itertools import islice, pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.search.beliefs import raised
from core.search.minimisers.ddmin import (
    ddmin,
    halves,
    naive,
    one_minimal,
    refined,
    wddmin,
    weighted_complements_only,
)
from core.search.minimisers.probdd import cdd, probdd, schedule, wprobdd
from core.search.questions import Mapped, Prefixes, Without, translated
from tests.support.asking import ListAsker, then_one_minimal
from tests.support.rows import rows

ORACLES = json.loads((Path(__file__).parents[2] / "data" / "minimisers.json").read_text())
ELEMENTS = tuple(ORACLES["elements"])
NEEDED = set(ORACLES["needed"])
WEIGHT = {int(element): weight for element, weight in ORACLES["weights"].items()}.__getitem__


def run(algorithm, *, cache=False):
    asker = ListAsker(lambda c: set(c) >= NEEDED, cache=cache)
    result = asker.run(algorithm)
    return result, [["".join(map(str, c)), "T" if yes else "F"] for c, yes in asker.trace]


def test_wddmin_runs_figure_2():
    result, trace = run(wddmin(ELEMENTS, WEIGHT), cache=True)
    assert trace == ORACLES["wddmin"]["trace"]
    assert len(trace) == ORACLES["wddmin"]["tests_cached"] == 26
    assert set(result) == NEEDED
    assert len(run(wddmin(ELEMENTS, WEIGHT))[1]) == ORACLES["wddmin"]["tests_uncached"] == 35


def test_parts_are_cut_at_half_the_weight():
    first, second = ORACLES["wddmin"]["partition_levels"]
    parts = refined([ELEMENTS], WEIGHT)
    assert [list(part) for part in parts] == first
    assert [list(part) for part in refined(parts, WEIGHT)] == second


def test_wddmin_ends_with_single_elements_and_starts_over_at_each_success():
    def predicate(candidate):  # h can go once b has, but is no longer in the list of parts by then
        return set("acde") <= set(candidate) and ("h" in candidate or "b" not in candidate)

    names = "ahbcde"
    asker = ListAsker(lambda c: predicate("".join(names[e] for e in c)), cache=False)
    algorithm = wddmin(tuple(range(6)), [1, 10, 2, 2, 2, 2].__getitem__)
    assert "".join(names[e] for e in asker.run(algorithm)) == "acde"
    tail = [("".join(names[e] for e in candidate), yes) for candidate, yes in asker.trace[-6:]]
    assert tail == [("hcde", False), ("acde", True), ("cde", False), ("ade", False), ("ace", False), ("acd", False)]


@given(st.lists(st.integers(-3, 1000), min_size=2, max_size=40))
def test_no_cut_leaves_a_side_empty_and_no_other_is_nearer_to_the_middle(weights):
    clamped = [max(1, weight) for weight in weights]
    left, right = halves(tuple(range(len(weights))), weights.__getitem__)
    assert left
    assert right
    assert left + right == tuple(range(len(weights)))

    def off(cut):
        return abs(sum(clamped[:cut]) - sum(clamped) // 2)

    assert off(len(left)) == min(off(cut) for cut in range(1, len(weights)))


def steps(name):
    """The trace of an oracle, as candidates kept."""
    return [
        ["".join(e for e in before if e not in dropped), result]
        for before, dropped, result, _ in ORACLES[name]["steps"]
    ]


def test_probdd_runs_the_example_in_index_order():
    oracle = ORACLES["probdd"]
    for threshold in oracle["same_for_thresholds"]:
        result, trace = run(probdd(ELEMENTS, oracle["p0"], threshold))
        assert trace == steps("probdd")
        assert len(trace) == oracle["tests"] == 13
        assert set(result) == NEEDED


def test_probdd_takes_the_fifteen_tests_of_the_figure_in_some_orders_of_the_elements():
    rng, tests = random.Random(2), set()
    for _ in range(200):
        order = list(ELEMENTS)
        rng.shuffle(order)
        tests.add(len(run(probdd(tuple(order), 0.2, 0.7))[1]))
    assert tests == set(ORACLES["probdd"]["tests_in_any_order"]) == {10, 13, 15}


def test_wprobdd_runs_figure_2():
    oracle = ORACLES["wprobdd"]
    result, trace = run(wprobdd(ELEMENTS, WEIGHT, oracle["p0"], oracle["threshold"]))
    assert trace == steps("wprobdd")
    assert len(trace) == oracle["tests"] == 11
    assert set(result) == NEEDED
    for threshold, tests in oracle["tests_by_threshold"].items():
        _, trace = run(wprobdd(ELEMENTS, WEIGHT, oracle["p0"], float(threshold)))
        assert len(trace) == tests


def test_wprobdd_below_threshold_one_needs_the_one_minimal_pass():
    early, _ = run(wprobdd(ELEMENTS, WEIGHT, 0.2, 0.6))
    assert set(early) > NEEDED
    result, trace = run(then_one_minimal(wprobdd(ELEMENTS, WEIGHT, 0.2, 0.6), WEIGHT))
    assert set(result) == NEEDED
    assert len(trace) > ORACLES["wprobdd"]["tests_by_threshold"]["0.6"]


@pytest.mark.parametrize("name", ["probdd", "wprobdd"])
def test_probabilities_after_each_test_are_those_of_the_trace(name):
    p = dict.fromkeys(map(str, ELEMENTS), ORACLES[name]["p0"])
    for before, dropped, result, after in ORACLES[name]["steps"]:
        assert set(before) == {element for element in p if p[element] > 0}
        if result == "F":
            p.update(zip(dropped, raised(np.array([p[e] for e in dropped])).tolist(), strict=True))
        else:
            p.update(dict.fromkeys(dropped, 0.0))
        assert {element: round(p[element], 4) for element in before} == after


def test_a_single_element_that_cannot_go_is_certain_though_the_formula_in_doubles_is_not():
    thousandths = [number / 1000 for number in range(1, 1000)]
    trapped = [p for p in thousandths if p / (1 - (1 - p)) < 1]
    assert len(trapped) == ORACLES["float_trap_count_of_999"]
    assert trapped[: len(ORACLES["float_trap"])] == ORACLES["float_trap"]
    for p in trapped:
        assert raised(np.array([p])).tolist() == [1.0]
    for p in trapped[::10]:
        for algorithm in (probdd((1, 3, 6), p), wprobdd((1, 3, 6), WEIGHT, p)):
            asker = ListAsker(lambda c: False)
            assert asker.run(algorithm) == [1, 3, 6]
            assert {len(c) for c, _ in asker.trace} >= {2}


@given(st.lists(st.integers(1, 10**9), min_size=2, max_size=12), st.floats(1e-6, 0.999))
def test_probabilistic_searches_end_for_any_weights_and_any_start(weights, p0):
    elements = tuple(range(len(weights)))
    for algorithm in (probdd(elements, p0), wprobdd(elements, weights.__getitem__, p0)):
        assert ListAsker(lambda c: False, cache=False).run(algorithm) == list(elements)


@rows("size", range(2, 100))
def test_ties_are_broken_by_element_order_whatever_the_rounding(size):
    # size * (1 - p) ** size is the same for ``size`` and ``size - 1`` when p = 1 / size
    elements = tuple(range(100))
    longest = next(probdd(elements, 1 / size)).candidates[0]
    assert longest == elements[size:]
    shortest = next(wprobdd(elements, lambda element: 0, 1 / size)).candidates[0]
    assert shortest == elements[size - 1 :]
    mixed = next(wprobdd(elements, lambda element: 1 + element % 2, 1 / size)).candidates[0]
    assert sorted(set(elements) - set(mixed)) == [2 * number + 1 for number in range(min(size - 1, 50))]
    assert schedule(1 / size)[0][1] == size


def test_wprobdd_counts_weights_below_one_as_one():
    light = ListAsker(lambda c: set(c) >= NEEDED)
    light.run(wprobdd(ELEMENTS, lambda element: element % 3 - 1, 0.2))
    clamped = ListAsker(lambda c: set(c) >= NEEDED)
    clamped.run(wprobdd(ELEMENTS, lambda element: 1, 0.2))
    assert light.trace == clamped.trace


@pytest.mark.parametrize(("p0", "threshold"), [(0.0, 1.0), (1.0, 1.0), (0.5, 0.5), (0.9, 0.8), (0.1, 1.1)])
def test_senseless_probabilities_are_refused_at_once(p0, threshold):
    with pytest.raises(ValueError, match="p0"):
        probdd(ELEMENTS, p0, threshold)
    with pytest.raises(ValueError, match="p0"):
        wprobdd(ELEMENTS, WEIGHT, p0, threshold)


@pytest.mark.parametrize("p0", ORACLES["cdd_schedule"])
def test_cdd_sweeps_with_the_sizes_of_its_schedule(p0):
    rounds = schedule(float(p0))
    assert [[round(p, 4), size] for p, size in rounds] == ORACLES["cdd_schedule"][p0]
    asker = ListAsker(lambda c: False, cache=False)
    asker.run(cdd(tuple(range(100)), float(p0)))
    assert [100 - len(c) for c, _ in asker.trace] == [
        min(size, 100 - start) for _, size in rounds for start in range(0, 100, size)
    ]


def test_cdd_goes_on_behind_a_chunk_that_went():
    asker = ListAsker(lambda c: {0, 9} <= set(c), cache=False)
    assert asker.run(cdd(tuple(range(10)), 0.3)) == [0, 9]
    dropped = [sorted(set(before) - set(after)) for before, after in pairwise([range(10), *accepted(asker.trace)])]
    assert dropped == [[3, 4, 5], [6, 7, 8], [1], [2]]
    with pytest.raises(ValueError, match="p0"):
        cdd(ELEMENTS, 0.0)


def accepted(trace):
    return [candidate for candidate, yes in trace if yes]


def test_the_one_minimal_pass_takes_the_heaviest_first_and_goes_on_or_starts_over():
    def dropped(algorithm):
        asker = ListAsker(lambda c: {2, 5} <= set(c), cache=False)
        asker.run(algorithm)
        current, order = {1, 2, 3, 4, 5}, []
        for candidate, yes in asker.trace:
            order.append((current - set(candidate)).pop())
            current = set(candidate) if yes else current
        return order

    elements = (1, 2, 3, 4, 5)
    heavy = {1: 0, 2: 9, 3: 4, 4: 9, 5: 1}.__getitem__
    assert dropped(one_minimal(elements)) == [1, 2, 3, 4, 5, 2]
    assert dropped(one_minimal(elements, restart=True)) == [1, 2, 3, 2, 4, 2, 5]
    assert dropped(one_minimal(elements, heavy)) == [2, 4, 3, 1, 5, 2]
    assert dropped(naive(elements)) == dropped(one_minimal(elements, restart=True))


def test_naive_takes_half_n_squared_tests_where_only_the_last_can_go():
    def predicate(candidate):  # any prefix of the list
        return list(candidate) == list(range(len(candidate)))

    asker = ListAsker(predicate, cache=False)
    assert asker.run(naive(tuple(range(10)))) == [0]
    assert len(asker.trace) == sum(range(2, 11))


def weight_of(element):
    return element * 7919 % 23  # some are zero


PROMISED = {
    "wddmin": lambda elements: wddmin(elements, weight_of),
    "weighted complements": lambda elements: weighted_complements_only(elements, weight_of),
    "probdd": lambda elements: then_one_minimal(probdd(elements, 0.2)),
    "probdd early": lambda elements: then_one_minimal(probdd(elements, 0.3, 0.6)),
    "wprobdd": lambda elements: then_one_minimal(wprobdd(elements, weight_of, 0.2), weight_of),
    "wprobdd early": lambda elements: then_one_minimal(wprobdd(elements, weight_of, 0.2, 0.8), weight_of),
    "cdd": lambda elements: then_one_minimal(cdd(elements, 0.2)),
    "naive": naive,
    "one-minimal": one_minimal,
    "one-minimal by weight": lambda elements: one_minimal(elements, weight_of),
}
PROMISED_IF_MONOTONE = PROMISED | {
    "probdd alone": lambda elements: probdd(elements),
    "wprobdd alone": lambda elements: wprobdd(elements, weight_of),
    "cdd alone": lambda elements: cdd(elements),
}


@pytest.mark.parametrize("name", PROMISED_IF_MONOTONE)
@given(data=st.data())
def test_monotone_predicates_are_reduced_to_what_is_needed(name, data):
    n = data.draw(st.integers(1, 50))
    needed = data.draw(st.sets(st.integers(0, n - 1), min_size=1))
    asker = ListAsker(lambda c: needed <= set(c))
    assert asker.run(PROMISED_IF_MONOTONE[name](tuple(range(n)))) == sorted(needed)
    assert all(0 < len(candidate) < n for candidate, _ in asker.trace)


@pytest.mark.parametrize("name", PROMISED_IF_MONOTONE)
@given(data=st.data())
def test_where_the_predicate_is_not_monotone_the_result_was_tested_and_is_one_minimal(name, data):
    n = data.draw(st.integers(1, 12))
    salt = data.draw(st.integers(0, 10_000))
    often = data.draw(st.integers(2, 6))
    full = frozenset(range(n))

    def predicate(candidate):
        return frozenset(candidate) == full or hash((salt, frozenset(candidate))) % often == 0

    asker = ListAsker(predicate)
    result = asker.run(PROMISED_IF_MONOTONE[name](tuple(range(n))))
    assert frozenset(result) == full or (result, True) in asker.trace
    assert () not in [candidate for candidate, _ in asker.trace]
    if name in PROMISED and len(result) > 1:
        assert not any(predicate([e for e in result if e != left]) for left in result)


@rows("name", PROMISED_IF_MONOTONE)
def test_long_lists_are_asked_about_at_once(name):
    algorithm = PROMISED_IF_MONOTONE[name](tuple(range(40_000)))
    for number in range(10):  # not one is feasible where a list of all candidates is made
        try:
            question = algorithm.send(None)
        except StopIteration as end:
            result = end.value
            assert number > 0
            break
        assert all(0 < len(candidate) < 40_000 for candidate in islice(question.candidates, 3))
    else:
        return
    assert len(result) == 40_000


def test_lists_of_candidates_are_lazy_and_agree_with_their_definition():
    without = Without((5, 6, 7, 8), [(6,), (8, 5), (7,)])
    assert list(without) == [(5, 7, 8), (6, 7), (5, 6, 8)]
    assert without[-1] == (5, 6, 8)
    assert list(Mapped(without, lambda c: c[:1])) == [(5,), (6,), (5,)]


def test_a_translated_algorithm_asks_in_the_other_space_and_answers_in_its_own():
    asker = ListAsker(lambda c: {10, 30} <= set(c))
    inner = ddmin((0, 1, 2, 3))
    assert asker.run(translated(inner, lambda c: (*(10 * e for e in c), 99))) == [1, 3]
    assert all(candidate[-1] == 99 for candidate, _ in asker.trace)
    assert list(Mapped(Prefixes((1,), (2,)), lambda c: c + c)) == [(1, 1), (1, 2, 1, 2)]
