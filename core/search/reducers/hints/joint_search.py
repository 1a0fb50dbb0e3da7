"""Several failures that must all stay, each searched on its own, in probes that they share.

A probe tells of each failure whether it shows. So each has a search of its own, in the least valid sets around where it
shows, and what is asked about is the union of what all of them want to know next: the answers cost what the longest
of the searches costs, not their sum. That a union shows a failure may be due to another's part of it; what the union
of all results lacks in the end is looked for in the same way.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Protocol

from core.search.item_sets import ItemSet, mask_of, members, union
from core.search.logic import Logic
from core.search.questions import Algorithm, Candidate, Enough, First, Least, Test
from core.search.reducers.hints.lacking import with_lacking
from core.search.reducers.hints.named_first import gbr_within

_REPAIRS = 6
"""Times that what the union of all results lacks is looked for."""

_WINDOW, _GAIN = 30, 0.02
"""The searches end where so many probes made the union of what they have found smaller by less than this share."""

_SMALLER = 0.9
"""What they have found is asked about as a whole once it has at most this share of what it had then."""

Asking = Generator[ItemSet, bool, ItemSet]
"""A search for one failure: yields a valid set, is sent whether that showed it. Gives the least that does, or 0."""

Halve = Callable[[int, int, int, Callable[[int], float]], int]
"""``halve(low, high, last, size)``: where to ask next for the first of ``low .. high`` among unions up to ``last`` of
these sizes."""


class Failures(Protocol):
    """What is known of the failures."""

    def around(self) -> Sequence[Iterable[ItemSet]]:
        """For each of them the valid sets around where it shows, narrow ones first, made when they are asked for."""

    def shown(self, items: ItemSet) -> Sequence[bool]:
        """Of a set that was asked about, which of them it showed, and then whether nothing else did."""

    def others(self, items: ItemSet) -> Iterable[ItemSet]:
        """Valid sets around what else it showed."""

    def nearest(self, items: ItemSet) -> Sequence[Candidate]:
        """The items of each class, what is nearest to these first."""


@dataclass(eq=False)
class _Sought:
    """One of the failures, or that nothing else shows: its search, the first set that this asked about and the last,
    and the smallest that showed it: of its own, and with what the others had in the same probe."""

    search: Asking
    near: ItemSet = 0
    asked: ItemSet = 0
    found: ItemSet = 0
    seen: ItemSet = 0
    over: bool = False

    def go_on(self, *answer: bool) -> None:
        """Takes the answer, if there was a question, and comes to the next."""
        try:
            self.asked = self.search.send(answer[0] if answer else None)  # type: ignore[arg-type]
            self.near = self.near or self.asked
        except StopIteration as end:
            self.asked = self.found = end.value
            self.over = True


class JointSearch:
    """The search; ``order`` holds all items, what is depended on first."""

    def __init__(
        self,
        logic: Logic,
        order: Sequence[int],
        known: Failures,
        bytes_of: Callable[[ItemSet], int],
        halve: Halve,
    ) -> None:
        self._logic, self._order = logic, order
        self._known, self._bytes_of, self._halve = known, bytes_of, halve
        self._whole = (1 << logic.count) - 1
        self._failures = [_Sought(self._first_shown(sets), seen=self._whole) for sets in known.around()]
        self._others = _Sought(_nothing(), seen=self._whole, over=True)
        """That nothing else shows."""
        self._all = [*self._failures, self._others]
        self._best = self._whole
        self.ended = False
        """Whether each failure was searched to the end of binary reduction, and the union of that lacked nothing and is
        interesting."""

    def search(self) -> Algorithm:
        """The smallest set that showed them all and nothing else: first of those around the failures, with what these
        lack, then of what generalized binary reduction finds in them."""
        yield from self._together(self._failures, 0)
        yield from self._mended()
        found = [sought for sought in self._failures if sought.found]
        for sought in found:
            within = gbr_within(self._logic, self._order, members(sought.found), self._bytes_of)
            sought.search, sought.over = self._asking(within), False
        yield from self._together(found, 0)
        over = all(sought.over for sought in found)
        lacked = yield from self._mended()
        self.ended = over and not lacked and self._best != self._whole
        return members(self._best)

    def _mended(self) -> Generator[Test, bool, bool]:
        """Looks for what the union of all that was found lacks, and in the end for what keeps others from showing.
        Whether that was anything."""
        base, lacked = 0, False
        for _ in range(_REPAIRS):
            known = self._joined([base, *(sought.found for sought in self._failures)])
            shown = yield from self._ask(known)
            missing = [sought for sought, shows in zip(self._all, shown, strict=True) if not shows]
            lost = [sought for sought in missing if sought is not self._others] or missing
            if not lost:
                break
            lacked = True
            before = [sought.found or sought.near for sought in lost]
            for sought in lost:
                sought.search, sought.found, sought.over = self._lacking(known, sought), 0, False
            yield from self._together(lost, known)
            for sought, own in zip(lost, before, strict=True):
                more = (sought.found or sought.seen) & ~known
                if sought is self._others:
                    base |= more
                else:
                    sought.found = self._joined([own, more])
        return lacked

    def _together(self, searched: Sequence[_Sought], known: ItemSet) -> Generator[Test, bool, None]:
        """Runs their searches to their ends, or until that brings little; ``known`` is in what each asks about."""
        for sought in searched:
            sought.go_on()
        sizes: list[int] = []
        told = self._bytes_of(self._whole)
        while not all(sought.over for sought in searched):
            shown = yield from self._ask(self._joined([known, *(sought.asked for sought in searched)]))
            for sought, shows in zip(self._all, shown, strict=True):
                if sought in searched and not sought.over:
                    if shows:
                        sought.found = sought.asked
                    sought.go_on(shows)
            if not all(sought.over or sought.found for sought in searched):
                continue
            found = self._joined([known, *(sought.found for sought in searched)])
            sizes.append(self._bytes_of(found))
            if sizes[-1] < _SMALLER * told:
                told = sizes[-1]
                yield from self._ask(found)
            if len(sizes) > _WINDOW and sizes[-1] > (1 - _GAIN) * sizes[-1 - _WINDOW]:
                break

    def _ask(self, items: ItemSet) -> Generator[Test, bool, Sequence[bool]]:
        if (yield Test(members(items))):
            self._best = min(self._best, items, key=self._bytes_of)
            shown: Sequence[bool] = [True] * len(self._all)
        else:
            shown = self._known.shown(items)
        for sought, shows in zip(self._all, shown, strict=True):
            if shows:
                sought.seen = min(sought.seen, items, key=self._bytes_of)
        return shown

    def _joined(self, sets: Iterable[ItemSet]) -> ItemSet:
        return self._logic.least(members(union(list(sets))))

    def _first_shown(self, around: Iterable[ItemSet]) -> Asking:
        """The first of the sets that shows it."""
        for items in around:
            if (yield items):
                return items
        return 0

    def _lacking(self, known: ItemSet, sought: _Sought) -> Asking:
        """What is needed besides ``known``, class by class, what is near first, among what showed it."""
        for items in self._known.others(known) if sought is self._others else ():
            wider = self._joined([known, items])
            if (yield wider):
                return wider
        within, nearest = self._joined([known, sought.seen]), self._known.nearest(sought.near or known)
        search = with_lacking(self._logic, nearest, known, self._bytes_of, within)
        return (yield from self._asking(search))

    def _asking(self, search: Algorithm) -> Asking:
        """A search, one set after another."""
        answer: bool | int | None = None
        while True:
            try:
                question = search.send(answer)
            except StopIteration as end:
                return self._mask(end.value)
            match question:
                case Test(candidate):
                    answer = yield self._mask(candidate)
                case First(candidates):
                    answer = yield from self._first(candidates)
                case Enough(candidate, unions):
                    enough = yield self._mask(candidate)
                    answer = None if enough or not unions else (yield from self._least(unions))
                case Least(unions):
                    answer = yield from self._least(unions)

    def _first(self, candidates: Sequence[Candidate]) -> Generator[ItemSet, bool, int | None]:
        for place, candidate in enumerate(candidates):
            if (yield self._mask(candidate)):
                return place
        return None

    def _least(self, unions: Sequence[Candidate]) -> Generator[ItemSet, bool, int]:
        """The first union that shows it, halved by bytes; the last is known to."""
        low, high, last = 0, len(unions) - 1, len(unions) - 1

        def size(place: int) -> float:
            return self._bytes_of(self._mask(unions[place]))

        while low < high:
            point = self._halve(low, high - 1, last, cache(size))
            if (yield self._mask(unions[point])):
                high = point
            else:
                low = point + 1
        return low

    def _mask(self, candidate: Candidate) -> ItemSet:
        return mask_of(candidate, self._logic.count)


def _nothing() -> Asking:
    yield from ()
    return 0
