"""Parameters that no method reads, and that each call pushes as a constant or a variable."""

from __future__ import annotations

from collections.abc import Sequence

from core.classfile.descriptors import method_types
from core.code.dataflow.locals import touched
from core.edits.programs.program import ProgramEdit, WholeProgram, kind
from core.edits.programs.shapes.dropping import MethodShape
from core.edits.programs.shapes.families import Declared, method_families, slots_of_parameters
from core.edits.programs.shapes.method_shapes import edit, with_shapes

_MOST_CLASS_BYTES = 300_000
"""Most bytes of classes in which parameters are looked for. In larger inputs parameters are not worth the time.
See decisions/021-parameters.md."""


def _find(program: WholeProgram) -> Sequence[ProgramEdit]:
    """Return an edit for each parameter. Where a method has type parameters, these may need the arguments. A method
    with a variable number of arguments needs its last parameter.
    """
    found: list[ProgramEdit] = []
    for each in method_families(program):
        if each.others or each.is_generic or each.takes_any_number:
            continue
        first = max([each.fixed, *(call.first for call in each.calls)])
        used = set().union(*map(_used, each.methods))
        places = [place for place in range(first, len(method_types(each.descriptor)[0])) if place not in used]
        found += [edit(each, MethodShape(frozenset((at,))), "") for at in places]
    return found


@kind(
    "parameters",
    _find,
    most=_MOST_CLASS_BYTES,
    weighs=False,
)
def UNREAD(program: WholeProgram, edits: Sequence[ProgramEdit]) -> WholeProgram:
    """Take some parameters away, and what calls push for them."""
    return with_shapes(program, edits)


def _used(declared: Declared) -> set[int]:
    """Return the parameters that the code reads or writes."""
    if declared.code is None:
        return set()
    parameters = slots_of_parameters(declared)
    slots = {slot for block in declared.code.flow.blocks for op in block.ops for slot, _, _ in touched(op)}
    return {parameters[slot] for slot in slots & parameters.keys()}
