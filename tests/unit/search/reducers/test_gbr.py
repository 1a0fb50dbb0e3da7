"""Generalized binary reduction, the lossy encodings and the one-minimal pass: the paper's runs and random formulas."""

import json
from functools import partial
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.model.formula import Builder
from core.model.model_logic import ModelLogic
from core.model.model_logic import lossy as cut
from core.plan.catalogue import find
from core.search.phases import Certificate
from core.search.questions import Enough
from core.search.reducers.binary import along_edges, binary_reduction
from core.search.reducers.generalized import Progression, gbr, gbr_by_chance
from core.search.reducers.valid_minimal import valid_minimal
from core.search.spaces import Edges, Items, LeastModelSpace, SearchProblem
from core.sets import mask_of, members
from tests.support import solving
from tests.support.asking import Findings, ItemAsker, recorded
from tests.support.formulas import formulas, valid_sets
from tests.support.phases import search_of

DATA = Path(__file__).parents[2] / "data"
FJI = json.loads((DATA / "fji.json").read_text()) | json.loads((DATA / "gbr.json").read_text())
NAMES = FJI["variables"]
NUMBER = {name: number for number, name in enumerate(NAMES)}
NEEDED = frozenset(NUMBER[name] for name in FJI["needed"])


def fji():
    builder = Builder(len(NAMES))
    for clause in FJI["constraints"]:
        builder.add([NUMBER[name] for name in clause["if"]], [NUMBER[name] for name in clause["then"]], "FJI")
    return builder.formula()


def named(candidate):
    return sorted(NAMES[item] for item in candidate)


def test_it_runs_the_example_of_the_paper():
    findings = Findings()
    asker = ItemAsker(NEEDED.issubset, cache=False)
    result = asker.run(
        recorded(gbr(ModelLogic(fji()), [NUMBER[name] for name in FJI["variable_order"]]), findings, len(NAMES))
    )
    assert named(result) == sorted(FJI["result"])
    assert asker.trace == FJI["trace_prefix_sizes"]
    assert len(asker.trace) == 11
    assert [[NAMES[item] for item in part] for part in findings.learned] == FJI["learned"]


def test_it_runs_the_example_in_the_order_of_figure_2():
    findings = Findings()
    asker = ItemAsker(NEEDED.issubset, cache=False)
    result = asker.run(recorded(gbr(ModelLogic(fji()), range(len(NAMES))), findings, len(NAMES)))
    expected = FJI["with_figure_2_listing_order"]
    assert (len(asker.trace), len(result)) == (expected["calls"], expected["size"]) == (10, 11)
    assert [[NAMES[item] for item in part] for part in findings.learned] == expected["learned"]


@pytest.mark.parametrize("weights", [None, [1] * 20, list(range(20))])
def test_any_order_of_ours_finds_the_optimum_of_the_example(weights):
    logic = ModelLogic(fji())
    asker = ItemAsker(NEEDED.issubset)
    result = asker.run(gbr(logic, logic.order(weights)))
    assert named(result) == sorted(FJI["result"])


@pytest.mark.parametrize("case", ["order_c_b_a", "order_b_c_a"])
def test_an_order_may_cost_the_optimum_and_the_pass_regains_it(case):
    example = FJI["section_4_4_suboptimal"]
    builder = Builder(3)
    for clause in example["clauses"]:
        builder.add(["abc".index(n) for n in clause["if"]], ["abc".index(n) for n in clause["then"]], "r")
    logic = ModelLogic(builder.formula())
    asker = ItemAsker({1}.issubset)
    result = asker.run(gbr(logic, ["abc".index(name) for name in case.split("_")[1:]]))
    assert ["abc"[item] for item in sorted(result)] == example[case]["result"]
    certificates = []
    smaller = asker.run(valid_minimal(logic, result, [1] * 3, certify=certificates.append))
    assert smaller == (1,)
    assert certificates[-1].complete


@pytest.mark.parametrize("which", ["first", "last"])
def test_the_lossy_encodings_run_the_example(which):
    formula = cut(fji(), last=which == "last")
    expected = FJI["lossy_encodings"][which]
    asker = ItemAsker(NEEDED.issubset, cache=False)
    result = asker.run(gbr(ModelLogic(formula), [NUMBER[name] for name in FJI["variable_order"]]))
    assert named(result) == sorted(expected["result"])
    assert (len(asker.trace), len(result)) == (expected["calls"], expected["size"])
    problem = SearchProblem(len(NAMES), [1] * len(NAMES))
    space = along_edges(problem, Edges(formula.variables, formula.edges, formula.conclusions.tolist()))
    asker = ItemAsker(lambda kept: all(kept >> item & 1 for item in NEEDED), space.items, cache=False)
    result = asker.run(binary_reduction(space.elements, space.cost))
    assert named(members(space.items(result))) == sorted(expected["result"])
    assert len(asker.trace) <= expected["calls"]


