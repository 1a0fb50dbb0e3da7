"""Several wanted failures: the sites at which they show, and searches of all sites in shared probes.

A *site* is a source file, or the class, in which one or more of the wanted failures show. The items that a failure
needs are mostly around its site, so each site has a search of its own. A probe asks about one set that combines the
sets of all searches, and the failures in its output answer each search separately. All searches together take about as
many probes as the longest one.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Protocol

from core.search.questions import Candidate, Test
from core.search.serial import SerialSets
from core.sets import ItemSet

_MANY = 4
"""Number of sites from which on items and bodies are searched site by site. With two or three sites, one search of the
whole input took about as many probes, and a misleading answer about one site harms all.
See decisions/006-apart-to-the-end.md."""


@dataclass(frozen=True, slots=True)
class Shown:
    """The failures that a candidate shows, by the numbers of sites."""

    lost: frozenset[int] = frozenset()
    """Sites at which a wanted failure is missing."""
    others: frozenset[int] = frozenset()
    """Sites at which an unwanted failure shows; ``Sites.count`` stands for all classes outside the sites."""
    hidden: bool = False
    """True if no wanted failure shows at all: unwanted failures may hide the wanted ones."""

    @property
    def blamed(self) -> frozenset[int]:
        """The blamed sites. Unwanted failures that hide the wanted ones are blamed alone."""
        return self.others if self.hidden else self.lost | self.others


class Sites(Protocol):
    """The sites of the wanted failures in an input. Sites are numbered from 0."""

    @property
    def count(self) -> int:
        """The number of sites."""

    def site_of(self, name: str) -> int:
        """Return the number of the site of a class, or ``count`` if the class belongs to none."""

    def shown(self, items: ItemSet) -> Shown:
        """Return the failures that a probe of a valid set showed."""

    def around(self) -> Sequence[Iterable[ItemSet]]:
        """Return for each site the valid sets around it, small sets first. Each set is made on access."""

    def around_others(self, items: ItemSet) -> Iterable[ItemSet]:
        """Return valid sets around the unwanted failures of a probe of ``items``."""

    def nearest(self, items: ItemSet) -> Sequence[Candidate]:
        """Return the items of each class, the classes nearest to ``items`` first."""


def if_many(sites: Sites | None) -> Sites | None:
    """Return the sites if they are enough for a search site by site, else None."""
    return sites if sites is not None and sites.count >= _MANY else None


@dataclass(eq=False)
class SiteSearch:
    """The search of one site: the set of its question, and the set of its last yes."""

    site: int
    kept: ItemSet = 0
    asked: ItemSet = 0
    over: bool = True

    def begin(self, search: SerialSets) -> None:
        """Start a search and advance to its first question. The kept set stays until the first yes."""
        self._search, self.over = search, False
        self._advance(partial(next, search))

    def answer(self, *, yes: bool) -> None:
        """Take the answer and advance to the next question, or to the end: then the result is kept."""
        if yes:
            self.kept = self.asked
        self._advance(partial(self._search.send, yes))

    def stop(self, kept: ItemSet) -> None:
        """End the search with ``kept`` as its result."""
        self.kept, self.over = kept, True
        self._search.close()

    def _advance(self, step: Callable[[], ItemSet]) -> None:
        try:
            self.asked = step()
        except StopIteration as end:
            self.asked = self.kept = end.value
            self.over = True


class SharedProbes:
    """Searches of several sites in shared probes. A subclass combines the questions and divides the answers."""

    def __init__(self, searches: Sequence[SiteSearch]) -> None:
        self.searches = searches

    @property
    def active(self) -> list[SiteSearch]:
        """The searches that are not over."""
        return [search for search in self.searches if not search.over]

    def run(self) -> Generator[Test, bool, None]:
        """Ask for all searches at once, round by round, until all are over.

        Searches that a probe does not answer share further probes in the same round. If a probe answers no search, each
        half of the searches asks separately.
        """
        while active := self.active:
            waiting = [active]
            while waiting:
                some = waiting.pop()
                answers = yield from self.ask(some)
                rest = [search for search in some if search not in answers]
                middle = 0 if answers else len(rest) // 2
                waiting += [half for half in (rest[middle:], rest[:middle]) if half]
                for search, yes in answers.items():
                    search.answer(yes=yes)
            yield from self.round_over()

    def ask(self, some: Sequence[SiteSearch]) -> Generator[Test, bool, Mapping[SiteSearch, bool]]:
        """Ask the questions of the searches ``some`` in one probe. Return the answers that the probe gives. A single
        search always gets an answer.
        """
        raise NotImplementedError

    def round_over(self) -> Generator[Test, bool, None]:
        """Do the work due after a round."""
        yield from ()
