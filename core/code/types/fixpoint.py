"""Abstract interpretation over *sets* of types, round and round until nothing changes any more.

For code without frames (class files before version 50, ``jsr``), and for methods with too general frames: a frame may
say Object for a merge of several types.
"""

from __future__ import annotations

from bisect import bisect_right
from heapq import heappop, heappush

from core.classfile.format_error import ClassFormatError
from core.classfile.instructions import Instruction, instructions
from core.code.types import effects as kinds
from core.code.types.effects import KINDS, WIDTH
from core.code.types.findings import NoFrameError
from core.code.types.frame_walk import FrameWalk
from core.code.types.interpreter import Interpreter
from core.code.types.method_body import Body
from core.code.types.stack_types import (
    ADDRESS,
    FIRST_FRAMES,
    MERGED,
    SEPARATOR,
    Frame,
    Slots,
    frames,
    join,
    plain,
)
from core.code.types.symbols import Symbols

BUDGET = 4_000_000
"""Slots and bytes of code handled before a method is given up (two or three seconds); of 150,000 real methods,
their frames ignored, none needs 90,000."""

WIDEST = 32
"""Most types of a slot that are kept apart if a frame gives them one name."""

State = tuple[Slots, Slots]
_JUMPS = (kinds.BRANCH, kinds.GOTO, kinds.GOTO_WIDE, kinds.SUBROUTINE, kinds.SWITCH)
_ENDS = (kinds.GOTO, kinds.GOTO_WIDE, kinds.RETURN, kinds.ARETURN, kinds.THROW, kinds.SWITCH, kinds.RETURN_FROM)


