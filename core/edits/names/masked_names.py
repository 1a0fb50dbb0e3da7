"""Classes without any names of their own, for their order and for a comparison."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from core.edits.names.names_in_use import NamesInUse, is_description, of_the_jdk


@dataclass(frozen=True)
class MaskedNames:
    """A :class:`~core.edits.names.name_map.NameMap` that gives all names of a kind the same new name.

    ``colours`` are words for classes, which tell some classes apart.
    """

    in_use: NamesInUse
    colours: Mapping[str, str] = field(default_factory=dict)

    def ours(self, class_: str) -> bool:
        return self.in_use.ours(class_)

    def class_(self, name: str) -> str:
        if not self.ours(name) or is_description(name):
            return name
        return f"C{self.colours.get(name, '')}"

    def package(self, name: str) -> str:
        return "p"

    def module(self, name: str) -> str:
        return name if of_the_jdk(name) else "M"

    def member(self, name: str) -> str:
        return name if name in self.in_use.fixed or name.startswith("<") else "m"

    def variable(self, name: str) -> str:
        return "v"

    def type_variable(self, name: str) -> str:
        return "T"

    def simple(self, name: str, class_: str) -> str:
        return "C" if self.ours(class_) else name

    def file(self, name: str, class_: str) -> str:
        return "f"

    def string(self, text: str) -> str:
        return "s" if text else text
