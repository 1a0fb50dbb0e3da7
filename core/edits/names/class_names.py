"""Other names for classes, and other classes in the place of some: wherever a class file names them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from core.classfile.descriptors import renamed
from core.classfile.format_error import ClassFormatError
from core.classfile.signatures import renamed_signature
from core.classfile.symbolic.symbolic_class import SymbolicClass, read
from core.edits.names.name_map import NamedAnew, NameMap
from core.edits.programs.class_relations import CONSTRUCTOR, parameters
from core.edits.programs.program import WholeProgram
from core.entries import Entries, RewrittenEntries, renaming_of

_IN_DESCRIPTOR = re.compile(r"(?<=L)[^;<>:\[.()]+(?=[;<])")


@dataclass(frozen=True)
class Replacement(NameMap):
    """The classes that are replaced, each with the class in its place; internal names. No class in the place of another
    one is replaced itself.
    """

    names: Mapping[str, str]

    def class_(self, name: str) -> str:
        return self.names.get(name, name)

    def annotation_string(self, text: str) -> str:
        """Return a string with the new classes if it is a type, as those are that Kotlin writes."""
        if ";" not in text or not text.lstrip("[").startswith("L"):
            return text
        try:
            return renamed_signature(text, self.class_, str)
        except ClassFormatError:
            return text

    def descriptor(self, descriptor: str) -> str:
        """Return a descriptor of a field or method with the new classes."""
        return renamed(descriptor, self.names)

    def tree(self, tree: SymbolicClass) -> SymbolicClass:
        """Return a class with the new classes, under its own name."""
        changed = self._copy.tree(tree._replace(name=self.class_(tree.name)))
        interfaces = dict.fromkeys(name for name in changed.interfaces if name != tree.name)
        return changed._replace(name=tree.name, interfaces=tuple(interfaces))

    @cached_property
    def _copy(self) -> NamedAnew:
        return NamedAnew(self)


class _Renamed(Replacement):
    """Other names of classes. A string equal to a class name is changed too, for reflection."""

    def string(self, text: str) -> str:
        if text in self.names:
            return self.names[text]
        dotted = text.replace(".", "/")
        if dotted in self.names:
            return self.names[dotted].replace("/", ".")
        return _IN_DESCRIPTOR.sub(lambda match: self.class_(match[0]), text)

    annotation_string = string


def with_class_names(entries: Entries, names: Mapping[str, str]) -> RewrittenEntries:
    """Return the entries with other classes' names; ``names`` has the new internal name of each."""
    copy = NamedAnew(_Renamed(names))
    found = []
    for name, data in entries:
        if name.endswith(".class"):
            tree = copy.tree(read(data))
            found.append((f"{tree.name}.class", tree.written()))
        else:
            found.append((name, data))
    return RewrittenEntries(found, renaming_of(entries).then(names))


def tells_members_apart(program: WholeProgram, names: Mapping[str, str]) -> bool:
    """Return True if no two methods of one name get equal parameters, and no two methods of one class, or fields of a
    class and of those above it, equal descriptors.

    Constructors are compared by class.
    """
    replacement = Replacement(names)
    known: dict[tuple[str, ...], str] = {}
    for tree in program.classes:
        owner = replacement.class_(tree.name)
        for method in tree.methods:
            name, old = parameters(method)
            source = (owner if name == CONSTRUCTOR else name, replacement.descriptor(old))
            machine = (owner, name, replacement.descriptor(method.descriptor))
            if (
                known.setdefault(source, old) != old
                or known.setdefault(machine, method.descriptor) != method.descriptor
            ):
                return False
    return all(_tells_fields_apart(tree, program, replacement) for tree in program.classes if tree.fields)


def _tells_fields_apart(tree: SymbolicClass, program: WholeProgram, replacement: Replacement) -> bool:
    known: dict[tuple[str, str], str] = {}
    above: SymbolicClass | None = tree
    seen = set()
    while above is not None and above.name not in seen:
        seen.add(above.name)
        for member in above.fields:
            key = member.name, replacement.descriptor(member.descriptor)
            if known.setdefault(key, member.descriptor) != member.descriptor:
                return False
        above = program.by_name.get(above.superclass or "")
    return True
