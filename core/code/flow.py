"""The code of a method taken apart into basic blocks, with all that is fixed whatever edits are chosen."""

from __future__ import annotations

import struct
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from core.cancellation import cancellation_point
from core.classfile.code_content import code_head
from core.classfile.flags import STATIC
from core.classfile.format_error import ClassFormatError
from core.classfile.instructions import Instruction, instructions, switch_keys
from core.classfile.tables import attribute_rows
from core.code.blocks import Block, End, Ends, Flow, Guard, Named, height_of, joined, may_throw, successors
from core.code.dataflow.locals import uses_of
from core.code.ops import CONDITIONAL, ENDS, GOTOS, NEW, SUBROUTINES, SWITCHES, Op, op_of
from core.code.stackmap import at_start, read_frames, types_in
from core.code.types.fixpoint import interpreted
from core.code.types.method_body import Body, MethodHead, body_in
from core.code.types.stack_types import FIRST_FRAMES, OBJECT, UNINITIALIZED_THIS
from core.code.types.symbols import Symbols


def flow_of(symbols: Symbols, major: int, method: MethodHead, data: bytes) -> Flow | None:
    """Return the code of a method. ``major`` is the version of the class file, ``data`` the content of the Code
    attribute.

    None for subroutines (``jsr``), and for code that every verifier refuses. Raises :class:`ClassFormatError` if the
    attribute is damaged.
    """
    cancellation_point()
    head = code_head(data)
    attributes, _ = attribute_rows(symbols.text, data, head.end)
    try:
        body = body_in(symbols, data, method, {})
        return _Builder(symbols, major, method, body, head.handlers, attributes).flow()
    except struct.error:
        raise ClassFormatError("an attribute is cut off") from None
    except (ClassFormatError, IndexError, KeyError):
        return None


