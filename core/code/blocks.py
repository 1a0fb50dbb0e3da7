"""The basic blocks of a method: the data that the parts of editing share."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from typing import NamedTuple

from core.classfile.descriptors import method_types
from core.classfile.format_error import ClassFormatError
from core.code.ops import HARMLESS, Op
from core.code.stackmap import Type, Types


class Ends(Enum):
    """The ways in which control leaves a block."""

    FALLS = "falls"
    """Into the next block."""
    STOPS = "stops"
    """It returns or throws; the instruction is the last of the block."""
    GOES = "goes"
    """``goto`` to the only target."""
    BRANCHES = "branches"
    """To the only target, or it falls."""
    SWITCHES = "switches"
    """To the first target by default, to one of the others in a case."""


class End(NamedTuple):
    """The end of a block; targets are numbers of blocks."""

    how: Ends
    op: Op | None
    """The jump; None for a block without one."""
    targets: tuple[int, ...] = ()
    keys: tuple[int, ...] = ()
    """For a switch: the value of each case."""


class Block(NamedTuple):
    """Code that is entered at its first instruction only, all in the same ranges of the exception table."""

    start: int
    """Offset."""
    stop: int
    """Offset behind it."""
    ops: tuple[Op, ...]
    """Without the jump at its end."""
    end: End
    rows: tuple[int, ...]
    """Rows of the exception table that protect it."""
    data: bytes
    """The bytes of ``ops``."""
    holes: tuple[tuple[int, int], ...]
    """Offsets in ``data`` and keys of pool indexes."""
    throws: bool
    """True if an exception may come from the block, judged by its opcodes."""
    uses: tuple[int, int]
    """Masks of the local variables: those read before they are written, and those written."""


class Guard(NamedTuple):
    """A row of the exception table."""

    start: int
    stop: int
    handler: int
    """Number of a block."""
    caught: int
    """Pool index of the class, 0 for any."""


class Named(NamedTuple):
    """A local variable and the range where it has a name (JVMS 4.7.13)."""

    start: int
    length: int
    name: int
    """Pool index."""
    slot: int


class Flow(NamedTuple):
    """The code of a method."""

    descriptor: str
    blocks: Sequence[Block]
    places: dict[int, tuple[int, int]]
    """Offset of each instruction -> number of the block, place in it; the jump at its end is behind all ``ops``."""
    guards: tuple[Guard, ...]
    idle: frozenset[int]
    """Rows of the exception table around code that never throws: written for another purpose."""
    heights: Sequence[int]
    """Slots on the stack at the start of each block; -1 for an unreachable one."""
    highest: Sequence[int]
    """Most slots on the stack in each block."""
    creations: dict[int, list[int]]
    """Offset of each ``new`` -> offsets of the constructor calls for its object."""
    unmade: dict[int, int]
    """Of a constructor: block that may begin before ``super(...)`` was called -> how many of its ops do."""
    holds_unmade: bool
    """True if a local variable other than the receiver's holds an object when its constructor is called."""
    frames: dict[int, Types]
    initial: tuple[Type, ...]
    parameters: int
    """Local variables of the receiver and the parameters."""
    variables: int
    """Local variables of all."""
    attributes: list[tuple[int, bytes]]
    """Those of the Code attribute: pool index of the name, content."""
    named: tuple[Named, ...]
    """The rows of LocalVariableTable."""

    @property
    def returns(self) -> str:
        """The descriptor of the return type."""
        return method_types(self.descriptor)[1]

    @property
    def live(self) -> list[int]:
        """The numbers of the blocks that can be reached."""
        return [number for number, height in enumerate(self.heights) if height >= 0]

    def targets(self, number: int) -> tuple[int, ...]:
        """Return the blocks to which control may go from the end of a block."""
        return successors(number, self.blocks[number].end)

    def handlers(self, number: int) -> list[int]:
        """Return the blocks to which an exception in a block may lead."""
        return [self.guards[row].handler for row in self.blocks[number].rows]


def joined(ops: Sequence[Op]) -> tuple[bytes, tuple[tuple[int, int], ...]]:
    """Return the bytes of ``ops``, one after the other, with offsets and keys of pool indexes."""
    at, holes = 0, []
    for op in ops:
        if op.key:
            holes.append((at + 1, op.key))
        at += len(op.data)
    return b"".join([op.data for op in ops]), tuple(holes)


def may_throw(ops: Sequence[Op]) -> bool:
    """Return True if one of ``ops`` may throw, judged by its opcode."""
    return any(op.opcode not in HARMLESS for op in ops)


def successors(block: int, end: End) -> tuple[int, ...]:
    """Return the blocks to which control may go from the ``end`` of a block, other than handlers."""
    return (*end.targets, block + 1) if end.how is Ends.BRANCHES else end.targets


def height_of(ops: Sequence[Op], height: int) -> tuple[int, int]:
    """Return the most slots while ``ops`` run, and how many there are afterwards; ``height`` is how many there are
    before."""
    most = height
    for op in ops:
        height -= op.pops
        if height < 0:
            raise ClassFormatError("an instruction takes more than there is on the stack")
        height += op.pushes
        if height > most:
            most = height
    return most, height
