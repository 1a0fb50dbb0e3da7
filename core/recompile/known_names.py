"""The members and classes that the classes of a result name, as source writes them. Repairs may have to write these.

A class is nested if a class file says so, whatever dollar signs its name has.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

from core.classfile.class_file import ClassFile, parse
from core.classfile.descriptors import element_class, method_types
from core.classfile.format_error import ClassFormatError
from core.classfile.pool import CLASS, FIELD_REF, INTERFACE_METHOD_REF, INVOKE_DYNAMIC, METHOD_REF, UTF8
from core.classfile.tables import inner_classes
from core.entries import Entries
from core.protocol.java_names import dotted, java_name, type_name

_NAMED = re.compile(r"L([\w$/]+)[;<]")


@dataclass(frozen=True, slots=True)
class NamedMember:
    """A field or method that code names: its class, and the types of its parameters as Java writes them; None for a
    field."""

    owner: str
    parameters: tuple[str, ...] | None
    result: str


@dataclass(frozen=True)
class KnownNames:
    """Members by their names, and qualified names of classes by their simple names."""

    members: dict[str, list[NamedMember]] = field(default_factory=dict)
    classes: dict[str, str] = field(default_factory=dict)
    outer: dict[str, str] = field(default_factory=dict)
    """The class around each nested one, by the simple name of the nested one."""
    lambdas: dict[str, None] = field(default_factory=dict)
    """Types that lambdas and method references have."""

    @classmethod
    def of(cls, entries: Entries) -> KnownNames:
        """Return the names in some class files; those that cannot be read are passed over."""
        known, files = cls(), parsed(entries)
        names = SourceNames(files)
        for file in files:
            with suppress(ClassFormatError):
                known._read(file, names)
        return known

    def fields(self, name: str) -> Iterator[NamedMember]:
        """Yield the fields of a name."""
        return (member for member in self.members.get(name, ()) if member.parameters is None)

    def methods(self, name: str, count: int) -> Iterator[NamedMember]:
        """Yield the methods of a name with so many parameters."""
        for member in self.members.get(name, ()):
            if member.parameters is not None and len(member.parameters) == count:
                yield member

    def _read(self, file: ClassFile, names: SourceNames) -> None:
        pool = file.constants
        for constant in pool.tuples():
            if constant is None:
                continue
            if constant[0] in (FIELD_REF, METHOD_REF, INTERFACE_METHOD_REF):
                pair = pool.raw(constant[2])
                self._add(pool.class_name(constant[1]), pool.text(pair[1]), pool.text(pair[2]), names)
            elif constant[0] == CLASS:
                self._name(element_class(pool.text(constant[1])), names)
            elif constant[0] == INVOKE_DYNAMIC:
                made = pool.text(pool.raw(constant[2])[2]).rpartition(")")[2]
                if made.startswith("L"):
                    self.lambdas[names.type(made)] = None
            elif constant[0] == UTF8:
                for found in _NAMED.findall(constant[1]):
                    self._name(found, names)
        for row in inner_classes(file):
            if row.outer is not None and row.name is not None:
                self.outer.setdefault(row.name, names.name(row.outer))
        for member in (*file.fields, *file.methods):
            self._add(file.name, member.name_text, member.descriptor_text, names)

    def _add(self, owner: str, name: str, descriptor: str, names: SourceNames) -> None:
        method = descriptor.startswith("(")
        types, result = method_types(descriptor) if method else ((), descriptor)
        parameters = tuple(names.type(each) for each in types) if method else None
        receiver = names.type(owner if owner.startswith("[") else f"L{owner};")
        member = NamedMember(receiver, parameters, names.type(result))
        known = self.members.setdefault(name, [])
        if member not in known:
            known.append(member)

    def _name(self, name: str | None, names: SourceNames) -> None:
        if name:
            java = names.name(name)
            self.classes.setdefault(java.rpartition(".")[2], java)


class SourceNames:
    """The names that the source of some class files has. Other classes are named by their dollar signs, unless a row of
    InnerClasses says more."""

    def __init__(self, files: Sequence[ClassFile]) -> None:
        self._own = {file.name for file in files}
        rows = [row for file in files for row in inner_classes(file)]
        self._nested = {row.inner: (row.outer, row.name) for row in rows if row.outer and row.name}
        """The class around each nested one, with the simple name of the nested one."""

    def name(self, internal: str) -> str:
        """Return the qualified name of a class."""
        mine, (outer, simple) = internal in self._own, self._nested.get(internal, ("", ""))
        if outer and len(outer) < len(internal) and (outer in self._own or not mine):
            return f"{self.name(outer)}.{simple}"
        return dotted(internal) if mine else java_name(internal)

    def type(self, descriptor: str) -> str:
        """Return a type from its descriptor, with qualified names."""
        base = descriptor.lstrip("[")
        if base.startswith("L") and base.endswith(";"):
            return self.name(base[1:-1]) + "[]" * (len(descriptor) - len(base))
        return type_name(descriptor, short=False)


def parsed(entries: Entries) -> list[ClassFile]:
    """Return the class files that can be read."""
    found = []
    for name, data in entries:
        if name.endswith(".class"):
            with suppress(ClassFormatError):
                found.append(parse(data))
    return found
