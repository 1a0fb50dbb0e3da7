"""What evidence suggests among the elements of a source."""

from __future__ import annotations

from collections.abc import Iterable

from core.evidence.item_finder import ByClasses, ByItems, ItemFinder
from core.evidence.suggestions import Least, Suggest, Suggestion
from core.reduction.sources.part_source import PartSource
from core.reduction.sources.source import Source
from core.reduction.sources.whole_source import WholeSource
from core.search.spaces.class_spaces import SearchProblem
from core.sets import ItemSet, union


def suggestions(source: Source, suggest: Suggest) -> Iterable[Suggestion]:
    """What ``suggest`` makes of a source of classes or of items, all of it valid there."""
    return suggest(_places(source), _least(source.problem))


def _places(source: Source) -> ItemFinder:
    if isinstance(source, PartSource):
        return ByItems(source.item_model)
    assert isinstance(source, WholeSource)
    return ByClasses(source.model)


def _least(problem: SearchProblem) -> Least:
    """The least valid sub-input around some items."""
    if problem.logic is not None:
        return problem.logic.least

    def least(wanted: Iterable[int]) -> ItemSet:
        return union([problem.required, *(problem.closures[number] for number in wanted)])

    return least
