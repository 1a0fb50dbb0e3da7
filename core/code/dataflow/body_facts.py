"""Facts about the original code of a method, each computed on first use: its unwritten parameters, its idle jumps."""

from __future__ import annotations

from functools import cached_property
from typing import NamedTuple

from core.classfile.descriptors import method_types
from core.classfile.opcodes import KINDS, kind_of
from core.code.blocks import Ends, Flow
from core.code.dataflow.locals import access_of, load, touched
from core.code.dataflow.regions import Region, regions_of
from core.code.dataflow.unfinished import unmade_loads
from core.code.dataflow.webs import Web, webs_of
from core.code.ops import Op
from core.code.stackmap import Type, Types


class BodyFacts:
    """Of one method."""

    def __init__(self, flow: Flow) -> None:
        self._flow = flow

    @cached_property
    def unmade_loads(self) -> frozenset[int]:
        """Offsets of loads of an object whose constructor has not been called."""
        found = self._unmade
        if found is not None:
            return found
        ops = (op for block in self._flow.blocks for op in block.ops)
        return frozenset(op.offset for op in ops if (access := access_of(op)) and access.kind == "Lnull;")

    @cached_property
    def _unmade(self) -> frozenset[int] | None:
        return unmade_loads(self._flow)

    @cached_property
    def webs(self) -> list[Web]:
        """Those that can go: of no object whose constructor has not been called."""
        unmade = self.unmade_loads
        return [web for web in webs_of(self._flow) if unmade.isdisjoint((*web.reads, *web.writes))]

    @cached_property
    def regions(self) -> dict[int, Region]:
        """Block -> the region that begins there, if it can be gone round."""
        return regions_of(self._flow) if self.is_plain else {}

    @cached_property
    def idle_jumps(self) -> frozenset[int]:
        """Blocks whose jump leads where control goes anyway."""
        return idle_jumps(self._flow)

    @cached_property
    def parameters(self) -> list[Parameter]:
        """Those that nothing writes."""
        return parameters_of(self._flow)

    @cached_property
    def asked(self) -> Parameter | None:
        """The parameter that conditions may ask for: a number, or else an object, the receiver last."""
        has_receiver = len(self._flow.initial) > len(method_types(self._flow.descriptor)[0])
        found = [one for one in self.parameters if one.kind in (KINDS[0], KINDS[-1])]
        return min(found, key=lambda one: (has_receiver and not one.slot, one.kind, one.slot), default=None)

    @property
    def is_plain(self) -> bool:
        """Return True if no variable but the receiver's holds an object whose constructor has not been called."""
        return self._unmade is not None


def idle_jumps(flow: Flow) -> frozenset[int]:
    """Return the numbers of the blocks whose jump leads where control goes anyway: a ``goto`` to what comes next, or a
    condition or a switch with one way to go. A compiler writes them for empty branches, and a decompiler may trip over
    them.
    """
    idle = set()
    after: dict[int, int] = {}  # live block -> itself or the next that is not empty; all behind the one at hand
    following = len(flow.blocks)
    for number in reversed([number for number, height in enumerate(flow.heights) if height >= 0]):
        block = flow.blocks[number]
        ways = {after.get(target, target) for target in block.end.targets}
        if block.end.how is Ends.BRANCHES:
            ways.add(after.get(number + 1, number + 1))
        if block.end.op is not None and len(ways) == 1 and (block.end.how is not Ends.GOES or ways == {following}):
            idle.add(number)
        if block.ops or (block.end.op is not None and number not in idle):
            following = number
        after[number] = following
    return frozenset(idle)


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
