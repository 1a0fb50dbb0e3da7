"""The members and classes that the classes of a result name, as source writes them: repairs may have to write these.
Stubs of the named classes that are not there: javac needs them beside the source.

A class is nested if a class file says so, whatever dollar signs its name has.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

from core.classfile.class_file import ClassFile, parse
from core.classfile.descriptors import class_names, element_class, method_types
from core.classfile.format_error import ClassFormatError
from core.classfile.instructions import instructions
from core.classfile.pool import CLASS, INTERFACE_METHOD_REF, INVOKE_DYNAMIC, MEMBERS, NAME_AND_TYPE, UTF8
from core.classfile.tables import inner_classes, thrown
from core.entries import Entries
from core.protocol.java_names import dotted, java_name, type_name

_NAMED = re.compile(r"L([\w$/]+)[;<]")


@dataclass(frozen=True, slots=True)
class NamedMember:
    """A field or method that code names: its class, and the types of its parameters as Java writes them; None for a
    field."""

    owner: str
    parameters: tuple[str, ...] | None


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

    def methods(self, name: str, count: int) -> Iterator[NamedMember]:
        """Yield the methods of a name with so many parameters."""
        for member in self.members.get(name, ()):
            if member.parameters is not None and len(member.parameters) == count:
                yield member

    def _read(self, file: ClassFile, names: SourceNames) -> None:
        pool = file.constants
        for index, constant in pool.rows():
            if constant[0] in MEMBERS:
                self._add(*pool.member(index), names)
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
        parameters = tuple(map(names.type, method_types(descriptor)[0])) if descriptor.startswith("(") else None
        member = NamedMember(names.type(owner if owner.startswith("[") else f"L{owner};"), parameters)
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


_GETSTATIC, _PUTSTATIC, _INVOKESTATIC = 0xB2, 0xB3, 0xB8
_VALUES = {"V": "", "Z": " return false;", **dict.fromkeys("BCDFIJS", " return 0;")}

Known = Callable[[str], bool]


@dataclass
class _Stub:
    """The use that is made of a class."""

    members: dict[tuple[str, str], bool] = field(default_factory=dict)
    """Members by name and descriptor, each with True if it is static."""
    interface: bool = False
    thrown: bool = False


def stubs(entries: Entries, is_there: Known) -> dict[str, str]:
    """Return sources of the classes that lack, by their paths; ``is_there`` tells of a class's internal name if the JDK
    or a library has the class."""
    files = parsed(entries)
    own = {file.name for file in files}
    found: dict[str, _Stub] = {}
    for name in dict.fromkeys(name for file in files for name in _named(file)):
        if name not in own and not is_there(name):
            found |= {each: _Stub() for each in _with_outer(name) if each not in own}
    for file in files:
        _note_uses(file, found)
    writer = _StubWriter(found, SourceNames(files))
    return {f"{name}.java": writer.source(name) for name in found if "$" not in name.rpartition("/")[2]}


def names_of(paths: Iterable[str]) -> set[str]:
    """Return the internal names of the top-level classes of stubs."""
    return {path.removesuffix(".java") for path in paths}


def _named(file: ClassFile) -> Iterable[str]:
    for _, constant in file.constants.rows():
        if constant[0] == CLASS:
            name = element_class(file.constants.text(constant[1]))
            if name is not None:
                yield name
        elif constant[0] == NAME_AND_TYPE:
            yield from class_names(file.constants.text(constant[2]))
    for member in (*file.fields, *file.methods):
        yield from class_names(member.descriptor_text)


def _with_outer(name: str) -> Iterable[str]:
    """Yield a class after the classes around it, as its name tells."""
    package, slash, simple = name.rpartition("/")
    parts = simple.split("$")
    for count in range(1, len(parts) + 1):
        if all(parts[:count]):
            yield f"{package}{slash}{'$'.join(parts[:count])}"


def _note_uses(file: ClassFile, found: dict[str, _Stub]) -> None:
    for name in file.interface_names:
        if name in found:
            found[name].interface = True
    pool = file.constants
    statics = set()
    for method in file.methods:
        for name in thrown(file, method):
            if name in found:
                found[name].thrown = True
        code = method.code
        if code is not None:
            statics |= {
                each.operand
                for each in instructions(code.code)
                if each.opcode in (_GETSTATIC, _PUTSTATIC, _INVOKESTATIC)
            }
            for *_, kind in code.handlers:
                if kind and pool.class_name(kind) in found:
                    found[pool.class_name(kind)].thrown = True
    for index, constant in pool.rows():
        if constant[0] in MEMBERS:
            owner, name, descriptor = pool.member(index)
            if owner in found:
                found[owner].members[name, descriptor] = index in statics
                found[owner].interface |= constant[0] == INTERFACE_METHOD_REF


class _StubWriter:
    """The sources of stubs."""

    def __init__(self, found: dict[str, _Stub], names: SourceNames) -> None:
        self._found, self._type = found, names.type

    def source(self, name: str) -> str:
        """Return the source file of a top-level class."""
        package = name.rpartition("/")[0].replace("/", ".")
        return (f"package {package};\n\n" if package else "") + "\n".join(self._lines(name, "public")) + "\n"

    def _lines(self, name: str, words: str) -> Iterable[str]:
        """Yield the declaration of a stub, with the stubs that are nested in it."""
        stub = self._found[name]
        simple = name.rpartition("/")[2].rpartition("$")[2]
        kind = "interface" if stub.interface else "class"
        yield f"{words} {kind} {simple}{' extends RuntimeException' if stub.thrown and not stub.interface else ''} {{"
        constructors = [descriptor for member, descriptor in stub.members if member == "<init>"]
        if not stub.interface and "()V" not in constructors:
            yield f"    public {simple}() {{ }}"
        for (member, descriptor), static in stub.members.items():
            yield f"    {self._member(simple, member, descriptor, stub.interface, static)}"
        for other in self._found:
            if other.rpartition("$")[0] == name:
                yield from (f"    {line}" for line in self._lines(other, "public static"))
        yield "}"

    def _member(self, simple: str, name: str, descriptor: str, interface: bool, static: bool) -> str:
        if not descriptor.startswith("("):
            return f"public {'static ' if static else ''}{self._type(descriptor)} {name};"
        types, result = method_types(descriptor)
        given = ", ".join(f"{self._type(each)} a{number}" for number, each in enumerate(types))
        if name == "<init>":
            return f"public {simple}({given}) {{ }}"
        head = f"{self._type(result)} {name}({given})"
        if interface and not static:
            return f"{head};"
        return f"public {'static ' if static else ''}{head} {{{_VALUES.get(result, ' return null;')} }}"
