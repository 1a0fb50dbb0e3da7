"""Candidates with edited method bodies."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cached_property
from itertools import groupby

from core.archive.jar import Jar
from core.archive.selection import without_signatures
from core.classfile.class_file import parse
from core.classfile.format_error import ClassFormatError
from core.code.edit import Edit, EditKind
from core.edits.bodies.editor import Editor
from core.entries import Entries
from core.evidence.dead import DeadCode
from core.reduction.elements import Elements, Pins, no_pins
from core.search.questions import Candidate
from core.search.spaces import SearchProblem
from core.sets import ItemSet, mask_of, members

_MOST_EFFECTS = 3000
"""Most edits that are each tried out to know their effects. More would take longer than the knowledge saves.
See decisions/020-edits-of-bodies.md."""

_KINDS = {kind: number for number, kind in enumerate(EditKind)}

_OFFSETS = re.compile(r"\boffset \d+( to \d+)?")
_LASTING = frozenset(
    (
        EditKind.CUT,
        EditKind.FALL,
        EditKind.JUMP,
        EditKind.ARM,
        EditKind.CASE,
        EditKind.HANDLER,
        EditKind.NAME,
    )
)
"""Kinds of edits that change names or the flow of control. A failed edit of these kinds hardly ever succeeds after
other edits. For other kinds that depends on the remaining uses of a value."""
_MOST_PAIRS = 1_000_000
"""Most pairs of edits in two versions of a method. With more pairs no edit is recognised in the later version.
See decisions/020-edits-of-bodies.md."""


@dataclass(frozen=True)
class MethodNames:
    """The edits of one version of a method: kind and effect of each, wherever it stands, and the name of each."""

    kinds: tuple[EditKind, ...]
    does: tuple[str, ...]
    names: tuple[str, ...]

    @classmethod
    def of(cls, method: str, number: int, edits: Sequence[Edit], earlier: MethodNames | None) -> MethodNames:
        """Return the edits of the method with that name and checksum. An edit keeps its name of the ``earlier``
        version if both versions have edits of the same kinds. Else a lasting edit keeps its name."""
        kinds = tuple(edit.kind for edit in edits)
        does = tuple(f"{edit.kind.name} {_OFFSETS.sub('', edit.description)}" for edit in edits)
        if earlier is not None and earlier.kinds == kinds:
            return cls(kinds, does, earlier.names)
        names = [f"{method}#{number:x}!{edit.kind.name}@{edit.offset}.{edit.index}" for edit in edits]
        if earlier is not None and len(does) * len(earlier.does) <= _MOST_PAIRS:
            for before, now, count in SequenceMatcher(None, earlier.does, does, autojunk=False).get_matching_blocks():
                for place in range(count):
                    if edits[now + place].kind in _LASTING:
                        names[now + place] = earlier.names[before + place]
        return cls(kinds, does, tuple(names))


class EditElements(Elements):
    """Edits of method bodies: a kept element is original code, a dropped one is an edit.

    Class files that cannot be edited, and pinned methods, are unchanged in every candidate. Knowledge about classes
    that are unchanged since ``earlier`` is used again. ``dead`` is the code that may be cut in a program that must
    still run: the virtual machine ends there. None: all edits may be made.
    """

    def __init__(
        self,
        jar: Jar,
        numbers: Mapping[str, int],
        pinned: Pins = no_pins,
        earlier: EditElements | None = None,
        dead: DeadCode | None = None,
    ) -> None:
        self._jar = jar
        known = {} if earlier is None else earlier._editor_of
        self._editor_of: dict[bytes, Editor] = {}
        self._editors: list[tuple[int, int, int, Editor]] = []
        self._edits: list[Edit] = []
        self._chains: list[Candidate] = []
        self._alternatives: list[Candidate] = []
        self._required: ItemSet = 0
        for place in jar.classes():
            try:
                data = jar.entries[place].data
                if dead is not None and parse(data).name not in dead.classes:
                    continue
                editor = self._editor_of[data] = known.get(data) or Editor(data, halts=dead is not None)
                edits = editor.edits
            except ClassFormatError:
                continue
            first = len(self._edits)
            if edits:
                required = _pinned(editor, pinned)
                if dead is not None:
                    required = (1 << len(edits)) - 1 & ~mask_of(dead.ends(data, list(edits)), len(edits))
                self._required |= required << first
                self._edits += edits
                self._editors.append((place, first, len(self._edits), editor))
                self._chains += _rows(edits, first, EditKind.CUT, lambda edit: edit.method)
                self._alternatives += _rows(edits, first, EditKind.CASE, lambda edit: (edit.method, edit.offset))
        super().__init__(len(self._edits))
        self._versions: dict[str, MethodNames] = {} if earlier is None else dict(earlier._named_versions)
        self._classes = len(jar.classes())
        self._shown = sum(1 << numbers[entry.name] for entry in jar.entries if entry.name in numbers)

    @cached_property
    def problem(self) -> SearchProblem:
        free = [tuple(edit for edit in chain if not self._required >> edit & 1) for chain in self._chains]
        groups = [
            (str(place), str(edit.method)) for place, first, end, _ in self._editors for edit in self._edits[first:end]
        ]
        return SearchProblem(
            self.count,
            self._weights(),
            required=self._required,
            groups=groups,
            chains=[chain for chain in free if chain],
            alternatives=self._alternatives,
            kinds=[_KINDS[edit.kind] for edit in self._edits],
            names=self._names.__getitem__,
            write=self.bytes_of,
        )

    def _weights(self) -> list[int]:
        """Return for each edit the bytes of its class that the edit saves.

        Bytes lost by other classes do not count: else every edit that removes a needed call would be heavy, and one
        after another would be tried in vain.
        """
        if self.count > _MOST_EFFECTS:
            return [
                max(1, round(edit.saved * editor.share))
                for _, first, end, editor in self._editors
                for edit in self._edits[first:end]
            ]
        return [
            max(1, editor.saved(number)) for _, first, end, editor in self._editors for number in range(end - first)
        ]

    @property
    def _named_versions(self) -> dict[str, MethodNames]:
        """Return the last version of each method that has had edits, here or earlier, by the method's name."""
        assert len(self._names) == self.count
        return self._versions

    @cached_property
    def _names(self) -> list[str]:
        names: list[str] = []
        there = {editor.name(edit.method) for *_, editor in self._editors for edit in editor.edits}
        members_there = set(map(_member, there))
        # a method has another descriptor once a parameter or a class in it has gone, and other names in another class
        gone = {_member(name): name for name in self._versions if name not in there}
        moved = {self._versions[name].kinds: name for member, name in gone.items() if member not in members_there}
        for _, first, end, editor in self._editors:
            for number, grouped in groupby(self._edits[first:end], key=lambda edit: edit.method):
                name, edits = editor.name(number), list(grouped)
                old = name
                if name not in self._versions:
                    old = gone.pop(_member(name), "") or moved.pop(tuple(edit.kind for edit in edits), "")
                before = self._versions.pop(old, None)
                known = self._versions[name] = MethodNames.of(name, editor.checksum(number), edits, before)
                names += known.names
        return names

    def edits(self) -> Iterator[tuple[bytes, int, Sequence[Edit]]]:
        """Yield each class file with edits: its bytes, the number of its first edit, and its edits."""
        for place, first, end, _ in self._editors:
            yield self._jar.entries[place].data, first, self._edits[first:end]

    def classes_of(self, kept: ItemSet) -> int:
        return self._classes

    def shown(self, kept: ItemSet) -> ItemSet:
        return self._shown

    def title(self, number: int) -> str:
        return f"{super().title(number)}: {self._edits[number].description}"

    def named(self, items: ItemSet) -> list[str]:
        found: dict[str, None] = {}
        for _, first, end, editor in self._editors:
            cut = (items >> first) & ((1 << (end - first)) - 1)
            found |= dict.fromkeys(f"{editor.name(self._edits[first + each].method)}!code" for each in members(cut))
        return list(found)

    def _write(self, kept: ItemSet) -> Entries:
        entries = list(self._jar.contents)
        for place, first, end, editor in self._editors:
            made = ~(kept >> first) & ((1 << (end - first)) - 1)
            if made:
                entries[place] = (entries[place][0], editor.write(members(made)))
        return without_signatures(self._jar, entries)


def _member(name: str) -> str:
    """Return the name of a method without its descriptor."""
    return name.partition(":")[0]


def _pinned(editor: Editor, pinned: Pins) -> ItemSet:
    """Return the edits of pinned methods, by their numbers."""
    names = {edit.method: editor.name(edit.method) for edit in editor.edits}
    methods = {number for number, name in names.items() if pinned(name) or pinned(f"{name}!code")}
    return sum(1 << number for number, edit in enumerate(editor.edits) if edit.method in methods)


def _rows(edits: Sequence[Edit], first: int, kind: EditKind, place: Callable[[Edit], Hashable]) -> list[Candidate]:
    """Return the edits of one kind, in one row for each place, in their order, as element numbers from ``first`` on."""
    rows: dict[Hashable, list[int]] = {}
    for number, edit in enumerate(edits, first):
        if edit.kind is kind:
            rows.setdefault(place(edit), []).append(number)
    return [tuple(row) for row in rows.values()]
