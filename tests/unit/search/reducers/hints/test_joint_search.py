"""Failures of several sites, each searched for by itself in shared probes."""

import random

import pytest

from core.model.model_logic import ModelLogic
from core.search.reducers.joint_search import JointSearch
from core.search.serial import serial
from core.search.sites import Shown, Sites
from core.search.spaces import SearchProblem
from core.sets import ItemSet, mask_of, members
from tests.support.asking import judged
from tests.support.formulas import build
from tests.support.rows import rows

CLASSES, PARTS = 60, 8
COUNT = CLASSES * PARTS


def problem() -> SearchProblem:
    """Classes of so many parts, each of which needs its class."""
    clauses = [([item], [item - item % PARTS]) for item in range(COUNT) if item % PARTS]
    return SearchProblem(COUNT, [1] * COUNT, logic=ModelLogic(build(COUNT, *clauses)))


class Known(Sites):
    """Sites of which number *n* shows its failures with all of ``needs[n]``. Another failure shows unless all of
    ``bad`` is there."""

    count = 0

    def __init__(self, needs: list[set[int]], around: list[list[ItemSet]], bad: set[int] | None = None, named=()):
        self._needs, self._around, self._bad, self._named = needs, around, bad or set(), named
        self.count = len(needs)

    def around(self) -> list[list[ItemSet]]:
        return self._around

    def shown(self, items: ItemSet) -> Shown:
        kept = set(members(items))
        lost = frozenset(number for number, need in enumerate(self._needs) if not need <= kept)
        return Shown(lost, frozenset() if self._bad <= kept else frozenset({self.count}))

    def around_others(self, items: ItemSet) -> list[ItemSet]:
        return [] if self._bad <= set(members(items)) else list(self._named)

    def nearest(self, items: ItemSet) -> list[tuple[int, ...]]:
        first = min(members(items)) // PARTS if items else 0
        classes = [tuple(range(n * PARTS, (n + 1) * PARTS)) for n in range(CLASSES)]
        return sorted(classes, key=lambda group: abs(group[0] // PARTS - first))


def run(*known, interesting: bool = True) -> tuple[set[int], int]:
    """What the search comes to, and after how many probes; with ``interesting`` where all show and nothing else does,
    else nothing is."""
    found, asked, _ = searched(*known, interesting=interesting)
    return found, asked


def searched(*known, interesting: bool = True) -> tuple[set[int], int, bool]:
    """The same, and whether the search says that it ended as it should."""
    sites, asked = Known(*known), 0
    joint = JointSearch(problem(), sites)

    def judge(candidate: tuple[int, ...]) -> bool:
        nonlocal asked
        asked += 1
        assert all(item - item % PARTS in candidate for item in candidate), "every candidate is valid"
        return interesting and sites.shown(mask_of(candidate, COUNT)) == Shown()

    found = judged(serial(joint.search()), judge)
    return set(found), asked, joint.complete


def closed(items: set[int]) -> set[int]:
    return items | {item - item % PARTS for item in items}


def whole(*numbers: int) -> ItemSet:
    return mask_of([item for number in numbers for item in range(number * PARTS, (number + 1) * PARTS)], COUNT)


@rows("seed", range(10))
def test_many_take_hardly_more_probes_than_one(seed):
    chance = random.Random(seed)
    classes = chance.sample(range(CLASSES), 20)
    needs = [set(chance.sample(range(n * PARTS + 1, (n + 1) * PARTS), 2)) for n in classes]
    found, asked = run(needs, [[whole(n)] for n in classes])
    assert found == closed(set().union(*needs))
    alone = max(run([need], [[whole(n)]])[1] for need, n in zip(needs, classes, strict=True))
    assert asked <= 2 * alone + 6


@rows("seed", range(10))
def test_a_failure_that_needs_more_than_it_names_gets_it(seed):
    chance = random.Random(seed)
    needs = [{3, 11}, {25}, {chance.randrange(20, 40) * PARTS + 1, 41}]
    found, asked = run(needs, [[whole(0), whole(0, 1)], [whole(3)], [whole(5)]])
    assert set().union(*needs) <= found
    assert len(found) < COUNT / 4, "one class is added, whole"
    assert asked < 60


def test_what_keeps_others_from_showing_is_looked_for_last():
    needs, bad = [{3}, {25}], {50 * PARTS + 2}
    found, asked = run(needs, [[whole(0)], [whole(3)]], bad)
    assert found >= {3, 25} | bad
    assert len(found) < COUNT / 4
    found, named = run(needs, [[whole(0)], [whole(3)]], bad, [whole(50)])
    assert found == closed({3, 25}) | set(members(whole(50)))
    assert named < asked - 5, "what the other failure names is tried first"


def test_what_keeps_others_from_showing_at_a_site_comes_from_the_sets_around_it():
    class Other(Known):
        def shown(self, items: ItemSet) -> Shown:
            return Shown(super().shown(items).lost, frozenset({0} if not items >> 57 & 1 else ()))

    asked: list[int] = []
    sites = Other([{3}, {25}], [[whole(0), whole(0, 7)], [whole(3)]])

    def judge(candidate: tuple[int, ...]) -> bool:
        asked.append(len(candidate))
        return sites.shown(mask_of(candidate, COUNT)) == Shown()

    found = judged(serial(JointSearch(problem(), sites).search()), judge)
    assert set(found) == closed({3, 25, 57})
    assert max(asked) == 3 * PARTS


def test_a_failure_that_names_nothing_is_looked_for_in_the_end():
    found, _ = run([{3}, {90}], [[whole(0)], []])
    assert {3, 90} <= found
    assert len(found) < COUNT / 4


def test_where_all_show_and_yet_it_is_not_interesting_the_search_ends():
    found, asked = run([set(), set()], [[whole(1)], [whole(2)]], interesting=False)
    assert len(found) == COUNT
    assert asked < 20


@pytest.mark.parametrize("more", [set(), {90}])
def test_it_says_that_each_was_searched_to_the_end(more):
    found, _, ended = searched([{3}, {25} | more], [[whole(0)], [whole(3)]])
    assert (found, ended) == (closed({3, 25} | more), True)


def test_where_nothing_was_found_it_does_not():
    *_, ended = searched([set(), set()], [[whole(1)], [whole(2)]], interesting=False)
    assert not ended
