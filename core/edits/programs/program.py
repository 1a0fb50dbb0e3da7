"""A whole program as trees, and the declaration of kinds of edits on it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from operator import itemgetter
from typing import Any

from core.classfile.symbolic.symbol_pool import Reference
from core.classfile.symbolic.symbolic_class import SymbolicClass
from core.code.body_layout import TooLongError
from core.library.skim import LibraryClass
from core.renaming import NOTHING_RENAMED, Renaming

Library = Callable[[str], LibraryClass | None]
"""Function that returns a class outside the program; None for an unknown class."""


MOST_CLASS_BYTES = 100_000
"""Most bytes of classes that are rewritten. Larger inputs become smaller by removal. See decisions/038-rewriting.md."""


@dataclass(frozen=True)
class WholeProgram:
    """The classes of an input in their order, each with a name of its own."""

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


def outermost(name: str) -> str:
    """Return the name of the top-level class around a class, as the names of nested classes tell."""
    package, slash, simple = name.rpartition("/")
    head = simple.partition("$")[0]
    return f"{package}{slash}{head or simple}"
