"""Classes that become one: a class gets the members of others with the same superclass, of its superclass, or of its
subclasses. The other classes go, and every class that named them names this one.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from graphlib import CycleError, TopologicalSorter
from itertools import islice
from typing import NamedTuple

from core.classfile.flags import ABSTRACT, FINAL, PRIVATE, PROTECTED, PUBLIC, STATIC, SYNTHETIC
from core.classfile.pool import METHOD_REF
from core.classfile.symbolic.contents import INNER_CLASSES, INNER_ROW, flags_of, rows_of, with_flags, with_rows
from core.classfile.symbolic.symbol_pool import MOST_NARROW, Reference, Symbol
from core.classfile.symbolic.symbolic_class import AttributeTree, MemberTree, SymbolicClass
from core.edits.names.name_map import Replacement
from core.edits.programs.merges.merge_rules import MergeRules
from core.edits.programs.merges.merged_members import gives_way, makes_objects, with_names, without_signature
from core.edits.programs.merges.plain_interfaces import as_classes, unimplemented
from core.edits.programs.nesting import joined
from core.edits.programs.program import (
    CONSTRUCTOR,
    INITIALISER,
    OBJECT,
    ProgramEdit,
    RewritingKind,
    WholeProgram,
    kind,
    package_of,
    shown,
)
from core.edits.programs.replaced_types import tells_members_apart

_ACCESS = PUBLIC | PRIVATE | PROTECTED
_OF_ALL = FINAL | ABSTRACT | SYNTHETIC
"""Flags that a class has after a merge if all merged classes had them."""
_PLAIN = "()V"


@dataclass
class _Group:
    """A class with those that can become part of it, any of them together."""

    head: SymbolicClass
    parts: list[SymbolicClass] = field(default_factory=list)

    @property
    def all(self) -> tuple[SymbolicClass, ...]:
        """The classes that become one."""
        return self.head, *self.parts

    @property
    def narrow(self) -> set[Symbol]:
        """The constants of ``ldc`` of all classes."""
        return {symbol for tree in self.all for symbol in tree.narrow}


class Merge(NamedTuple):
    """A class that goes, its new class, and the methods renamed there."""

    old: str
    new: str
    renamed: Mapping[Reference, str]
    concrete: tuple[str, ...]
    """Interfaces and abstract classes among the two, which become concrete classes."""


def _merges(program: WholeProgram, skipped: int) -> list[Merge]:
    """Return the merges of each class into the first possible target after some ``skipped`` ones.

    Unimplemented interfaces and abstract classes are plain classes then. Classes of nests and exceptions take others
    but never go. Of the others those with a generic signature stay, then those with the shortest name.
    """
    if any(tree.attribute("Module") for tree in program.classes):
        return []
    plain = unimplemented(program)
    program = as_classes(program, plain)
    rules = MergeRules(program)
    groups: list[_Group] = []
    found: list[Merge] = []
    goes = {tree.name for tree in program.classes if rules.may_go(tree)}
    for tree in sorted(filter(rules.may_take, program.classes), key=partial(_rank, goes=goes)):
        suitable = groups if tree.name in goes else ()
        taking = (each for each in suitable if _takes(each, tree, found, program, rules))
        group = next(islice(taking, skipped, None), None)
        if group is None:
            groups.append(_Group(tree))
            continue
        part = rules.beside(tree, group.all)
        group.parts.append(part)
        rules.names.take(part)
        names = {
            (tree.name, *old.key): new.name
            for old, new in zip(tree.methods, part.methods, strict=True)
            if old.name != new.name
        }
        both = tree.name, group.head.name
        found.append(Merge(*both, names, tuple([name for name in both if name in plain])))
    return found


def _rank(tree: SymbolicClass, goes: Collection[str]) -> tuple[bool, bool, int]:
    return tree.attribute("Signature") is None, tree.name in goes, len(tree.name)


def _find(program: WholeProgram, skipped: int = 0) -> Sequence[ProgramEdit]:
    """Return an edit for each class that can go."""
    return [
        ProgramEdit(f"{shown(each.old)} is merged into {shown(each.new)}", (each.old, each.new), each)
        for each in _merges(program, skipped)
    ]


def _takes(
    group: _Group, tree: SymbolicClass, known: Sequence[Merge], program: WholeProgram, rules: MergeRules
) -> bool:
    """Return True if a class can become part of a group, perhaps with new names of methods."""
    if not rules.goes_into(tree, group.head) or len({*group.narrow, *tree.narrow}) > MOST_NARROW:
        return False
    part = rules.beside(tree, group.all)
    into = {**{each.old: each.new for each in known}, tree.name: group.head.name}
    return (
        all(rules.go_together(part, other) for other in group.all)
        and tells_members_apart(program, into)
        and rules.keeps_overriding(into, group.head.name)
        and _is_acyclic(program, into)
    )


@kind("merging", _find)
def MERGING(program: WholeProgram, edits: Sequence[ProgramEdit]) -> WholeProgram:
    """Merge some classes. If a class leaves its package, everything in the program becomes public."""
    made: list[Merge] = [edit.what for edit in edits]
    names = {each.old: each.new for each in made}
    whole, renamed = program, {method: name for each in made for method, name in each.renamed.items()}
    program = as_classes(program, {name for each in made for name in each.concrete})
    program = with_names(program, renamed)
    replacement = Replacement(names)
    parts: dict[str, list[SymbolicClass]] = {}
    for tree in program.classes:
        owner = names.get(tree.name, tree.name)
        if owner != tree.name:
            tree = without_signature(tree, program.by_name[owner])
        parts.setdefault(owner, []).append(replacement.tree(_under(tree, _superclass(owner, program, names))))
    opens = any(package_of(old) != package_of(new) for old, new in names.items())
    trees = []
    for tree in program.classes:
        if tree.name in names:
            continue
        own = parts[tree.name]
        changed = own[0] if len(own) == 1 else _merged(tree.name, own, _superclass(tree.name, program, names))
        if opens:
            changed = _opened(changed)
        trees.append(whole.by_name[tree.name] if changed == whole.by_name[tree.name] else changed)
    methods = {new: old for (_, old, _), new in renamed.items()}
    return replace(program, classes=tuple(trees), renaming=program.renaming.then(names, methods))


REGROUPING = RewritingKind("regrouping", partial(_find, skipped=1), MERGING.make)
"""Merges for classes that the failure keeps apart from their first possible target."""


def _is_acyclic(program: WholeProgram, names: Mapping[str, str]) -> bool:
    """Return True if no class extends itself after some merges."""
    above: dict[str, set[str]] = {}
    for tree in program.classes:
        owner, superclass = (names.get(each, each) for each in (tree.name, tree.superclass or ""))
        if owner != superclass:
            above.setdefault(owner, set()).add(superclass)
    try:
        TopologicalSorter(above).prepare()
    except CycleError:
        return False
    return True


def _superclass(name: str, program: WholeProgram, names: Mapping[str, str]) -> str:
    """Return the superclass of a class after some merges."""
    above = name
    while names.get(above, above) == name:
        above = program.by_name[above].superclass or ""
    return names.get(above, above)


def _under(tree: SymbolicClass, superclass: str) -> SymbolicClass:
    """Return a direct subclass of Object under another superclass, with that one's constructors called."""
    if tree.superclass != OBJECT or superclass == OBJECT:
        return tree
    old, new = (Symbol(METHOD_REF, (name, CONSTRUCTOR, _PLAIN)) for name in (OBJECT, superclass))

    def told(method: MemberTree) -> MemberTree:
        if method.name != CONSTRUCTOR:
            return method
        return method.mapped(lambda _, symbol: new if symbol == old else symbol)

    return tree.with_methods(told)


