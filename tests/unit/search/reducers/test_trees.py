"""HDD and Perses over trees of items, with every list minimiser and with a logic between the nodes."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.model.formula import Builder
from core.model.model_logic import ModelLogic
from core.search.minimisers.ddmin import complements_only, ddmin, naive, wddmin, weighted_complements_only
from core.search.minimisers.probdd import cdd, probdd, wprobdd
from core.search.reducers.tree_reducers import hdd, perses
from core.search.trees import Tree, TreeSpace, prune
from tests.support import solving
from tests.support.asking import ListAsker, then_one_minimal
from tests.support.trees import CHAIN, JAR, JAR_SIZES, Clauses, items_of, mask_items

MINIMISERS = {
    "ddmin": lambda elements, weight: ddmin(elements),
    "complements": lambda elements, weight: complements_only(elements),
    "wddmin": wddmin,
    "weighted complements": weighted_complements_only,
    "probdd": lambda elements, weight: then_one_minimal(probdd(elements, 0.3)),
    "wprobdd": lambda elements, weight: then_one_minimal(wprobdd(elements, weight, 0.3, 0.8), weight),
    "cdd": lambda elements, weight: then_one_minimal(cdd(elements, 0.3)),
    "naive": lambda elements, weight: naive(elements),
}


REDUCERS = {"hdd": hdd, "perses": perses}


EVERY_PAIR = pytest.mark.parametrize(
    ("reducer", "minimiser"), [(reducer, minimiser) for reducer in REDUCERS for minimiser in MINIMISERS]
)


def traced(algorithm, tree, predicate):
    """Result and tests as sets of items."""
    asker = ListAsker(lambda c: predicate(items_of(tree, c)), cache=False)
    result = asker.run(algorithm)
    return items_of(tree, result), [(sorted(items_of(tree, c)), yes) for c, yes in asker.trace]


def wants_code(items):
    """Member 8 and the code of member 2, with all above them."""
    return items >= {0, 2, 3, 6, 8}


def test_hdd_goes_level_by_level_and_everything_below_goes_along():
    result, trace = traced(hdd(JAR, MINIMISERS["naive"]), JAR, wants_code)
    assert result == {0, 2, 3, 6, 8}
    first_pass = [
        ([], False),  # no packages
        ([6, 7, 8, 9], False),  # without a
        ([0, 1, 2, 3, 4, 5, 9], False),  # without b
        ([0, 1, 2, 3, 4, 5, 6, 7, 8], True),  # without c
        ([6, 7, 8], False),
        ([0, 1, 2, 3, 4, 5], False),
        ([], False),  # no classes
        ([4, 5, 6, 7, 8], False),
        ([0, 1, 2, 3, 6, 7, 8], True),  # without class 4 and its member
        ([6, 7, 8], False),
        ([0, 1, 2, 3], False),
        ([0, 6], False),  # no members
        ([0, 2, 3, 6, 7, 8], True),  # without member 1
        ([0, 6, 7, 8], False),
        ([0, 2, 3, 6, 8], True),  # without member 7
        ([0, 6, 8], False),
        ([0, 2, 3, 6], False),
        ([0, 2, 6, 8], False),  # no code
    ]
    assert trace[: len(first_pass)] == first_pass


def test_perses_takes_the_heaviest_list_first():
    result, trace = traced(perses(JAR, MINIMISERS["naive"]), JAR, wants_code)
    assert result == {0, 2, 3, 6, 8}
    first_pass = [
        ([], False),  # the packages
        ([6, 7, 8, 9], False),
        ([0, 1, 2, 3, 4, 5, 9], False),
        ([0, 1, 2, 3, 4, 5, 6, 7, 8], True),
        ([6, 7, 8], False),
        ([0, 1, 2, 3, 4, 5], False),
        ([6, 7, 8], False),  # the classes of a, 120 bytes
        ([4, 5, 6, 7, 8], False),
        ([0, 1, 2, 3, 6, 7, 8], True),
        ([1, 2, 3, 6, 7, 8], False),  # class 0, 95 bytes: replaced by its members
        ([0, 6, 7, 8], False),  # its members
        ([0, 2, 3, 6, 7, 8], True),
        ([0, 3, 6, 7, 8], False),  # member 2, 70 bytes: replaced by its code
        ([0, 2, 6, 7, 8], False),  # its code
        ([0, 2, 3], False),  # the only class of b, 6 bytes
        ([0, 2, 3, 7, 8], False),  # class 6: replaced by its members
        ([0, 2, 3, 6], False),
        ([0, 2, 3, 6, 8], True),
    ]
    assert trace[: len(first_pass)] == first_pass


def test_the_fixpoint_finds_what_became_possible_later():
    # class 4 can go only when member 7 has gone, which is on a lower level
    def predicate(items):
        return 0 in items and (4 in items or 7 not in items)

    repeated, trace = traced(hdd(JAR, MINIMISERS["naive"]), JAR, lambda items: predicate(items) and 6 in items)
    assert repeated == {0, 6}
    refused = [items for items, yes in trace if not yes and {0, 6} <= set(items) and 4 not in items]
    assert refused
    assert all(7 in items for items in refused)


@EVERY_PAIR
def test_every_minimiser_fits_in_every_tree_reducer(reducer, minimiser):
    space = TreeSpace(JAR, Clauses(10, CHAIN), 0, JAR_SIZES)
    asker = ListAsker(lambda c: wants_code(mask_items(space.items(c))))
    algorithm = REDUCERS[reducer](JAR, MINIMISERS[minimiser], present=space.present)
    assert mask_items(space.items(asker.run(algorithm))) == {0, 2, 3, 6, 8}


def test_a_list_is_emptied_at_once_where_that_is_possible():
    asker = ListAsker(lambda c: True, cache=False)
    kept = tuple(range(len(JAR)))
    assert asker.run(prune(JAR, kept, (2, 6), MINIMISERS["ddmin"])) == [0, 1, *range(8, 14)]
    assert len(asker.trace) == 1
    assert ListAsker(lambda c: False).run(prune(JAR, kept, (), MINIMISERS["ddmin"])) == list(kept)


def test_required_items_and_what_they_need_are_in_every_candidate():
    space = TreeSpace(JAR, Clauses(10, CHAIN), 1 << 3, JAR_SIZES)
    assert mask_items(space.items(())) == {0, 2, 3}
    assert space.admissible(())
    asker = ListAsker(lambda c: 7 in mask_items(space.items(c)))
    result = asker.run(hdd(JAR, MINIMISERS["ddmin"], present=space.present))
    assert mask_items(space.items(result)) == {0, 2, 3, 6, 7}


def test_perses_keeps_a_nested_class_without_the_class_around_it():
    # items: class 0, its member 1, its nested class 2 with member 3, which needs only 2
    tree = Tree.grow([-1, 0, 0, 2], [10, 10, 10, 10])
    space = TreeSpace(tree, Clauses(4, [([1], [0]), ([3], [2])]), 0, [10] * 4)
    asker = ListAsker(lambda c: {2, 3} <= mask_items(space.items(c)))
    deleting = asker.run(hdd(tree, MINIMISERS["ddmin"], present=space.present))
    assert mask_items(space.items(deleting)) == {0, 2, 3}
    replacing = asker.run(perses(tree, MINIMISERS["ddmin"], present=space.present))
    assert mask_items(space.items(replacing)) == {2, 3}


def test_replacements_that_leave_nothing_are_not_tried():
    space = TreeSpace(JAR, Clauses(10, CHAIN), 0, JAR_SIZES)
    blind = ListAsker(lambda c: wants_code(mask_items(space.items(c))), cache=False)
    seeing = ListAsker(lambda c: wants_code(mask_items(space.items(c))), cache=False)
    blind.run(perses(JAR, MINIMISERS["naive"]))
    seeing.run(perses(JAR, MINIMISERS["naive"], present=space.present))
    assert len(seeing.trace) < len(blind.trace)


@st.composite
def trees(draw):
    """A tree of at most eight items; most parts need their whole, and there are other clauses."""
    count = draw(st.integers(1, 8))
    parents = [draw(st.integers(-1, item - 1)) for item in range(count)]
    groups = [draw(st.sampled_from([(), ("a",), ("b",), ("a", "c")])) for _ in range(count)]
    sizes = draw(st.lists(st.integers(0, 50), min_size=count, max_size=count))
    clauses = [([item], [parent]) for item, parent in enumerate(parents) if parent >= 0 and draw(st.integers(0, 3))]
    one = st.integers(0, count - 1)
    clauses += draw(st.lists(st.tuples(st.lists(one, max_size=2), st.lists(one, min_size=1, max_size=2)), max_size=4))
    return Tree.grow(parents, sizes, groups), Clauses(count, clauses), sizes


@EVERY_PAIR
@given(data=st.data())
def test_no_subtree_of_the_result_can_go(reducer, minimiser, data):
    tree, logic, sizes = data.draw(trees())
    salt, often = data.draw(st.integers(0, 10_000)), data.draw(st.integers(2, 5))
    full = (1 << logic.count) - 1
    required = data.draw(st.sampled_from([0, 1, full & 6]))
    space = TreeSpace(tree, logic, required, sizes)

    def interesting(candidate):
        items = space.items(candidate)
        assert logic.holds(items)
        assert not required & ~items
        return items == full or hash((salt, items)) % often == 0

    asker = ListAsker(interesting, cache=False, admissible=space.admissible)
    seen = data.draw(st.booleans())
    algorithm = REDUCERS[reducer](tree, MINIMISERS[minimiser], **{"present": space.present} if seen else {})
    result = tuple(asker.run(algorithm))
    assert interesting(result)
    # tested as it is, or with nodes whose items had fallen with others
    tested = {space.items(candidate) for candidate, yes in asker.trace if yes} | {full}
    assert space.items(result) in tested
    for node in tree.left_of(range(1, len(tree)), result):
        below = tree.below(node, result)
        without = result[: below.start] + result[below.stop :]
        if space.items(without) != space.items(result):
            assert not (space.admissible(without) and interesting(without))
        else:
            assert required or not seen  # only required items come back


FJI = json.loads((Path(__file__).parents[2] / "data" / "fji.json").read_text())


@EVERY_PAIR
def test_the_example_of_gbr21_with_the_logic_of_the_model(reducer, minimiser):
    names = FJI["variables"]
    number = {name: item for item, name in enumerate(names)}
    builder = Builder(len(names))
    for clause in FJI["constraints"]:
        builder.add([number[name] for name in clause["if"]], [number[name] for name in clause["then"]], "FJI")
    formula = builder.formula()
    tree = Tree.grow([number.get(whole_of(name), -1) for name in names], [1] * len(names))
    assert [len(level) for level in tree.levels] == [1, 4, 10, 6]
    space = TreeSpace(tree, ModelLogic(formula), 0, [1] * len(names))
    needed = {number[name] for name in FJI["needed"]}

    def interesting(candidate):
        items = mask_items(space.items(candidate))
        assert solving.violated(formula, [item in items for item in range(len(names))]) is None
        return needed <= items

    algorithm = REDUCERS[reducer](tree, MINIMISERS[minimiser], present=space.present)
    result = ListAsker(interesting).run(algorithm)
    assert {names[item] for item in mask_items(space.items(tuple(result)))} == set(FJI["result"])


def whole_of(name):
    """``A.m()!code`` is a part of ``A.m()``, that and ``A<I`` of ``A``."""
    return next((name[: name.rindex(mark)] for mark in "!.<" if mark in name), "")


@pytest.mark.parametrize("reducer", REDUCERS)
def test_large_trees_are_asked_about_at_once(reducer):
    count = 40_000
    parents = [item - item % 8 if item % 8 else -1 for item in range(count)]
    tree = Tree.grow(parents, [item % 97 for item in range(count)])
    for minimiser in ("complements", "wddmin", "wprobdd", "cdd"):
        algorithm = REDUCERS[reducer](tree, MINIMISERS[minimiser])
        question = algorithm.send(None)
        assert question.candidate == (0,)
        question = algorithm.send(False)
        for _ in range(4):
            assert all(0 < len(candidate) < len(tree) for candidate in question.candidates[:2])
            question = algorithm.send(None)


@pytest.mark.parametrize(
    ("sizes", "order"),
    [([1] * 6, [[1], [2, 3], [2], [3], [4], [5, 6], [5], [6]]), ([1, 1, 1, 5, 1, 1], [[4], [5, 6], [5], [6], [1]])],
    ids=["equal: by number", "heaviest first"],
)
def test_perses_visits_nodes_by_the_weight_of_their_subtree(sizes, order):
    tree = Tree.grow([-1, -1, 0, 1, 0, 1], sizes)
    asker = ListAsker(lambda c: set(c) == set(range(len(tree))), cache=False)
    asker.run(perses(tree, MINIMISERS["naive"]))
    dropped = [sorted(set(range(len(tree))) - set(candidate)) for candidate, _ in asker.trace]
    assert dropped[:3] == [[1, 2, 3, 4, 5, 6], [1, 2, 3], [4, 5, 6]]
    assert dropped[3 : 3 + len(order)] == order


@pytest.mark.parametrize("reducer", REDUCERS)
def test_later_lists_leave_out_what_the_logic_dropped(reducer):
    space = TreeSpace(JAR, Clauses(10, [*CHAIN, ([5], [9]), ([7], [9])]), 0, JAR_SIZES)
    asked = []
    for options in ({}, {"present": space.present}):
        asker = ListAsker(lambda c: {4, 6, 8} <= mask_items(space.items(c)), cache=False)
        result = asker.run(REDUCERS[reducer](JAR, MINIMISERS["naive"], **options))
        assert mask_items(space.items(tuple(result))) == {4, 6, 8}
        asked.append(len(asker.trace))
    assert asked[1] < asked[0]


def test_nodes_whose_items_fell_are_not_in_the_result():
    # member 5, in the heavier package, may not go before member 7, and falls with it
    space = TreeSpace(JAR, Clauses(10, [*CHAIN, ([5], [7])]), 0, JAR_SIZES)

    def interesting(candidate):
        items = mask_items(space.items(candidate))
        return {4, 6, 8} <= items and (5 in items or 7 not in items)

    result = tuple(ListAsker(interesting).run(perses(JAR, MINIMISERS["naive"], present=space.present)))
    assert items_of(JAR, result) == {4, 6, 8}
    assert mask_items(space.items(result)) == {4, 6, 8}
