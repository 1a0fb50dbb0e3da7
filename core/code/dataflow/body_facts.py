"""The code of a method with facts about it, each computed on first use: its unwritten parameters, its idle jumps."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import NamedTuple

from core.classfile.descriptors import method_types
from core.classfile.opcodes import KINDS, kind_of
from core.code.blocks import Ends, Flow
from core.code.dataflow.locals import Web, access_of, load, touched, webs_of
from core.code.ops import Op
from core.code.stackmap import Types, in_slots, placed, slots_of
from core.code.types.symbols import Symbols


@dataclass(eq=False)
class EditableCode:
    """The code of one method."""

    flow: Flow
    symbols: Symbols
    """The constants to which its pool indexes lead."""

    @cached_property
    def webs(self) -> list[Web]:
        """Removable webs: without those of objects under construction."""
        unmade = _unmade_loads(self.flow)
        return [web for web in webs_of(self.flow) if unmade.isdisjoint((*web.reads, *web.writes))]

    @cached_property
    def idle_jumps(self) -> frozenset[int]:
        return idle_jumps(self.flow)

    @cached_property
    def parameters(self) -> tuple[Parameter, ...]:
        """Those that nothing writes, without an object under construction."""
        places = (place for block in self.flow.blocks for op in block.ops for place in touched(op))
        written = {slot for slot, _, is_written in places if is_written}
        made = ((slot, type_) for slot, type_ in placed(self.flow.initial) if type_ != _THIS)
        return tuple(
            Parameter(slot, type_)
            for slot, type_ in made
            if not isinstance(type_, tuple) and written.isdisjoint(range(slot, slot + slots_of(type_)))
        )

    @cached_property
    def asked(self) -> Parameter | None:
        """The parameter that conditions may ask for: a number, or else an object, the receiver last."""
        has_receiver = len(self.flow.initial) > len(method_types(self.flow.descriptor)[0])
        found = [one for one in self.parameters if one.kind in (KINDS[0], KINDS[-1])]
        return min(found, key=lambda one: (has_receiver and not one.slot, one.kind, one.slot), default=None)


def idle_jumps(flow: Flow) -> frozenset[int]:
    """Return the numbers of the blocks with an idle jump: a ``goto`` to the next instruction, or a condition or a
    switch with one way to go. A compiler writes them for empty branches, and a decompiler may trip over them.
    """
    idle = set()
    after: dict[int, int] = {}  # live block -> itself or the next that is not empty; all behind the one at hand
    following = len(flow.blocks)
    for number in reversed(flow.live):
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


class Parameter(NamedTuple):
    """One of them, the receiver too."""

    slot: int
    type: int | str
    """As in a frame."""

    @property
    def kind(self) -> str:
        """The descriptor of its kind."""
        return _OF_TAG.get(self.type, KINDS[-1]) if isinstance(self.type, int) else KINDS[-1]

    def load(self, offset: int) -> Op:
        """Put the parameter on the stack."""
        return load(offset, self.kind, self.slot)

    def fits(self, descriptor: str) -> bool:
        """Return True if the parameter is of exactly that type. All types that the JVM computes as int are one type
        (JVMS 2.11.1)."""
        if isinstance(self.type, int):
            return self.kind == kind_of(descriptor)
        return descriptor == (self.type if self.type.startswith("[") else f"L{self.type};")


@lru_cache(maxsize=1 << 14)  # each edit of a method asks about all its frames again
def with_parameters(types: Types, parameters: tuple[Parameter, ...]) -> Types:
    """Return ``types`` with ``parameters``; frames may leave out unread ones."""
    known = {slot: type_ for slot, type_ in placed(types.variables) if type_ != 0}
    return in_slots(known | {parameter.slot: parameter.type for parameter in parameters}, types.stack)


_REFERENCE = KINDS[-1]


def _unmade_loads(flow: Flow) -> frozenset[int]:
    """Return the offsets of the uses of ``this`` before ``super(...)``; of all references where a variable holds
    another unfinished object."""
    return frozenset(
        op.offset
        for number, block in enumerate(flow.blocks)
        for place, op in enumerate(block.ops)
        if (access := access_of(op)) is not None
        and access.kind == _REFERENCE
        and (flow.holds_unmade or (not access.slot and place < flow.unmade.get(number, 0)))
    )
