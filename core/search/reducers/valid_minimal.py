"""The one-minimal pass among valid sets: no item of the result can go, with all that then falls.

Generalized binary reduction does not promise this where clauses are more than edges (GBR21, section 4.4).
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from itertools import islice
from typing import Protocol, runtime_checkable

from core.search.certificate import Certificate
from core.search.chunks import class_of
from core.search.logic import Logic
from core.search.phases import Knowledge, Level, Minimal, PhaseEffort, Pointers, Search, SearchEnding, logic_of, phase
from core.search.questions import Algorithm, Candidate, First
from core.search.search_history import Hangs
from core.search.spaces.class_spaces import SearchProblem
from core.search.spaces.item_spaces import Items
from core.sets import ItemSet, mask_of, members

_ROW = 64
"""Candidates that are worked out before they are asked about: enough for any number of workers.
See decisions/022-one-minimal-pass.md."""

_MONOTONE_ROW = 1024
"""The same where one answer may imply others: the more are known, the more are implied.
See decisions/022-one-minimal-pass.md."""

_ALTERNATIVES = 16
"""Ways to drop one item that are tried at most, where clauses leave a choice of what falls with it.
See decisions/022-one-minimal-pass.md."""


@runtime_checkable
class Alternatives(Protocol):
    """A logic that knows every way to drop an item, not only one."""

    def without(self, kept: ItemSet, item: int, limit: int) -> tuple[list[ItemSet], bool]:
        """The maximal valid subsets of ``kept`` that lack ``item``, at most ``limit``; whether these are all."""


Certify = Callable[[Certificate], None]


def valid_minimal(
    logic: Logic, start: Candidate, sizes: Sequence[float], *, certify: Certify = lambda certificate: None
) -> Algorithm:
    """Drops single items of the valid set ``start``, and what then falls, the heaviest first, until none can go.

    Every way to drop an item is asked about, whatever was answered before. After a success it goes on with the next
    item, and at the end comes round to those before it.
    """
    queue, asked = _Queue(logic, start, sizes), set[ItemSet]()
    while queue.items_left:
        ways = queue.ways(_ROW, lambda way: way not in asked)
        index: int | None = (yield First([members(way) for way in ways])) if ways else None
        if index is None:
            asked.update(ways)
            queue.none_goes()
        else:
            asked.update(ways[: index + 1])
            queue.goes(ways[index])
    certify(queue.certificate(tried=len(asked), implied=0))
    return members(queue.kept)


def monotone_minimal(
    logic: Logic,
    start: Candidate,
    sizes: Sequence[float],
    known: Iterable[ItemSet] = (),
    *,
    certify: Certify = lambda certificate: None,
) -> Algorithm:
    """The same for a predicate that is taken to be monotone: parts of what is not interesting are not asked about.

    ``known`` are sets that are not interesting. Of the ways to drop an item the greatest alone are asked about.
    """
    queue, asked, implied = _Queue(logic, start, sizes), set[ItemSet](), set[ItemSet]()
    uninteresting, needed = list(known), 0  # sets that are not interesting; items that cannot go

    def is_open(way: ItemSet) -> bool:
        if way in asked or way in implied:
            return False
        # what lacks an item that cannot go is part of a way to drop that item
        if needed & ~way or any(not way & ~one for one in uninteresting):
            implied.add(way)
            return False
        return True

    while queue.items_left:
        ways = queue.ways(_MONOTONE_ROW, is_open)
        greatest = _maximal(ways)
        index: int | None = (yield First([members(way) for way in greatest])) if greatest else None
        if index is None:
            asked.update(greatest)
            implied.update(set(ways) - asked)
            needed |= queue.none_goes()
        else:
            asked.update(greatest[: index + 1])
            uninteresting += greatest[:index]
            queue.goes(greatest[index])
    certify(queue.certificate(tried=len(asked), implied=len(implied)))
    return members(queue.kept)


class _Queue:
    """The items whose turn it is to be dropped, heaviest first, and the ways to drop them that are asked about."""

    def __init__(self, logic: Logic, start: Candidate, sizes: Sequence[float]) -> None:
        self._ways = _Ways(logic)
        self.kept = mask_of(start, logic.count)
        self._items = sorted(start, key=lambda item: (-sizes[item], item))
        self._passed = self._dropped = 0
        self._row: dict[ItemSet, None] = {}
        self._ends: list[int] = []

    @property
    def items_left(self) -> bool:
        """Whether some items have not had their turn since the last one went."""
        return self._passed < len(self._items)

    def ways(self, limit: int, wanted: Callable[[ItemSet], bool]) -> list[ItemSet]:
        """The wanted ways to drop the next items, of so many items that these are about ``limit`` ways."""
        self._row, self._ends = {}, []
        for item in islice(self._items, self._passed, None):
            self._row.update(dict.fromkeys(filter(wanted, self._ways.drop(self.kept, item))))
            self._ends.append(len(self._row))
            if len(self._row) >= limit:
                break
        return list(self._row)

    def none_goes(self) -> ItemSet:
        """None of the ways is interesting. Returns the items of which every way is known: these cannot go."""
        tried = self._items[self._passed : self._passed + len(self._ends)]
        self._passed += len(self._ends)
        return self._ways.closed(tried)

    def goes(self, way: ItemSet) -> None:
        """One of the ways is interesting: on with the items behind the one that went, then those before it."""
        place = self._passed + bisect_right(self._ends, list(self._row).index(way))
        rest = self._items[place + 1 :] + self._items[:place]
        self.kept = way
        self._items = [item for item in rest if way >> item & 1]
        self._passed = 0
        self._dropped += 1

    def certificate(self, *, tried: int, implied: int) -> Certificate:
        """What the pass has shown."""
        return Certificate(len(self._items), tried, self._dropped, implied, self._ways.complete)


def _maximal(sets: Iterable[ItemSet]) -> list[ItemSet]:
    """Those that are part of no other, in the order given."""
    given = list(sets)
    found: list[ItemSet] = []
    for one in sorted(given, key=int.bit_count, reverse=True):
        if all(one & ~other for other in found):
            found.append(one)
    chosen = set(found)
    return [one for one in given if one in chosen]


class _Ways:
    """The ways to drop an item of a set, and for which items of it these were all there are."""

    def __init__(self, logic: Logic) -> None:
        self._logic = logic
        self._kept: ItemSet | None = None
        self._partly: set[int] = set()

    @property
    def complete(self) -> bool:
        """Whether no way was left out, for the set that was asked about last."""
        return not self._partly

    def drop(self, kept: ItemSet, item: int) -> list[ItemSet]:
        """The maximal valid subsets of ``kept`` without ``item``, as far as they are known."""
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
        """Those of the items of which every way is known."""
        return sum(1 << item for item in items if item not in self._partly)


@phase("one by one", Level.ITEMS)
def ONE_BY_ONE(problem: SearchProblem, knowledge: Knowledge, effort: PhaseEffort, pointers: Pointers) -> Search:
    """Ask for every single item whether it can go; over every way to drop it where the search is thorough."""
    space, ending = Items(problem.sizes), SearchEnding()
    search = valid_minimal if effort.thorough else monotone_minimal
    weights = dearest_late(problem, knowledge.history.hangs)
    algorithm = search(logic_of(problem), space.elements, weights, certify=ending.certify)
    return Search(space, algorithm, knowledge, ending, frozenset({Minimal.CLASSES, Minimal.ITEMS}))


def dearest_late(problem: SearchProblem, hangs: Hangs) -> list[float]:
    """Bytes of each item for each probe that it is expected to cost: where candidates hung it costs several."""
    names = (problem.names(item) for item in range(problem.count))
    return [
        size / (1 + hangs.price * hangs.risk(class_of(name))) for size, name in zip(problem.sizes, names, strict=True)
    ]
