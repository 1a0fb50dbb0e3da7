"""HDD and Perses over trees of items, with every list minimiser and with a logic between the nodes."""

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.model.formula import Builder
from core.model.model_logic import ModelLogic
from core.search.minimisers.cdd import cdd
from core.search.minimisers.ddmin import complements_only, ddmin
from core.search.minimisers.naive import naive
from core.search.minimisers.probdd import probdd, wprobdd
from core.search.minimisers.wddmin import wddmin, weighted_complements_only
from core.search.reducers.hdd import hdd
from core.search.reducers.perses import perses
from core.search.spaces.class_spaces import Space
from core.search.spaces.trees import Tree, TreeSpace, prune
from tests.support.asking import ListAsker, then_one_minimal

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

#  item      0   1   2     3     4     5  6   7   8   9
JAR = Tree.grow(
    parents=[-1, 0, 0, 2, -1, 4, -1, 6, 6, -1],
    sizes=[5, 20, 30, 40, 10, 15, 1, 2, 3, 50],
    groups=[("a",), (), (), (), ("a",), (), ("b",), (), (), ("c",)],
)
"""Packages a (classes 0 and 4), b (class 6) and c (class 9); 1, 2, 5, 7, 8 are members, 3 is the code of 2."""


def test_trees_grow_from_the_items_and_their_packages():
    assert JAR.items == (None, None, 0, 1, 2, 3, 4, 5, None, 6, 7, 8, None, 9)
    assert JAR.parents == (-1, 0, 1, 2, 2, 4, 1, 6, 0, 8, 9, 9, 0, 12)
    assert JAR.ends == (14, 8, 6, 4, 6, 6, 8, 8, 12, 12, 11, 12, 14, 14)
    assert JAR.levels == ((0,), (1, 8, 12), (2, 6, 9, 13), (3, 4, 7, 10, 11), (5,))
    assert JAR.children[0] == (1, 8, 12)
    assert JAR.children[9] == (10, 11)
    everything = tuple(range(len(JAR)))
    assert JAR.weight(1, everything) == 120
    assert JAR.weight(0, everything) == 176
    assert JAR.weight(2, (2, 4, 9)) == 35
    assert JAR.left_of((1, 8, 12), (0, 5, 13)) == (1, 12)


def test_packages_may_be_nested_and_items_may_be_in_none():
    nested = Tree.grow([-1, -1, -1], [1, 1, 1], [("com", "a"), (), ("com",)])
    assert nested.parents == (-1, 0, 1, 2, 1, 0)
    assert nested.items == (None, None, None, 0, 2, 1)
    assert Tree.grow([], []).parents == (-1,)
    assert Tree.grow([1, -1], [1, 1]).items == (None, 1, 0)


def test_what_is_no_tree_is_refused():
    with pytest.raises(ValueError, match="parts of themselves"):
        Tree.grow([1, 0], [1, 1])
    for parents in [(0,), (-1, -1), (-1, 0, 0, 1), (-1, 2, 0)]:
        with pytest.raises(ValueError, match="depth first"):
            Tree(parents, (None,) * len(parents), (1,) * len(parents))
    with pytest.raises(ValueError, match="a weight for each"):
        Tree((-1, 0), (None,), (1, 1))
    with pytest.raises(ValueError, match="a root"):
        Tree((), (), ())


def items_of(tree, nodes):
    return {tree.items[node] for node in nodes} - {None}


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


class Clauses:
    """A logic by brute force: all valid sets are listed."""

    def __init__(self, count, clauses):
        self.count = count
        self.clauses = clauses
        self.valid = [mask for mask in range(1 << count) if self.holds(mask)]

    def holds(self, mask):
        return all(
            any(mask >> c & 1 for c in conclusions) or not all(mask >> p & 1 for p in premises)
            for premises, conclusions in self.clauses
        )

    def order(self, weights=None):
        return list(range(self.count))

    def least(self, wanted=(), learned=()):
        needs = sum(1 << item for item in wanted)
        return min((mask for mask in self.valid if mask & needs == needs), key=lambda mask: (mask.bit_count(), mask))

    def progression(self, order, learned=(), within=None):
        raise NotImplementedError

    def largest(self, within):
        fitting = [mask for mask in self.valid if not mask & ~within]
        return max(fitting, key=lambda mask: (mask.bit_count(), mask)) if fitting else None


JAR_SIZES = [5, 20, 30, 40, 10, 15, 1, 2, 3, 50]
CHAIN = [([part], [whole]) for part, whole in [(1, 0), (2, 0), (3, 2), (5, 4), (7, 6), (8, 6)]]


def mask_items(mask):
    return {item for item in range(mask.bit_length()) if mask >> item & 1}


def test_a_tree_space_keeps_the_largest_valid_part_of_a_candidate():
    space: Space = TreeSpace(JAR, Clauses(10, [*CHAIN, ([4], [8])]), 0, JAR_SIZES)
    assert space.elements == tuple(range(14))
    assert mask_items(space.items(space.elements)) == set(range(10))
    # without member 2 its code falls; without member 8 class 4 falls, and its member with it
    kept = tuple(node for node in range(14) if JAR.items[node] not in (2, 8))
    assert mask_items(space.items(kept)) == {0, 1, 6, 7, 9}
    assert space.cost(kept) == 5 + 20 + 1 + 2 + 50
    assert space.admissible(kept)
    assert items_of(JAR, space.present(kept)) == {0, 1, 6, 7, 9}
    assert space.present(kept) == (0, 1, 2, 3, 8, 9, 10, 12, 13)
    # a package stays as long as something of it does
    assert space.present((0, 1, 2, 12)) == (0, 1, 2)
    assert space.present((0, 1, 3)) == ()


def test_required_items_and_what_they_need_are_in_every_candidate():
    space = TreeSpace(JAR, Clauses(10, CHAIN), 1 << 3, JAR_SIZES)
    assert mask_items(space.items(())) == {0, 2, 3}
    assert space.admissible(())
    asker = ListAsker(lambda c: 7 in mask_items(space.items(c)))
    result = asker.run(hdd(JAR, MINIMISERS["ddmin"], present=space.present))
    assert mask_items(space.items(result)) == {0, 2, 3, 6, 7}


def test_what_every_valid_set_holds_is_in_every_candidate_of_a_tree_space():
    logic = Clauses(3, [([], [1]), ([0], [2])])
    space = TreeSpace(Tree.grow([-1, -1, -1], [1, 1, 1]), logic, 0, [1, 1, 1])
    assert mask_items(space.items((0,))) == {1}
    assert space.admissible((0,))


class Stubborn(Clauses):
    """A logic that finds no valid subset without item 9."""

    def largest(self, within):
        return super().largest(within) if within >> 9 & 1 else None


def test_a_candidate_without_a_valid_part_is_not_admissible():
    space = TreeSpace(JAR, Stubborn(10, CHAIN), 0, JAR_SIZES)
    assert not space.admissible((0, 1, 2))
    assert space.admissible((0, 12, 13))
    assert space.items((0, 1, 2)) == 0


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
@settings(deadline=None, max_examples=60)
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
        assert formula.violated([item in items for item in range(len(names))]) is None
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
