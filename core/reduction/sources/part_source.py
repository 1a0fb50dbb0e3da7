"""Candidates of classes and the parts of classes."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from core.entries import Entries
from core.model.formula import Formula
from core.model.item_model import ItemModel
from core.model.model_logic import ModelLogic, lossy, requiring
from core.reduction.sources.source import Pins, Source, no_pins, places_of, shown_items
from core.search.spaces.class_spaces import Edges, SearchProblem
from core.sets import ItemSet, members


class PartSource(Source):
    """Classes and the parts of classes. ``numbers`` and ``pinned``: see
    :class:`~core.reduction.sources.whole_source.WholeSource`."""

    def __init__(self, item_model: ItemModel, numbers: Mapping[str, int], pinned: Pins = no_pins) -> None:
        super().__init__(len(item_model.items))
        self.item_model = item_model
        self._pinned = pinned
        self._places = places_of(item_model.model, numbers)

    @cached_property
    def problem(self) -> SearchProblem:
        model = self.item_model
        logic = model.logic if self._formula is model.formula else ModelLogic(self._formula)
        return SearchProblem(
            self.count,
            model.sizes,
            required=logic.least(),
            logic=logic,
            parents=model.parents,
            groups=model.groups,
            cut_down=self._cut_down,
            names=lambda number: model.items[number].name,
            kind_of=model.kind_of,
            write=self.bytes_of,
        )

    @cached_property
    def _formula(self) -> Formula:
        """Return the model's formula, with the pinned items required."""
        pins = [number for number, item in enumerate(self.item_model.items) if self._pinned(item.name)]
        return requiring(self.item_model.formula, pins) if pins else self.item_model.formula

    def _cut_down(self, last: bool) -> Edges:
        formula = lossy(self._formula, last=last)
        return Edges(formula.variables, formula.edges, formula.conclusions.tolist())

    def classes_of(self, kept: ItemSet) -> int:
        return (kept & self.item_model.model.class_items).bit_count()

    def shown(self, kept: ItemSet) -> ItemSet:
        return shown_items(kept, self._places)

    def named(self, items: ItemSet) -> list[str]:
        return [self.item_model.items[number].name for number in members(items)]

    def _write(self, kept: ItemSet) -> Entries:
        return self.item_model.entries(kept)
