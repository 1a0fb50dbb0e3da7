"""The names in a program, in the order of their first use, and those that must stay."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cached_property

from core.classfile import pool
from core.classfile.symbolic.contents import inner_classes, inner_of, outer_of, required_modules
from core.classfile.symbolic.symbolic_class import SymbolicClass
from core.edits.names.name_map import CLASS, MEMBER, MODULE, PACKAGE, STRING, TYPE_VARIABLE, VARIABLE, NameMap
from core.edits.programs.program import WholeProgram

_OF_THE_JDK = ("java/", "javax/", "jdk/", "sun/", "com/sun/")
"""Packages whose classes keep their names even if no library has these."""
OF_THE_MACHINE = (
    "main", "premain", "agentmain", "values", "valueOf", "serialVersionUID", "serialPersistentFields", "readObject",
    "writeObject", "readResolve", "writeReplace", "readObjectNoData", "this",
)  # fmt: skip
"""Names that the virtual machine, the launcher, serialization or compilers look for."""
_OF_COMPILERS = re.compile(r"<.*>|this\$\d+|access\$\d+|\$VALUES|\$values|\$assertionsDisabled|\$deserializeLambda\$")
"""Names that compilers give by themselves."""
_COMPOSED = re.compile(r"(?P<head>lambda\$|val\$|\$SwitchMap\$|class\$|arg\$)(?P<name>.+?)(?P<tail>(?:\$\d+)?)")
"""Names that compilers make of one of the program's names."""
_MODULES_OF_THE_JDK = ("java.", "jdk.")
"""Beginnings of the names of modules that keep their names."""
_INFOS = ("package-info", "module-info")


class NamesInUse(NameMap):
    """The names of one program: none is changed, and all are noted."""

    def __init__(self, program: WholeProgram, trees: Iterable[SymbolicClass] | None = None) -> None:
        self.program = program
        kinds = (PACKAGE, MODULE, CLASS, MEMBER, VARIABLE, TYPE_VARIABLE, STRING)
        self.known: dict[str, dict[str, None]] = {kind: {} for kind in kinds}
        """The names by kind. Packages: those that a module's description names. Modules: the module's own name, and
        those of modules to which alone it exports or opens packages. Classes: those outside of libraries, unknown ones
        included."""
        self.libraries: set[str] = set()
        """All other classes."""
        self.outer: dict[str, str] = {}
        """The class around each nested class, if the class names tell it too."""
        own = (*program.classes, *(tree for _, tree in program.versioned))
        for tree in own if trees is None else trees:
            self.class_(tree.name)
            self._nest(tree)
            self.known[MODULE] |= dict.fromkeys(_modules(tree))
            self.anew(tree)

    def ours(self, class_: str) -> bool:
        if class_ in self.program.by_name:
            return True
        if class_.startswith((*_OF_THE_JDK, "[")):
            return False
        return self.program.library(class_) is None

    def class_(self, name: str) -> str:
        if name not in self.known[CLASS] and name not in self.libraries:
            if self.ours(name):
                self.known[CLASS][name] = None
            else:
                self.libraries.add(name)
        return name

    def new_name(self, kind: str, name: str) -> str:
        if kind != MODULE:
            self.known[kind] |= dict.fromkeys(parts_of(name) if kind in (MEMBER, VARIABLE) else (name,))
        return name

    @cached_property
    def fixed(self) -> frozenset[str]:
        """The names of members that must stay: a class of a library above some class has them too."""
        found = set(OF_THE_MACHINE)
        for program in (self.program, *self.program.releases):
            above = (name for tree in program.classes for name in program.supertypes(tree.name))
            for name in {"java/lang/Object": None, **dict.fromkeys(above)}:
                known = None if name in program.by_name else program.library(name)
                if known is not None:
                    found |= {member for member, _ in (*known.methods, *known.fields)}
        return frozenset(found)

    @cached_property
    def resource_packages(self) -> frozenset[str]:
        """Packages named in a module's description that hold entries but no classes."""
        return frozenset(self.known[PACKAGE]) - {name.rpartition("/")[0] for name in self.known[CLASS]}

    @cached_property
    def shared_packages(self) -> frozenset[str]:
        """Packages of both the program and a library, with package access across the two."""
        return frozenset(name.rpartition("/")[0] for name in self.libraries)

    def simple_names(self) -> Iterator[str]:
        """Yield all texts that a new name must not be equal to."""
        for name in self.known[CLASS]:
            yield from re.split(r"[/$]", name)
        for name in self.known[PACKAGE]:
            yield from name.split("/")
        for kind in (MODULE, MEMBER, VARIABLE, TYPE_VARIABLE):
            yield from self.known[kind]
        yield from self.fixed

    def _nest(self, tree: SymbolicClass) -> None:
        enclosing = tree.attribute("EnclosingMethod")
        for row in inner_classes(tree):
            inner, outer = inner_of(row), outer_of(row)
            if not outer and enclosing is not None and inner == tree.name:
                outer = enclosing.text
            outer = outer or inner.rpartition("$")[0]
            if outer and inner.startswith(f"{outer}$") and self.ours(inner) and self.ours(outer):
                self.outer[self.class_(inner)] = self.class_(outer)


def _modules(tree: SymbolicClass) -> Iterator[str]:
    """Yield the modules that a description names and does not require: its own one, and friends of it."""
    described = tree.attribute("Module")
    if described is None:
        return
    required = required_modules(described)
    for symbol in described.symbols:
        if symbol.tag == pool.MODULE and symbol.text not in required and not of_the_jdk(symbol.text):
            yield symbol.text


def parts_of(name: str) -> tuple[str, ...]:
    """Return the name of the program in the name of a member; none for a name that a compiler gave."""
    if _OF_COMPILERS.fullmatch(name):
        return ()
    composed = _COMPOSED.fullmatch(name)
    if composed is None:
        return (name,)
    return (composed["name"],) if composed["name"] not in ("new", "static") else ()


def composed(name: str, part: str) -> str:
    """Return the name of a member with another name in the place of that of :func:`parts_of`."""
    found = _COMPOSED.fullmatch(name)
    return part if found is None else f"{found['head']}{part}{found['tail']}"


def of_the_jdk(module: str) -> bool:
    """Return True for the name of a module of the JDK."""
    return module.startswith(_MODULES_OF_THE_JDK)


def is_description(class_: str) -> bool:
    """Return True for a class that describes a package or module: its simple name is no name."""
    return class_.rpartition("/")[2] in _INFOS