@pytest.mark.parametrize("which", ["first", "last"])
def test_the_lossy_algorithms_cut_the_input_down_in_their_way(which):
    cut_downs = []

    def cut_down(last):
        cut_downs.append(last)
        formula = cut(fji(), last=last)
        return Edges(formula.variables, formula.edges, formula.conclusions.tolist())

    problem = SearchProblem(len(NAMES), [1] * len(NAMES), cut_down=cut_down)
    (phase,) = find(f"lossy-{which}").phases
    search = search_of(phase, problem)
    space = search.space
    asker = ItemAsker(lambda kept: all(kept >> item & 1 for item in NEEDED), space.items, cache=False)
    assert named(members(space.items(asker.run(search.algorithm)))) == sorted(FJI["lossy_encodings"][which]["result"])
    assert cut_downs == [which == "last"]


@given(formulas(), st.booleans(), st.data())
def test_lossy_closures_cost_what_they_hold(formula, last, data):
    formula = cut(formula, last=last)
    sizes = data.draw(st.lists(st.integers(1, 99), min_size=formula.items, max_size=formula.items))
    problem = SearchProblem(formula.items, sizes)
    space = along_edges(problem, Edges(formula.variables, formula.edges, formula.conclusions.tolist()))
    logic = ModelLogic(formula)
    closures = {logic.least([item]) for item in range(formula.items)} - {logic.least()}
    assert {space.items((element,)) for element in space.elements} == closures
    assert len(space.elements) == len(closures)
    costs = [space.cost((element,)) for element in space.elements]
    assert costs == sorted(costs)
    some = tuple(data.draw(st.permutations(space.elements)))[:3]
    assert space.cost(some) == sum(sizes[item] for item in members(space.items(some)))


def test_prefixes_are_cut_from_one_list():
    growing = Progression([[4], [2, 7], [1]])
    assert list(growing) == [(4, 2, 7), (4, 2, 7, 1)]
    assert growing[-1] == (4, 2, 7, 1)
    assert growing[:1] == [(4, 2, 7)]
    assert growing.least == (4,)
    assert [growing.added(0), growing.added(1)] == [(2, 7), (1,)]
    with pytest.raises(IndexError):
        growing[2]
    assert len(Progression([[1, 2]])) == 0


def test_spaces_of_items():
    formula = fji()
    sizes = [number + 1 for number in range(len(NAMES))]
    space = Items(sizes)
    assert space.elements == tuple(range(20))
    assert members(space.items((3, 0, 9))) == (0, 3, 9)
    assert space.cost((3, 0, 9)) == 4 + 1 + 10
    wishes = LeastModelSpace(ModelLogic(formula), sizes)
    kept = members(wishes.items((NUMBER["B.n()!code"],)))
    assert solving.is_valid(formula, kept)
    assert NUMBER["B"] in kept
    assert NUMBER["M"] not in wishes.elements  # every valid set holds it
    assert wishes.cost((NUMBER["B.n()!code"],)) == sum(sizes[item] for item in kept)


def test_a_pass_over_a_monotone_predicate_asks_about_no_part_of_an_uninteresting_set():
    logic = ModelLogic(fji())
    asker = ItemAsker(NEEDED.issubset)
    result = asker.run(gbr(logic, logic.order()))
    found = []
    assert sorted(asker.run(valid_minimal(logic, result, [1] * 20, certify=found.append))) == sorted(result)
    assert found[0] == Certificate(11, found[0].tried, 0, 0, True)
    assert found[0].tried > 0
    known = asker.run(valid_minimal(logic, result, [1] * 20, monotone=True, certify=found.append))
    assert sorted(known) == sorted(result)
    assert found[1].tried < found[0].tried
    assert found[1].implied
    assert found[1].complete


class OneWay:
    """A logic that shows one way to drop an item only."""

    def __init__(self, logic):
        self.count = logic.count
        self.order, self.least, self.progression, self.largest = (
            logic.order,
            logic.least,
            logic.progression,
            logic.largest,
        )


def test_a_logic_without_alternatives_gets_no_complete_certificate():
    builder = Builder(3)
    builder.add([0, 1], [2], "r")
    logic = ModelLogic(builder.formula())
    found = []
    # only {0} and {0, 1, 2} are interesting; without 2, one of 0 and 1 must go, and the last in the order goes first
    last = logic.order()[-1]
    kept_alone = ({0, 1} - {last}).pop()
    asker = ItemAsker(lambda kept: kept in ({last}, {0, 1, 2}))
    assert asker.run(valid_minimal(OneWay(logic), (0, 1, 2), [1] * 3, certify=found.append)) in ((0, 1, 2), (last,))
    assert not found[0].complete
    asker = ItemAsker(lambda kept: kept in ({last}, {kept_alone, last}, {0, 1, 2}))
    assert asker.run(valid_minimal(logic, (0, 1, 2), [1] * 3, certify=found.append)) == (last,)
    assert found[1].complete


