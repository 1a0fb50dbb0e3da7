"""Where candidates come from: an input by classes, by the parts of its classes, or by edits of its method bodies.

A source numbers what may go, and writes any choice of what stays. The reduction passes from one source
to a finer one: the best so far of one phase is the input of the next.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Protocol

import core.rewrite.bodies as bodies
from core.archive.entry_names import kind_of
from core.archive.jar import Entry, EntryKind, Jar
from core.classfile.class_file import ClassFile, parse
from core.classfile.format_error import ClassFormatError
from core.model.class_model import ClassModel
from core.model.formula import Formula
from core.model.item_model import ItemModel
from core.model.model_logic import ModelLogic, lossy, requiring
from core.search.questions import Candidate
from core.search.spaces.class_spaces import Edges, ItemSet, SearchProblem, union
from core.search.spaces.item_spaces import members

Entries = Sequence[tuple[str, bytes]]
Pins = Callable[[str], bool]
"""Whether the item of that name (``a/b/C.m:()V``) is to be kept."""


def _nothing(name: str) -> bool:
    return False


class Source(Protocol):
    """Numbered elements of an input, and the sub-inputs that hold some of them."""

    count: int

    @property
    def full(self) -> ItemSet:
        """All that there is."""

    @property
    def problem(self) -> SearchProblem:
        """The same as the algorithms see it."""

    def entries(self, kept: ItemSet) -> Entries:
        """Names and contents of the entries to write."""

    def get_ready(self) -> bool:
        """Does a little of what writing needs (some milliseconds); False where all is done."""

    def expect(self, kept: ItemSet) -> None:
        """The next source may be of these. Returns at once."""

    def classes_of(self, kept: ItemSet) -> int:
        """Number of classes kept."""

    def bytes_of(self, kept: ItemSet) -> int:
        """Unpacked bytes of the classes, resources and nested jars that would be written."""

    def shown(self, kept: ItemSet) -> ItemSet:
        """The class-level items of the original input that are kept, whole or in part."""

    def named(self, items: ItemSet) -> list[str]:
        """The names of some elements (``a/b/C.m:()V``); of an edit, the code that it changes."""


class Finer(Protocol):
    """What makes the finer sources that come after the classes of an input."""

    def get_ready(self) -> bool:
        """Does a little of what they will need (some milliseconds); False where all is done."""

    def expect(self, entries: Entries) -> None:
        """The next one may be of these. Returns at once."""


class WholeSource:
    """Classes, resources and nested jars, each whole.

    ``numbers`` as for :class:`PartSource`; None: this is the input itself. ``finer`` is told what may come next.
    """

    def __init__(
        self,
        model: ClassModel,
        pinned: Pins = _nothing,
        numbers: Mapping[str, int] | None = None,
        finer: Finer | None = None,
    ) -> None:
        self.model = model
        self._pinned = pinned
        self._places = _places(model, numbers) if numbers is not None else None
        self._finer = finer
        self.count = len(model.items)
        self.full = model.full

    @cached_property
    def problem(self) -> SearchProblem:
        model = self.model
        pins = [model.closures[number] for number, item in enumerate(model.items) if self._pinned(item.name)]
        required = union([model.pinned, *pins])
        return SearchProblem(len(model.items), [item.bytes for item in model.items], model.closures, required)

    def entries(self, kept: ItemSet) -> Entries:
        return self.model.entries(kept)

    def get_ready(self) -> bool:
        return self._finer is not None and self._finer.get_ready()

    def expect(self, kept: ItemSet) -> None:
        if self._finer is not None:
            self._finer.expect(self.entries(kept))

    def classes_of(self, kept: ItemSet) -> int:
        return (kept & self.model.class_items).bit_count()

    def bytes_of(self, kept: ItemSet) -> int:
        return self.problem.bytes_of(kept)

    def shown(self, kept: ItemSet) -> ItemSet:
        return kept if self._places is None else _shown(kept, self._places)

    def named(self, items: ItemSet) -> list[str]:
        return [self.model.items[number].name for number in members(items)]


_REMEMBERED = 8
"""Candidates whose entries are at hand: a probe asks for key, size and contents one after another."""


class _Written:
    """What sources share that must write a candidate to know its size."""

    count: int

    def __init__(self, jar: Jar) -> None:
        self._jar = jar
        self._recent: OrderedDict[ItemSet, Entries] = OrderedDict()

    @property
    def full(self) -> ItemSet:
        return (1 << self.count) - 1

    def entries(self, kept: ItemSet) -> Entries:
        found = self._recent.get(kept)
        if found is None:
            found = self._recent[kept] = self._write(kept)
            if len(self._recent) > _REMEMBERED:
                self._recent.popitem(last=False)
        return found

    def bytes_of(self, kept: ItemSet) -> int:
        return content_bytes(self.entries(kept))

    def get_ready(self) -> bool:
        return False

    def expect(self, kept: ItemSet) -> None:
        """Whatever comes next is small: nothing is done for it."""

    def _write(self, kept: ItemSet) -> Entries:
        raise NotImplementedError


class PartSource(_Written):
    """Classes and the parts of classes. ``numbers`` are the item numbers of the original input by entry name;
    what ``pinned`` says of an item's name is kept in every sub-input."""

    def __init__(self, detailed: ItemModel, numbers: Mapping[str, int], pinned: Pins = _nothing) -> None:
        super().__init__(detailed.model.jar)
        self.detailed = detailed
        self.count = len(detailed.items)
        self._pinned = pinned
        self._places = _places(detailed.model, numbers)

    @cached_property
    def problem(self) -> SearchProblem:
        detailed = self.detailed
        logic = detailed.logic if self._formula is detailed.formula else ModelLogic(self._formula)
        return SearchProblem(
            self.count,
            detailed.sizes,
            required=logic.least(),
            logic=logic,
            parents=detailed.parents,
            groups=detailed.groups,
            cut_down=self._cut_down,
        )

    @cached_property
    def _formula(self) -> Formula:
        """The model's formula, in which the pins are required."""
        pins = [number for number, item in enumerate(self.detailed.items) if self._pinned(item.name)]
        return requiring(self.detailed.formula, pins) if pins else self.detailed.formula

    def _cut_down(self, last: bool) -> Edges:
        formula = lossy(self._formula, last=last)
        return Edges(formula.variables, formula.edges, formula.conclusions.tolist())

    def classes_of(self, kept: ItemSet) -> int:
        return (kept & self.detailed.model.class_items).bit_count()

    def shown(self, kept: ItemSet) -> ItemSet:
        return _shown(kept, self._places)

    def named(self, items: ItemSet) -> list[str]:
        return [self.detailed.items[number].name for number in members(items)]

    def get_ready(self) -> bool:
        return self.detailed.get_ready()

    def _write(self, kept: ItemSet) -> Entries:
        return self.detailed.entries(kept)


