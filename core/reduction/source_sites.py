"""Several failures that must all stay, in groups by where they show: what these point to in a source."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

import networkx as nx

from core.evidence.suggestions import Suggest
from core.reduction.sources.part_source import PartSource
from core.reduction.sources.pointing import suggestions
from core.reduction.sources.source import Source
from core.search.bisection import Likely
from core.search.item_sets import ItemSet
from core.search.questions import Candidate
from core.search.reducers.hints.joint_search import JointSearch
from core.search.sites import Blame
from core.search.specs import logic_of


class Groups(Protocol):
    """Failures that must all stay, in groups by where they show."""

    @property
    def count(self) -> int:
        """Number of groups."""

    def suggests(self) -> Sequence[Suggest]:
        """What each group points to."""

    def shows(self, shown: Sequence[str]) -> Sequence[bool]:
        """Of the failures that a candidate ``shown``: which groups are all there, and then whether nothing else is."""

    def others(self, shown: Sequence[str]) -> Suggest:
        """What others of these failures point to."""

    def of(self, name: str) -> int:
        """The number of the group that shows in a class; one more where none does."""

    def blamed(self, shown: Sequence[str]) -> Blame:
        """The groups that are not all there, and those in whose classes others of the failures ``shown`` are."""


@dataclass(frozen=True)
class SourceSites:
    """Groups of failures among the elements of a source; ``told`` gives what a candidate showed."""

    source: Source
    groups: Groups
    told: Callable[[ItemSet], Sequence[str] | None]

    def of(self, name: str) -> int:
        """The number of the part that a class lies in."""
        return self.groups.of(name)

    def blamed(self, items: ItemSet) -> Blame:
        """What a candidate tells that is not interesting."""
        return self.groups.blamed(self.told(items) or ())

    def around(self) -> list[Iterator[ItemSet]]:
        """For each group the valid sets around where it shows, narrow ones first."""
        return [self._sets(suggest) for suggest in self.groups.suggests()]

    def shown(self, items: ItemSet) -> Sequence[bool]:
        """Which groups a candidate showed, and then whether nothing else did."""
        return self.groups.shows(self.told(items) or ())

    def others(self, items: ItemSet) -> Iterator[ItemSet]:
        """Valid sets around what else it showed."""
        return self._sets(self.groups.others(self.told(items) or ()))

    def nearest(self, items: ItemSet) -> list[Candidate]:
        """The items of each class, what is nearest to these first."""
        return nearest_first(self.source, items) if isinstance(self.source, PartSource) else []

    def joint_search(self) -> JointSearch | None:
        """The search for each group on its own, in the same probes; None of a source that is not of items."""
        if not isinstance(self.source, PartSource):
            return None
        problem, logic = self.source.problem, logic_of(self.source.problem)
        return JointSearch(logic, logic.order(problem.sizes), self, problem.bytes_of, _likely)

    def _sets(self, suggest: Suggest) -> Iterator[ItemSet]:
        return (each.items for each in suggestions(self.source, suggest))


def _likely(low: int, high: int, last: int, size: Callable[[int], float]) -> int:
    return next(Likely(last).walk(low, high, size))


def nearest_first(source: PartSource, known: ItemSet) -> list[Candidate]:
    """The items of each class, or a resource: the fewest mentions from a class that is known to be needed first."""
    problem, graph = source.problem, source.item_model.model.graph
    rank = {item: place for place, item in enumerate(logic_of(problem).order(problem.sizes))}
    groups: dict[int, list[int]] = {}
    for item, parent in enumerate(problem.parents):
        top = item
        while parent >= 0:
            top, parent = parent, problem.parents[parent]
        groups.setdefault(top, []).append(item)
    starts = [node for node in range(len(graph.nodes)) if known >> node & 1]
    near = [node for layer in nx.bfs_layers(graph.graph.to_undirected(as_view=True), starts) for node in layer]
    return [tuple(sorted(groups[top], key=rank.__getitem__)) for top in dict.fromkeys([*near, *groups])]