@st.composite
def monotone(draw, items):
    """A predicate by its minimal interesting sets; the full set is always interesting."""
    sets = draw(st.lists(st.sets(st.integers(0, items - 1)), max_size=3))
    needed = [frozenset(one) for one in sets] or [frozenset(range(items))]
    return lambda kept: any(one <= kept for one in needed)


@given(formulas(max_items=8), st.data())
def test_results_are_valid_interesting_and_minimal_among_valid_sets(formula, data):
    predicate = data.draw(monotone(formula.items))
    order = data.draw(st.permutations(range(formula.items)))
    sizes = data.draw(st.lists(st.integers(0, 9), min_size=formula.items, max_size=formula.items))
    logic = ModelLogic(formula)
    findings = Findings()
    asker = ItemAsker(predicate)
    result = asker.run(recorded(gbr(logic, order), findings, logic.count))
    assert asker.answers[frozenset(result)]
    assert solving.is_valid(formula, result)
    assert all(not predicate(frozenset(members(one))) for one in findings.not_interesting)
    for is_monotone in (False, True):
        found = []
        small = asker.run(valid_minimal(logic, result, sizes, monotone=is_monotone, certify=found.append))
        assert frozenset(small) <= frozenset(result)
        assert asker.answers[frozenset(small)]
        assert found[0].items == len(small)
        if found[0].complete:
            smaller = [one for one in valid_sets(formula) if one < frozenset(small)]
            assert not any(predicate(one) for one in smaller)


@given(formulas(max_items=8), st.data())
def test_any_predicate_gets_a_valid_and_interesting_result(formula, data):
    full = frozenset(range(formula.items))
    chosen = data.draw(st.sets(st.sampled_from(valid_sets(formula)))) | {full}
    order = data.draw(st.permutations(range(formula.items)))
    logic = ModelLogic(formula)
    asker = ItemAsker(chosen.__contains__)
    asker.answers[full] = True
    result = asker.run(gbr(logic, order))
    assert frozenset(result) in chosen
    found = []
    small = asker.run(valid_minimal(logic, result, [1] * formula.items, certify=found.append))
    assert frozenset(small) in chosen
    assert all(solving.is_valid(formula, one) for one in asker.answers)
    if found[0].complete:
        for item in small:
            ways, all_ = logic.without(mask_of(small, formula.items), item, 99)
            assert all_
            assert not any(frozenset(members(way)) in chosen for way in ways)


def test_contradictory_answers_end():
    logic = ModelLogic(fji())
    asked = []

    def contradicted(algorithm):
        answer = None
        while True:
            question = algorithm.send(answer)
            asked.append(question)
            # D0 never is interesting, and the least prefix is the first or the last by turns
            assert isinstance(question, Enough)
            answer = (len(question.prefixes) - 1) * (len(asked) % 2) if question.prefixes else None

    with pytest.raises(StopIteration) as end:
        contradicted(gbr(logic, logic.order()))
    assert solving.is_valid(logic.formula, end.value.value)
    assert len(asked) < len(NAMES)


def test_contradictory_answers_end_where_enough_is_one_of_the_answers():
    logic, lengths = ModelLogic(fji()), []

    def contradicted(algorithm):
        answer = None
        while True:
            question = algorithm.send(answer)
            lengths.append(len(question.prefixes))
            answer = lengths[-1] - 1 if len(lengths) % 2 else min(1, lengths[-1] - 1)

    with pytest.raises(StopIteration) as end:
        contradicted(gbr_by_chance(logic, logic.order()))
    assert solving.is_valid(logic.formula, end.value.value)
    assert 2 < len(lengths) <= len(NAMES) + 1


@pytest.mark.parametrize("search", [partial(gbr, late=True), gbr_by_chance])
@pytest.mark.parametrize(("needed", "asked"), [({11}, False), ({0}, True), (set(), True)])
def test_where_something_is_expected_nothing_at_all_is_asked_about_last(search, needed, asked):
    asker = ItemAsker(needed.issubset)
    assert set(asker.run(search(ModelLogic(Builder(16).formula()), range(16)))) == needed
    empty = [size for size, _ in asker.trace].count(0)
    assert empty == asked
    assert asker.trace[0][0] > 0


def test_edges_only_give_a_local_minimum_with_no_pass():
    """Theorem 4.5."""
    builder = Builder(9)
    for needs, needed in [(1, 0), (2, 1), (3, 1), (4, 3), (3, 4), (5, 0), (6, 5), (6, 2), (8, 7)]:
        builder.edge(needs, needed, "r")
    logic = ModelLogic(builder.formula())
    for needed in ({4}, {6}, {8, 2}, {0}, {5, 3}):
        result = ItemAsker(needed.issubset).run(gbr(logic, logic.order()))
        assert members(logic.least(needed)) == tuple(sorted(result))