class EditSource(_Written):
    """Edits of method bodies: what is *kept* is the code as it was, what is not kept is edited.

    Class files that cannot be edited, and methods that ``pinned`` says to keep, are in every candidate as they are.
    """

    def __init__(self, jar: Jar, numbers: Mapping[str, int], pinned: Pins = _nothing) -> None:
        super().__init__(jar)
        self._editors: list[tuple[int, int, int, bodies.Editor]] = []
        self._edits: list[bodies.Edit] = []
        self._chains: list[Candidate] = []
        self._required: ItemSet = 0
        for place in jar.classes():
            try:
                cf = parse(jar.entries[place].data)
                editor = bodies.Editor(cf)
                edits = editor.edits
            except ClassFormatError:
                continue
            if edits:
                first = len(self._edits)
                self._required |= _pinned(cf, edits, pinned) << first
                self._edits += edits
                self._editors.append((place, first, len(self._edits), editor))
                self._chains += _cuts(edits, first)
        self.count = len(self._edits)
        self._classes = len(jar.classes())
        self._shown = sum(1 << numbers[entry.name] for entry in jar.entries if entry.name in numbers)

    @cached_property
    def problem(self) -> SearchProblem:
        free = [tuple(edit for edit in chain if not self._required >> edit & 1) for chain in self._chains]
        sizes = [max(1, edit.saved) for edit in self._edits]
        return SearchProblem(self.count, sizes, required=self._required, chains=[chain for chain in free if chain])

    def classes_of(self, kept: ItemSet) -> int:
        return self._classes

    def shown(self, kept: ItemSet) -> ItemSet:
        return self._shown

    def named(self, items: ItemSet) -> list[str]:
        found: dict[str, None] = {}
        for place, first, end, _ in self._editors:
            cut = (items >> first) & ((1 << (end - first)) - 1)
            if cut:
                cf = parse(self._jar.entries[place].data)
                methods = list(cf.methods)
                for number in members(cut):
                    method = methods[self._edits[first + number].method]
                    found[f"{cf.name}.{method.name_text}:{method.descriptor_text}!code"] = None
        return list(found)

    def _write(self, kept: ItemSet) -> Entries:
        entries = [(entry.name, entry.data) for entry in self._jar.entries]
        for place, first, end, editor in self._editors:
            made = ~(kept >> first) & ((1 << (end - first)) - 1)
            if made:
                entries[place] = (entries[place][0], editor.write(made))
        # a signature file vouches for nothing once a class is changed
        return [entry for entry in entries if kind_of(entry[0]) is not EntryKind.SIGNATURE]


def _pinned(cf: ClassFile, edits: Sequence[bodies.Edit], pinned: Pins) -> ItemSet:
    """The edits of methods whose code is to be kept, by their numbers in ``edits``."""
    names = [f"{cf.name}.{method.name_text}:{method.descriptor_text}" for method in cf.methods]
    methods = {number for number, name in enumerate(names) if pinned(name) or pinned(f"{name}!code")}
    return sum(1 << number for number, edit in enumerate(edits) if edit.method in methods)


def _cuts(edits: Sequence[bodies.Edit], first: int) -> list[Candidate]:
    """The cuts of each method by rising offset, as element numbers."""
    chains: dict[int, list[int]] = {}
    for number, edit in enumerate(edits, first):
        if edit.kind is bodies.EditKind.CUT:
            chains.setdefault(edit.method, []).append(number)
    return [tuple(chain) for chain in chains.values()]


def _places(model: ClassModel, numbers: Mapping[str, int]) -> list[ItemSet]:
    """For each class-level item the one of the original input that it comes from, as a set."""
    places = [numbers.get(model.jar.entries[item.entry].name, -1) for item in model.items]
    return [1 << place if place >= 0 else 0 for place in places]


def _shown(kept: ItemSet, places: Sequence[ItemSet]) -> ItemSet:
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
