"""Generic signatures: the classes of one top-level class lose all of theirs, and become plain classes of Java 1.4."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from core.classfile.annotations import TYPE
from core.classfile.flags import BRIDGE, SYNTHETIC
from core.classfile.format_error import ClassFormatError
from core.classfile.generic_use import generic_use
from core.classfile.symbolic.symbolic_class import AttributeTree, MemberTree, SymbolicClass
from core.edits.programs.class_relations import enclosing_method, families, parameters, top_levels
from core.edits.programs.program import ProgramEdit, WholeProgram, kind, shown

_APPLYING = frozenset(("Signature", "LocalVariableTypeTable"))
"""Attributes that hold signatures."""


def _find(program: WholeProgram) -> Sequence[ProgramEdit]:
    """Return one edit for each top-level class, because the classes in it use its type variables."""
    found = []
    for top, trees in families(program.classes).items():
        if any(tree.attribute("Record") for tree in trees):
            continue  # signatures of components stand within that attribute
        if any(tree != tree.without(is_generic) for tree in trees):
            names = tuple(tree.name for tree in trees)
            found.append(ProgramEdit(f"{shown(top)} has no generic types any more", names, top))
    return found


@kind("signatures", _find)
def SIGNATURES(program: WholeProgram, edits: Sequence[ProgramEdit]) -> WholeProgram:
    """Drop the signatures of the classes of some top-level classes, and others' signatures that apply such a class.

    Without ``Comparable<A>``, a compiler looks for the method ``compareTo(Object)`` in source. So bridges become
    ordinary methods.
    """
    tops = {edit.what for edit in edits}
    around = top_levels(program.classes)
    holders = {enclosing_method(tree) for tree in program.classes}
    raw: set[str] = set()
    while True:
        found = {tree.name for tree in program.classes if around[tree.name] in tops and _declares(tree)}
        if found == raw:
            break
        raw = found
        # a class whose supertypes have lost their type arguments is no longer generic either
        tops |= {around[tree.name] for tree in program.classes if _becomes_raw(tree, raw, holders)}

    def changed(tree: SymbolicClass) -> SymbolicClass:
        if around[tree.name] in tops:
            return _erased(tree)
        return tree.without(lambda attribute: attribute.name in _APPLYING and _applies(attribute, raw))

    return program.mapped(changed)


def is_generic(attribute: AttributeTree) -> bool:
    """Return True for an attribute that type arguments or type variables may stand in."""
    return attribute.name in _APPLYING | TYPE


def _declares(tree: SymbolicClass) -> bool:
    """Return True if a class has type parameters."""
    return tree.signature.startswith("<")


def _becomes_raw(tree: SymbolicClass, raw: Collection[str], holders: Collection[tuple[str, str, str] | None]) -> bool:
    """Return True if a class loses its own signature as some classes become ``raw``, or if a method around another
    class, one of the ``holders``, does: classes in a method use its type variables.
    """
    lost = [tree.attribute("Signature")]
    lost += [method.attribute("Signature") for method in tree.methods if (tree.name, *method.key) in holders]
    return any(signature is not None and _applies(signature, raw) for signature in lost)


def _applies(attribute: AttributeTree, classes: Collection[str]) -> bool:
    """Return True if a signature in an attribute gives type arguments to one of the classes."""
    for symbol in attribute.symbols:
        text = symbol.text
        if "<" not in text:
            continue
        try:
            if not (set(generic_use(text).applied) & set(classes)):
                continue
        except ClassFormatError:
            pass  # nobody can tell
        return True
    return False


def _erased(tree: SymbolicClass) -> SymbolicClass:
    bare = tree.without(is_generic)
    all_ = list(map(parameters, bare.methods))

    def told(method: MemberTree) -> MemberTree:
        alone = all_.count(parameters(method)) == 1
        if method.access & BRIDGE and alone:
            return method._replace(access=method.access & ~(BRIDGE | SYNTHETIC))
        return method

    return bare._replace(methods=tuple(map(told, bare.methods)))
