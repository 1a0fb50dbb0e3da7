"""Candidates with edits of one kind on the whole program."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property

from core.archive.entry_names import place_of, placed, split_input
from core.archive.jar import Jar
from core.archive.manifest import classes_of_service
from core.archive.selection import without_signatures
from core.classfile.format_error import ClassFormatError
from core.classfile.symbolic.symbolic_class import SymbolicClass, read
from core.edits.programs.program import Library, ProgramEdit, RewritingKind, WholeProgram
from core.entries import Entries
from core.reduction.elements import Elements, Pins, no_pins
from core.renaming import NOTHING_RENAMED, Renaming
from core.search.spaces import SearchProblem
from core.sets import ItemSet, members, union

_SUFFIX = ".class"


class _WholeError(Exception):
    """An error: the classes of a jar cannot be rewritten as a whole; its text says why."""


class RewriteElements(Elements):
    """Edits of one kind: a kept element is an edit that is not made."""

    def __init__(
        self,
        kind: RewritingKind,
        jar: Jar,
        numbers: Mapping[str, int],
        library: Library,
        pinned: Pins = no_pins,
        renaming: Renaming = NOTHING_RENAMED,
    ) -> None:
        self.kind = kind
        self._jar = jar
        self.obstacle = ""
        """Reason that the classes cannot be rewritten as a whole, in words; empty if they can."""
        try:
            self._program = _program(jar, library, renaming, kind)
        except _WholeError as error:
            self._program, self.obstacle = WholeProgram((), library, renaming), str(error)
        found = kind.find(self._program) if self._program.classes else ()
        self.edits: list[ProgramEdit] = [edit for edit in found if not any(map(pinned, edit.touches))]
        super().__init__(len(self.edits))
        self.renaming = renaming
        self._numbers = numbers
        self._last: tuple[ItemSet, WholeProgram] = (self.full, self._program)

    @cached_property
    def problem(self) -> SearchProblem:
        if not self.kind.weighs:
            return SearchProblem(self.count, [1] * self.count, write=self.bytes_of)
        whole = self.bytes_of(self.full)
        saved = [whole - self.bytes_of(self.full & ~(1 << number)) for number in range(self.count)]
        names = list(map(self._name, self.edits)).__getitem__
        return SearchProblem(self.count, [max(1, each) for each in saved], write=self.bytes_of, names=names)

    def _name(self, edit: ProgramEdit) -> str:
        """Return a name of an edit that depends on the program's classes."""
        return f"{self.kind.name} {edit.what!r} {self._class_names}"

    @cached_property
    def _class_names(self) -> str:
        return " ".join(sorted(tree.name for tree in self._program.classes))

    def classes_of(self, kept: ItemSet) -> int:
        return sum(name.endswith(_SUFFIX) for name, _ in self.entries(kept))

    def shown(self, kept: ItemSet) -> ItemSet:
        return union(1 << self._numbers[name] for name, _ in self.entries(kept) if name in self._numbers)

    def named(self, items: ItemSet) -> list[str]:
        return list(dict.fromkeys(name for number in members(items) for name in self.edits[number].touches))

    def bytes_of(self, kept: ItemSet) -> int:
        size = super().bytes_of(kept)
        return min(size, super().bytes_of(self.full)) if self.kind.may_grow else size

    def renaming_after(self, kept: ItemSet) -> Renaming:
        told = [self.kind.told or self.edits[number].says for number in members(self.full & ~kept)]
        edits = (*self.renaming.edits, *dict.fromkeys(filter(None, told)))
        return replace(self._made(kept).renaming, edits=edits)

    def _write(self, kept: ItemSet) -> Entries:
        program = self._made(kept)
        if program is self._program:
            return self._jar.contents
        before = self._program.classes
        known = {id(tree) for tree in before}
        # classes keep their order, renamed ones too; if classes are gone, the others keep their names
        trees = before if len(program.classes) == len(before) else program.classes
        new = {old.name: tree for old, tree in zip(trees, program.classes, strict=True)}
        pairs = zip(self._program.versioned, program.versioned, strict=True)
        new |= {placed(number, old.name): tree for (number, old), (_, tree) in pairs}
        known |= {id(tree) for _, tree in self._program.versioned}
        resources = iter(program.resources)
        entries: list[tuple[str, bytes]] = []
        for entry in self._jar.entries:
            beginning, own = split_input(entry.name)
            tree = new.get(own.removesuffix(_SUFFIX))
            if not own.endswith(_SUFFIX):
                entries += [(f"{beginning}{left[0]}", left[1]) for left in filter(None, [next(resources)])]
            elif tree is not None:
                name = placed(place_of(own)[0], f"{tree.name}{_SUFFIX}")
                entries.append((f"{beginning}{name}", entry.data if id(tree) in known else tree.written()))
        return without_signatures(self._jar, entries)

    def _made(self, kept: ItemSet) -> WholeProgram:
        """Return the program after the edits that are not kept; the last one is remembered."""
        if self._last[0] != kept:
            made = [self.edits[number] for number in members(self.full & ~kept)]
            self._last = kept, self.kind.make(self._program, made) if made else self._program
        return self._last[1]


def _program(jar: Jar, library: Library, renaming: Renaming, kind: RewritingKind) -> WholeProgram:
    """Return the classes of a jar. Raise :class:`_WholeError` if edits of the whole program are not possible.

    They are not if a class cannot be read (it may name anything), or stands at another place than its name tells.
    """
    places = list(jar.classes())
    if sum(len(jar.entries[place].data) for place in places) > kind.most:
        raise _WholeError(f"they have more than {kind.most:,} bytes (first reduce the jar)")
    trees: list[tuple[int, SymbolicClass]] = []
    own = [split_input(entry.name)[1] for entry in jar.entries]
    if len({own[place] for place in places}) < len(places):
        raise _WholeError("a class stands in two jars")
    for place in places:
        path = own[place]
        try:
            tree = read(jar.entries[place].data)
        except ClassFormatError:
            raise _WholeError(f"{path} cannot be read") from None
        version, name = place_of(path)
        if name != f"{tree.name}{_SUFFIX}":
            raise _WholeError(f"{path} has a class of another name")
        if version and not kind.copies:
            raise _WholeError(f"{path} is a copy for a later Java version")
        trees.append((version, tree))
    named = [classes_of_service(name, entry.data) for name, entry in zip(own, jar.entries, strict=True)]
    resources = tuple(
        (name, entry.data) for name, entry in zip(own, jar.entries, strict=True) if not name.endswith(_SUFFIX)
    )
    classes = tuple(tree for version, tree in trees if not version)
    versioned = tuple(each for each in trees if each[0])
    return WholeProgram(classes, library, renaming, frozenset().union(*named), resources, versioned)
