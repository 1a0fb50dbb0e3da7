"""The one-minimal pass among valid sets: no item of the result can go, together with everything that falls with it.

Generalized binary reduction does not guarantee this property if clauses are more than edges (GBR21, section 4.4).
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from itertools import islice
from typing import Protocol, runtime_checkable

from core.search.logic import Logic
from core.search.phases import (
    Certificate,
    Knowledge,
    Level,
    Minimal,
    PhaseEffort,
    Pointers,
    Search,
    SearchEnding,
    logic_of,
    phase,
)
from core.search.questions import Algorithm, Candidate, First
from core.search.spaces import Items, SearchProblem
from core.sets import ItemSet, mask_of, members

_ROW = 64
"""Number of candidates per question: enough for any number of workers. See decisions/022-one-minimal-pass.md."""

_MONOTONE_ROW = 1024
"""Number of candidates per question for a monotone predicate. The more candidates are known, the more answers imply
others. See decisions/022-one-minimal-pass.md.
"""

_ALTERNATIVES = 16
"""Largest number of tried ways to drop one item, if clauses leave a choice of the items that fall with it.
See decisions/022-one-minimal-pass.md.
"""


@runtime_checkable
class Alternatives(Protocol):
    """A logic that knows every way to drop an item, not only one."""

    def without(self, kept: ItemSet, item: int, limit: int) -> tuple[list[ItemSet], bool]:
        """Return at most ``limit`` maximal valid subsets of ``kept`` that lack ``item``, and True if these are all."""


Certify = Callable[[Certificate], None]


def valid_minimal(
    logic: Logic,
    start: Candidate,
    sizes: Sequence[float],
    *,
    monotone: bool = False,
    certify: Certify = lambda certificate: None,
) -> Algorithm:
    """Drop single items of the valid set ``start``, with everything that falls, the heaviest first, until none can
    go.

    Every way to drop an item is asked about, whatever the earlier answers; of a ``monotone`` predicate only the maximal
    ways, and no subset of an uninteresting set. After a success, the pass goes on with the next item, and comes round
    to the earlier items at the end.
    """
    queue, asked, implied = _Queue(logic, start, sizes), set[ItemSet](), set[ItemSet]()
    uninteresting, needed = list[ItemSet](), 0  # uninteresting sets; items that cannot go

    def is_open(way: ItemSet) -> bool:
        if way in asked or way in implied:
            return False
        # a set that lacks a needed item is part of a way to drop it
        if monotone and (needed & ~way or any(not way & ~one for one in uninteresting)):
            implied.add(way)
            return False
        return True

    while queue.items_left:
        ways = queue.ways(_MONOTONE_ROW if monotone else _ROW, is_open)
        tried = _maximal(ways) if monotone else ways
        index: int | None = (yield First([members(way) for way in tried])) if tried else None
        if index is None:
            asked.update(tried)
            implied.update(set(ways) - asked)
            needed |= queue.none_goes()
        else:
            asked.update(tried[: index + 1])
            uninteresting += tried[:index]
            queue.goes(tried[index])
    certify(queue.certificate(tried=len(asked), implied=len(implied)))
    return members(queue.kept)


class _Queue:
    """The queue of items to drop, heaviest first, and the ways to drop the next items."""

    def __init__(self, logic: Logic, start: Candidate, sizes: Sequence[float]) -> None:
        self._ways = _Ways(logic)
        self.kept = mask_of(start, logic.count)
        self._items = sorted(start, key=lambda item: (-sizes[item], item))
        self._passed = self._dropped = 0
        self._row: dict[ItemSet, None] = {}
        self._ends: list[int] = []

    @property
    def items_left(self) -> bool:
        """True if some items have not been tried since the last removal."""
        return self._passed < len(self._items)

    def ways(self, limit: int, wanted: Callable[[ItemSet], bool]) -> list[ItemSet]:
        """Return the wanted ways to drop the next items, of as many items as give about ``limit`` ways."""
        self._row, self._ends = {}, []
        for item in islice(self._items, self._passed, None):
            self._row.update(dict.fromkeys(filter(wanted, self._ways.drop(self.kept, item))))
            self._ends.append(len(self._row))
            if len(self._row) >= limit:
                break
        return list(self._row)

    def none_goes(self) -> ItemSet:
        """Record that no way of the last row is interesting. Return the items whose ways were all tried: these
        cannot go.
        """
        tried = self._items[self._passed : self._passed + len(self._ends)]
        self._passed += len(self._ends)
        return self._ways.closed(tried)

    def goes(self, way: ItemSet) -> None:
        """Record that one way of the last row is interesting. Continue with the items behind the dropped one, then
        the earlier ones.
        """
        place = self._passed + bisect_right(self._ends, list(self._row).index(way))
        rest = self._items[place + 1 :] + self._items[:place]
        self.kept = way
        self._items = [item for item in rest if way >> item & 1]
        self._passed = 0
        self._dropped += 1

    def certificate(self, *, tried: int, implied: int) -> Certificate:
        """Return the certificate of the pass."""
        return Certificate(len(self._items), tried, self._dropped, implied, self._ways.complete)


def _maximal(sets: Iterable[ItemSet]) -> list[ItemSet]:
    """Return the sets that are a subset of no other, in the given order."""
    given = list(sets)
    found: list[ItemSet] = []
    for one in sorted(given, key=int.bit_count, reverse=True):
        if all(one & ~other for other in found):
            found.append(one)
    chosen = set(found)
    return [one for one in given if one in chosen]


class _Ways:
    """The ways to drop an item of a set, and the items of which not all ways are known."""

    def __init__(self, logic: Logic) -> None:
        self._logic = logic
        self._kept: ItemSet | None = None
        self._partly: set[int] = set()

    @property
    def complete(self) -> bool:
        """True if all ways are known, for the set of the last question."""
        return not self._partly

    def drop(self, kept: ItemSet, item: int) -> list[ItemSet]:
        """Return the known maximal valid subsets of ``kept`` without ``item``."""
        if kept != self._kept:
            self._kept = kept
            self._partly = set()
        if isinstance(self._logic, Alternatives):
            ways, all_ = self._logic.without(kept, item, _ALTERNATIVES)
        else:
            one = self._logic.largest(kept & ~(1 << item))
            # the logic shows one way only: there may be others
            ways, all_ = ([], True) if one is None else ([one], False)
        if not all_:
            self._partly.add(item)
        return ways

    def closed(self, items: Sequence[int]) -> ItemSet:
        """Return the items of which all ways are known."""
        return sum(1 << item for item in items if item not in self._partly)


@phase("one by one", Level.ITEMS)
def ONE_BY_ONE(problem: SearchProblem, knowledge: Knowledge, effort: PhaseEffort, pointers: Pointers) -> Search:
    """Ask for every single item: can it go? If the search is thorough, ask about every way to drop the item."""
    space, ending = Items(problem.sizes), SearchEnding()
    logic, monotone = logic_of(problem), not effort.search.thorough
    algorithm = valid_minimal(logic, space.elements, problem.sizes, monotone=monotone, certify=ending.certify)
    return Search(space, algorithm, knowledge, ending, frozenset({Minimal.CLASSES, Minimal.ITEMS}))