def _merged(name: str, trees: Sequence[SymbolicClass], superclass: str) -> SymbolicClass:
    """Return the class called ``name`` with the members of all; in every class its constants are replaced already."""
    head = next(tree for tree in trees if tree.name == name)
    ordered = [head, *(tree for tree in trees if tree is not head)]
    access = head.access & ~_OF_ALL
    if any(tree.access & PUBLIC for tree in trees):
        access |= PUBLIC
    for flag in (FINAL, ABSTRACT, SYNTHETIC):
        if all(tree.access & flag for tree in trees):
            access |= flag
    attributes = {each.name: each for tree in reversed(ordered) for each in tree.attributes}
    attributes.pop(INNER_CLASSES, None)
    attributes |= {each.name: each for each in joined(head, ordered[1:])}
    signature = head.attribute("Signature")
    return head._replace(
        minor=max(trees, key=lambda tree: tree.major).minor,
        major=max(tree.major for tree in trees),
        access=access,
        superclass=superclass,
        interfaces=tuple(dict.fromkeys(each for tree in ordered for each in tree.interfaces)),
        fields=_fields(ordered),
        methods=_methods(ordered, superclass),
        attributes=tuple([each for each in attributes.values() if each.name != "Signature" or each is signature]),
    )


def _fields(trees: Iterable[SymbolicClass]) -> tuple[MemberTree, ...]:
    """Return the fields of all classes. An instance field is never final: not every constructor writes it."""
    found: dict[tuple[str, str], MemberTree] = {}
    for tree in trees:
        for member in tree.fields:
            access = member.access if member.access & STATIC else member.access & ~FINAL
            same = found.get(member.key)
            if same is not None:
                access = _more_open(access, same.access) & ~FINAL
            found[member.key] = member._replace(access=access)
    return tuple(found.values())


