"""A whole program as trees, the relations between its classes, and the declaration of kinds of edits on it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from operator import itemgetter
from typing import Any

from core.classfile.descriptors import Parameters, told_apart_by
from core.classfile.flags import INTERFACE
from core.classfile.format_error import ClassFormatError
from core.classfile.pool import CLASS, UTF8
from core.classfile.signatures import class_names, erasable
from core.classfile.symbolic.symbol_pool import Reference
from core.classfile.symbolic.symbolic_class import MemberTree, SymbolicClass
from core.code.body_layout import TooLongError
from core.library.skim import LibraryClass
from core.renaming import NOTHING_RENAMED, Renaming

Library = Callable[[str], LibraryClass | None]
"""Function that returns a class outside the program; None for an unknown class."""


MOST_CLASS_BYTES = 100_000
"""Most bytes of classes that are rewritten. Larger inputs become smaller by removal. See decisions/038-rewriting.md."""


CONSTRUCTOR, INITIALISER = "<init>", "<clinit>"
OBJECT = "java/lang/Object"
_ROWS = ("InnerClasses", "EnclosingMethod", "NestHost", "NestMembers", "PermittedSubclasses")
"""Attributes that make a class part of another one."""
_CLOSED = frozenset(("java/lang/Enum", "java/lang/Record"))
"""Superclasses of classes with a fixed set of members, expected by the virtual machine or a compiler."""
_MACHINES_OWN = frozenset((*_CLOSED, "java/lang/Throwable"))
"""Superclasses of special classes: constants, records, or classes in handlers and throws clauses."""


def parameters(method: MemberTree) -> Parameters:
    """Return the name of a method and the descriptors of its parameters."""
    return told_apart_by(*method.key)


@dataclass(frozen=True)
class WholeProgram:
    """The classes of an input in their order, each with a name of its own, and their supertypes and subclasses."""

    classes: tuple[SymbolicClass, ...]
    library: Library
    renaming: Renaming = NOTHING_RENAMED
    """The changes of names from the full input to this program."""
    fixed: frozenset[str] = frozenset()
    """Names of classes that resources name: these classes keep their names."""
    resources: tuple[tuple[str, bytes] | None, ...] = ()
    """Names and contents of all other entries; None for a removed entry."""
    versioned: tuple[tuple[int, SymbolicClass], ...] = ()
    """The copies of classes that a later Java version loads in a multi-release jar, each with this version."""

    @cached_property
    def by_name(self) -> Mapping[str, SymbolicClass]:
        """The classes by internal name."""
        return {tree.name: tree for tree in self.classes}

    @property
    def releases(self) -> Iterator[WholeProgram]:
        """The program as each Java version loads it for which there are copies, the oldest version first."""
        for version in sorted({number for number, _ in self.versioned}):
            copies = {
                tree.name: tree for number, tree in sorted(self.versioned, key=itemgetter(0)) if number <= version
            }
            yield replace(self, classes=tuple({**self.by_name, **copies}.values()), versioned=())

    @cached_property
    def files(self) -> tuple[bytes, ...]:
        """The class files of the classes, in their order."""
        return tuple([tree.written() for tree in self.classes])

    def mapped(self, change: Callable[[SymbolicClass], SymbolicClass]) -> WholeProgram:
        """Return the program with ``change`` made in every class; itself if a method would become too long."""
        try:
            return replace(self, classes=tuple(map(change, self.classes)))
        except TooLongError:
            return self

    def find(self, name: str) -> SymbolicClass | LibraryClass | None:
        """Return a class; None for an unknown one."""
        return self.by_name.get(name) or self.library(name)

    def declared(self, name: str) -> Mapping[tuple[str, str], int]:
        """Return the access flags of the methods that a class declares, by name and descriptor."""
        found = self.find(name)
        if isinstance(found, SymbolicClass):
            return {method.key: method.access for method in found.methods}
        return found.methods if found is not None else {}

    def fields(self, name: str) -> Collection[tuple[str, str]]:
        """Return the names and descriptors of the fields that a class declares."""
        found = self.find(name)
        if isinstance(found, SymbolicClass):
            return {member.key for member in found.fields}
        return found.fields if found is not None else ()

    def declaring(self, owner: str, name: str, descriptor: str) -> str:
        """Return the class that declares a field or method: the owner or a supertype, by default the owner."""
        key = name, descriptor
        classes = (owner, *self.supertypes(owner))
        return next((each for each in classes if key in self.declared(each) or key in self.fields(each)), owner)

    def superclasses(self, tree: SymbolicClass) -> Iterator[str]:
        """Yield the names of the superclasses, the nearest first, and an empty name for an unknown one."""
        name = tree.superclass or ""
        while True:
            yield name
            found = self.find(name)
            if found is None:
                yield ""
                return
            if found.superclass is None:
                return
            name = found.superclass

    def supertypes(self, name: str) -> list[str]:
        """Return all superclasses and interfaces of a class, superclasses first where they are as near."""
        found: dict[str, None] = {}
        left = [name]
        while left:
            known = self.find(left.pop(0))
            if known is not None:
                above = [each for each in (known.superclass, *known.interfaces) if each and each not in found]
                found.update(dict.fromkeys(above))
                left += above
        return list(found)

    def is_open(self, tree: SymbolicClass) -> bool:
        """Return True if all superclasses are known, and the class is no enum and no record."""
        above = list(self.superclasses(tree))
        return above[-1] == OBJECT and _CLOSED.isdisjoint(above)

    def is_plain(self, tree: SymbolicClass) -> bool:
        """Return True if all superclasses are known, and none of them is special to the virtual machine."""
        above = list(self.superclasses(tree))
        return above[-1] == OBJECT and _MACHINES_OWN.isdisjoint(above)

    def below(self, name: str) -> list[SymbolicClass]:
        """Return the classes of the program that directly extend or implement a class."""
        return self._below.get(name, [])

    def all_below(self, name: str) -> Iterator[SymbolicClass]:
        """Yield the classes of the program below a class, some perhaps again."""
        for tree in self.below(name):
            yield tree
            yield from self.all_below(tree.name)

    def interfaces(self, name: str) -> set[str]:
        """Return all interfaces of a class, those of its superclasses too, with an empty name for an unknown one."""
        found = set()
        for each in self.supertypes(name):
            known = self.find(each)
            if known is None:
                found.add("")
            elif known.access & INTERFACE:
                found.add(each)
        return found

    @cached_property
    def in_rows(self) -> set[str]:
        """The classes that rows of nested classes name."""
        return {
            symbol.text
            for tree in self.classes
            for attribute in tree.attributes
            if attribute.name in _ROWS
            for symbol in attribute.symbols
            if symbol.tag == CLASS
        }

    @cached_property
    def named_with_arguments(self) -> set[str]:
        """The classes that a signature names with type arguments, or as members of a generic class."""
        return {name for text, names in self._signatures(";") for name in names - erasable(text)}

    @cached_property
    def members_of_generic(self) -> set[str]:
        """The classes that a signature names as members of a type with arguments, and the classes around these."""
        members = {name for _, names in self._signatures(">.") for name in names if "$" in name}
        return members | {name.rpartition("$")[0] for name in members}

    def _signatures(self, mark: str) -> Iterator[tuple[str, set[str]]]:
        """Yield the texts with a mark that may be signatures, each with the classes that it names."""
        texts = {symbol.content[0] for tree in self.classes for symbol in tree.symbols if symbol.tag == UTF8}
        for text in map(str, texts):
            if mark in text:
                with suppress(ClassFormatError):
                    yield text, set(class_names(text))

    @cached_property
    def _below(self) -> dict[str, list[SymbolicClass]]:
        found: dict[str, list[SymbolicClass]] = {}
        for tree in self.classes:
            for name in dict.fromkeys((tree.superclass or "", *tree.interfaces)):
                found.setdefault(name, []).append(tree)
        return found


@dataclass(frozen=True, slots=True)
class ProgramEdit:
    """One change of a program. Any edits of one kind can be made together."""

    says: str
    """The change in words, for the user: "the class A.B is no longer nested"; empty for a change in no report."""
    touches: tuple[str, ...]
    """Names of the classes and members that change, as the model names items."""
    what: Any
    """The kind's own description of the change."""


