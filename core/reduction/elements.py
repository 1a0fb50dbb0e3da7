"""Numbered elements of an input, and the sub-inputs with some of them.

The elements that a sub-input keeps are one set; any set can be written as entries. A reduction goes from coarse
elements to finer ones: the best of one phase is the input of the next.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property

from core.archive.entry_names import kind_of, opened_jar
from core.archive.jar import Entry, EntryKind, Jar
from core.entries import Entries, RewrittenEntries, of_jar
from core.model.class_model import ClassModel
from core.model.formula import Formula
from core.model.item_model import ItemModel
from core.model.model_logic import ModelLogic, lossy, requiring
from core.protocol.java_names import item_title
from core.renaming import NOTHING_RENAMED, Renaming
from core.search.spaces import LARGE_INPUT, Edges, SearchProblem
from core.sets import ItemSet, members, union

Pins = Callable[[str], bool]
"""Function that returns True if the item with a name (``a/b/C.m:()V``) must be kept."""

_REMEMBERED = 32
"""Number of candidates whose entries are remembered: the key and the size of each are asked for, and later the
candidate is packed for a worker. See decisions/030-prepared-while-probes-run.md."""


def no_pins(name: str) -> bool:
    """Return False: no item must be kept."""
    return False


class Elements(ABC):
    """Numbered elements of an input, and the sub-inputs with some of them. Used by one thread at a time."""

    def __init__(self, count: int) -> None:
        self.count = count
        self.renaming = NOTHING_RENAMED
        """The changes of names from the full input to this input."""
        self.beside: Entries = ()
        """The text files beside the jar of each candidate."""
        self._recent: OrderedDict[ItemSet, Entries] = OrderedDict()

    @property
    def full(self) -> ItemSet:
        """The set of all elements."""
        return (1 << self.count) - 1

    @property
    @abstractmethod
    def problem(self) -> SearchProblem:
        """The elements as algorithms see them."""

    def entries(self, kept: ItemSet) -> Entries:
        """Return names and contents of the entries to write. The entries of the last candidates are remembered."""
        found = self._recent.get(kept)
        if found is None:
            if len(self._recent) >= _REMEMBERED:
                self._recent.popitem(last=False)
            found = [*self._write(kept), *self.beside] if self.beside else self._write(kept)
            renaming = self.renaming_after(kept)
            if renaming.edits:
                found = RewrittenEntries(found, renaming)
            self._recent[kept] = found
        return found

    def renaming_after(self, kept: ItemSet) -> Renaming:
        """Return the changes of names from the full input to a sub-input."""
        return self.renaming

    @abstractmethod
    def _write(self, kept: ItemSet) -> Entries:
        """Make the entries."""

    @abstractmethod
    def classes_of(self, kept: ItemSet) -> int:
        """Return the number of classes kept."""

    def bytes_of(self, kept: ItemSet) -> int:
        """Return the unpacked bytes of the classes, resources and nested jars that are kept."""
        return content_bytes(self.entries(kept))

    @abstractmethod
    def shown(self, kept: ItemSet) -> ItemSet:
        """Return the class-level items of the original input that are kept, whole or in part."""

    @abstractmethod
    def named(self, items: ItemSet) -> list[str]:
        """Return the names of some elements (``a/b/C.m:()V``); for an edit, the name of the code that it changes."""

    def title(self, number: int) -> str:
        """Return an element in words, as a reader of a report wants it."""
        return ", ".join(map(item_title, self.named(1 << number)))


def places_of(model: ClassModel, numbers: Mapping[str, int]) -> list[ItemSet]:
    """Return for each class-level item the item of the original input from which it comes, as a set."""
    places = [numbers.get(model.jar.entries[item.entry].name, -1) for item in model.items]
    return [1 << place if place >= 0 else 0 for place in places]


def shown_items(kept: ItemSet, places: Sequence[ItemSet]) -> ItemSet:
    """Return the items of the original input from which ``kept`` come. ``places``: the result of :func:`places_of`."""
    return union(place for number, place in enumerate(places) if kept >> number & 1)


def content_bytes(entries: Entries) -> int:
    """Return the unpacked bytes of classes, resources and nested jars."""
    uncounted = (EntryKind.DIRECTORY, EntryKind.SIGNATURE)
    return sum(len(data) for name, data in entries if kind_of(name) not in uncounted)


def jar_of(entries: Entries, origin: Jar) -> Jar:
    """Return a jar in memory with these entries and the sources of ``origin``; ``origin`` itself if nothing is
    changed."""
    entries = of_jar(entries)
    if len(entries) == len(origin.entries) and all(
        data is entry.data for (_, data), entry in zip(entries, origin.entries, strict=True)
    ):
        return origin
    found = tuple(Entry(name, data, kind_of(name)) for name, data in entries)
    return Jar(origin.paths, origin.title, found, inputs=origin.inputs, words=origin.words)


def large(jar: Jar) -> bool:
    """Return True if models below the class must wait until a search of whole classes has made the jar smaller.

    The bound does not depend on the machine, so the search asks the same questions everywhere.
    """
    return len(jar.classes()) >= LARGE_INPUT


def entry_numbers(model: ClassModel) -> dict[str, int]:
    """Return the item numbers of an input by entry name."""
    return {model.jar.entries[item.entry].name: number for number, item in enumerate(model.items)}


class WholeElements(Elements):
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

    def pin(self, pinned: Pins) -> None:
        """Change the items that are in every sub-input."""
        self._pinned = pinned
        self.__dict__.pop("problem", None)

    @cached_property
    def problem(self) -> SearchProblem:
        model = self.model
        pins = [model.closures[number] for number, item in enumerate(model.items) if self._pinned(item.name)]
        required = union([model.pinned, *pins])
        jars = [(opened_jar(model.jar.entries[item.entry].name),) for item in model.items]
        sizes = [item.bytes for item in model.items]
        return SearchProblem(
            len(model.items),
            sizes,
            model.closures,
            lambda: model.surroundings,
            required,
            groups=jars,
            names=lambda number: model.items[number].name,
        )

    def classes_of(self, kept: ItemSet) -> int:
        return (kept & self.model.class_items).bit_count()

    def bytes_of(self, kept: ItemSet) -> int:
        return self.problem.bytes_of(kept) + content_bytes(self.beside)

    def shown(self, kept: ItemSet) -> ItemSet:
        return kept if self._places is None else shown_items(kept, self._places)

    def named(self, items: ItemSet) -> list[str]:
        return [self.model.items[number].name for number in members(items)]

    def _write(self, kept: ItemSet) -> Entries:
        return self.model.entries(kept)


class PartElements(Elements):
    """Classes and the parts of classes. ``numbers`` and ``pinned``: see
    :class:`~core.reduction.elements.WholeElements`. ``halts``: the virtual machine ends where code was removed."""

    def __init__(
        self, item_model: ItemModel, numbers: Mapping[str, int], pinned: Pins = no_pins, *, halts: bool = False
    ) -> None:
        super().__init__(len(item_model.items))
        self.item_model = item_model
        self._pinned, self._halts = pinned, halts
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
        return self.item_model.entries(kept, halts=self._halts)
