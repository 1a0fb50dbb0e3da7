"""The supertypes and subclasses of a program's classes, and the classes and methods around nested ones.

Attributes tell the declarations around a class: a name with a ``$`` tells nothing after an obfuscator, and other
compilers use such names for classes of their own.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from functools import cached_property

from core.classfile.descriptors import Parameters, told_apart_by
from core.classfile.flags import INTERFACE
from core.classfile.format_error import ClassFormatError
from core.classfile.pool import CLASS, UTF8
from core.classfile.signatures import class_names, erasable
from core.classfile.symbolic.contents import ENCLOSING, inner_classes, inner_of, outer_of
from core.classfile.symbolic.symbol_pool import Symbol
from core.classfile.symbolic.symbolic_class import MemberTree, SymbolicClass
from core.edits.programs.program import WholeProgram, outermost
from core.library.skim import LibraryClass

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


class ClassRelations:
    """The supertypes and subclasses of the classes of one program."""

    def __init__(self, program: WholeProgram) -> None:
        self._program = program

    def find(self, name: str) -> SymbolicClass | LibraryClass | None:
        """Return a class; None for an unknown one."""
        return self._program.by_name.get(name) or self._program.library(name)

    def declared(self, name: str) -> Mapping[tuple[str, str], int]:
        """Return the access flags of the methods that a class declares, by name and descriptor."""
        found = self.find(name)
        if isinstance(found, SymbolicClass):
            return {method.key: method.access for method in found.methods}
        return found.methods if found is not None else {}

    def fields(self, name: str) -> set[str]:
        """Return the names of the fields that a class declares."""
        found = self.find(name)
        if isinstance(found, SymbolicClass):
            return {member.name for member in found.fields}
        return {field for field, _ in found.fields} if found is not None else set()

    def declaring(self, owner: str, name: str, descriptor: str) -> str:
        """Return the class that declares a field or method: the owner or a supertype, by default the owner."""
        for each in (owner, *self.supertypes(owner)):
            found = self.find(each)
            if isinstance(found, SymbolicClass):
                if any(member.key == (name, descriptor) for member in (*found.fields, *found.methods)):
                    return each
            elif found is not None and ((name, descriptor) in found.methods or (name, descriptor) in found.fields):
                return each
        return owner

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
            for tree in self._program.classes
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
        texts = {symbol.content[0] for tree in self._program.classes for symbol in tree.symbols if symbol.tag == UTF8}
        for text in map(str, texts):
            if mark in text:
                with suppress(ClassFormatError):
                    yield text, set(class_names(text))

    @cached_property
    def _below(self) -> dict[str, list[SymbolicClass]]:
        found: dict[str, list[SymbolicClass]] = {}
        for tree in self._program.classes:
            for name in dict.fromkeys((tree.superclass or "", *tree.interfaces)):
                found.setdefault(name, []).append(tree)
        return found


_HOST = "NestHost"


def outer_class(tree: SymbolicClass) -> str:
    """Return the name of the class around a class; empty if no attribute of the class names one."""
    enclosing = tree.attribute(ENCLOSING)
    if enclosing is not None:
        return enclosing.text
    for row in inner_classes(tree):
        if inner_of(row) == tree.name and outer_of(row):
            return outer_of(row)
    return ""


def enclosing_method(tree: SymbolicClass) -> tuple[str, str, str] | None:
    """Return class, name and descriptor of the method around a class; None if no attribute names a method."""
    enclosing = tree.attribute(ENCLOSING)
    if enclosing is None or len(enclosing.content.keys) < 2:
        return None
    method = enclosing.content.keys[1]
    assert isinstance(method, Symbol)
    name, descriptor = method.content
    return enclosing.text, str(name), str(descriptor)


def top_levels(classes: Iterable[SymbolicClass]) -> dict[str, str]:
    """Return for each class the top-level class around it, by attributes or else by its name."""
    known = {tree.name: tree for tree in classes}
    above = {name: _next(tree) for name, tree in known.items()}

    def top(name: str) -> str:
        seen = {name}
        while (outer := above.get(name, name)) not in seen:
            seen.add(outer)
            name = outer
        return name

    return {name: top(name) for name in known}


def _next(tree: SymbolicClass) -> str:
    """Return the class around a class, or one that is nearer to the top."""
    host = tree.attribute(_HOST)
    return outer_class(tree) or (host.text if host is not None else outermost(tree.name))
