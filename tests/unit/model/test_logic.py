"""A formula as the algorithms see it: order, least sets, progressions and largest subsets, against brute force."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.model import largest_valid
from core.model.formula import Builder
from core.model.model_logic import ModelLogic, lossy, requiring, variable_order
from core.model.propagation import Propagator
from core.search.logic import Logic
from core.sets import mask_of, members
from tests.support import solving
from tests.support.formulas import build, formulas, valid_sets


def test_it_is_a_logic():
    logic: Logic = ModelLogic(build(3, ([0], [1])))
    assert logic.count == 3
    assert logic.least([0]) == 0b011


def test_what_is_depended_on_comes_first():
    formula = build(6, ([0], [3]), ([3], [5]), ([1], [3]), ([2, 4], [0]))
    order = variable_order(formula)
    place = {item: number for number, item in enumerate(order)}
    assert place[5] < place[3] < place[0] < min(place[2], place[4])
    assert place[3] < place[1]
    assert sorted(order) == list(range(6))


def test_heavy_items_come_late():
    formula = build(6, ([0], [3]), ([1], [3]))
    assert variable_order(formula, [1, 9, 50, 1, 7, 0]) == [5, 3, 0, 4, 1, 2]
    # but never before what they need
    assert variable_order(build(3, ([0], [2])), [1, 5, 100]) == [1, 2, 0]


@given(st.integers(1, 12), st.data())
def test_on_edges_every_part_of_a_progression_is_one_cycle(items, data):
    numbers = st.integers(0, items - 1)
    pairs = data.draw(st.lists(st.tuples(numbers, numbers), max_size=30))
    weights = data.draw(st.none() | st.lists(st.integers(0, 9), min_size=items, max_size=items))
    formula = build(items, *(([a], [b]) for a, b in pairs))
    logic = ModelLogic(formula)
    parts = logic.progression(logic.order(weights))
    assert parts[0] == []
    for part in parts[1:]:
        closures = {logic.least([item]) for item in part}
        assert len(closures) == 1


def test_wishes_settle_choices_before_they_are_made():
    formula = build(4, ([0], [1, 2]))
    assert sorted(Propagator(formula).least([0, 2])) == [0, 2]
    assert sorted(Propagator(formula).least([2, 0])) == [0, 2]


@given(formulas(), st.data())
def test_what_items_add_is_told_again_and_again_and_changes_nothing(formula, data):
    logic, numbers = ModelLogic(formula), st.lists(st.integers(0, formula.items - 1), max_size=4)
    found = data.draw(numbers)
    least, beyond = logic.least(found), logic.beyond(found)
    valid = valid_sets(formula)
    for others in data.draw(st.lists(numbers, max_size=4)):
        added = beyond(others)
        assert mask_of(added, logic.count) & least == 0
        assert frozenset(members(mask_of(added, logic.count) | least)) in valid
        assert beyond(others) == added
        assert logic.forced([*found, *others]) & ~(least | mask_of(added, logic.count)) == 0
    assert beyond(()) == []


def test_a_learned_set_takes_its_first_item_within_the_bounds():
    logic = ModelLogic(build(4))
    order = [3, 2, 1, 0]
    assert logic.progression(order, [[0, 2]])[0] == [2]
    assert logic.progression(order, [[0, 2]], within=0b1011)[0] == [0]
    with pytest.raises(ValueError, match="within the bounds"):
        logic.progression(order, [[0, 2]], within=0b1010)


def test_a_choice_avoids_facts_that_need_what_is_outside():
    builder = Builder(5)
    pair = builder.both(1, 2)
    builder.add([0], [pair, 3], "r")
    logic = ModelLogic(builder.formula())
    order = [1, 2, 3, 4, 0]
    assert logic.progression(order, [[0]]) == [[0, 1, 2], [3], [4]]
    assert logic.progression(order, [[0]], within=0b11011) == [[0, 3], [1], [4]]


@given(formulas(), st.data())
def test_progressions_cover_their_bounds_by_valid_steps(formula, data):
    logic = ModelLogic(formula)
    order = data.draw(st.permutations(range(formula.items)))
    within = data.draw(st.sampled_from(valid_sets(formula)))
    learned = data.draw(
        st.lists(st.sets(st.sampled_from(sorted(within)), min_size=1), max_size=2) if within else st.just([])
    )
    parts = logic.progression(order, learned, mask_of(tuple(within), formula.items))
    kept = set()
    for number, part in enumerate(parts):
        assert part or not number
        assert kept.isdisjoint(part)
        kept.update(part)
        assert solving.is_valid(formula, kept)
        assert all(kept & one for one in learned)
    assert kept == within
    # the same parts, whatever bounds were asked about before
    again = ModelLogic(formula).progression(order, learned, mask_of(tuple(within), formula.items))
    assert [sorted(part) for part in again] == [sorted(part) for part in parts]


@given(formulas(), st.data())
def test_what_is_forced_is_in_every_valid_set(formula, data):
    wanted = data.draw(st.sets(st.integers(0, formula.items - 1)))
    forced = ModelLogic(formula).forced(wanted)
    assert all(forced >> one & 1 for one in wanted)
    for one in valid_sets(formula):
        if wanted <= one:
            assert not forced & ~mask_of(tuple(one), formula.items)


@given(formulas(), st.data())
def test_the_largest_subset_is_valid_and_maximal(formula, data):
    within = data.draw(st.sets(st.integers(0, formula.items - 1)))
    found = ModelLogic(formula).largest(mask_of(tuple(within), formula.items))
    inside = [one for one in valid_sets(formula) if one <= within]
    if found is None:
        assert not inside
    else:
        kept = frozenset(members(found))
        assert kept in inside
        assert not any(kept < one for one in inside)


@given(formulas(), st.data())
def test_what_is_left_when_items_go_is_valid_and_maximal(formula, data):
    logic = ModelLogic(formula)
    every = valid_sets(formula)
    kept = data.draw(st.sampled_from(every))
    for gone in data.draw(st.lists(st.sets(st.integers(0, formula.items - 1)), max_size=3)):
        asked = mask_of(tuple(kept), formula.items), mask_of(tuple(gone), formula.items)
        inside = [one for one in every if one <= kept - gone]
        found = logic.largest_without(*asked)
        if found is None:
            assert not inside
        else:
            left = frozenset(members(found))
            assert left in inside
            assert not any(left < one for one in inside)


@given(formulas(), st.data())
def test_the_ways_to_drop_an_item_are_the_maximal_subsets_without_it(formula, data):
    logic = ModelLogic(formula)
    every = valid_sets(formula)
    for _ in range(3):
        kept = data.draw(st.sampled_from(every))
        for item in sorted(kept):
            ways, complete = logic.without(mask_of(tuple(kept), formula.items), item, 99)
            assert complete
            smaller = [one for one in every if one <= kept - {item}]
            maximal = {one for one in smaller if not any(one < other for other in smaller)}
            assert {frozenset(members(way)) for way in ways} == maximal
            assert len(ways) == len(maximal)


def test_too_many_ways_are_cut_off():
    formula = build(6, *(([a, a + 1], [5]) for a in (0, 2)))
    ways, complete = ModelLogic(formula).without(0b111111, 5, 3)
    assert (len(ways), complete) == (3, False)
    ways, complete = ModelLogic(formula).without(0b111111, 5, 4)
    assert (len(ways), complete) == (4, True)


def test_what_is_required_cannot_go():
    logic = ModelLogic(build(3, ([], [0]), ([0], [1])))
    assert logic.largest(0b101) is None
    assert logic.without(0b111, 1, 9) == ([], True)
    assert logic.largest(0b011) == 0b011


def test_of_two_items_the_last_in_the_order_falls():
    logic = ModelLogic(build(3, ([0, 1], [2])))
    last = logic.order()[-1]
    assert logic.largest(0b011) == 0b011 & ~(1 << last)


@given(formulas(), st.booleans())
def test_what_satisfies_a_lossy_encoding_is_valid(formula, last):
    encoded = lossy(formula, last=last)
    assert encoded.clause_count == formula.clause_count
    assert all(len(after) == 1 and len(before) < 2 for before, after, _ in encoded.clauses())
    assert set(valid_sets(encoded)) <= set(valid_sets(formula))


@given(formulas(), st.data())
def test_what_is_required_is_in_every_valid_set(formula, data):
    items = data.draw(st.lists(st.integers(0, formula.items - 1), max_size=3))
    pinned = requiring(formula, items)
    assert pinned.clause_count == formula.clause_count + len(items)
    assert set(valid_sets(pinned)) == {one for one in valid_sets(formula) if one.issuperset(items)}
    assert set(items) <= set(members(ModelLogic(pinned).least()))


def test_a_search_that_gives_up_says_so(monkeypatch):
    monkeypatch.setattr(largest_valid, "_CHOICES", 2)
    formula = build(6, *(([a, a + 1], [5]) for a in (0, 2)))
    ways, complete = ModelLogic(formula).without(0b111111, 5, 9)
    assert not complete
    assert all(solving.is_valid(formula, members(way)) for way in ways)
