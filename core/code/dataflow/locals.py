"""The local variables that an instruction reads and writes, and the webs of loads and stores that belong together."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain
from typing import Any, NamedTuple

from networkx.utils import UnionFind

from core.classfile.instructions import IINC, WIDE
from core.classfile.opcodes import KINDS
from core.code.blocks import Flow
from core.code.ops import Op, made, width_of
from core.sets import each, union

_LOADS, _STORES = range(0x15, 0x2E), range(0x36, 0x4F)
_ACCESSING = frozenset((IINC, *_LOADS, *_STORES))


class Access(NamedTuple):
    """A use of a local variable by an instruction."""

    slot: int
    kind: str
    """One of :data:`core.classfile.opcodes.KINDS`."""
    reads: bool
    writes: bool

    @property
    def width(self) -> int:
        """Slots of the value."""
        return width_of(self.kind)

    @property
    def slots(self) -> range:
        """All slots of the variable."""
        return range(self.slot, self.slot + self.width)


def access_of(op: Op) -> Access | None:
    """Return the use of a local variable by ``op``; None if ``op`` uses none."""
    return _accessing(op.opcode, op.data) if op.opcode in _ACCESSING else None


def touched(op: Op) -> tuple[tuple[int, bool, bool], ...]:
    """Return the variables of an instruction, slot by slot: number, whether it is read, whether it is written."""
    return _touching(op.opcode, op.data) if op.opcode in _ACCESSING else ()


def uses_of(ops: Iterable[Op]) -> tuple[int, int]:
    """Return the variables that ``ops``, one after the other, read before they write them, and all that they write."""
    reads = writes = 0
    for op in ops:
        for slot, is_read, is_written in touched(op):
            if is_read and not writes >> slot & 1:
                reads |= 1 << slot
            if is_written:
                writes |= 1 << slot
    return reads, writes


@lru_cache(maxsize=1 << 12)  # each edit of a method asks about all its instructions again
def _accessing(opcode: int, data: bytes) -> Access:
    operand = int.from_bytes(data[2:4], "big") if data[0] == WIDE else int.from_bytes(data[1:2], "big")
    if opcode == IINC:
        return Access(operand, "I", True, True)
    is_load = opcode in _LOADS
    number = opcode - (_LOADS if is_load else _STORES).start
    kind, slot = (number, operand) if number < 5 else divmod(number - 5, 4)
    return Access(slot, KINDS[kind], is_load, not is_load)


@lru_cache(maxsize=1 << 12)
def _touching(opcode: int, data: bytes) -> tuple[tuple[int, bool, bool], ...]:
    access = _accessing(opcode, data)
    return tuple((slot, access.reads, access.writes) for slot in access.slots)


def renumbered(op: Op, slot: int) -> Op:
    """Return ``op`` with another number of its variable, in its shortest form."""
    access = access_of(op)
    assert access is not None
    if op.opcode == IINC:
        amount = int.from_bytes(op.data[4:6] if op.data[0] == WIDE else op.data[2:3], "big", signed=True)
        if slot < 256 and -128 <= amount < 128:
            data = bytes([IINC, slot, amount & 0xFF])
        else:
            data = bytes([WIDE, IINC]) + slot.to_bytes(2, "big") + amount.to_bytes(2, "big", signed=True)
        return op._replace(data=data)
    base = _LOADS.start if access.reads else _STORES.start
    kind = KINDS.index(access.kind)
    if slot < 4:
        data = bytes([base + 5 + 4 * kind + slot])
    elif slot < 256:
        data = bytes([base + kind, slot])
    else:
        data = bytes([WIDE, base + kind]) + slot.to_bytes(2, "big")
    opcode = data[1] if data[0] == WIDE else data[0]
    return op._replace(opcode=opcode, data=data)


def store(offset: int, kind: str, slot: int) -> Op:
    """Store the top of the stack in a variable."""
    opcode = _STORES.start + KINDS.index(kind)
    return renumbered(made(offset, opcode, width_of(kind), operand=b"\0"), slot)


def load(offset: int, kind: str, slot: int) -> Op:
    """Put a variable on the stack."""
    opcode = _LOADS.start + KINDS.index(kind)
    return renumbered(made(offset, opcode, 0, width_of(kind), b"\0", ()), slot)


def read_before(
    reads: Mapping[int, int],
    writes: Mapping[int, int],
    targets: Callable[[int], Sequence[int]],
    handlers: Callable[[int], Sequence[int]],
) -> dict[int, int]:
    """Return for each block a mask of its live variables: they may be read from there on before they are written.
    ``reads`` are the variables that a block reads before it writes them, ``writes`` all that it writes. ``targets`` and
    ``handlers`` are the blocks that may follow, at the end or by an exception."""
    found, changed = dict(reads), True
    while changed:
        changed = False
        for number in reversed(reads):
            after = 0
            for target in targets(number):
                after |= found.get(target, 0)
            before = reads[number] | after & ~writes[number]
            for handler in handlers(number):  # an exception may come before anything is written
                before |= found.get(handler, 0)
            changed |= before != found[number]
            found[number] = before
    return found


def forward(first: int, state: int, edges: Callable[[int, int], Iterable[tuple[int, int]]]) -> dict[int, int]:
    """Return for each reachable block a mask of what may hold at its start, where ``state`` holds at the ``first`` one.
    ``edges`` yields the blocks that may follow a block with some mask at its start, each with its own mask then."""
    found, todo = {first: state}, [first]
    while todo:
        number = todo.pop()
        for target, arriving in edges(number, found[number]):
            joined = found.get(target, 0) | arriving
            if joined != found.get(target):
                found[target] = joined
                todo.append(target)
    return found


class Web(NamedTuple):
    """One variable as a compiler means it."""

    slot: int
    kind: str
    """A descriptor, of :data:`~core.classfile.opcodes.KINDS`."""
    reads: tuple[int, ...]
    """Offsets of the instructions that read it (``iinc`` does both), ascending."""
    writes: tuple[int, ...]
    is_parameter: bool
    """True if the variable has a value from the start of the method."""


def webs_of(flow: Flow) -> list[Web]:
    """Return the webs of the reachable code, by their first offset."""
    return _Webs(flow).webs()


class _Webs:
    """The definitions of variables, a bit of a mask for each slot that something writes."""

    def __init__(self, flow: Flow) -> None:
        self.flow = flow
        self.writers = [-1 - slot for slot in range(flow.parameters)]
        """Offset of the instruction of each definition; below 0 for a parameter."""
        self.of_slot = {slot: 1 << slot for slot in range(flow.parameters)}
        """The definitions of each slot, as a mask."""
        self.accesses: dict[int, list[tuple[int, Access]]] = {}
        for number in flow.live:
            found = [(op.offset, access) for op in flow.blocks[number].ops if (access := access_of(op)) is not None]
            self.accesses[number] = found
            for offset, slot in ((offset, slot) for offset, access in found if access.writes for slot in access.slots):
                self.of_slot[slot] = self.of_slot.get(slot, 0) | 1 << len(self.writers)
                self.writers.append(offset)
        self.made: dict[int, int] = {}
        """Offset of each instruction that writes -> its definitions, as a mask."""
        for number, offset in enumerate(self.writers):
            self.made[offset] = self.made.get(offset, 0) | 1 << number

    def webs(self) -> list[Web]:
        """Return all webs."""
        joined = self._joined()
        groups: dict[int, list[tuple[int, Access]]] = {}
        for offset, access in chain.from_iterable(self.accesses.values()):
            groups.setdefault(joined[offset], []).append((offset, access))
        parameters = {joined[key] for key in list(joined.parents) if key < 0}
        found = [
            Web(
                group[0][1].slot,
                group[0][1].kind,
                tuple(sorted({offset for offset, access in group if access.reads})),
                tuple(sorted({offset for offset, access in group if access.writes})),
                root in parameters,
            )
            for root, group in groups.items()
            # bytes that mean one thing here and another there are left alone
            if len({(access.slot, access.kind) for _, access in group}) == 1
        ]
        return sorted(found, key=lambda web: min(*web.reads, *web.writes, 1 << 16, 1 << 16))

    def _joined(self) -> Any:
        """Return the offsets of reads, each in one set with those of the definitions that reach it."""
        joined: Any = UnionFind()  # type: ignore[no-untyped-call]
        for number, state in forward(0, (1 << self.flow.parameters) - 1, self._edges).items():
            for offset, access in self.accesses[number]:
                if access.reads:
                    for definition in each(state & self._of(access)):
                        joined.union(offset, self.writers[definition])
                state = self._after(state, offset, access)
        return joined

    def _edges(self, number: int, state: int) -> Iterator[tuple[int, int]]:
        anywhere = state
        for offset, access in self.accesses[number]:
            state = self._after(state, offset, access)
            anywhere |= state
        yield from ((target, state) for target in self.flow.targets(number))
        yield from ((handler, anywhere) for handler in self.flow.handlers(number))

    def _after(self, state: int, offset: int, access: Access) -> int:
        """Return the definitions behind an instruction."""
        return state & ~self._of(access) | self.made[offset] if access.writes else state

    def _of(self, access: Access) -> int:
        """Return the definitions of all slots of a variable."""
        return union(self.of_slot.get(slot, 0) for slot in access.slots)
