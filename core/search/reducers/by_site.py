"""Drops elements at several sites in shared probes.

A removal at one site hardly matters for the failures of the other sites. So each site has a search of its own, and one
probe makes the next removal of all searches together. A probe is a yes for a search if all failures of its site
still show. If a failure hides all others (a syntax error), only the blamed searches are answered, and the others ask
again without them. If a probe does not show which search is to blame, each half of the searches asks again.
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
from core.search.spaces import SearchProblem
from core.sets import ItemSet, members

_UNSURE = 6
"""Number of uninteresting probes in a row after which the current set of all searches is asked about.
See decisions/006-apart-to-the-end.md.
"""


@dataclass(eq=False)
class DividedInput:
    """The set from which the searches of all sites drop elements."""

    start: ItemSet
    count: int
    """Number of elements."""
    shown: Callable[[ItemSet], Shown]
    """Function that returns the failures of a probe of a set."""
    valid: Callable[[ItemSet], ItemSet] = lambda items: items
    """Function that returns the largest valid subset of a set."""
    touched: Callable[[int, ItemSet], Collection[int]] = lambda site, gone: (site,)
    """Function returning the sites that lose elements when the search of a site drops ``gone``."""
    active: int = field(default=0, init=False)
    """Number of searches that were not over at the beginning of the round."""

    def sharing(self) -> int:
        """Return the number of searches that each probe serves."""
        return self.active


def by_site(whole: DividedInput, searches: Sequence[tuple[int, Algorithm]]) -> Algorithm:
    """Run the ``searches`` of sites in shared probes. Return the intersection of their results.

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
    """The shared probes of searches that drop elements: a probe asks about the intersection of their sets."""

    def __init__(self, whole: DividedInput, searches: Sequence[SiteSearch]) -> None:
        super().__init__(searches)
        self._whole = whole
        self._sure = {search: search.kept for search in searches}
        """The set that each search kept at the last interesting probe."""
        self._unsure = 0
        """Number of probes since the last interesting probe."""

    def left(self, asking: Collection[SiteSearch] = ()) -> ItemSet:
        """Return the largest valid subset of the intersection of all searches' sets. Searches in ``asking`` contribute
        the set in question, the others the set that they keep.
        """
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

    def round_over(self) -> Generator[Test, bool, None]:
        if self._unsure >= _UNSURE:
            yield from self.made_sure()
        self._whole.active = len(self.active)

    def made_sure(self) -> Generator[Test, bool, None]:
        """Ask about the sets that all searches keep. While the answer is no, undo the removals of the blamed
        searches since the last interesting probe, and end these searches.
        """
        while changed := [search for search in self.searches if search.kept != self._sure[search]]:
            candidate = self.left()
            if (yield Test(members(candidate))):
                break
            shown = self._whole.shown(candidate)
            blamed = self._blamed(shown, {search: self._sure[search] & ~search.kept for search in changed})
            for search in blamed:
                search.stop(self._sure[search])
            if not blamed:
                yield from self._redone(changed)
        self._sure = {search: search.kept for search in self.searches}
        self._unsure = 0

    def _redone(self, changed: Sequence[SiteSearch]) -> Generator[Test, bool, None]:
        """Undo the removals of the ``changed`` searches since the last interesting probe, and make them again: all at
        once by halves. End the searches of those that cannot be made again.
        """
        wanted = {search: search.kept for search in changed}
        for search in changed:
            search.kept = self._sure[search]
        waiting = _halves(changed)
        while waiting:
            some = waiting.pop()
            for search in some:
                search.kept = wanted[search]
            if (yield Test(members(self.left()))):
                self._sure |= {search: wanted[search] for search in some}
                continue
            for search in some:
                search.kept = self._sure[search]
            if len(some) > 1:
                waiting += _halves(some)
            else:
                some[0].stop(self._sure[some[0]])

    def _answers(self, some: Sequence[SiteSearch], shown: Shown) -> Mapping[SiteSearch, bool]:
        """Return the answers that an uninteresting probe gives, for as many searches as it decides."""
        if len(some) == 1:
            return {some[0]: False}
        gone = {search: search.kept & ~search.asked for search in some}
        blamed = self._blamed(shown, gone)
        if shown.hidden or not self._explained(shown, gone):
            return dict.fromkeys(blamed, False) if len(blamed) < len(some) else {}
        return {search: search not in blamed for search in some} if blamed else {}

    def _explained(self, shown: Shown, gone: Mapping[SiteSearch, ItemSet]) -> bool:
        """Return True if a search dropped something at each blamed site. If none did, a failure needs something of
        another site, and no search is known to be innocent.
        """
        sites = (self._whole.touched(search.site, items) for search, items in gone.items())
        return shown.blamed <= set().union(*sites)

    def _blamed(self, shown: Shown, gone: Mapping[SiteSearch, ItemSet]) -> list[SiteSearch]:
        """Return the searches that dropped something at a blamed site."""
        touched = self._whole.touched
        return [search for search, items in gone.items() if not shown.blamed.isdisjoint(touched(search.site, items))]


def _halves(searches: Sequence[SiteSearch]) -> list[Sequence[SiteSearch]]:
    """Return the second half, then the first; a single search is the second half."""
    middle = len(searches) // 2
    return [half for half in (searches[middle:], searches[:middle]) if half]


class DividedItems:
    """The items of ``start``, each at the site of its class. Items that fall with an item, to keep the rest valid,
    may belong to any site.
    """

    def __init__(self, problem: SearchProblem, start: ItemSet, sites: Sites) -> None:
        self._start = start
        self._masks: dict[int, ItemSet] = {}
        """The items of each site, as a mask."""
        for item in members(start):
            site = sites.site_of(class_of(problem.names(item)))
            self._masks[site] = self._masks.get(site, 0) | 1 << item
        self._logic = logic_of(problem)
        self.whole = DividedInput(start, problem.count, sites.shown, self._valid, lambda _, gone: self._owners(gone))

    def chunks(self, chunks: Sequence[Chunk]) -> dict[int, list[Chunk]]:
        """Return the chunks of each site. A chunk of several sites (a package) is replaced by its parts."""
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
