"""Nested classes that become plain ones: their rows of InnerClasses go, EnclosingMethod, and their place in a nest.

Without the rows no class of the nest needs the enclosing class any more. The name stays: ``A$B`` is a correct name of a
top-level class.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace

from core.classfile.flags import BRIDGE, ENUM, PRIVATE, SYNTHETIC
from core.classfile.format_error import ClassFormatError
from core.classfile.generic_use import generic_use
from core.classfile.symbolic.contents import (
    INNER_CLASSES,
    INNER_ROW,
    inner_classes,
    inner_of,
    rows_of,
    text_of,
    with_rows,
)
from core.classfile.symbolic.pieces import Key, Piece
from core.classfile.symbolic.symbol_pool import Reference
from core.classfile.symbolic.symbolic_class import AttributeTree, MemberTree, SymbolicClass
from core.edits.programs.classes_around import outer_class, top_levels
from core.edits.programs.program import CONSTRUCTOR, ProgramEdit, WholeProgram, kind, shown

_OUTER = 2
"""Offset of the class around in a row of InnerClasses."""
_HIDDEN = re.compile(r"this\$|val\$|access\$|<init>$")
"""Synthetic members that a decompiler puts back into the source of the class around them."""
_NESTED = re.compile(r">\.")
"""In a generic signature: a nested class of a class with type arguments."""


def _find(program: WholeProgram) -> Sequence[ProgramEdit]:
    open_members = _used_from_outside(program)
    nested = [
        tree.name
        for tree in program.classes
        if is_nested(tree) and not _is_constant(tree, program) and _may_open(tree.name, open_members, program)
    ]
    return [ProgramEdit(f"{shown(name)} is no longer a nested class", (name,), name) for name in nested]


@kind("nesting", _find)
def NESTING(program: WholeProgram, edits: Sequence[ProgramEdit]) -> WholeProgram:
    """Make plain classes of some nested ones.

    Private members that other classes of the nest use become accessible. Members that a decompiler hides in a nested
    class become ordinary ones.
    """
    plain = {edit.what for edit in edits}
    opened = {
        member
        for member, users in _used_from_outside(program).items()
        if member[0] in plain or not plain.isdisjoint(users)
    }
    around = top_levels(program.classes)
    tops = {around[name] for name in plain}
    trees = []
    for tree in program.classes:
        changed = _without_rows(tree, plain)
        if around[tree.name] in tops:
            changed = _plainly(changed, tree.name in plain, opened, _scope(tree, plain, program))
        trees.append(tree if changed == tree else changed)
    renaming = program.renaming.then({name: name for name in plain})
    return replace(program, classes=tuple(trees), renaming=renaming)


def is_nested(tree: SymbolicClass) -> bool:
    """Return True if an attribute of the class itself says that it is nested."""
    if tree.attribute("EnclosingMethod") or tree.attribute("NestHost"):
        return True
    return tree.name in map(inner_of, inner_classes(tree))


def _is_constant(tree: SymbolicClass, program: WholeProgram) -> bool:
    """Return True if the class is the body of a constant of an enum: no other class may extend the enum."""
    above = program.by_name.get(tree.superclass or "")
    return above is not None and bool(above.access & ENUM)


def _used_from_outside(program: WholeProgram) -> dict[Reference, set[str]]:
    """Return the private members that other classes use, each with these classes."""
    private = {
        (tree.name, *member.key)
        for tree in program.classes
        for member in (*tree.fields, *tree.methods)
        if member.access & PRIVATE
    }
    found: dict[Reference, set[str]] = {}
    for tree in program.classes:
        for symbol in set(tree.symbols):
            for used in symbol.members:
                if used in private and used[0] != tree.name:
                    found.setdefault(used, set()).add(tree.name)
    return found


def _may_open(name: str, members: dict[Reference, set[str]], program: WholeProgram) -> bool:
    """Return True if no other class has a method that a private method of the nest would be overridden by."""
    needed = [member for member, users in members.items() if member[0] == name or name in users]
    return not any(
        method.key == member[1:]
        for member in needed
        if member[1] != CONSTRUCTOR
        for tree in program.classes
        if tree.name != member[0]
        for method in tree.methods
    )


def _without_rows(tree: SymbolicClass, plain: Collection[str]) -> SymbolicClass:
    attributes = []
    for each in tree.attributes:
        if each.name in ("EnclosingMethod", "NestHost") and tree.name in plain:
            continue
        if each.name == INNER_CLASSES:
            attributes += _rows_without(each, INNER_ROW, plain)
        elif each.name == "NestMembers":
            attributes += _rows_without(each, 2, plain)
        else:
            attributes.append(each)
    return tree._replace(attributes=tuple(attributes))


def _rows_without(table: AttributeTree, size: int, plain: Collection[str]) -> list[AttributeTree]:
    """Return a counted table without the rows that begin with one of the classes; nothing if no row is left."""
    rows = [row for row in rows_of(table, size) if text_of(row.keys[0]) not in plain]
    return [with_rows(table, rows)] if rows else []


def joined(head: SymbolicClass, others: Iterable[SymbolicClass]) -> list[AttributeTree]:
    """Return the rows of InnerClasses of several classes as one attribute, with one row for each class; nothing if
    there is no row. Rows about the class ``head``, and about classes in it, are its own alone: the virtual machine
    compares them with the rows of the other class.
    """
    tables = [(tree, table) for tree in (head, *others) if (table := tree.attribute(INNER_CLASSES)) is not None]
    found: dict[Key, Piece] = {}
    for tree, table in tables:
        for row in rows_of(table, INNER_ROW):
            told = [text_of(key) for at, key in zip(row.offsets, row.keys, strict=True) if at <= _OUTER]
            if tree is head or head.name not in told:
                found.setdefault(row.keys[0], row)
    return [with_rows(tables[0][1], list(found.values()))] if found else []


def _scope(tree: SymbolicClass, plain: Collection[str], program: WholeProgram) -> tuple[str, ...] | None:
    """Return the type variables of a class and of its enclosing classes, up to the first plain one; None if no
    class around it does.
    """
    chain = [tree]
    while chain[-1].name not in plain:
        outer = program.by_name.get(outer_class(chain[-1]))
        if outer is None or outer in chain:
            return None
        chain.append(outer)
    found: tuple[str, ...] = ()
    for each in reversed(chain):
        signature = each.attribute("Signature")
        if signature is not None and not _is_undeclared(signature, found):
            found += _declared(signature)
    return found


def _plainly(
    tree: SymbolicClass, plain: bool, opened: Collection[Reference], scope: Collection[str] | None
) -> SymbolicClass:
    """Return a class of a nest without the ``opened`` members' private access and without synthetic members that a
    decompiler hides.

    Signatures with a type variable outside ``scope`` go; none of them if it is None.
    """

    def left(attributes: Iterable[AttributeTree]) -> tuple[AttributeTree, ...]:
        return tuple([each for each in attributes if scope is None or not _is_undeclared(each, scope)])

    def told(member: MemberTree) -> MemberTree:
        access = member.access
        if (tree.name, *member.key) in opened:
            access &= ~PRIVATE
        if access & SYNTHETIC and not access & BRIDGE and _HIDDEN.match(member.name):
            access &= ~SYNTHETIC
        return member._replace(access=access, attributes=left(member.attributes))

    access = tree.access & ~SYNTHETIC if plain else tree.access
    return tree.with_members(told)._replace(access=access, attributes=left(tree.attributes))


def _declared(signature: AttributeTree) -> tuple[str, ...]:
    try:
        return generic_use(signature.text).declared
    except ClassFormatError:
        return ()


def _is_undeclared(attribute: AttributeTree, declared: Collection[str]) -> bool:
    """Return True for a signature with a type variable that only the class around declares, or with a nested class of
    a generic class.
    """
    if attribute.name != "Signature":
        return False
    try:
        return bool(_NESTED.search(attribute.text)) or not set(generic_use(attribute.text).free).issubset(declared)
    except ClassFormatError:
        return True
