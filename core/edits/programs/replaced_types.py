"""Classes that are no more than a type: their superclass, or their only superinterface, stands in their place."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from core.classfile.descriptors import class_names as classes_of_descriptor
from core.classfile.flags import ABSTRACT, ANNOTATION, ENUM, INTERFACE, MODULE, PRIVATE, PUBLIC, STATIC
from core.classfile.format_error import ClassFormatError
from core.classfile.pool import CLASS, DYNAMICS, INTERFACE_METHOD_REF, UTF8
from core.classfile.symbolic.symbolic_class import SymbolicClass
from core.edits.names.name_map import Replacement
from core.edits.programs.nesting import is_nested
from core.edits.programs.program import (
    CONSTRUCTOR,
    OBJECT,
    ProgramEdit,
    WholeProgram,
    kind,
    package_of,
    parameters,
    shown,
)

_OTHER_KINDS = ANNOTATION | ENUM | MODULE
"""Annotation types, enums, modules."""


def _find(program: WholeProgram) -> Sequence[ProgramEdit]:
    if any(tree.attribute("Module") for tree in program.classes):
        return ()
    uses = _Uses(program)
    names: dict[str, str] = {}
    for tree in sorted(program.classes, key=lambda tree: -len(program.supertypes(tree.name))):
        target = _target(tree)
        more = {**names, tree.name: target}
        if uses.may_be_replaced(tree, target) and tells_members_apart(program, _to_the_end(more)):
            names = more
            uses.hand_on(tree.name, target)
    return [
        ProgramEdit(f"{shown(new)} is used in place of {shown(old)}", (old,), (old, new)) for old, new in names.items()
    ]


@kind("supertypes", _find)
def SUPERTYPES(program: WholeProgram, edits: Sequence[ProgramEdit]) -> WholeProgram:
    """Replace some classes. Their subclasses get their interfaces."""
    names = _to_the_end(dict(edit.what for edit in edits))
    replacement = Replacement(names)
    trees = []
    for tree in program.classes:
        if tree.name in names:
            continue
        changed = replacement.tree(tree._replace(interfaces=tuple(_interfaces(tree, program, names))))
        trees.append(tree if changed == tree else changed)
    return replace(program, classes=tuple(trees), renaming=program.renaming.then(names))


def _to_the_end(names: Mapping[str, str]) -> dict[str, str]:
    """Return the replaced classes, each with the last class of its chain of replacements."""
    found = {}
    for old, new in names.items():
        while new in names:
            new = names[new]
        found[old] = new
    return found


def _target(tree: SymbolicClass) -> str:
    """Return the class that can stand in the place of another one."""
    if tree.access & INTERFACE and len(tree.interfaces) == 1:
        return tree.interfaces[0]
    return tree.superclass or OBJECT


def _interfaces(tree: SymbolicClass, program: WholeProgram, names: Mapping[str, str]) -> Iterator[str]:
    """Yield the interfaces of a class when those of replaced supertypes have become its own."""
    left, above = list(tree.interfaces), tree.superclass or ""
    while above in names:
        left += program.by_name[above].interfaces
        above = program.by_name[above].superclass or ""
    while left:
        name = left.pop(0)
        if name in names:
            left += program.by_name[name].interfaces
        else:
            yield name


def tells_members_apart(program: WholeProgram, names: Mapping[str, str]) -> bool:
    """Return True if no two methods of one name get equal parameters, and no two methods of one class, or fields of a
    class and of those above it, equal descriptors.

    Constructors are compared by class.
    """
    replacement = Replacement(names)
    known: dict[tuple[str, ...], str] = {}
    for tree in program.classes:
        owner = replacement.class_(tree.name)
        for method in tree.methods:
            name, old = parameters(method)
            source = (owner if name == CONSTRUCTOR else name, replacement.descriptor(old))
            machine = (owner, name, replacement.descriptor(method.descriptor))
            if (
                known.setdefault(source, old) != old
                or known.setdefault(machine, method.descriptor) != method.descriptor
            ):
                return False
    return all(_tells_fields_apart(tree, program, replacement) for tree in program.classes if tree.fields)


def _tells_fields_apart(tree: SymbolicClass, program: WholeProgram, replacement: Replacement) -> bool:
    known: dict[tuple[str, str], str] = {}
    above: SymbolicClass | None = tree
    seen = set()
    while above is not None and above.name not in seen:
        seen.add(above.name)
        for member in above.fields:
            key = member.name, replacement.descriptor(member.descriptor)
            if known.setdefault(key, member.descriptor) != member.descriptor:
                return False
        above = program.by_name.get(above.superclass or "")
    return True


class _Uses:
    """The uses that the classes of a program make of each other."""

    def __init__(self, program: WholeProgram) -> None:
        self._program = program
        self._used: dict[str, set[tuple[str, str]]] = {}
        self._called: set[str] = set()
        self._typed: dict[str, set[str]] = {}
        self._needed: set[str] = set()
        for tree in program.classes:
            self._read(tree)

    def hand_on(self, old: str, new: str) -> None:
        """Note that the uses of class ``old`` may become uses of ``new``."""
        self._used.setdefault(new, set()).update(self._used.get(old, ()))
        heirs = (heir.name for heir in self._program.below(old))
        self._typed.setdefault(new, set()).update(self._typed.get(old, ()), heirs)

    def may_be_replaced(self, tree: SymbolicClass, target: str) -> bool:
        """Return True if nothing but the type of a class is used, and perhaps constructors that the target has too.

        An unnamed class goes by removal.
        """
        if not self._typed.get(tree.name, set()) - {tree.name} and not self._program.below(tree.name):
            return False
        if tree.access & _OTHER_KINDS or tree.attribute("Record") or is_nested(tree):
            return False
        if tree.name in self._program.fixed:
            return False
        if tree.name in self._program.in_rows | self._program.named_with_arguments | self._needed:
            return False
        if not self._program.is_plain(tree) or not self._is_reachable(target, tree):
            return False
        if target == OBJECT and tree.access & INTERFACE and (tree.name in self._called or len(tree.interfaces) > 1):
            return False
        return (
            self._constructors_suffice(tree, target)
            and self._types_suffice(tree, target)
            and self._heirs_do_without(tree)
            and self._overrides_nothing_new(tree)
        )

    def _read(self, tree: SymbolicClass) -> None:
        """Note the classes and members that one class uses."""
        for symbol in set(tree.symbols):
            for owner, name, descriptor in symbol.members:
                found = self._program.declaring(owner, name, descriptor)
                if found != tree.name:
                    self._used.setdefault(found, set()).add((name, descriptor))
                self._typed.setdefault(owner, set()).add(tree.name)
                if symbol.tag == INTERFACE_METHOD_REF:
                    self._called.add(owner)
            for name in named_types(symbol.tag, symbol.content):
                self._typed.setdefault(name, set()).add(tree.name)
            if symbol.tag in DYNAMICS:  # a lambda needs its interface
                self._needed |= set(named_types(symbol.tag, symbol.content))
        for member in (*tree.fields, *tree.methods):
            for name in classes_of_descriptor(member.descriptor):
                self._typed.setdefault(name, set()).add(tree.name)
        if tree.attribute("Signature") is not None:  # it lists the supertypes
            self._needed |= {tree.superclass or "", *tree.interfaces}

    def _is_reachable(self, target: str, tree: SymbolicClass) -> bool:
        """Return True if every class may name the target."""
        known = self._program.find(target)
        if known is None:
            return False
        users = self._typed.get(tree.name, set()) | {heir.name for heir in self._program.below(tree.name)}
        return bool(known.access & PUBLIC) or all(package_of(user) == package_of(target) for user in users)

    def _constructors_suffice(self, tree: SymbolicClass, target: str) -> bool:
        """Return True if no member of a class is used but constructors that a class in the same package has too."""
        used = self._used.get(tree.name, set())
        if not used:
            return True
        other = self._program.by_name.get(target)
        if target == OBJECT:
            own = {(CONSTRUCTOR, "()V")}
        elif other is None or package_of(target) != package_of(tree.name) or other.access & ABSTRACT:
            return False
        else:
            own = {method.key for method in other.methods if not method.access & PRIVATE}
        return all(name == CONSTRUCTOR and (name, descriptor) in own for name, descriptor in used)

    def _types_suffice(self, tree: SymbolicClass, target: str) -> bool:
        """Return True if the target has all supertypes of a class that is used as a type."""
        if not self._typed.get(tree.name, set()) - {tree.name}:
            return True
        missing = set(tree.interfaces) - {target}
        return missing <= self._program.interfaces(target)

    def _heirs_do_without(self, tree: SymbolicClass) -> bool:
        """Return True if no class below needs a method of a class, as the implementation of an abstract one. The
        abstract method may stand in an interface of the class below alone.
        """
        own = {method.key for method in tree.methods if not method.access & (STATIC | PRIVATE | ABSTRACT)}
        heirs = {heir.name for heir in self._program.all_below(tree.name)} if own else ()
        return all(
            not access & ABSTRACT or key not in own
            for name in {each for heir in heirs for each in self._program.supertypes(heir)}
            for key, access in self._program.declared(name).items()
        )

    def _overrides_nothing_new(self, tree: SymbolicClass) -> bool:
        """Return True if no method with the class in its descriptor shares its name with a method of a library class
        above.
        """
        for user in self._typed.get(tree.name, ()):
            changed = {
                method.name
                for method in self._program.by_name[user].methods
                if tree.name in classes_of_descriptor(method.descriptor) and method.name != CONSTRUCTOR
            }
            above = self._program.supertypes(user) if changed else ()
            library = (self._program.declared(name) for name in above if name not in self._program.by_name)
            if any(not changed.isdisjoint(each for each, _ in methods) for methods in library):
                return False
        return True


def named_types(tag: int, content: Sequence[object]) -> Iterator[str]:
    """Yield the classes that a constant names as types."""
    for part in content:
        if isinstance(part, str) and tag != UTF8:
            if tag == CLASS and not part.startswith("["):
                yield part
            elif part.startswith(("(", "[", "L")):
                try:
                    yield from classes_of_descriptor(part)
                except ClassFormatError:
                    continue
        elif isinstance(part, tuple):
            for each in (part,) if hasattr(part, "tag") else part:
                yield from named_types(each.tag, each.content)
