"""The sites of the wanted failures among the elements of a source."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import networkx as nx

from core.evidence.failure_sites import FailureSites
from core.evidence.suggestions import Suggest
from core.plan.sources import suggestions
from core.reduction.source import PartSource, Source
from core.search.phases import logic_of
from core.search.questions import Candidate
from core.search.sites import Shown, Sites
from core.sets import ItemSet


@dataclass(frozen=True)
class SourceSites(Sites):
    """The sites of the wanted failures among the elements of a source."""

    source: Source
    failures: FailureSites
    failures_of: Callable[[ItemSet], Sequence[str] | None]
    """Function that returns the failures in the output of a candidate; None for a candidate without a probe."""

    @property
    def count(self) -> int:
        return self.failures.count

    def site_of(self, name: str) -> int:
        return self.failures.site_of(name)

    def shown(self, items: ItemSet) -> Shown:
        return self.failures.shown(self.failures_of(items) or ())

    def around(self) -> list[Iterator[ItemSet]]:
        return [self._sets(suggest) for suggest in self.failures.around()]

    def around_others(self, items: ItemSet) -> Iterator[ItemSet]:
        return self._sets(self.failures.around_others(self.failures_of(items) or ()))

    def nearest(self, items: ItemSet) -> list[Candidate]:
        assert isinstance(self.source, PartSource)
        return nearest_first(self.source, items)

    def _sets(self, suggest: Suggest) -> Iterator[ItemSet]:
        return (suggestion.items for suggestion in suggestions(self.source, suggest))


def nearest_first(source: PartSource, known: ItemSet) -> list[Candidate]:
    """Return the items of each class, and each resource. Classes with the shortest path of mentions to a class of
    ``known`` come first, of equally near ones the smallest: a large class needs many others, which are not near.
    """
    problem, graph = source.problem, source.item_model.model.graph
    rank = {item: place for place, item in enumerate(logic_of(problem).order(problem.sizes))}
    classes: dict[int, list[int]] = {}
    for item, parent in enumerate(problem.parents):
        top = item
        while parent >= 0:
            top, parent = parent, problem.parents[parent]
        classes.setdefault(top, []).append(item)
    starts = [node for node in range(len(graph.nodes)) if known >> node & 1]
    layers = list(nx.bfs_layers(graph.graph.to_undirected(as_view=True), starts))
    sizes = {top: sum(problem.sizes[item] for item in items) for top, items in classes.items()}
    by_distance = [node for layer in layers for node in sorted(layer, key=lambda top: (sizes[top], top))]
    return [tuple(sorted(classes[top], key=rank.__getitem__)) for top in dict.fromkeys([*by_distance, *classes])]
