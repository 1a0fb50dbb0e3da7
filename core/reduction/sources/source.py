"""What a source of candidates is: numbered elements of an input, and the sub-inputs that hold some of them.

A source numbers what may go, and writes any choice of what stays. The reduction passes from one source
to a finer one: the best so far of one phase is the input of the next.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence

from core.archive.entry_names import kind_of
from core.archive.jar import Entry, EntryKind, Jar
from core.entries import Entries
from core.model.class_model import ClassModel
from core.search.spaces.class_spaces import SearchProblem
from core.sets import ItemSet, union

Pins = Callable[[str], bool]
"""Whether the item of that name (``a/b/C.m:()V``) is to be kept."""

_REMEMBERED = 32
"""Candidates whose entries are at hand: each is asked for its key and size, and prepared when a worker is free."""


def no_pins(name: str) -> bool:
    """Nothing is to be kept."""
    return False


class Source(ABC):
    """Numbered elements of an input, and the sub-inputs that hold some of them. Not for several threads at a time."""

    def __init__(self, count: int) -> None:
        self.count = count
        self._recent: OrderedDict[ItemSet, Entries] = OrderedDict()

    @property
    def full(self) -> ItemSet:
        """All that there is."""
        return (1 << self.count) - 1

    @property
    @abstractmethod
    def problem(self) -> SearchProblem:
        """The same as the algorithms see it."""

    def entries(self, kept: ItemSet) -> Entries:
        """Names and contents of the entries to write; those of the last candidates are remembered."""
        found = self._recent.get(kept)
        if found is None:
            if len(self._recent) >= _REMEMBERED:
                self._recent.popitem(last=False)
            found = self._recent[kept] = self._write(kept)
        return found

    @abstractmethod
    def _write(self, kept: ItemSet) -> Entries:
        """Makes the entries."""

    @abstractmethod
    def classes_of(self, kept: ItemSet) -> int:
        """Number of classes kept."""

    def bytes_of(self, kept: ItemSet) -> int:
        """Unpacked bytes of the classes, resources and nested jars that would be written."""
        return content_bytes(self.entries(kept))

    @abstractmethod
    def shown(self, kept: ItemSet) -> ItemSet:
        """The class-level items of the original input that are kept, whole or in part."""

    @abstractmethod
    def named(self, items: ItemSet) -> list[str]:
        """The names of some elements (``a/b/C.m:()V``); of an edit, the code that it changes."""


def places_of(model: ClassModel, numbers: Mapping[str, int]) -> list[ItemSet]:
    """For each class-level item the one of the original input that it comes from, as a set."""
    places = [numbers.get(model.jar.entries[item.entry].name, -1) for item in model.items]
    return [1 << place if place >= 0 else 0 for place in places]


def shown_items(kept: ItemSet, places: Sequence[ItemSet]) -> ItemSet:
    """The items of the original input that these come from; ``places`` as :func:`places_of` gives them."""
    return union(place for number, place in enumerate(places) if kept >> number & 1)


def content_bytes(entries: Entries) -> int:
    """Unpacked bytes of what counts: classes, resources and nested jars."""
    uncounted = (EntryKind.DIRECTORY, EntryKind.SIGNATURE)
    return sum(len(data) for name, data in entries if kind_of(name) not in uncounted)


def jar_of(entries: Entries, origin: Jar) -> Jar:
    """A jar in memory with these entries, of the same sources as ``origin``; that itself if nothing is changed."""
    if len(entries) == len(origin.entries) and all(
        data is entry.data for (_, data), entry in zip(entries, origin.entries, strict=True)
    ):
        return origin
    return Jar(origin.sources, origin.title, tuple(Entry(name, data, kind_of(name)) for name, data in entries))


def entry_numbers(model: ClassModel) -> dict[str, int]:
    """Item numbers of an input by the names of the entries."""
    return {model.jar.entries[item.entry].name: number for number, item in enumerate(model.items)}
