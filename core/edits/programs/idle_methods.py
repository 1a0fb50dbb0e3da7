"""Methods that do nothing: they go if no object of their class is made, or become native without code."""

from __future__ import annotations

from collections.abc import Sequence

from core.classfile.flags import ABSTRACT, ENUM, FINAL, INTERFACE, MODULE, NATIVE, PRIVATE, STATIC, STRICT, SYNTHETIC
from core.classfile.symbolic.symbolic_class import MemberTree, Reference, SymbolicClass
from core.edits.programs.class_relations import CONSTRUCTOR, ClassRelations
from core.edits.programs.merges.merged_members import gives_way
from core.edits.programs.program import ProgramEdit, WholeProgram, item_of, kind, shown
from core.protocol.java_names import item_title


def _find_idle(program: WholeProgram) -> Sequence[ProgramEdit]:
    """Return one edit for each method that can go once its class is abstract. A class that rows of nested classes name
    has its flags there too, and stays.
    """
    relations = ClassRelations(program)
    named = {each for tree in program.classes for symbol in set(tree.symbols) for each in symbol.members}
    made = {owner for owner, name, _ in named if name == CONSTRUCTOR}
    return [
        ProgramEdit(
            f"{shown(tree.name)} is abstract, without {item_title(item_of((tree.name, *method.key)))}",
            (tree.name, item_of((tree.name, *method.key))),
            (tree.name, *method.key),
        )
        for tree in program.classes
        if tree.name not in made and _can_be_abstract(tree, relations)
        for method in tree.methods
        if _is_idle(tree, method, relations, named)
    ]


@kind("abstract", _find_idle)
def ABSTRACT_CLASSES(program: WholeProgram, edits: Sequence[ProgramEdit]) -> WholeProgram:
    """Make some classes abstract, and remove methods that they need not implement then (JLS 8.1.1.1).

    This is done after merging: a class of which there are objects can be merged with a concrete class alone.
    """
    gone = {edit.what for edit in edits}
    owners = {owner for owner, _, _ in gone}

    def changed(tree: SymbolicClass) -> SymbolicClass:
        if tree.name not in owners:
            return tree
        left = [method for method in tree.methods if (tree.name, *method.key) not in gone]
        return tree._replace(access=tree.access & ~FINAL | ABSTRACT, methods=tuple(left))

    return program.mapped(changed)


def _find_empty(program: WholeProgram) -> Sequence[ProgramEdit]:
    """Return one edit for each method that a native one can replace. No constructor and no initialiser can be native
    (JVMS 4.6), and a compiler's own method is one that a decompiler expects to have code.
    """
    methods = [
        (tree.name, *method.key)
        for tree in program.classes
        if not tree.access & (INTERFACE | ENUM) and not tree.attribute("Record")
        for method in tree.methods
        if not method.name.startswith("<") and not method.access & (ABSTRACT | NATIVE | SYNTHETIC) and gives_way(method)
    ]
    return [
        ProgramEdit(f"{item_title(item_of(each))} is native", (each[0], item_of(each)), item_of(each))
        for each in methods
    ]


@kind("native", _find_empty)
def NATIVE_BODIES(program: WholeProgram, edits: Sequence[ProgramEdit]) -> WholeProgram:
    """Make some methods native. This comes last: unread parameters are recognised by code."""
    chosen = {edit.what for edit in edits}

    def changed(tree: SymbolicClass) -> SymbolicClass:
        def told(method: MemberTree) -> MemberTree:
            if item_of((tree.name, *method.key)) not in chosen:
                return method
            return method.with_attribute("Code")._replace(access=method.access & ~STRICT | NATIVE)

        return tree.with_methods(told)

    return program.mapped(changed)


def _can_be_abstract(tree: SymbolicClass, relations: ClassRelations) -> bool:
    return (
        not tree.access & (INTERFACE | ABSTRACT | ENUM | MODULE)
        and not tree.attribute("Record")
        and tree.name not in relations.in_rows
        and all(below.access & ABSTRACT for below in relations.all_below(tree.name))
    )


def _is_idle(tree: SymbolicClass, method: MemberTree, relations: ClassRelations, named: set[Reference]) -> bool:
    """Return True for a method that does nothing, implements an abstract one, and is called by no name of its class or
    of a class below.
    """
    if method.access & (PRIVATE | STATIC) or method.name == CONSTRUCTOR or not gives_way(method):
        return False
    owners = (tree.name, *[below.name for below in relations.all_below(tree.name)])
    if any((owner, *method.key) in named for owner in owners):
        return False
    above = [relations.declared(each).get(method.key, 0) for each in relations.supertypes(tree.name)]
    return any(access & ABSTRACT for access in above)
