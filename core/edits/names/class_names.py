"""Other names for classes: wherever a class file names them, and in the names of the files."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from core.classfile.symbolic.symbolic_class import read
from core.edits.names.name_map import NamedAnew
from core.entries import Entries, RewrittenEntries, renaming_of

_IN_DESCRIPTOR = re.compile(r"(?<=L)[^;<>:\[.()]+(?=[;<])")


def with_class_names(entries: Entries, names: Mapping[str, str]) -> RewrittenEntries:
    """Return the entries with other classes' names; ``names`` has the new internal name of each."""
    copy = NamedAnew(OtherClassNames(names))
    found = []
    for name, data in entries:
        if name.endswith(".class"):
            tree = copy.tree(read(data))
            found.append((f"{tree.name}.class", tree.written()))
        else:
            found.append((name, data))
    return RewrittenEntries(found, renaming_of(entries).then(names))


@dataclass(frozen=True)
class OtherClassNames:
    """A :class:`~core.edits.names.name_map.NameMap` that changes names of classes alone.

    A string that is equal to a name of a class is changed too: reflection may mean that class.
    """

    names: Mapping[str, str]

    def ours(self, class_: str) -> bool:
        return False

    def class_(self, name: str) -> str:
        return self.names.get(name, name)

    def package(self, name: str) -> str:
        return name

    def module(self, name: str) -> str:
        return name

    def member(self, name: str) -> str:
        return name

    def variable(self, name: str) -> str:
        return name

    def type_variable(self, name: str) -> str:
        return name

    def simple(self, name: str, class_: str) -> str:
        return name

    def file(self, name: str, class_: str) -> str:
        return name

    def string(self, text: str) -> str:
        if text in self.names:
            return self.names[text]
        dotted = text.replace(".", "/")
        if dotted in self.names:
            return self.names[dotted].replace("/", ".")
        return _IN_DESCRIPTOR.sub(lambda match: self.class_(match[0]), text)
