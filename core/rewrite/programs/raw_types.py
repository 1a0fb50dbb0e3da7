"""Generic signatures: the classes of one top-level class lose all of theirs, and become plain classes of Java 1.4."""

from __future__ import annotations

from collections.abc import Sequence

from core.rewrite.programs.class_tree import MemberTree, SymbolicClass
from core.rewrite.programs.program import ProgramEdit, WholeProgram, families, kind, outermost, shown

_GENERIC = frozenset(
    (
        "Signature",
        "LocalVariableTypeTable",
        "RuntimeVisibleTypeAnnotations",
        "RuntimeInvisibleTypeAnnotations",
    )
)
"""Attributes that type arguments or type variables may stand in."""

_BRIDGE, _SYNTHETIC = 0x0040, 0x1000


def _find(program: WholeProgram) -> Sequence[ProgramEdit]:
    """Return one edit for each top-level class, because the classes in it use its type variables."""
    found = []
    for top, trees in families(program.classes).items():
        if any(tree.attribute("Record") for tree in trees):
            continue  # signatures of components stand within that attribute
        if any(tree != tree.without_attributes(_GENERIC.__contains__) for tree in trees):
            names = tuple(tree.name for tree in trees)
            found.append(ProgramEdit(f"{shown(top)} has no generic types any more", names, top))
    return found


@kind("signatures", "generic types go, whole classes at a time", _find)
def SIGNATURES(program: WholeProgram, edits: Sequence[ProgramEdit]) -> WholeProgram:
    """Drop the signatures of the classes of some top-level classes.

    Without ``Comparable<A>``, a compiler looks for the method ``compareTo(Object)`` in source. So bridges become
    ordinary methods.
    """
    tops = {edit.what for edit in edits}
    return program.mapped(lambda tree: _erased(tree) if outermost(tree.name) in tops else tree)


def _erased(tree: SymbolicClass) -> SymbolicClass:
    bare = tree.without_attributes(_GENERIC.__contains__)
    parameters = [(method.name, method.descriptor.partition(")")[0]) for method in bare.methods]

    def told(method: MemberTree) -> MemberTree:
        alone = parameters.count((method.name, method.descriptor.partition(")")[0])) == 1
        if method.access & _BRIDGE and alone:
            return method._replace(access=method.access & ~(_BRIDGE | _SYNTHETIC))
        return method

    return bare._replace(methods=tuple(map(told, bare.methods)))