def _methods(trees: Sequence[SymbolicClass], superclass: str) -> tuple[MemberTree, ...]:
    """Return the methods of all classes; of two with the same name and descriptor the one that does something."""
    found: dict[tuple[str, str], MemberTree] = {}
    for tree in trees:
        for method in tree.methods:
            if tree.superclass == trees[0].name:
                method = _beside_its_super(method, trees[0].name, superclass)
            same = found.get(method.key)
            if same is not None:
                stays = method if gives_way(same) and not method.access & ABSTRACT else same
                access = _more_open(method.access, same.access)
                method = stays._replace(access=stays.access & ~_ACCESS | access & _ACCESS)
            found[method.key] = method
    return tuple(found.values())


def _beside_its_super(method: MemberTree, name: str, superclass: str) -> MemberTree:
    """Return a constructor without parameters, merged beside that of its superclass: it calls the next superclass.

    A constructor that makes objects of the class is left as it is.
    """
    if method.key != (CONSTRUCTOR, _PLAIN) or makes_objects(method, name):
        return method
    itself, above = Symbol(METHOD_REF, (name, *method.key)), Symbol(METHOD_REF, (superclass, *method.key))
    return method.mapped(lambda _, symbol: above if symbol == itself else symbol)


def _more_open(access: int, other: int) -> int:
    """Return flags with the wider access of two members."""
    for flag in (PUBLIC, PROTECTED):
        if (access | other) & flag:
            return access & ~_ACCESS | flag
    if access & other & PRIVATE:
        return access
    return access & ~PRIVATE


def _opened(tree: SymbolicClass) -> SymbolicClass:
    """Return a class that is public, with public members but for private ones."""

    def told(member: MemberTree) -> MemberTree:
        if member.access & PRIVATE or member.name == INITIALISER:
            return member
        return member._replace(access=member.access & ~PROTECTED | PUBLIC)

    attributes = tuple(map(_opened_rows, tree.attributes))
    return tree.with_members(told)._replace(access=tree.access | PUBLIC, attributes=attributes)


def _opened_rows(attribute: AttributeTree) -> AttributeTree:
    """Return the rows of nested classes with public classes."""
    if attribute.name != INNER_CLASSES:
        return attribute
    rows = rows_of(attribute, INNER_ROW)
    return with_rows(attribute, [with_flags(row, flags_of(row) & ~(PRIVATE | PROTECTED) | PUBLIC) for row in rows])
