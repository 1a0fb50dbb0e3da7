"""The canonical form of a reduced jar: the same for two jars that differ in names and order alone.

Names become neutral, strings are only told apart, line numbers and versions of class files go. The order of members and
classes is that of their contents without any names. Two jars of one bug, from two inputs, often have equal forms; if
not, they are near: most of their methods' code is alike.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

from core.archive.entry_names import kind_of
from core.archive.jar import Entry, Jar, read_jar
from core.classfile.format_error import ClassFormatError
from core.classfile.symbolic.contents import opcodes
from core.classfile.symbolic.symbolic_class import MemberTree, SymbolicClass, read
from core.edits.names.name_map import MEMBER, MODULE, PACKAGE, STRING, TYPE_VARIABLE, VARIABLE, NameMap
from core.edits.names.names_in_use import NamesInUse, is_description, of_the_jdk
from core.edits.names.naming import named
from core.edits.names.neutral_names import Name, NeutralNames, names_of, neutral_names
from core.edits.programs.program import Library, WholeProgram
from core.entries import Entries
from core.errors import InputError
from core.library.library import open_library

_LEFT_OUT = frozenset(("SourceFile", "SourceDebugExtension", "LineNumberTable"))
"""Attributes with the source file and lines of a class."""
_ROUNDS = 2
"""Rounds of ordering the classes: the second one uses the order of the first for the names in a class."""
_SHOWN = 12
"""Hexadecimal digits of a form that a table shows."""
_RUN = 3
"""Instructions that are compared together."""
_STRINGS = "s"
"""First letter of all strings but the empty one."""

VERSION = 2
"""Version of the form: 2 since names of modules, and of packages without classes, are neutral. It is part of each hash,
so forms of two versions are never equal; nor do they tell two bugs apart, so what keeps a hash keeps its version."""
FIRST = 1
"""Version of the form in files that do not tell it."""


@dataclass(frozen=True, slots=True)
class CanonicalForm:
    """The canonical form of one jar."""

    hash: str
    """SHA-256 of all classes, in hexadecimal digits."""
    traits: frozenset[str]
    """Kinds of members, and runs of instructions: for the comparison with a near form."""
    texts: str = field(default="", compare=False)
    """SHA-256 of its strings, in the form's order."""

    @property
    def shown(self) -> str:
        """The beginning of the hash."""
        return self.hash[:_SHOWN]

    def nearness(self, other: CanonicalForm) -> float:
        """Return the share of the traits of both that they have in common, from 0 to 1 for equal forms."""
        if self.hash == other.hash:
            return 1.0
        both = self.traits | other.traits
        return len(self.traits & other.traits) / len(both) if both else 0.0


def form_of(path: Path, class_path: Sequence[Path] = ()) -> CanonicalForm:
    """Return the canonical form of a jar or folder. Raises InputError where it cannot be read, or has no classes."""
    return canonical_form(read_jar([str(path)]), class_path)


def form_of_entries(entries: Entries, class_path: Sequence[Path], jdk: str = "") -> CanonicalForm:
    """Return the canonical form of entries in memory. Raises InputError as :func:`canonical_form` does."""
    jar = Jar((), "the result", tuple(Entry(name, data, kind_of(name)) for name, data in entries))
    return canonical_form(jar, class_path, jdk)


def canonical_form(jar: Jar, class_path: Sequence[Path], jdk: str = "") -> CanonicalForm:
    """Return the canonical form of a jar in memory with the libraries of a class path.

    Raises InputError for a damaged class, or a jar without classes.
    """
    trees = []
    for place in jar.classes():
        try:
            trees.append(read(jar.entries[place].data))
        except ClassFormatError as error:
            raise InputError(
                f"{jar.title}: the class {jar.entries[place].name} cannot be read ({error}), so the jar has no "
                "canonical form."
            ) from error
    if not trees:
        raise InputError(f"{jar.title}: there is no class in it, so the jar has no canonical form.")
    with closing(open_library(class_path, jar, jdk)) as library:
        return form_of_classes(trees, library.get)


