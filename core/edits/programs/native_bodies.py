"""Methods that do nothing become native: they need no code at all."""

from __future__ import annotations

from collections.abc import Sequence

from core.classfile.flags import ABSTRACT, ENUM, INTERFACE, NATIVE, STRICT, SYNTHETIC
from core.classfile.symbolic.symbolic_class import MemberTree, SymbolicClass
from core.edits.programs.merges.merged_members import gives_way
from core.edits.programs.program import ProgramEdit, WholeProgram, kind
from core.protocol.java_names import item_title

_CODE = "Code"


def _find(program: WholeProgram) -> Sequence[ProgramEdit]:
    return [
        ProgramEdit(
            f"{item_title(_item(tree, method))} is native", (tree.name, _item(tree, method)), _item(tree, method)
        )
        for tree in program.classes
        if not tree.access & (INTERFACE | ENUM) and not tree.attribute("Record")
        for method in tree.methods
        if _does_nothing(method)
    ]


@kind("native", _find)
def NATIVE_BODIES(program: WholeProgram, edits: Sequence[ProgramEdit]) -> WholeProgram:
    """Make some methods native. This is done last: parameters that nobody reads are told by code."""
    chosen = {edit.what for edit in edits}

    def changed(tree: SymbolicClass) -> SymbolicClass:
        if all(_item(tree, method) not in chosen for method in tree.methods):
            return tree
        methods = [_native(method) if _item(tree, method) in chosen else method for method in tree.methods]
        return tree._replace(methods=tuple(methods))

    return program.mapped(changed)


def _item(tree: SymbolicClass, method: MemberTree) -> str:
    """Return the name of a method as the model names items."""
    return f"{tree.name}.{method.name}:{method.descriptor}"


def _does_nothing(method: MemberTree) -> bool:
    """Return True for a method in whose place a native one can stand. No constructor and no initialiser can be native
    (JVMS 4.6), and a compiler's own method is one that a decompiler expects to have code.
    """
    if method.name.startswith("<") or method.access & (ABSTRACT | NATIVE | SYNTHETIC):
        return False
    return gives_way(method)


def _native(method: MemberTree) -> MemberTree:
    """Return a method without code and what describes code."""
    left = tuple([each for each in method.attributes if each.name != _CODE])
    return method._replace(access=method.access & ~STRICT | NATIVE, attributes=left)
