"""Candidates without some parameters of methods."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from core.archive.entry_names import kind_of
from core.archive.jar import EntryKind, Jar
from core.classfile.class_file import ClassFile, parse
from core.classfile.format_error import ClassFormatError
from core.entries import Entries
from core.reduction.sources.source import Pins, Source, no_pins
from core.rewrite.parameters.dropping import shorter, without_parameters
from core.rewrite.parameters.families import Library, Reference
from core.rewrite.parameters.unread import UnreadParameter, droppable
from core.search.spaces.class_spaces import SearchProblem
from core.sets import ItemSet, members

_MOST_CLASS_BYTES = 300_000
"""Most bytes of classes in which parameters are looked for. In larger inputs parameters are not worth the time.
See decisions/021-parameters.md."""


class ParameterSource(Source):
    """Parameters that no method reads. A parameter that is not kept is removed from its methods and from all calls of
    them. Methods that are pinned stay as they are, together with all methods of their names."""

    def __init__(self, jar: Jar, numbers: Mapping[str, int], library: Library, pinned: Pins = no_pins) -> None:
        self._jar = jar
        self._places = list(jar.classes())
        self._parameters = [each for each in _found(jar, self._places, library) if not _is_pinned(each, pinned)]
        super().__init__(len(self._parameters))
        self._shown = sum(1 << numbers[entry.name] for entry in jar.entries if entry.name in numbers)

    @cached_property
    def problem(self) -> SearchProblem:
        return SearchProblem(self.count, [1] * self.count, write=self.bytes_of)

    def classes_of(self, kept: ItemSet) -> int:
        return len(self._places)

    def shown(self, kept: ItemSet) -> ItemSet:
        return self._shown

    def named(self, items: ItemSet) -> list[str]:
        found: dict[str, None] = {}
        for number in members(items):
            each = self._parameters[number]
            found |= dict.fromkeys(f"{owner}.{each.name}:{each.descriptor}" for owner in sorted(each.owners))
        return list(found)

    def renamed(self, kept: ItemSet) -> dict[str, str]:
        """Return the new names of the methods whose descriptors change, by their old names."""
        names = ((called, shorter(called[2], places)) for called, places in self._gone(kept).items())
        return {f"{owner}.{name}:{before}": f"{owner}.{name}:{after}" for (owner, name, before), after in names}

    def _write(self, kept: ItemSet) -> Entries:
        gone = self._gone(kept)
        entries = [(entry.name, entry.data) for entry in self._jar.entries]
        for place in self._places if gone else ():
            entries[place] = (
                entries[place][0],
                without_parameters(entries[place][1], lambda called: gone.get(called, ())),
            )
        # a signature file vouches for nothing once a class is changed
        return [entry for entry in entries if kind_of(entry[0]) is not EntryKind.SIGNATURE]

    def _gone(self, kept: ItemSet) -> dict[Reference, set[int]]:
        """Return the parameters that are not kept, by method."""
        gone: dict[Reference, set[int]] = {}
        for number in members(self.full & ~kept):
            each = self._parameters[number]
            for owner in each.owners:
                gone.setdefault((owner, each.name, each.descriptor), set()).add(each.place)
        return gone


def _found(jar: Jar, places: list[int], library: Library) -> list[UnreadParameter]:
    if sum(len(jar.entries[place].data) for place in places) > _MOST_CLASS_BYTES:
        return []
    classes: list[ClassFile] = []
    try:
        classes = [parse(jar.entries[place].data) for place in places]
        return droppable(classes, library)
    except ClassFormatError:
        return []  # a class that nobody can read may call anything


def _is_pinned(each: UnreadParameter, pinned: Pins) -> bool:
    names = [f"{owner}.{each.name}:{each.descriptor}" for owner in each.owners]
    return any(pinned(name) or pinned(f"{name}!code") for name in names)
