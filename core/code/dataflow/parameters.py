"""Parameters that a method never writes, whose values are therefore at hand everywhere in it."""

from __future__ import annotations

from typing import NamedTuple

from core.classfile.opcodes import KINDS, kind_of
from core.code.blocks import Flow
from core.code.dataflow.locals import load, touched
from core.code.ops import Op
from core.code.stackmap import Type, Types

_THIS = 6
_OF_TAG = {1: KINDS[0], 2: KINDS[2], 3: KINDS[3], 4: KINDS[1]}
_WIDE = (3, 4)


class Parameter(NamedTuple):
    """One of them, the receiver too."""

    slot: int
    type: int | str
    """As in a frame."""

    @property
    def kind(self) -> str:
        """The descriptor of its kind."""
        return _OF_TAG.get(self.type, KINDS[-1]) if isinstance(self.type, int) else KINDS[-1]

    @property
    def is_wide(self) -> bool:
        """Return True if the parameter takes two slots."""
        return self.type in _WIDE

    def load(self, offset: int) -> Op:
        """Put the parameter on the stack."""
        return load(offset, self.kind, self.slot)

    def fits(self, descriptor: str) -> bool:
        """Return True if the parameter is of exactly that type. All types that the JVM computes as int are one type
        (JVMS 2.11.1)."""
        if isinstance(self.type, int):
            return self.kind == kind_of(descriptor)
        return descriptor == (self.type if self.type.startswith("[") else f"L{self.type};")


def parameters_of(flow: Flow) -> list[Parameter]:
    """Return the parameters that hold their initial value from the start to the end; no object whose constructor is
    running."""
    written = {slot for block in flow.blocks for op in block.ops for slot, _, is_written in touched(op) if is_written}
    found, slot = [], 0
    for type_ in flow.initial:
        width = 2 if type_ in _WIDE else 1
        if not isinstance(type_, tuple) and type_ != _THIS and written.isdisjoint(range(slot, slot + width)):
            found.append(Parameter(slot, type_))
        slot += width
    return found


def with_parameters(types: Types, parameters: list[Parameter]) -> Types:
    """Return ``types``, where frames may leave out what nothing read, with ``parameters``."""
    known: dict[int, Type] = {}
    slot = 0
    for type_ in types.variables:
        if type_ != 0:
            known[slot] = type_
        slot += 2 if type_ in _WIDE else 1
    known |= {parameter.slot: parameter.type for parameter in parameters}
    found: list[Type] = []
    place = 0
    for slot in sorted(known):
        found += [0] * (slot - place)
        found.append(known[slot])
        place = slot + (2 if known[slot] in _WIDE else 1)
    return Types(tuple(found), types.stack)
