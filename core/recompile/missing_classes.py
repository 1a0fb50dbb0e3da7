"""Stubs of the classes that a result names and does not have: javac needs them beside its source.

The class files of stubs are left out: the failure may be that these classes lack.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from core.classfile.attribute_table import Code
from core.classfile.class_file import ClassFile
from core.classfile.descriptors import class_names, element_class, method_types
from core.classfile.instructions import instructions
from core.classfile.pool import CLASS, FIELD_REF, INTERFACE_METHOD_REF, METHOD_REF, NAME_AND_TYPE
from core.classfile.tables import thrown
from core.entries import Entries
from core.recompile.known_names import SourceNames, parsed

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
    for constant in file.constants.tuples():
        if constant is None:
            continue
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
        if isinstance(code, Code):
            statics |= {
                each.operand
                for each in instructions(code.code)
                if each.opcode in (_GETSTATIC, _PUTSTATIC, _INVOKESTATIC)
            }
            for *_, kind in code.exception_table:
                if kind and pool.class_name(kind) in found:
                    found[pool.class_name(kind)].thrown = True
    for index, constant in enumerate(pool.tuples()):
        if constant is not None and constant[0] in (FIELD_REF, METHOD_REF, INTERFACE_METHOD_REF):
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