@dataclass(frozen=True, slots=True)
class RewritingKind:
    """A kind of edits: which ones a program offers, and the program after some of these."""

    name: str
    offers: Callable[[WholeProgram], Iterable[ProgramEdit]]
    make: Callable[[WholeProgram, Sequence[ProgramEdit]], WholeProgram]
    most: int = MOST_CLASS_BYTES
    """Largest number of bytes of classes for which there are edits."""
    copies: bool = False
    """True if the edits also change the copies for later Java versions in a multi-release jar; else there are none."""
    weighs: bool = True
    """True if edits that save more bytes come first."""
    may_grow: bool = False
    """True if the search is for fewer elements: no candidate counts as larger than the input of the phase."""
    told: str = ""
    """Sentence for the report about all edits together; empty: each edit tells its own."""
    must_save: bool = False
    """True if there are edits only that each make the program smaller."""

    def find(self, program: WholeProgram) -> list[ProgramEdit]:
        """Return the edits that a program offers."""
        edits = self.offers(program)
        return [each for each in edits if not self.must_save or bytes_saved(program, self.make(program, [each])) > 0]


def kind(
    name: str, offers: Callable[[WholeProgram], Iterable[ProgramEdit]], **more: Any
) -> Callable[[Callable[[WholeProgram, Sequence[ProgramEdit]], WholeProgram]], RewritingKind]:
    """Return a decorator of the function that makes the edits of a kind. ``more``: other fields."""

    return lambda make: RewritingKind(name, offers, make, **more)


def bytes_saved(before: WholeProgram, after: WholeProgram) -> int:
    """Return the bytes by which a program with changes in some of the same classes is smaller."""
    pairs = zip(before.classes, before.files, after.classes, strict=True)
    return sum(len(data) - len(new.written()) for old, data, new in pairs if new is not old)


def shown(name: str) -> str:
    """Return an internal name as the user reads it."""
    return name.replace("/", ".")


def item_of(member: Reference) -> str:
    """Return the name of a member as the model names items."""
    owner, name, descriptor = member
    return f"{owner}.{name}:{descriptor}"


def package_of(name: str) -> str:
    """Return the internal name of the package of a class; empty for the unnamed package."""
    return name.rpartition("/")[0]
