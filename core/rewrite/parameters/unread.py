"""Which parameters can go: no method reads them, and each call pushes them as a constant or a variable."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from core.classfile.class_file import ClassFile
from core.classfile.descriptors import method_types
from core.rewrite.bodies.dataflow.locals import touched
from core.rewrite.parameters.families import Declared, Library, method_families, slots_of_parameters


class UnreadParameter(NamedTuple):
    """A parameter of the methods of one name and descriptor in classes that are related to each other."""

    owners: frozenset[str]
    name: str
    descriptor: str
    place: int
    """Among the parameters, from 0."""


def droppable(classes: Sequence[ClassFile], library: Library) -> list[UnreadParameter]:
    """Return the parameters that can go from all these classes, in their order, any of them together.

    Where a method has type parameters, these may need the arguments. A method with a variable number of arguments needs
    its last parameter.
    """
    found: list[UnreadParameter] = []
    for each in method_families(classes, library):
        if each.others or each.is_generic or each.takes_any_number:
            continue
        first = max([each.fixed, *(call.first for call in each.calls)])
        used = set().union(*map(_used, each.methods))
        places = [place for place in range(first, len(method_types(each.descriptor)[0])) if place not in used]
        found += [UnreadParameter(each.owners, each.name, each.descriptor, place) for place in places]
    return found


def _used(declared: Declared) -> set[int]:
    """Return the parameters that the code reads or writes."""
    if declared.flow is None:
        return set()
    parameters = slots_of_parameters(declared)
    slots = {slot for block in declared.flow.blocks for op in block.ops for slot, _, _ in touched(op)}
    return {parameters[slot] for slot in slots & parameters.keys()}
