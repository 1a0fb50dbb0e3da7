"""The members that the classes of a result name, and its classes by their simple names: what a repair may have to write
down."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from core.classfile.class_file import ClassFile, parse
from core.classfile.descriptors import element_class, method_types
from core.classfile.format_error import ClassFormatError
from core.classfile.pool import CLASS, FIELD_REF, INTERFACE_METHOD_REF, INVOKE_DYNAMIC, METHOD_REF, UTF8
from core.classfile.tables import inner_classes
from core.entries import Entries
from core.protocol.java_names import java_name, type_name

_NAMED = re.compile(r"L([\w$/]+)[;<]")


@dataclass(frozen=True, slots=True)
class NamedMember:
    """A field or method that code names: the class that it is called on, and the types of its parameters, as Java
    writes them; a field has None."""

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
        known = cls()
        for name, data in entries:
            if name.endswith(".class"):
                try:
                    known._read(parse(data))
                except ClassFormatError:
                    continue
        return known

    def fields(self, name: str) -> Iterator[NamedMember]:
        """Yield the fields of a name."""
        return (member for member in self.members.get(name, ()) if member.parameters is None)

    def methods(self, name: str, count: int) -> Iterator[NamedMember]:
        """Yield the methods of a name with so many parameters."""
        for member in self.members.get(name, ()):
            if member.parameters is not None and len(member.parameters) == count:
                yield member

    def _read(self, file: ClassFile) -> None:
        pool = file.constants
        for constant in pool.tuples():
            if constant is None:
                continue
            if constant[0] in (FIELD_REF, METHOD_REF, INTERFACE_METHOD_REF):
                pair = pool.raw(constant[2])
                self._add(pool.class_name(constant[1]), pool.text(pair[1]), pool.text(pair[2]))
            elif constant[0] == CLASS:
                self._name(element_class(pool.text(constant[1])))
            elif constant[0] == INVOKE_DYNAMIC:
                made = pool.text(pool.raw(constant[2])[2]).rpartition(")")[2]
                if made.startswith("L"):
                    self.lambdas[type_name(made, short=False)] = None
            elif constant[0] == UTF8:
                for found in _NAMED.findall(constant[1]):
                    self._name(found)
        for row in inner_classes(file):
            if row.outer is not None and row.name is not None:
                self.outer.setdefault(row.name, java_name(row.outer))
        for member in (*file.fields, *file.methods):
            self._add(file.name, member.name_text, member.descriptor_text)

    def _add(self, owner: str, name: str, descriptor: str) -> None:
        method = descriptor.startswith("(")
        types, result = method_types(descriptor) if method else ((), descriptor)
        parameters = tuple(type_name(each, short=False) for each in types) if method else None
        receiver = type_name(owner if owner.startswith("[") else f"L{owner};", short=False)
        member = NamedMember(receiver, parameters, type_name(result, short=False))
        known = self.members.setdefault(name, [])
        if member not in known:
            known.append(member)

    def _name(self, name: str | None) -> None:
        if name:
            java = java_name(name)
            self.classes.setdefault(java.rpartition(".")[2], java)
