"""The model below the class: items of granularity ``member`` or ``full``, their formula, and sub-inputs of them.

Item numbers: classes, class files that cannot be analysed, resources and nested jars as in
:mod:`core.model.class_model`, then the parts of each class in order. Derived facts follow the items.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import compress

import numpy as np
from numpy.typing import NDArray

from core.classfile.symbolic.part_kinds import PartKind
from core.entries import Entries
from core.model.cache.class_files import ClassFileCache
from core.model.class_model import ClassModel, Item
from core.model.explain import Explainer
from core.model.formula import Formula
from core.model.hierarchy import Hierarchy
from core.model.model_logic import ModelLogic
from core.model.model_settings import erases_types
from core.model.reading.facts import ClassFacts
from core.model.writing.candidates import Writer
from core.model.writing.world import Questions
from core.sets import ItemSet, flags_of


@dataclass(frozen=True)
class ItemModel:
    """An input, its items below the class, and their dependencies."""

    model: ClassModel
    """The same input by whole classes: the first items are its items; a class counts with all its bytes."""
    items: tuple[Item, ...]
    """A class counts with the bytes that are none of its parts': the sizes of a class's items add up to its file's."""
    parts: tuple[tuple[int, int], ...]
    """For each class (item number) the first of its parts' item numbers, and the one behind the last."""
    facts: Mapping[str, ClassFacts]
    formula: Formula
    hierarchy: Hierarchy
    granularity: str
    validity: str
    known: ClassFileCache
    """Facts about the class files."""

    @property
    def full(self) -> ItemSet:
        return (1 << len(self.items)) - 1

    def kind_of(self, number: int) -> str:
        """Return the kind of an item in words, such as ``class`` or ``annotation``."""
        part = self.part_kinds[number]
        return part.value if part is not None else self.items[number].kind.value

    @cached_property
    def sizes(self) -> tuple[int, ...]:
        """Bytes of each item: of a part its bytes in the class file, of a class the rest (constants, tables)."""
        return tuple([item.bytes for item in self.items])

    @cached_property
    def part_kinds(self) -> tuple[PartKind | None, ...]:
        """Return the kind of part of each item; None for classes, resources and nested jars."""
        kinds: list[PartKind | None] = [None] * len(self.items)
        for number, (first, end) in enumerate(self.parts):
            if first < end:
                kinds[first:end] = [part.kind for part in self.facts[self.items[number].name].parts]
        return tuple(kinds)

    def kinds(self, kept: ItemSet) -> dict[str, int] | None:
        """Return the number of parts a kind in a sub-input; None if parts of some classes are no items."""
        if self.granularity != "full" or len(self.facts) < self.model.class_items.bit_count():
            return None
        flags = flags_of(kept, len(self.items)).tolist()
        return Counter(part.value for part in compress(self.part_kinds, flags) if part is not None)

    @cached_property
    def parents(self) -> list[int]:
        """For each item the item that holds it: of a part another part or its class; -1 for all others."""
        parents = [-1] * len(self.items)
        for number, (first, end) in enumerate(self.parts):
            if first < end:
                parts = self.facts[self.items[number].name].parts
                parents[first:end] = [number if part.parent < 0 else first + part.parent for part in parts]
        return parents

    @cached_property
    def owners(self) -> NDArray[np.int64]:
        """For each part its class; every other item is its own owner."""
        owners = np.arange(len(self.items))
        for number, (first, end) in enumerate(self.parts):
            owners[first:end] = number
        return owners

    @cached_property
    def logic(self) -> ModelLogic:
        """The formula as the algorithms see it."""
        return ModelLogic(self.formula)

    @cached_property
    def groups(self) -> list[tuple[str, ...]]:
        """For each item without a parent the packages or folders that it is in, outermost first; none for the parts."""
        outer = zip(self.items, self.parents, strict=True)
        return [tuple(item.name.split("/")[:-1]) if parent < 0 else () for item, parent in outer]

    @cached_property
    def explainer(self) -> Explainer:
        """The formula, ready for questions why."""
        return Explainer(self.formula)

    @cached_property
    def numbers(self) -> dict[str, int]:
        """Item numbers by name."""
        return {item.name: number for number, item in reversed(list(enumerate(self.items)))}

    @cached_property
    def _meanings(self) -> dict[int, str]:
        """Derived facts in words."""
        return {
            fact: f"{sub} is a subtype of {sup}"
            for (sub, sup), fact in self.hierarchy.subtypes()
            if fact >= len(self.items)
        }

    @cached_property
    def _writer(self) -> Writer:
        erases = erases_types(self.granularity, self.validity)
        questions = Questions(self.model.jar, self.model.items, self.hierarchy, erases=erases)
        return Writer(self.model, self.parts, self.facts, questions, self.known)

    def whole(self, number: int) -> list[int]:
        """Return an item with all its parts: a class with its members, a method with its code."""
        owner, below = self.owners[number], {number}
        for part in range(*self.parts[owner]) if owner < len(self.parts) else ():  # what holds a part stands before it
            if self.parents[part] in below:
                below.add(part)
        return sorted(below)

    def describe(self, variable: int) -> str:
        """Return the name of an item, or the meaning of a derived fact in words."""
        if variable < len(self.items):
            return self.items[variable].name
        if variable in self._meanings:
            return self._meanings[variable]
        edges = self.formula.edges
        return " and ".join(map(self.describe, edges[edges[:, 0] == variable, 1].tolist())) or "one of several"

    def least(self, wanted: Iterable[int], rank: Sequence[int] | None = None) -> ItemSet:
        """Return the least valid sub-input that holds ``wanted``. Of several choices the item with the lowest ``rank``
        is taken, by default the first item."""
        propagator = self.logic.ranked(range(len(self.items)) if rank is None else rank)
        return propagator.items(propagator.least(wanted))

    @property
    def unresolved(self) -> dict[str, str]:
        """Missing classes, each with a class that names it."""
        return self.hierarchy.unresolved

    def entries(self, kept: ItemSet, *, halts: bool = False) -> Entries:
        """Return the names and contents of the entries of a valid sub-input, in input order: see :class:`Writer`."""
        return self._writer.entries(kept, halts=halts)

    def preparation(self) -> Iterator[bool]:
        """Prepare, step by step, for searches and the first sub-inputs. A step takes some milliseconds; of 40,000 items
        a tenth of a second."""
        yield from self.logic.preparation(self.sizes)
        yield from self._writer.preparation()
