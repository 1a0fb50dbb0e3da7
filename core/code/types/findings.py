"""The findings of an interpretation of code, and the treatment of rare instructions."""

from __future__ import annotations

import struct
from collections.abc import Sequence

from core.classfile.format_error import ClassFormatError
from core.classfile.instructions import Instruction, _instruction
from core.code.types import symbols as why
from core.code.types.effects import GOTO_WIDE, KINDS, LOAD, RETURN_FROM, STORE, STORE_PRIMITIVE, WIDTH
from core.code.types.method_body import Body, Handler
from core.code.types.stack_types import (
    ADDRESS,
    MERGED,
    OBJECT,
    SEPARATOR,
    THROWABLE,
    UNINITIALIZED_THIS,
    Frame,
    Slot,
    Slots,
    plain,
)
from core.code.types.symbols import Effect, Symbols

_NEW, _WIDE_RET, _IINC = 0xBB, 0xA9, 0x84


class NoFrameError(Exception):
    """Code without the frame that this way needs. Not an error of the class file: another way is taken."""


def decoded(code: bytes, at: int) -> Instruction:
    """Return the instruction at ``at``: for those whose form is not simple."""
    try:
        return _instruction(code, at)
    except struct.error:
        raise IndexError from None


class CodeFindings:
    """Single steps of an interpretation, and their findings; :mod:`core.code.types.interpreter` strings them together.

    Findings are collected in dictionaries as ordered sets: the result must not depend on hashes.
    """

    def __init__(self, symbols: Symbols, body: Body, budget: int) -> None:
        self.symbols = symbols
        self.body = body
        self.budget = budget
        self.used: dict[int, Effect] = {}
        """Instructions with constants, as in :class:`~core.code.types.symbols.Symbols`."""
        self.relations: dict[tuple[Slot, Slot, str], None] = {}
        """(type, wanted type, reason), with all that a slot may hold."""
        self.receivers: dict[tuple[int, Slot], None] = {}
        self.casts: dict[tuple[Slot, str], None] = {}
        self.compared: dict[tuple[Slot, Slot], None] = {}
        """Operands of ``==``: references, each of which may be null or of several types."""
        self.initialised: dict[int, int] = {}
        """Offset of each constructor call -> offset of the ``new`` of its object; UNINITIALIZED_THIS for the object
        itself, by ``super(...)`` or ``this(...)``."""
        self.holds_unmade = False
        """True if a local variable other than the receiver's holds an object when its constructor is called."""
        self.active: Sequence[Handler] = ()
        """Handlers of the piece at hand."""
        for handler in body.handlers:
            if handler.catches != THROWABLE:
                self.relations[handler.catches, THROWABLE, why.CATCH] = None

    def edge(self, target: int, variables: Slots, stack: Slots) -> None:
        """Note that control may go to ``target`` in this state (the lists change later: copy them)."""
        raise NotImplementedError

    def changed(self, after: int, variables: Slots) -> None:
        """Note that local variables changed in a protected range, before the instruction at ``after``."""
        raise NotImplementedError

    def subroutine(self, at: int, target: int, after: int, variables: Slots, stack: Slots) -> None:
        """Note a ``jsr`` at ``at`` to ``target``, which comes back to ``after``: there are no frames for it."""
        raise NoFrameError

    def come_back(self, subroutine: int, variables: Slots, stack: Slots) -> None:
        """Note a ``ret`` of the ``subroutine`` that starts there."""
        raise NoFrameError

    def spend(self, work: int) -> None:
        """Count handled slots, so that no code can occupy us for ever."""
        self.budget -= work
        if self.budget < 0:
            raise ClassFormatError("the code of a method is too complex")

    def names(self, slot: Slot) -> list[str]:
        """Return the types that a slot may hold: none if it is no reference, or null."""
        if not isinstance(slot, str) or not slot:
            return []
        self.spend(len(slot) >> 4)
        return str(plain(slot)).split(SEPARATOR) if slot[-1] == MERGED or SEPARATOR in slot else [slot]

    def meets(self, frame: Frame, variables: Slots, stack: Slots) -> None:
        """Note that this state goes over into ``frame``."""
        relations = self.relations
        wanted_variables, wanted_stack = frame
        size = len(wanted_variables)
        self.budget -= size
        if self.budget < 0:
            self.spend(0)
        if variables[:size] != wanted_variables:
            for got, wanted in zip(variables, wanted_variables, strict=False):
                if got != wanted and got and wanted:
                    relations[got, wanted, why.MERGE] = None
            if size > len(variables):
                raise ClassFormatError("a frame has more variables than the method")
        if len(stack) != len(wanted_stack):
            raise ClassFormatError(f"the stack is {len(stack)} high where a frame says {len(wanted_stack)}")
        for got, wanted in zip(stack, wanted_stack, strict=True):
            if got != wanted and got and wanted:
                relations[got, wanted, why.MERGE] = None

    def special(self, at: int, variables: Slots, stack: Slots) -> None:
        """Interpret ``invokespecial``: constructors, private methods, ``super``."""
        code, symbols = self.body.code, self.symbols
        key = 0xB70000 | code[at + 1] << 8 | code[at + 2]
        self.used[key] = effect = symbols[key]
        checks, pops, pushed, _, _, (_, owner, name, _, _) = effect
        if len(stack) < pops:
            raise IndexError
        for depth, wanted, reason in checks:
            got = stack[depth]
            if got != wanted and got:
                self.relations[got, wanted, reason] = None
        receiver = stack[-pops]
        del stack[-pops:]
        stack += pushed
        if name != "<init>":
            if owner != symbols.this and owner != OBJECT:
                self.relations[symbols.this, owner, why.RECEIVER] = None
            if receiver != symbols.this:
                self.receivers[key, receiver] = None
            return
        if type(receiver) is not int or (receiver <= 0 and receiver != UNINITIALIZED_THIS):
            raise ClassFormatError(f"the constructor called at {at} has no new object")
        self.initialised[at] = receiver - 1 if receiver > 0 else receiver
        self.spend(len(stack) + len(variables))
        made = symbols.this
        if receiver == UNINITIALIZED_THIS:
            if owner != made:
                self.relations[made, owner, why.SUPER_INIT] = None
        else:
            if code[receiver - 1] != _NEW:
                raise ClassFormatError(f"there is no new object at {receiver - 1}")
            made = symbols.types[code[receiver] << 8 | code[receiver + 1]]
        if receiver in stack:
            stack[:] = [made if slot == receiver else slot for slot in stack]
        if receiver in variables:
            self.holds_unmade |= variables.count(receiver) > (receiver == UNINITIALIZED_THIS)
            variables[:] = [made if slot == receiver else slot for slot in variables]
            if self.active:
                self.changed(at + 3, variables)

    def wide(self, at: int, variables: Slots, stack: Slots) -> int:
        """Return an instruction with the prefix ``wide``; as :meth:`core.code.types.interpreter.Interpreter.run`."""
        _, opcode, index, _, size = decoded(self.body.code, at)
        after = at + size
        if opcode == _WIDE_RET:
            return self._ret(at, index, variables, stack)
        kind = KINDS[opcode]
        if kind == LOAD:
            stack.append(variables[index])
        elif kind == STORE:
            variables[index] = stack.pop()
        elif kind == STORE_PRIMITIVE:
            for place in range(WIDTH[opcode]):
                stack.pop()
                variables[index + place] = 0
        elif opcode != _IINC:
            stack += (0,) * WIDTH[opcode]
        if self.active and kind in (STORE, STORE_PRIMITIVE):
            self.changed(after, variables)
        return after

    def rare(self, at: int, variables: Slots, stack: Slots) -> int:
        """Interpret ``goto_w``, ``jsr``, ``ret``; as :meth:`core.code.types.interpreter.Interpreter.run`."""
        _, opcode, operand, _, size = decoded(self.body.code, at)
        if KINDS[opcode] == RETURN_FROM:
            return self._ret(at, operand, variables, stack)
        if KINDS[opcode] == GOTO_WIDE:
            self.edge(operand, variables, stack)
        else:
            self.subroutine(at, operand, at + size, variables, stack)
        return -at - size

    def _ret(self, at: int, index: int, variables: Slots, stack: Slots) -> int:
        address = variables[index]
        if type(address) is not int or address > ADDRESS:
            raise ClassFormatError(f"the ret at {at} has no return address")
        self.come_back(ADDRESS - address, variables, stack)
        return -at - (4 if self.body.code[at] != _WIDE_RET else 2)
