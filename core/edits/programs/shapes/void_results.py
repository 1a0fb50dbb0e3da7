"""Methods that return nothing any more: where a call's result was used, null or 0 stands in its place."""

from __future__ import annotations

from collections.abc import Sequence

from core.classfile.descriptors import method_types
from core.edits.programs.program import ProgramEdit, WholeProgram, kind
from core.edits.programs.shapes.dropping import MethodShape
from core.edits.programs.shapes.families import MethodFamily
from core.edits.programs.shapes.method_shapes import changeable, edit, with_shapes

_VOID = MethodShape(is_void=True)


def _find(program: WholeProgram) -> Sequence[ProgramEdit]:
    """Return one edit for each method with a result. No other method may have its name and its parameters: only the
    result tells a bridge from the method that it calls.
    """
    return [
        edit(each, _VOID, "{} returns nothing")
        for each in changeable(program)
        if not each.descriptor.endswith("V") and _differs(each)
    ]


@kind("results", _find)
def RESULTS(program: WholeProgram, edits: Sequence[ProgramEdit]) -> WholeProgram:
    """Take the results of some methods away."""
    return with_shapes(program, edits)


def _differs(family: MethodFamily) -> bool:
    own = method_types(family.descriptor)[0]
    return all(method_types(other)[0] != own for other in family.others)
