"""The one-minimal pass among valid sets: no item of the result can go, with all that then falls.

Generalized binary reduction does not promise this where clauses are more than edges (seed 003, section 4.4).
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from core.search.item_sets import ItemSet, mask_of, members
from core.search.logic import Logic
from core.search.questions import Algorithm, Candidate, First

_ROW = 64
"""Candidates that are worked out before they are asked about: enough for any number of workers."""

_MONOTONE_ROW = 1024
"""The same where one answer may imply others: the more are known, the more are implied."""

_ALTERNATIVES = 16
"""Ways to drop one item that are tried at most, where clauses leave a choice of what falls with it."""


@runtime_checkable
class Alternatives(Protocol):
    """A logic that knows every way to drop an item, not only one."""

    def without(self, kept: ItemSet, item: int, limit: int) -> tuple[list[ItemSet], bool]:
        """The maximal valid subsets of ``kept`` that lack ``item``, at most ``limit``; whether these are all."""


@dataclass(frozen=True, slots=True)
class Certificate:
    """How minimal the result of the pass is.

    ``items`` are left. ``tried`` candidates were asked about, ``dropped`` of them were interesting; ``implied`` others
    are part of a set known to be boring, and were not asked about. ``complete``: every maximal valid set that is
    smaller than the result was asked about or is implied. Then no item can go; if the predicate is monotone, no valid
    part of the result is interesting. With ``implied`` > 0 both rest on the predicate being monotone.
    """

    items: int
    tried: int
    dropped: int
    implied: int
    complete: bool


def valid_minimal(
    logic: Logic,
    start: Candidate,
    sizes: Sequence[int],
    *,
    boring: Iterable[ItemSet] | None = None,
    certify: Callable[[Certificate], None] = lambda certificate: None,
) -> Algorithm:
    """Drops single items of the valid set ``start``, and what then falls, the heaviest first, until none can go.

    After a success it goes on with the next item, and at the end comes round to those before it. ``boring`` are sets
    known not to be interesting. Where they are given (none may be known), the predicate is taken to be monotone: parts
    of them, and of what turns out boring, are not asked about.
    """
    monotone = boring is not None
    limit = _MONOTONE_ROW if monotone else _ROW
    known = list(boring or ())
    ways = _Ways(logic)
    kept = mask_of(start, logic.count)
    items = sorted(start, key=lambda item: (-sizes[item], item))
    asked: set[ItemSet] = set()
    implied: set[ItemSet] = set()
    failed: ItemSet = 0
    dropped = passed = 0
    while passed < len(items):
        row: dict[ItemSet, None] = {}
        ends: list[int] = []
        while passed + len(ends) < len(items) and len(row) < limit:
            for way in ways.drop(kept, items[passed + len(ends)]):
                if way in asked or way in implied:
                    continue
                # what lacks an item that cannot go is part of a way to drop that item
                if monotone and (failed & ~way or any(not way & ~one for one in known)):
                    implied.add(way)
                else:
                    row[way] = None
            ends.append(len(row))
        # if the greater ones are boring, so are their parts
        candidates = _maximal(row) if monotone else list(row)
        index: int | None = (yield First([members(way) for way in candidates])) if candidates else None
        if index is None:
            asked.update(candidates)
            implied.update(row.keys() - asked)
            failed |= ways.closed(items[passed : passed + len(ends)])
            passed += len(ends)
            continue
        asked.update(candidates[: index + 1])
        kept = candidates[index]
        known += candidates[:index] if monotone else []
        done = bisect_right(ends, list(row).index(kept))
        rest = items[passed + done + 1 :] + items[: passed + done]
        items = [item for item in rest if kept >> item & 1]
        dropped += 1
        passed = 0
    certify(Certificate(len(items), len(asked), dropped, len(implied), ways.complete))
    return members(kept)


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