def form_of_classes(trees: Sequence[SymbolicClass], library: Library) -> CanonicalForm:
    """Return the canonical form of some classes."""
    bare = WholeProgram(tuple([_plain(tree) for tree in trees]), library)
    program = _in_order(bare)
    in_use = NamesInUse(program)
    new = neutral_names((name for name in names_of(in_use) if name.of != STRING), in_use.fixed, ())
    texts = list(filter(None, in_use.known[STRING]))
    new |= {Name(STRING, text): f"{_STRINGS}{number}" for number, text in enumerate(texts, 1)}
    written = [tree.written() for tree in named(program, NeutralNames(in_use, new)).classes]
    digest = hashlib.sha256(f"jarlet canonical form {VERSION}\n".encode())
    for data in written:
        digest.update(len(data).to_bytes(4, "big") + data)
    told = hashlib.sha256("\0".join(texts).encode("utf-8", "surrogatepass")).hexdigest()
    return CanonicalForm(digest.hexdigest(), frozenset(_traits(program)), told)


def _plain(tree: SymbolicClass) -> SymbolicClass:
    return tree.without(lambda each: each.name in _LEFT_OUT)._replace(major=0, minor=0)


def _in_order(program: WholeProgram) -> WholeProgram:
    """Return the program with members and classes in the order of their contents without names."""
    colours: dict[str, str] = {}
    for _ in range(_ROUNDS):
        names = _MaskedNames(NamesInUse(program, ()), dict(colours))
        found = {tree.name: _with_members_in_order(tree, names) for tree in program.classes}
        program = WholeProgram(tuple([tree for tree, _ in found.values()]), program.library)
        colours = {name: colour for name, (_, colour) in found.items()}
    ordered = sorted(program.classes, key=lambda tree: colours[tree.name])
    return WholeProgram(tuple(ordered), program.library)


def _with_members_in_order(tree: SymbolicClass, names: NameMap) -> tuple[SymbolicClass, str]:
    """Return a class with its members in the order of their digests, and the digest of the class without names."""
    fields = sorted(tree.fields, key=lambda member: _digest(tree._replace(fields=(member,), methods=()), names))
    methods = sorted(tree.methods, key=lambda member: _digest(tree._replace(fields=(), methods=(member,)), names))
    ordered = tree._replace(fields=tuple(fields), methods=tuple(methods))
    return ordered, _digest(ordered, names)


def _digest(tree: SymbolicClass, names: NameMap) -> str:
    return hashlib.sha256(names.anew(tree).written()).hexdigest()


def _traits(program: WholeProgram) -> set[str]:
    names = _MaskedNames(NamesInUse(program, ()))
    found: set[str] = set()
    for tree in program.classes:
        masked = names.anew(tree)
        found.add(f"class {masked.access:x} {masked.superclass} {' '.join(sorted(masked.interfaces))}")
        for member in (*masked.fields, *masked.methods):
            found.add(f"member {member.access:x} {member.name} {member.descriptor}")
            found |= set(_of_member(member))
    return found


def _of_member(member: MemberTree) -> list[str]:
    """Return the traits of a member: its attributes, the constants it uses, and runs of its instructions."""
    found = [f"attribute {each.name}" for each in member.attributes]
    for attribute in member.attributes:
        found += [f"uses {symbol.tag} {symbol.content}" for symbol in attribute.symbols]
        if attribute.name == "Code":
            codes = opcodes(attribute)
            found += [f"code {codes[at : at + _RUN]}" for at in range(max(1, len(codes) - _RUN + 1))]
    return found


_MASKS = {PACKAGE: "p", MODULE: "M", MEMBER: "m", VARIABLE: "v", TYPE_VARIABLE: "T", STRING: "s"}
"""The one name of each kind of masked names."""


@dataclass(frozen=True)
class _MaskedNames(NameMap):
    """Names of which all of a kind are the same.

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

    def new_name(self, kind: str, name: str) -> str:
        is_fixed = kind == MEMBER and (name in self.in_use.fixed or name.startswith("<"))
        return name if is_fixed or not name or (kind == MODULE and of_the_jdk(name)) else _MASKS[kind]

    def simple(self, name: str, class_: str) -> str:
        return "C" if self.ours(class_) else name

    def file(self, name: str, class_: str) -> str:
        return "f"
