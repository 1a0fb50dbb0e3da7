"""Complements among valid sets, and the choice between them and generalized binary reduction."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.model.formula import Builder
from core.model.model_logic import ModelLogic
from core.search.beliefs import Beliefs, ChunkGroup
from core.search.chunks import Chunk
from core.search.phases import Knowledge, PhaseEffort, SearchEnding, Skip
from core.search.priors import Priors
from core.search.questions import HungUp
from core.search.reducers.complements import ItemAlgebra, complements
from core.search.reducers.method_bodies import BODIES
from core.search.reducers.needed_items import (
    ITEMS,
    ITEMS_AGAIN,
    ItemSearch,
    forecast,
    forget_freed,
    users_of,
)
from core.search.search_history import Hangs, History
from core.search.spaces import Edges, SearchProblem
from core.search.tree_chunks import tree_chunks
from core.sets import ItemSet, members
from tests.support.asking import ItemAsker, reply
from tests.support.phases import search_of, start


def singles(count: int, weight: Sequence[int] = ()) -> list[Chunk]:
    """One chunk an element."""
    ones = [1 << number for number in range(count)]
    return [Chunk(one, one, one, bytes=weight[number] if weight else 0) for number, one in enumerate(ones)]


def chained(needs: dict[int, int]) -> ItemAlgebra:
    """ItemAlgebra on which each element of ``needs`` falls with another one, a lower one."""

    def largest(kept: ItemSet, gone: ItemSet) -> ItemSet:
        within = kept & ~gone
        for one, other in sorted(needs.items()):
            if not within >> other & 1:
                within &= ~(1 << one)
        return within

    return ItemAlgebra(int.bit_count, largest)


@given(st.sets(st.integers(0, 39), max_size=40))
def test_what_is_left_is_what_is_needed(needed):
    asker = ItemAsker(lambda kept: needed <= kept)
    found = asker.run(complements((1 << 40) - 1, singles(40), Priors((0.3,)), ItemAlgebra(int.bit_count), 0.0))
    assert set(found) == needed or (not needed and len(found) <= 1)


def test_what_depends_on_a_group_falls_with_it():
    algebra = chained({1: 0, 2: 1, 3: 2})
    asker = ItemAsker(lambda kept: {5, 6} <= kept)
    assert asker.run(complements(255, singles(8), Priors((0.3,)), algebra, 0.0)) == (5, 6)


def test_one_probe_speaks_for_a_package():
    packages = [(f"p{number // 50}",) for number in range(200)]
    problem = SearchProblem(200, [10] * 200, parents=[-1] * 200, groups=packages)
    asker = ItemAsker(lambda kept: 7 in kept)
    algebra = ItemAlgebra(problem.bytes_of)
    full = (1 << 200) - 1
    assert asker.run(complements(full, tree_chunks(problem, full), Priors((0.3, 0.3)), algebra, 0.0)) == (7,)
    assert len(asker.trace) < 25


def test_it_ends_where_no_group_promises_enough():
    asker = ItemAsker(lambda kept: len(kept) == 10)
    search = complements(1023, singles(10, [1] * 9 + [1000]), Priors((0.5,)), ItemAlgebra(int.bit_count), 20.0)
    assert len(asker.run(search)) == 10
    assert len(asker.trace) == 1  # the heavy one; the others are worth less than a probe


def test_groups_that_hang_come_later():
    """Of two places alike, the one whose candidates hang is tried less before the other is done with."""
    ones = [1 << number for number in range(40)]
    chunks = [Chunk(one, one, one, place=number // 20, bytes=10) for number, one in enumerate(ones)]
    order: list[int] = []
    search = complements((1 << 40) - 1, chunks, Priors((0.5,)), ItemAlgebra(int.bit_count), 1.5)
    answer = None
    hung: list[int] = []
    while True:
        try:
            question = search.send(answer)
        except StopIteration:
            break
        if isinstance(question, HungUp):
            gone = set(range(40)) - set(question.candidate)
            answer = any(one < 20 for one in gone)
            hung.append(len(gone)) if answer else None
        else:
            answer = reply(question, lambda candidate: not order.append(len(candidate)) and False)
    assert sum(hung) < 20  # not each of them was tried


def test_what_hung_is_remembered_by_later_phases():
    """The second phase knows the place where candidates hung, and asks about it last."""
    hangs = Hangs()
    chunks = [Chunk(1 << n, 1 << n, 1 << n, place=n // 5, bytes=10, where="AB"[n // 5]) for n in range(10)]

    def first_gone() -> set[int]:
        search = complements(1023, chunks, Priors((0.3,), None, History(hangs)), ItemAlgebra(int.bit_count), 1.0)
        answer, asked = None, list[set[int]]()
        while True:
            try:
                question = search.send(answer)
            except StopIteration:
                return asked[0]
            if isinstance(question, HungUp):
                answer = bool({0, 1, 2, 3, 4} - set(question.candidate))
            else:
                answer = reply(question, lambda kept: not asked.append(set(range(10)) - set(kept)) and False)

    assert first_gone() & {0, 1, 2, 3, 4}
    assert first_gone() <= {5, 6, 7, 8, 9}
    assert hangs.hung


def test_bodies_end_as_early_as_they_may_before_other_edits_are_tried():
    """Elements 1 to 8 are cuts, 0 and 9 other edits, before and behind the place where the body may end."""
    names = [("A", "0")] * 10
    problem = SearchProblem(10, [5, *range(100, 20, -10), 5], groups=names, chains=[tuple(range(1, 9))])
    asked: list[set[int]] = []
    asker = ItemAsker(lambda kept: not asked.append(set(kept)) and {1, 2} <= kept)
    assert asker.run(search_of(BODIES, problem).algorithm) == (1, 2, 9)
    assert all(9 in kept for kept in asked)
    assert 0 in asked[0]


def test_cuts_in_branches_do_not_hide_what_later_ones_save():
    """The cut halfway saves nothing, for it lies in a handler; those around it do."""
    names = [("A", "0")] * 6
    problem = SearchProblem(6, [900, 800, 1, 1, 700, 1], groups=names, chains=[tuple(range(6))])
    asker = ItemAsker(lambda kept: {0} <= kept)
    assert asker.run(search_of(BODIES, problem, effort=PhaseEffort(worth=50.0)).algorithm) == (0,)


def test_what_binary_reduction_found_is_not_asked_about_again():
    """It is known by the name of the item that was found, and the phase for what is left has nothing to do yet."""
    problem = SearchProblem(
        16,
        [10] * 16,
        logic=ModelLogic(Builder(16).formula()),
        parents=[-1] * 16,
        groups=[()] * 16,
        names=lambda item: f"i{item}",
    )
    asker = ItemAsker(lambda kept: {3, 11} <= kept)
    search = search_of(ITEMS, problem)
    assert set(asker.run(search.algorithm)) == {3, 11}
    assert search.learnt.needed == {"i3", "i11"}
    assert isinstance(start(ITEMS, problem, search.learnt), Skip)
    skipped = start(ITEMS_AGAIN, problem, search.learnt)
    assert isinstance(skipped, Skip)
    assert search_of(ITEMS_AGAIN, problem, knowledge=skipped.learnt).space.elements == tuple(range(16))


@pytest.mark.parametrize(
    ("left", "rounds", "too_long"),
    [(5, 2, False), (100, 1, False), (98, 2, False), (98, 4, True), (60, 4, False), (80, 2, False), (80, 9, True)],
)
def test_the_forecast_of_binary_reduction(left, rounds, too_long):
    problem = SearchProblem(100, [10] * 100)
    assert forecast(problem)(rounds, tuple(range(left)), 1000) is too_long


@pytest.mark.parametrize("heavy", [1, 2])
def test_of_two_that_serve_neither_is_taken_to_be_needed(heavy):
    """Item 0 needs one of the others; whichever the least valid set takes, the heavy one goes."""
    builder = Builder(3)
    builder.add([0], [1, 2], "r")
    sizes = [10, 1, 1]
    sizes[heavy] = 100
    logic, known = ModelLogic(builder.formula()), Knowledge(needed={"a"})
    problem = SearchProblem(3, sizes, logic=logic, parents=[-1] * 3, groups=[()] * 3, names="abc".__getitem__)
    search = ItemSearch(problem, known, PhaseEffort(), SearchEnding(), None).complements(0b111)
    assert ItemAsker(lambda kept: 0 in kept).run(search) == (0, 3 - heavy)


def test_what_could_not_go_is_not_asked_about_again():
    known: set[str] = set()
    problem = SearchProblem(20, [10] * 20, parents=[-1] * 20, names=lambda item: f"item {item}")
    full = (1 << 20) - 1
    for expected in (True, False):
        asker = ItemAsker(lambda kept: set(range(20)) <= kept)
        search = complements(
            full, tree_chunks(problem, full), Priors((0.5,), known), ItemAlgebra(problem.bytes_of), 0.0
        )
        assert members(full) == asker.run(search)
        assert bool(asker.trace) is expected


def bundle(*places: int) -> ChunkGroup:
    return ChunkGroup(np.array(places), sum(1 << place for place in places), 0.0)


def chance(beliefs: Beliefs, place: int) -> float:
    """The chance that a chunk is needed."""
    return float(beliefs._chances()[place])


def test_a_chunk_of_a_group_that_failed_is_likelier_to_be_needed_where_others_of_its_place_are():
    beliefs = Beliefs.of(singles(6, [10] * 6), 63, Priors((0.3,)), int.bit_count)
    beliefs, _ = beliefs.failed(bundle(0, 1), hung=False)
    before = chance(beliefs, 1)
    assert before > chance(beliefs, 2)
    for place in (3, 4, 5):
        beliefs, _ = beliefs.failed(bundle(place), hung=False)
    assert chance(beliefs, 1) > before
    assert chance(beliefs, 1) > chance(beliefs, 2)


def test_heavy_chunks_that_are_needed_say_little_of_light_ones():
    chunks = singles(12, [4000] * 6 + [10] * 6)
    spread = [replace(chunk, place=place) for place, chunk in enumerate(chunks)]
    beliefs = Beliefs.of(spread, 4095, Priors((0.3,)), int.bit_count)
    for place in range(4):
        beliefs, _ = beliefs.failed(bundle(place), hung=False)
    assert chance(beliefs, 5) > 0.5
    assert chance(beliefs, 6) == pytest.approx(0.3)


def test_that_one_of_many_rivals_cannot_go_says_little_of_others():
    def after_failures(rivals: int) -> Beliefs:
        *others, last = singles(6, [10] * 6)
        beliefs = Beliefs.of(
            [*(replace(chunk, rivals=rivals) for chunk in others), last], 63, Priors((0.3,)), int.bit_count
        )
        assert chance(beliefs, 0) == pytest.approx(1 - 0.7 / rivals)
        for place in range(4):
            beliefs, _ = beliefs.failed(bundle(place), hung=False)
        return beliefs

    assert chance(after_failures(5), 5) < 0.6 < 0.8 < chance(after_failures(1), 5)


def test_each_of_many_rivals_that_hangs_is_one_that_was_tried():
    """However little its failure says of others: the chance to hang stays one."""
    chunks = [replace(chunk, rivals=800, place=1) for chunk in singles(20, [10] * 20)]
    priors = Priors((0.3,))
    beliefs = Beliefs.of(chunks, (1 << 20) - 1, priors, int.bit_count)
    for place in range(15):
        beliefs, _ = beliefs.failed(bundle(place), hung=True)
    assert 0.5 < priors.hangs(beliefs.rows, beliefs.wheres).max() < 1


def test_a_chunk_of_a_class_whose_candidates_hang_is_expected_to_stay():
    chunks = [replace(chunk, place=n, where="A") for n, chunk in enumerate(singles(6, [100] * 5 + [18]))]
    chunks[5] = replace(chunks[5], where="B")
    beliefs = Beliefs.of(chunks, 63, Priors((0.3,)), int.bit_count)
    for place in range(4):
        beliefs, _ = beliefs.failed(bundle(place), hung=True)
    assert next(beliefs.if_all_fail(0)).places.tolist() == [5]


def test_what_goes_frees_as_much_as_what_went_before():
    """Each chunk weighs 100 bytes, and every fourth is needed: where the others free less, fewer are asked about."""
    chunks = [Chunk(1 << n, 1 << n, 1 << n, place=n, bytes=100) for n in range(40)]

    def left(share: float) -> int:
        asker = ItemAsker(lambda kept: set(range(0, 40, 4)) <= kept)
        algebra = ItemAlgebra(int.bit_count, written=lambda kept: round(100 * share * kept.bit_count()))
        return len(asker.run(complements((1 << 40) - 1, chunks, Priors((0.3,)), algebra, 10.0)))

    assert 10 <= left(1.0) < left(0.1) < 40


def test_later_phases_expect_what_earlier_ones_found():
    experience = History()
    chunks = [Chunk(1 << n, 1 << n, 1 << n, place=n, bytes=100) for n in range(20)]

    def probes() -> int:
        asker = ItemAsker(lambda kept: len(kept) == 20)
        priors = Priors((0.3,), None, experience, "items")
        asker.run(complements((1 << 20) - 1, chunks, priors, ItemAlgebra(int.bit_count), 40.0))
        return len(asker.trace)

    first = probes()
    assert 1 < first < 20
    assert probes() < first


def test_what_lost_half_of_its_users_is_asked_about_again():
    """Items 0 and 1 are used by 2, 3 and 4, item 0 only by way of a derived fact; 5 is a part of 1."""
    pairs = np.array([[2, 6], [3, 6], [4, 6], [6, 0], [2, 1], [3, 1], [4, 1], [5, 1]], dtype=np.int32)

    def problem(left: set[int]) -> SearchProblem:
        edges = Edges(7, pairs[[int(source) in left or source > 4 for source in pairs[:, 0]]], ())
        parents = [-1] * 5 + [1]
        return SearchProblem(6, [10] * 6, parents=parents, names="abcdef".__getitem__, cut_down=lambda last: edges)

    assert users_of(problem({2, 3, 4})) == [0, 3, 0, 0, 0, 0]
    learnt = Knowledge()
    forget_freed(problem({2, 3, 4}), learnt)
    learnt.needed |= {"a", "b", "f"}
    forget_freed(problem({2, 3}), learnt)
    assert learnt.needed == {"a", "b", "f"}
    forget_freed(problem({2}), learnt)
    assert learnt.needed == {"a", "f"}
    forget_freed(problem({2}), learnt)
    assert learnt.users["b"] == 1


def test_edits_of_one_kind_tell_of_each_other():
    """Nothing of the first kind can go, and all of the second."""

    def probes(kinds: list[int]) -> int:
        problem = SearchProblem(40, [10] * 40, groups=[("A", str(number)) for number in range(40)], kinds=kinds)
        asker = ItemAsker(lambda kept: set(range(0, 40, 2)) <= kept)
        assert asker.run(search_of(BODIES, problem).algorithm) == tuple(range(0, 40, 2))
        return len(asker.trace)

    assert probes([number % 2 for number in range(40)]) < 0.8 * probes([])


def test_what_has_lost_its_users_goes_at_once():
    """Items 1 to 8 were used by 9, which is gone; the others may be needed."""
    pairs = np.array([[9, item] for item in range(1, 9)], dtype=np.int32)
    learnt, logic = Knowledge(), ModelLogic(Builder(10).formula())

    def problem(edges: Edges) -> SearchProblem:
        return SearchProblem(
            10,
            [10] * 10,
            logic=logic,
            parents=[-1] * 10,
            groups=[()] * 10,
            names=lambda item: f"i{item}",
            cut_down=lambda last: edges,
        )

    forget_freed(problem(Edges(10, pairs, ())), learnt)
    learnt.needed |= {f"i{item}" for item in range(10)}
    asker = ItemAsker(lambda kept: {0, 9} <= kept)
    search = ItemSearch(problem(Edges(10, pairs[:0], ())), learnt, PhaseEffort(), SearchEnding(), None)
    assert asker.run(search.complements((1 << 10) - 1)) == (0, 9)
    assert len(asker.trace) == 1
