"""Drops elements at several sites in shared probes.

What is dropped at one site hardly matters for the failures of the others. So each site has a search of its own, and a
probe drops what all of them want to drop next. A search takes a probe for a yes if all failures of its site still show.

Where a failure hides all others (an error of syntax), only the searches that are to be blamed are answered, and the
others ask again without them. Where a probe leaves open which search is to be blamed, each half of the searches asks
again.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Generator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import reduce
from operator import and_

from core.search.chunks import Chunk, class_of
from core.search.phases import logic_of
from core.search.questions import Algorithm, Test
from core.search.serial import as_sets, serial
from core.search.sites import SharedProbes, Shown, Sites, SiteSearch
from core.search.spaces.class_spaces import SearchProblem
from core.sets import ItemSet, members

_UNSURE = 6
"""Number of probes in a row that were not interesting, after which everything dropped since is asked about at once.
See decisions/006-apart-to-the-end.md."""


@dataclass(eq=False)
class DividedInput:
    """The set that the searches of all sites drop elements of."""

    start: ItemSet
    count: int
    """The number of all elements."""
    shown: Callable[[ItemSet], Shown]
    """Returns the failures that a probe of a set showed."""
    valid: Callable[[ItemSet], ItemSet] = lambda items: items
    """Returns the largest valid subset of a set."""
    touched: Callable[[int, ItemSet], Collection[int]] = lambda site, gone: (site,)
    """Returns the sites that lose elements where the search of a site drops ``gone``."""
    active: int = field(default=0, init=False)
    """The number of searches that were not over when the round began."""

    def sharing(self) -> int:
        """Return the number of searches that each probe serves."""
        return self.active


def by_site(whole: DividedInput, searches: Sequence[tuple[int, Algorithm]]) -> Algorithm:
    """Run ``searches`` of sites in shared probes. Return the set that all of them leave.

    Each search drops elements of its own site, and knows nothing of the others.
    """
    whole.active = len(searches)
    dropping = _Dropping(whole, [SiteSearch(site, whole.start) for site, _ in searches])
    for own, (_, algorithm) in zip(dropping.searches, searches, strict=True):
        own.begin(as_sets(serial(algorithm), whole.count))
    yield from dropping.run()
    yield from dropping.made_sure()
    return members(dropping.left())


class _Dropping(SharedProbes):
    """Searches that drop elements: a probe keeps the intersection of what they ask to keep."""

    def __init__(self, whole: DividedInput, searches: Sequence[SiteSearch]) -> None:
        super().__init__(searches)
        self._whole = whole
        self._sure = {search: search.kept for search in searches}
        """What each search kept in the last interesting set."""
        self._unsure = 0
        """Number of probes since the last interesting set."""

    def left(self, asking: Collection[SiteSearch] = ()) -> ItemSet:
        """Return the largest valid set that all searches keep, where those ``asking`` keep what they ask to keep."""
        kept = (search.asked if search in asking else search.kept for search in self.searches)
        return self._whole.valid(reduce(and_, kept, self._whole.start))

    def ask(self, some: Sequence[SiteSearch]) -> Generator[Test, bool, Mapping[SiteSearch, bool]]:
        candidate = self.left(some)
        if (yield Test(members(candidate))):
            self._sure = {search: search.asked if search in some else search.kept for search in self.searches}
            self._unsure = 0
            return dict.fromkeys(some, True)
        self._unsure += 1
        return self._answers(some, self._whole.shown(candidate))

    def round_over(self) -> Generator[Test, bool, bool]:
        if self._unsure >= _UNSURE:
            yield from self.made_sure()
        self._whole.active = len(self.active)
        return False

    def made_sure(self) -> Generator[Test, bool, None]:
        """Ask about what all searches keep. Until that is interesting, take back what the searches that are to be
        blamed have dropped since the last interesting set, and end these searches."""
        while changed := [search for search in self.searches if search.kept != self._sure[search]]:
            candidate = self.left()
            if (yield Test(members(candidate))):
                break
            shown = self._whole.shown(candidate)
            for search in (
                self._blamed(shown, {search: self._sure[search] & ~search.kept for search in changed}) or changed
            ):
                search.stop(self._sure[search])
        self._sure = {search: search.kept for search in self.searches}
        self._unsure = 0

    def _answers(self, some: Sequence[SiteSearch], shown: Shown) -> Mapping[SiteSearch, bool]:
        """Return the answers of a probe that was not interesting, as far as it tells them."""
        if len(some) == 1:
            return {some[0]: False}
        blamed = self._blamed(shown, {search: search.kept & ~search.asked for search in some})
        if shown.hidden:
            return dict.fromkeys(blamed, False) if len(blamed) < len(some) else {}
        return {search: search not in blamed for search in some} if blamed else {}

    def _blamed(self, shown: Shown, gone: Mapping[SiteSearch, ItemSet]) -> list[SiteSearch]:
        """Return the searches that dropped something at sites that are to be blamed."""
        touched = self._whole.touched
        return [search for search, items in gone.items() if not shown.blamed.isdisjoint(touched(search.site, items))]


class DividedItems:
    """The items of ``start``, each at the site of its class. What falls with an item, to keep the rest valid, may be
    of any site."""

    def __init__(self, problem: SearchProblem, start: ItemSet, sites: Sites) -> None:
        self._start = start
        self._masks: dict[int, ItemSet] = {}
        """The items of each site."""
        for item in members(start):
            site = sites.site_of(class_of(problem.names(item)))
            self._masks[site] = self._masks.get(site, 0) | 1 << item
        self._logic = logic_of(problem)
        self.whole = DividedInput(start, problem.count, sites.shown, self._valid, lambda _, gone: self._owners(gone))

    def chunks(self, chunks: Sequence[Chunk]) -> dict[int, list[Chunk]]:
        """Return the chunks of each site. A chunk of several sites (a package) gives way to those in it."""
        found: dict[int, list[Chunk]] = {}
        waiting = list(chunks)
        while waiting:
            chunk = waiting.pop()
            owners = self._owners(chunk.gone & self._start)
            if len(owners) == 1:
                found.setdefault(owners[0], []).append(chunk)
            elif owners:
                waiting += chunk.if_needed()
        return dict(sorted(found.items()))

    def _valid(self, items: ItemSet) -> ItemSet:
        found = self._logic.largest(items)
        return self._start if found is None else found

    def _owners(self, items: ItemSet) -> list[int]:
        return [site for site, mask in self._masks.items() if mask & items]
