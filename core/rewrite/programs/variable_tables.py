"""LocalVariableTable, where LocalVariableTypeTable tells names and types of the same variables.

The virtual machine compares the two tables only where both are there, and decompilers read one without the other.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from core.protocol.java_names import item_title
from core.rewrite.around import rows_of
from core.rewrite.programs.class_tree import AttributeTree, MemberTree, SymbolicClass
from core.rewrite.programs.nesting import Reference
from core.rewrite.programs.program import ProgramEdit, WholeProgram, kind

_CODE, _PLAIN, _GENERIC = "Code", "LocalVariableTable", "LocalVariableTypeTable"
_ROW, _SYNTHETIC = 10, 0x1000


def _find(program: WholeProgram) -> Sequence[ProgramEdit]:
    """Return an edit for each method of which one table tells all that nothing else does."""
    return [
        ProgramEdit(
            f"{item_title(item)} has no LocalVariableTable any more",
            (tree.name, item),
            (tree.name, *method.key),
        )
        for tree in program.classes
        for method in tree.methods
        if _is_told_twice(method)
        for item in [f"{tree.name}.{method.name}:{method.descriptor}"]
    ]


@kind("variables", "of two tables of local variables the one with generic types is left", _find, moves=True)
def VARIABLES(program: WholeProgram, edits: Sequence[ProgramEdit]) -> WholeProgram:
    """Drop the first table of some methods. The search of bodies, which drops single variables, comes before."""
    chosen: set[Reference] = {edit.what for edit in edits}

    def changed(tree: SymbolicClass) -> SymbolicClass:
        if all((tree.name, *method.key) not in chosen for method in tree.methods):
            return tree
        methods = [_shorter(each) if (tree.name, *each.key) in chosen else each for each in tree.methods]
        return tree._replace(methods=tuple(methods))

    return program.mapped(changed)


def _is_told_twice(method: MemberTree) -> bool:
    """Return True if every variable but parameters, which the descriptor tells of, is in both tables.

    The parameters of a lambda's body are other variables outside it: a decompiler finds them by their names.
    """
    code = method.attribute(_CODE)
    if code is None or method.access & _SYNTHETIC:
        return False
    generic, plain = (set(_variables(code, name)) for name in (_GENERIC, _PLAIN))
    return bool(generic) and bool(plain) and all(row in generic or row[:2] == b"\0\0" for row in plain)


def _variables(code: AttributeTree, table: str) -> Iterator[bytes]:
    """Yield start, length and place of each variable of a table."""
    for each in code.inside:
        if each.name == table:
            yield from (row.data[:4] + row.data[8:] for row in rows_of(each, _ROW))


def _shorter(method: MemberTree) -> MemberTree:
    """Return a method without its LocalVariableTable."""
    attributes = [
        each._replace(inside=tuple([one for one in each.inside if one.name != _PLAIN])) for each in method.attributes
    ]
    return method._replace(attributes=tuple(attributes))
