"""Names of classes as their source has them. A class is nested if a class file says so, whatever dollar signs its name
has."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from core.classfile.class_file import ClassFile, parse
from core.classfile.format_error import ClassFormatError
from core.classfile.tables import inner_classes
from core.entries import Entries
from core.protocol.java_names import dotted, java_name, type_name


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
