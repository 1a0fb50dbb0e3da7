"""Formula, propagation and solver: the example of GBR21 and random formulas."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.model import solver
from core.model.formula import TRUE, Builder
from core.model.propagation import Propagator
from tests.support import solving
from tests.support.progressions import split

FJI = json.loads((Path(__file__).parents[1] / "data" / "fji.json").read_text())
NAMES = FJI["variables"]
NUMBER = {name: number for number, name in enumerate(NAMES)}


def fji(unit=True):
    builder = Builder(len(NAMES))
    for clause in FJI["constraints"]:
        if clause["if"] or unit:
            builder.add([NUMBER[name] for name in clause["if"]], [NUMBER[name] for name in clause["then"]], "FJI")
    return builder.formula()


def named(variables):
    return [NAMES[variable] for variable in variables]


def test_the_example_has_the_clauses_and_models_of_figure_2():
    assert fji().clause_count == 32
    assert len(fji().edges) == 27
    assert solving.count(fji()) == FJI["models_with_unit_M.main()!code"] == 543


def test_without_the_unit_clause_it_has_as_many_models_as_the_paper_says():
    assert solving.count(fji(unit=False)) == FJI["models_without_the_unit_clause"] == 6766


def test_the_smallest_valid_sub_input_with_the_bug():
    needed = [NUMBER[name] for name in FJI["needed"]]
    found = solver.smallest(fji(), needed)
    assert sorted(named(found)) == sorted(FJI["result"])
    assert len(found) == FJI["smallest_model_preserving_bug"]


@pytest.mark.parametrize("number", [0, 1, 2])
def test_progressions_of_the_papers_run(number):
    order = [NUMBER[name] for name in FJI["variable_order"]]
    rank = [order.index(variable) for variable in range(len(NAMES))]
    learned = [[NUMBER[name] for name in part] for part in FJI["learned"][:number]]
    within = None
    if number:
        previous = [set(part) for part in FJI["progressions"][number - 1]]
        # the search space is the prefix up to the part that was learned
        last = next(i for i, part in enumerate(previous) if set(FJI["learned"][number - 1]) <= part)
        within = sum(1 << NUMBER[name] for part in previous[: last + 1] for name in part)
    parts = split(Propagator(fji(), rank).progression(order, learned, within))
    assert [sorted(named(part)) for part in parts] == [sorted(part) for part in FJI["progressions"][number]]


def test_a_choice_takes_the_first_conclusion_in_the_order():
    builder = Builder(4)
    builder.add([0], [1, 2, 3], "or")
    formula = builder.formula()
    assert Propagator(formula).least([0]) == [0, 1]
    assert Propagator(formula, [0, 3, 2, 1]).least([0]) == [0, 3]
    assert sorted(Propagator(formula).least([2, 0])) == [0, 2]


def test_an_edge_settles_a_choice_before_it_is_made():
    builder = Builder(4)
    builder.add([0], [1, 2], "or")
    builder.add([0, 3], [2], "edge")
    assert sorted(Propagator(builder.formula()).least([3, 0])) == [0, 2, 3]


def test_true_facts_vanish():
    builder = Builder(3)
    builder.edge(0, TRUE, "x")
    builder.edge(1, 1, "x")
    builder.add([0, TRUE], [1], "x")
    builder.add([0], [1, TRUE], "x")
    builder.edge(TRUE, 2, "required")
    assert builder.both(TRUE, 1) == 1
    assert builder.either([1, TRUE], "x") == TRUE
    assert list(builder.formula().clauses()) == [((0,), (1,), "x"), ((), (2,), "required")]


def test_a_clause_that_forbids_the_full_input_is_refused():
    with pytest.raises(ValueError, match="rule K9 gave a clause without conclusion"):
        Builder(2).add([0], [], "K9")


def test_a_conflict_of_wishes_is_cut_down_to_what_matters():
    builder = Builder(6)
    builder.edge(0, 1, "a")
    builder.edge(1, 2, "b")
    keep, drop = solver.conflict(builder.formula(), [0, 3, 4], [2, 5])
    assert (keep, drop) == ([0], [2])
    assert solver.conflict(builder.formula(), [1, 3], [0, 5]) is None


@st.composite
def formulas(draw):
    items = draw(st.integers(1, 14))
    builder = Builder(items)
    for _ in range(draw(st.integers(0, 5))):
        pair = draw(st.tuples(st.integers(0, builder.variables - 1), st.integers(0, builder.variables - 1)))
        (builder.both if draw(st.booleans()) else lambda a, b: builder.either((a, b), "or"))(*pair)
    variables = st.integers(0, builder.variables - 1)
    for _ in range(draw(st.integers(0, 30))):
        before = draw(st.lists(variables, max_size=3))
        builder.add(before, draw(st.lists(variables, min_size=1, max_size=3)), "r")
    return builder.formula()


@given(formulas(), st.data())
def test_every_prefix_of_a_progression_is_a_model(formula, data):
    order = data.draw(st.permutations(range(formula.items)))
    rank = [order.index(item) for item in range(formula.items)]
    parts = split(Propagator(formula, rank).progression(order))
    kept = [False] * formula.variables
    for part in parts:
        for variable in part:
            assert not kept[variable]
            kept[variable] = True
        assert solving.violated(formula, kept) is None
        assert solving.is_valid(formula, [v for v in range(formula.items) if kept[v]])
    assert all(kept[: formula.items])


@given(formulas(), st.data())
def test_a_progression_within_a_model_stays_within_it(formula, data):
    order = data.draw(st.permutations(range(formula.items)))
    propagator = Propagator(formula, [order.index(item) for item in range(formula.items)])
    wanted = data.draw(st.sets(st.integers(0, formula.items - 1)))
    within = sum(1 << v for v in propagator.least(wanted) if v < formula.items)
    parts = split(propagator.progression(order, within=within))
    got = sum(1 << v for part in parts for v in part if v < formula.items)
    assert got == within
    kept = [False] * formula.variables
    for part in parts:
        for variable in part:
            kept[variable] = True
        assert solving.violated(formula, kept) is None