@dataclass(eq=False)
class _Builder:
    symbols: Symbols
    major: int
    method: MethodHead
    body: Body
    rows: Sequence[tuple[int, int, int, int]]
    attributes: list[tuple[int, bytes]]

    def __post_init__(self) -> None:
        self.instructions = list(instructions(self.body.code))
        if any(instruction.opcode in SUBROUTINES for instruction in self.instructions):
            raise ClassFormatError("a method with subroutines")
        self.starts = self._starts()
        self.numbers = {start: block for block, start in enumerate(self.starts)}

    def flow(self) -> Flow:
        """Return the whole flow. Raise KeyError if an offset points into an instruction."""
        body, method = self.body, self.method
        guards = tuple(Guard(start, stop, self.numbers[at], caught) for start, stop, at, caught in self.rows)
        blocks = list(self._blocks(guards))
        places = {op.offset: (number, place) for number, block in enumerate(blocks) for place, op in _all(block)}
        busy = {row for block in blocks if block.throws for row in block.rows}
        idle = frozenset(range(len(guards))) - busy
        heights, highest = _heights(blocks, guards)
        calls, holds_unmade = self._initialised()
        creations: dict[int, list[int]] = {
            instruction.offset: [] for instruction in self.instructions if instruction.opcode == NEW
        }
        for at, made in calls.items():
            if made != UNINITIALIZED_THIS:
                creations[made].append(at)
        this = self.symbols.this
        constructor = method.name == "<init>" and this != OBJECT
        initial = at_start(method.descriptor, None if method.access & STATIC else this, constructor)
        frames = {}
        if body.stack_map is not None and self.major >= FIRST_FRAMES:
            frames = read_frames(body.stack_map, initial, self.symbols.types.__getitem__)
            if any(isinstance(type_, tuple) and type_[0] not in creations for type_ in types_in(frames.values())):
                raise ClassFormatError("a frame tells of an object that nothing makes")
        supers = {at for at, made in calls.items() if made == UNINITIALIZED_THIS}
        unmade = _unmade(blocks, guards, supers) if constructor else {}
        return Flow(
            method.descriptor, blocks, places, guards, idle, heights, highest, creations, unmade, holds_unmade, frames,
            initial, len(body.initial), body.max_locals, self.attributes, tuple(self._named()),
        )  # fmt: skip

    def _named(self) -> Iterator[Named]:
        for name, data in self.attributes:
            if self.symbols.text(name) == "LocalVariableTable":
                for start, length, text, _, slot in struct.iter_unpack(">HHHHH", data[2:]):
                    yield Named(start, length, text, slot)

    def _starts(self) -> list[int]:
        found = {0}
        for at, opcode, operand, extra, length in self.instructions:
            if opcode in CONDITIONAL or opcode in GOTOS:
                found.update((operand, at + length))
            elif opcode in SWITCHES:
                found.update((operand, *extra, at + length))
            elif opcode in ENDS:
                found.add(at + length)
        for start, stop, handler, _ in self.rows:
            found.update((start, stop, handler))
        found.discard(len(self.body.code))
        return sorted(found)

    def _blocks(self, guards: tuple[Guard, ...]) -> Iterator[Block]:
        code, starts = self.body.code, self.starts
        stops = [*starts[1:], len(code)]
        protects: list[list[int]] = [[] for _ in starts]
        for row, guard in enumerate(guards):
            for number in range(self.numbers[guard.start], bisect_left(starts, guard.stop)):
                protects[number].append(row)
        todo = iter(self.instructions)
        for number, (start, stop) in enumerate(zip(starts, stops, strict=True)):
            ops: list[Op] = []
            end = End(Ends.FALLS, None, (number + 1,))
            at = start
            while at < stop:
                instruction = next(todo)
                if instruction.offset != at:
                    raise ClassFormatError(f"something points into the instruction before {at}")
                at += instruction.length
                op = op_of(instruction, code[instruction.offset : at], self.symbols)
                jump = self._end(instruction, op)
                if jump is None:
                    ops.append(op)
                else:
                    end = jump
                if op.opcode in ENDS:
                    end = End(Ends.STOPS, None)
            if at != stop or (end.how in (Ends.FALLS, Ends.BRANCHES) and number + 1 == len(starts)):
                raise ClassFormatError(f"control falls off the end of the code, or into the instruction at {at}")
            data, holes = joined(ops)
            throws = may_throw(ops)
            uses = uses_of(ops)
            yield Block(start, stop, tuple(ops), end, tuple(protects[number]), data, holes, throws, uses)

    def _end(self, instruction: Instruction, op: Op) -> End | None:
        numbers = self.numbers
        if op.opcode in CONDITIONAL:
            return End(Ends.BRANCHES, op, (numbers[instruction.operand],))
        if op.opcode in GOTOS:
            return End(Ends.GOES, op, (numbers[instruction.operand],))
        if op.opcode in SWITCHES:
            targets = tuple(numbers[target] for target in (instruction.operand, *instruction.extra))
            return End(Ends.SWITCHES, op, targets, switch_keys(instruction, self.body.code))
        return None

    def _initialised(self) -> tuple[dict[int, int], bool]:
        symbols = self.symbols
        for op in self.instructions:
            if op.opcode == 0xB7 and symbols[0xB70000 | op.operand][5][2] == "<init>":
                walk = interpreted(symbols, self.body, self.major)
                return walk.initialised, walk.holds_unmade
        return {}, False


def _all(block: Block) -> Iterator[tuple[int, Op]]:
    yield from enumerate(block.ops)
    if block.end.op is not None:
        yield len(block.ops), block.end.op


def _heights(blocks: list[Block], guards: tuple[Guard, ...]) -> tuple[list[int], list[int]]:
    heights, highest = [-1] * len(blocks), [0] * len(blocks)
    todo = [(0, 0)]
    while todo:
        number, height = todo.pop()
        if heights[number] >= 0:
            if heights[number] != height:
                raise ClassFormatError("the stack has different heights")
            continue
        heights[number] = height
        block = blocks[number]
        todo += [(guards[row].handler, 1) for row in block.rows]
        highest[number], height = height_of(block.ops, height)
        if block.end.op is not None:
            height -= block.end.op.pops
        if height < 0:
            raise ClassFormatError("an instruction takes more than there is on the stack")
        todo += [(target, height) for target in successors(number, block.end)]
    return heights, highest


def _unmade(blocks: list[Block], guards: tuple[Guard, ...], supers: set[int]) -> dict[int, int]:
    found: dict[int, int] = {}
    todo = [0]
    while todo:
        number = todo.pop()
        if number in found:
            continue
        block = blocks[number]
        calls = [place for place, op in enumerate(block.ops) if op.offset in supers]
        found[number] = calls[0] + 1 if calls else len(block.ops) + 1
        todo += [guards[row].handler for row in block.rows]
        if not calls:
            todo += successors(number, block.end)
    return found
