"""Searches for the items that the failures of several sites need, in shared probes.

Each site has a search of its own, in the least valid sets around the site. A probe asks about the union of the
searches' sets. The failures of a site may show in the union because of items of another site. So the union of all
results may lack something in the end. Further searches look for the lacking items in the same way, in shared probes.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import groupby

from core.search.bisection import Likely
from core.search.logic import BytesOf, Progressive
from core.search.phases import logic_of
from core.search.questions import Algorithm, Candidate, First, Least, Test
from core.search.reducers.generalized import Progression, gbr_within
from core.search.serial import SerialSets, as_sets, least_of, serial
from core.search.sites import SharedProbes, Shown, Sites, SiteSearch
from core.search.spaces import SearchProblem
from core.sets import ItemSet, mask_of, members, union


@dataclass(eq=False)
class _Sought(SiteSearch):
    """The search of one site. The site with the number ``Sites.count`` stands for unwanted failures: it "shows its
    failures" where no unwanted failure shows.
    """

    near: ItemSet = 0
    """The first set that the search of this site asked about."""
    seen: ItemSet = 0
    """The smallest set that showed the failures of this site, in a probe of any search."""

    def begin(self, search: SerialSets) -> None:
        super().begin(search)
        if not self.over:
            self.near = self.near or self.asked


class JointSearch:
    """The search for the items that the failures of all sites need, among the items of a problem."""

    def __init__(self, problem: SearchProblem, sites: Sites) -> None:
        self._problem, self._sites = problem, sites
        self._logic = logic_of(problem)
        self._order = self._logic.order(problem.sizes)
        self.whole: ItemSet = (1 << problem.count) - 1
        self._wanted = [_Sought(number, seen=self.whole) for number in range(sites.count)]
        self._others = _Sought(sites.count, seen=self.whole)
        self._best = self.whole
        self.complete = False
        """True if the union of all results lacked nothing and is interesting."""

    def search(self) -> Algorithm:
        """Return the smallest set that shows all wanted failures and no others.

        First try the sets around the sites, with the items that they lack, then go on with generalized binary reduction
        in the sets found.
        """
        for search, sets in zip(self._wanted, self._sites.around(), strict=True):
            search.begin(_first_shown(sets))
        yield from _Growing(self, self._wanted, 0).run()
        yield from self._mended()
        found = [search for search in self._wanted if search.kept]
        for search in found:
            search.begin(self._reduced(search.kept))
        yield from _Growing(self, found, 0).run()
        lacked = yield from self._mended()
        self.complete = not lacked and self._best != self.whole
        return members(self._best)

    def ask(self, items: ItemSet) -> Generator[Test, bool, frozenset[int]]:
        """Ask about a set. Return the sites whose failures did not show, or show with unwanted ones."""
        shown = Shown()
        if (yield Test(members(items))):
            self._best = min(self._best, items, key=self.bytes_of)
        else:
            shown = self._sites.shown(items)
        missing = shown.lost | shown.others | ({self._others.site} if shown.others else set())
        for search in (*self._wanted, self._others):
            if search.site not in missing:
                search.seen = min(search.seen, items, key=self.bytes_of)
        return missing

    def joined(self, sets: Iterable[ItemSet]) -> ItemSet:
        """Return the least valid set that holds all of the sets."""
        return self._logic.least(members(union(sets)))

    def bytes_of(self, items: ItemSet) -> int:
        """Return the bytes of a set."""
        return self._problem.bytes_of(items)

    def _mended(self) -> Generator[Test, bool, bool]:
        """Look for items that the union of all results lacks. If there are none, look for items whose lack makes
        unwanted failures show. Return True if anything was lacking.
        """
        known = self.joined(search.kept for search in self._wanted)
        missing = yield from self.ask(known)
        lost = [search for search in self._wanted if search.site in missing] or [self._others] * bool(missing)
        before = [search.kept for search in lost]
        for search in lost:
            search.kept = 0
            search.begin(self._lacking(known, search))
        yield from _Growing(self, lost, known).run()
        for search, own in zip(lost, before, strict=True):
            if search is not self._others:
                search.kept = self.joined([own, (search.kept or search.seen) & ~known])
        return bool(missing)

    def _lacking(self, known: ItemSet, site: _Sought) -> SerialSets:
        """Return the items that the failures of a site need besides ``known``, within the smallest set known to show
        them. Classes are tried one by one, the nearest first.
        """
        for items in self._sites.around_others(known) if site is self._others else ():
            wider = self.joined([known, items])
            if (yield wider):
                return wider
        within, nearest = self.joined([known, site.seen]), self._sites.nearest(site.near or known)
        search = with_lacking(self._logic, nearest, known, self.bytes_of, within)
        return (yield from as_sets(serial(search), self._problem.count))

    def _reduced(self, found: ItemSet) -> SerialSets:
        """Return the search of a set by generalized binary reduction."""
        search = gbr_within(self._logic, self._order, members(found), self.bytes_of)
        return as_sets(serial(search, self._least), self._problem.count)

    def _least(self, unions: Sequence[Candidate]) -> Generator[Candidate, bool, int]:
        """Return the index of the first union that shows the failures of a site. The last union is known to show
        them. The order of the questions suits a late and heavy answer.
        """
        likely = Likely(len(unions) - 1)
        size = cache(lambda index: self.bytes_of(mask_of(unions[index], self._problem.count)))
        return (yield from least_of(unions, len(unions) - 2, lambda low, high: likely.pick(low, high, size)))


class _Growing(SharedProbes):
    """Searches for needed items in shared probes: a probe asks about the union of their sets."""

    def __init__(self, joint: JointSearch, searches: Sequence[SiteSearch], known: ItemSet) -> None:
        super().__init__(searches)
        self._joint, self._known = joint, known

    def ask(self, some: Sequence[SiteSearch]) -> Generator[Test, bool, Mapping[SiteSearch, bool]]:
        missing = yield from self._joint.ask(
            self._joint.joined([self._known, *(search.asked for search in self.searches)])
        )
        return {search: search.site not in missing for search in some}


def _first_shown(around: Iterable[ItemSet]) -> SerialSets:
    """Return the first of the sets that shows the failures of its site, or the last: the other sites are asked about
    beside it.
    """
    items = 0
    for items in around:
        if (yield items):
            break
    return items


_FIRST_STEP = 0.25
"""Share of the known bytes by which a candidate grows first. Each further step is twice as large.
See decisions/004-lost-failures.md."""


def with_lacking(
    logic: Progressive,
    groups: Sequence[Candidate],
    known: ItemSet,
    bytes_of: BytesOf,
    within: ItemSet,
) -> Algorithm:
    """Return the ``known`` items with all groups that are needed besides, and with the needs of these groups.

    A group is a class with all its items. The groups are in the order in which a needed group is expected. Each needed
    group is found by candidates that grow from ``known`` by twice as much each time, and then by halving. So candidates
    stay as small as the answer allows. ``within`` restricts the search to a valid set that holds the known items.
    """
    number = {item: place for place, group in enumerate(groups) for item in group}
    order = list(number)
    held, left = known, within
    while True:
        parts = logic.progression(order, [(item,) for item in members(held)], left)
        unions = Progression([parts[0], *_whole(parts[1:], number)])
        if not unions or (yield Test(unions.least)):
            return unions.least
        stages = _stages(unions, lambda items: bytes_of(mask_of(items, logic.count)), _FIRST_STEP * bytes_of(held))
        stage: int | None = yield First([unions[place] for place in stages])
        if stage is None:
            return unions[-1]
        low = stages[stage - 1] + 1 if stage else 0
        found: int = low + (yield Least(unions[low : stages[stage] + 1]))
        held |= mask_of(unions.added(found), logic.count)
        left = mask_of(unions[found], logic.count)


def _whole(parts: Sequence[Sequence[int]], number: dict[int, int]) -> list[list[int]]:
    """Return the parts, joined if they begin in one group."""
    return [[item for part in row for item in part] for _, row in groupby(parts, lambda part: number[part[0]])]


def _stages(unions: Progression, bytes_of: Callable[[Candidate], int], step: float) -> list[int]:
    """Return the indices of unions that each add twice as much as the last; the first adds ``step`` bytes. The last
    union of all is included.
    """
    stages, added = [], 0
    for place in range(len(unions)):
        added += bytes_of(unions.added(place))
        if added >= step or place == len(unions) - 1:
            stages.append(place)
            step = 2 * added
    return stages
