"""Parameters that go, those that are read too: where a method reads one, null or 0 stands in its place."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from core.classfile.descriptors import method_types
from core.code.dataflow.locals import touched
from core.code.ops import argument_widths
from core.edits.programs.program import ProgramEdit, WholeProgram, kind
from core.edits.programs.shapes.dropping import DEEPEST, MethodShape
from core.edits.programs.shapes.families import Declared, MethodFamily, slots_of_parameters
from core.edits.programs.shapes.method_shapes import changeable, edit, with_shapes, without_clashes


def _find(program: WholeProgram) -> Sequence[ProgramEdit]:
    """Return one edit for each parameter; one for most parameters of a method that has others of its name."""
    found: list[ProgramEdit] = []
    overloads: dict[MethodFamily, list[int]] = {}
    for each in changeable(program):
        places = list(_places(each))
        if each.others and places:
            overloads[each] = places
        elif places:
            found += [edit(each, MethodShape(frozenset((at,))), f"{{}} has no parameter {at + 1}") for at in places]
    for each, shape in without_clashes(overloads):
        numbers = ", ".join(str(place + 1) for place in sorted(shape.dropped))
        found.append(edit(each, shape, f"{{}} has no parameters {numbers}"))
    return found


@kind("arguments", _find)
def ARGUMENTS(program: WholeProgram, edits: Sequence[ProgramEdit]) -> WholeProgram:
    """Take some parameters away, and what calls push for them."""
    return with_shapes(program, edits)


def _places(family: MethodFamily) -> Iterator[int]:
    """Yield the parameters that no method writes and that every call can do without."""
    widths = argument_widths(family.descriptor)
    first = max((call.first for call in family.calls), default=0)
    written = set().union(*map(_written, family.methods))
    for place in range(family.fixed, len(method_types(family.descriptor)[0])):
        if place not in written and sum(widths[place + 1 : first]) <= DEEPEST:
            yield place


def _written(declared: Declared) -> set[int]:
    """Return the parameters that a method writes, or reads as something else than a parameter."""
    if declared.code is None:
        return set()
    parameters = slots_of_parameters(declared)
    return {
        parameters[slot]
        for block in declared.code.flow.blocks
        for op in block.ops
        for slot, _, writes in touched(op)
        if writes and slot in parameters
    }
