"""Candidates of whole classes, resources and nested jars."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from core.entries import Entries
from core.model.class_model import ClassModel
from core.reduction.sources.source import Pins, Source, no_pins, places_of, shown_items
from core.search.spaces.class_spaces import SearchProblem
from core.sets import ItemSet, members, union


class WholeSource(Source):
    """Classes, resources and nested jars, each whole.

    ``numbers``: item numbers of the original input by entry name; None if this is the original input. Items with names
    that ``pinned`` accepts are in every sub-input.
    """

    def __init__(
        self,
        model: ClassModel,
        pinned: Pins = no_pins,
        numbers: Mapping[str, int] | None = None,
    ) -> None:
        super().__init__(len(model.items))
        self.model = model
        self._pinned = pinned
        self._places = places_of(model, numbers) if numbers is not None else None

    @cached_property
    def problem(self) -> SearchProblem:
        model = self.model
        pins = [model.closures[number] for number, item in enumerate(model.items) if self._pinned(item.name)]
        required = union([model.pinned, *pins])
        return SearchProblem(len(model.items), [item.bytes for item in model.items], model.closures, required)

    def classes_of(self, kept: ItemSet) -> int:
        return (kept & self.model.class_items).bit_count()

    def bytes_of(self, kept: ItemSet) -> int:
        return self.problem.bytes_of(kept)

    def shown(self, kept: ItemSet) -> ItemSet:
        return kept if self._places is None else shown_items(kept, self._places)

    def named(self, items: ItemSet) -> list[str]:
        return [self.model.items[number].name for number in members(items)]

    def _write(self, kept: ItemSet) -> Entries:
        return self.model.entries(kept)