class Fixpoint(Interpreter):
    """An interpreter that keeps the state before each join of control flow. Whenever the state grew, interpretation
    goes on from there.

    Frames give the live variables, and names for unknown types. Code that nothing reaches counts only if it has a
    frame.
    """

    def __init__(self, symbols: Symbols, body: Body, frames: dict[int, Frame]) -> None:
        super().__init__(symbols, body, BUDGET)
        self.frames = frames
        self.instructions: dict[int, Instruction] = {each.offset: each for each in instructions(body.code)}
        self.leaders = self._leaders()
        self.states: dict[int, State] = {}
        self.waiting: list[int] = []
        self.queued: set[int] = set()
        self.calls: dict[int, dict[int, tuple[int, Slots]]] = {}
        """Subroutine -> offset of the call -> return offset, variables at the call."""
        self.met: dict[tuple[str, str], None] = {}
        """Types that meet without a frame for the result: a verifier loads their classes."""
        self.exits: dict[int, State] = {}
        """Final states of the subroutines, by subroutine."""
        self.stores: dict[int, set[int]] = {}

    def interpret(self) -> None:
        """Interpret the whole method. IndexError: the code is malformed."""
        initial = self.body.initial
        self._arrive(0, [*initial, *(None,) * (self.body.max_locals - len(initial))], [])
        self._settle()
        for target, frame in self.frames.items():
            if target not in self.states:
                named = [[plain(slot) for slot in slots] for slots in frame]
                self._arrive(target, named[0] + [None] * (self.body.max_locals - len(named[0])), named[1])
                self._settle()

    def _settle(self) -> None:
        size = len(self.body.code)
        while self.waiting:
            start = heappop(self.waiting)
            self.queued.discard(start)
            variables, stack = (slots[:] for slots in self.states[start])
            position = bisect_right(self.leaders, start)
            stop = self.leaders[position] if position < len(self.leaders) else size
            self.spend(stop - start + len(variables) + len(self.body.handlers))
            self.active = [handler for handler in self.body.handlers if handler.start <= start < handler.end]
            self.changed(start, variables)
            at = self.run(start, stop, variables, stack)
            if at > stop or (at == size and stop == size):
                raise ClassFormatError("control falls off the end of the code")
            if at == stop:
                self.edge(stop, variables, stack)

    def edge(self, target: int, variables: Slots, stack: Slots) -> None:
        """Join this state to the known state at ``target``."""
        frame = self.frames.get(target)
        if frame is not None:
            self.meets(frame, variables, stack)
        self._arrive(target, variables, stack)

    def changed(self, after: int, variables: Slots) -> None:
        """Lead every state within a protected range to its handler."""
        self.spend(len(self.active))
        for handler in self.active:
            if after < handler.end:
                self.edge(handler.target, variables, [handler.catches])

    def subroutine(self, at: int, target: int, after: int, variables: Slots, stack: Slots) -> None:
        """Go to the subroutine with the return address; come back if the subroutine is known to return."""
        known = self.calls.setdefault(target, {}).get(at)
        if known:
            variables = [join(one, other) for one, other in zip(known[1], variables, strict=True)]
        self.calls[target][at] = after, variables[:]
        self._arrive(target, variables, [*stack, ADDRESS - target])
        if target in self.exits:
            self._return(target, after, variables)

    def come_back(self, subroutine: int, variables: Slots, stack: Slots) -> None:
        """Go to all callers. Variables that the subroutine never writes keep their values at the call (JVMS
        4.10.2.5)."""
        if subroutine not in self.instructions:
            raise ClassFormatError(f"there is no subroutine at {subroutine}")
        known = self.exits.get(subroutine)
        if known:
            if len(known[1]) != len(stack):
                raise ClassFormatError(f"the subroutine at {subroutine} leaves stacks of different heights")
            variables = [join(one, other) for one, other in zip(known[0], variables, strict=True)]
            stack = [join(one, other) for one, other in zip(known[1], stack, strict=True)]
        self.exits[subroutine] = variables[:], stack[:]
        for after, before in list(self.calls.get(subroutine, {}).values()):
            self._return(subroutine, after, before)

    def _return(self, subroutine: int, after: int, before: Slots) -> None:
        if subroutine not in self.stores:
            self.stores[subroutine] = self._stores(subroutine)
        stores = self.stores[subroutine]
        variables, stack = self.exits[subroutine]
        merged = [slot if place in stores else before[place] for place, slot in enumerate(variables)]
        self.edge(after, merged, stack)

    def _arrive(self, target: int, variables: Slots, stack: Slots) -> None:
        if target not in self.instructions:
            raise ClassFormatError(f"control goes to {target}, into an instruction")
        self.spend(len(variables) + len(stack))
        known = self.states.get(target)
        if known and len(known[1]) != len(stack):
            raise ClassFormatError(f"the stack at {target} has different heights")
        frame = self.frames.get(target)
        if frame is not None:
            state = (
                self._framed(frame[0], variables, known and known[0]),
                self._framed(frame[1], stack, known and known[1]),
            )
            state[0].extend([None] * (len(variables) - len(state[0])))
        elif known:
            state = self._joined(known[0], variables), self._joined(known[1], stack)
        else:
            state = variables[:], stack[:]
        if state != known:
            self.states[target] = state
            if target not in self.queued:
                self.queued.add(target)
                heappush(self.waiting, target)

    def _joined(self, known: Slots, slots: Slots) -> Slots:
        if known == slots:
            return known
        result = []
        for one, other in zip(known, slots, strict=True):
            slot = one if one == other else join(one, other)
            if one and other and one != other and isinstance(one, str) and isinstance(other, str):
                self.met[one, other] = None
            if isinstance(slot, str):
                self.spend(len(slot) >> 2)
            result.append(slot)
        return result

    def _framed(self, frame: Slots, slots: Slots, known: Slots | None) -> Slots:
        """Return the slots of ``frame`` with the actual types; for an unknown type or too many, the frame's."""
        result: Slots = []
        for place, wanted in enumerate(frame):
            slot = slots[place]
            if not isinstance(wanted, str) or not wanted:
                result.append(wanted)
                continue
            slot = slot if isinstance(slot, str) else ""
            if known is not None:
                slot = join(known[place], slot)
            assert isinstance(slot, str)  # both are
            self.spend(len(slot) >> 2)
            named = MERGED not in wanted
            if named and (not slot or slot.count(SEPARATOR) >= WIDEST):
                slot = wanted
            result.append(slot)
        return result

    def _leaders(self) -> list[int]:
        """Return the offsets that control may come to otherwise than from the instruction before, and borders of
        protected ranges.
        """
        found = {0, *self.frames}
        for at, instruction in self.instructions.items():
            kind = KINDS[instruction.opcode]
            if kind in _JUMPS:
                found.update((instruction.operand, *instruction.extra))
                if kind == kinds.SUBROUTINE:
                    found.add(at + instruction.length)
        for handler in self.body.handlers:
            found.update((handler.start, handler.end, handler.target))
        found.discard(len(self.body.code))
        if not found <= self.instructions.keys():
            raise ClassFormatError("a jump, a handler or a frame points into an instruction")
        return sorted(found)

    def _stores(self, subroutine: int) -> set[int]:
        """Return the variables that a subroutine may write, by itself or by called subroutines."""
        found: set[int] = set()
        seen: set[int] = set()
        todo = [subroutine]
        while todo:
            at = todo.pop()
            if at in seen or at not in self.instructions:
                continue
            seen.add(at)
            self.spend(1 + len(self.body.handlers))
            _, opcode, operand, extra, length = self.instructions[at]
            kind = KINDS[opcode]
            if kind in (kinds.STORE, kinds.STORE_PRIMITIVE):
                found.update(range(operand, operand + WIDTH[opcode]))
            elif kind == kinds.STORE_SHORT:
                found.add(opcode - 0x4B)
            elif kind == kinds.STORE_PRIMITIVE_SHORT:
                found.update(range((opcode - 0x3B) & 3, ((opcode - 0x3B) & 3) + WIDTH[opcode]))
            if kind in _JUMPS:
                todo += (operand, *extra)
            if kind not in _ENDS:
                todo.append(at + length)
            todo += [handler.target for handler in self.body.handlers if handler.start <= at < handler.end]
        return found


def interpreted(symbols: Symbols, body: Body, major: int) -> Interpreter:
    """Return a finished interpretation by frames, or without frames by sets of types. ``major``: version of the class
    file. Raises :class:`ClassFormatError` or ``IndexError`` for code that no verifier would accept.
    """
    table = {}
    if body.stack_map is not None and major >= FIRST_FRAMES:
        table = frames(body.stack_map, body.initial, symbols.frame_types, {})
    walk: FrameWalk | Fixpoint = FrameWalk(symbols, body, table)
    try:
        walk.interpret()
    except NoFrameError:
        walk = Fixpoint(symbols, body, {})
        walk.interpret()
    return walk
