"""Searches at several sites at once, where a probe tells in which of them something is amiss.

Where several failures must stay, each in classes of its own, what goes from the classes of one hardly matters for the
others. So each site has a search of its own, and a probe drops what all of them would drop next; those in which
all failures still show take it as a yes. Where a failure hides all others (an error of syntax), those that have no part
in it ask again without the others; if a probe tells nothing of that kind, it is asked in halves.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Generator, Sequence
from dataclasses import dataclass, field
from functools import reduce
from operator import and_

from core.search.item_sets import ItemSet, mask_of, members
from core.search.questions import Algorithm, First, HungUp, Test
from core.search.sites import Blame

_UNSURE = 6
"""Probes after the last interesting one, after which all that has gone since is asked about as a whole."""


@dataclass(eq=False)
class _Searching:
    """The search at a site: what it asks about, what it keeps, and what it kept in the last interesting set."""

    number: int
    search: Generator[ItemSet, bool, None]
    kept: ItemSet
    sure: ItemSet
    asked: ItemSet = 0
    over: bool = False

    def go_on(self) -> None:
        """Comes to the first question."""
        self._take(None)

    def answer(self, *, yes: bool) -> None:
        """Takes the answer and comes to the next question."""
        if yes:
            self.kept = self.asked
        self._take(yes)

    def give_up(self) -> None:
        """What it has dropped since the last interesting set stays, and it ends."""
        self.kept, self.over = self.sure, True
        self.search.close()

    def _take(self, answer: bool | None) -> None:
        try:
            self.asked = self.search.send(answer)  # type: ignore[arg-type]
        except StopIteration:
            self.over = True


_Row = Sequence[_Searching]


@dataclass(eq=False)
class DividedInput:
    """What all searches drop elements of."""

    start: ItemSet
    count: int
    """The number of all elements."""
    blamed: Callable[[ItemSet], Blame]
    valid: Callable[[ItemSet], ItemSet] = lambda items: items
    """Makes a set valid by leaving more out."""
    touched: Callable[[int, ItemSet], Collection[int]] = lambda number, gone: (number,)
    """The sites from which something goes where the search of a site drops what is ``gone``."""
    searches: int = field(default=0, init=False)
    """How many of the searches are not over."""

    def sharing(self) -> int:
        """How many searches each probe serves."""
        return self.searches

    def guilty(self, some: _Row, gone: Callable[[_Searching], ItemSet], blame: Blame) -> list[_Searching]:
        """Those of the searches that dropped something at sites to be blamed."""
        return [turn for turn in some if not set(blame.guilty).isdisjoint(self.touched(turn.number, gone(turn)))]


def by_site(whole: DividedInput, searches: Sequence[tuple[int, Algorithm]]) -> Algorithm:
    """The smallest interesting subset that ``searches`` of some sites come to, each of which drops elements of
    its own and knows nothing of the others."""
    whole.searches = len(searches)
    turns = [_Searching(number, _asking(search, whole.count), whole.start, whole.start) for number, search in searches]
    for turn in turns:
        turn.go_on()
    unsure = 0
    while active := [turn for turn in turns if not turn.over]:
        whole.searches = len(active)
        waiting = [active]
        while waiting:
            some = waiting.pop()
            candidate = whole.valid(_common(whole, turns) & reduce(and_, (turn.asked for turn in some)))
            yes: bool = yield Test(members(candidate))
            answered, guilty = (some, ()) if yes else _told(whole, some, whole.blamed(candidate))
            if not yes:
                rest = [turn for turn in some if turn not in answered]
                middle = 0 if answered else len(rest) // 2
                waiting += [part for part in (rest[middle:], rest[:middle]) if part]
            for turn in answered:
                turn.answer(yes=turn not in guilty)
            if yes:
                _believe(turns)
            unsure = 0 if yes else unsure + 1
        if unsure >= _UNSURE:
            yield from _made_sure(whole, turns)
            unsure = 0
    yield from _made_sure(whole, turns)
    return members(whole.valid(_common(whole, turns)))


def _told(whole: DividedInput, some: _Row, blame: Blame) -> tuple[_Row, _Row]:
    """Those of the searches whose question is answered, and those for which that is no."""
    guilty = whole.guilty(some, lambda turn: turn.kept & ~turn.asked, blame)
    if len(some) == 1:
        return some, some
    if blame.hidden:
        return ([], []) if len(guilty) == len(some) else (guilty, guilty)
    return (some, guilty) if guilty else ([], [])


def _made_sure(whole: DividedInput, turns: _Row) -> Generator[Test, bool, None]:
    """Takes back what has gone since the last interesting set, as far as that is to be blamed, until it is one."""
    while changed := [turn for turn in turns if turn.kept != turn.sure]:
        candidate = whole.valid(_common(whole, turns))
        if (yield Test(members(candidate))):
            break
        for turn in whole.guilty(changed, lambda turn: turn.sure & ~turn.kept, whole.blamed(candidate)) or changed:
            turn.give_up()
    _believe(turns)


def _believe(turns: _Row) -> None:
    for turn in turns:
        turn.sure = turn.kept


def _common(whole: DividedInput, turns: _Row) -> ItemSet:
    return reduce(and_, (turn.kept for turn in turns), whole.start)


def _asking(search: Algorithm, count: int) -> Generator[ItemSet, bool, None]:
    """The candidates of a search by lists, one after another."""
    answer: bool | int | None = None
    while True:
        try:
            question = search.send(answer)
        except StopIteration:
            return
        match question:
            case First(candidates):
                answer = None
                for place, candidate in enumerate(candidates):
                    if (yield mask_of(candidate, count)):
                        answer = place
                        break
            case HungUp():
                answer = False  # of several dropped at once nobody knows which one it was
            case _:
                raise AssertionError("a search by complements asks nothing else")
