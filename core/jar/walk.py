"""Straight-line abstract interpretation of code: types on the stack in, uses and subtype facts out.

The loop is one long function on purpose: it sees every instruction of a jar.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from functools import partial
from typing import Any, NamedTuple

from core.jar import symbols as why
from core.jar.classfile import Method
from core.jar.effects import (
    ARETURN,
    ARRAYS,
    BRANCH,
    CAST,
    CHANGE,
    DUP,
    ELEMENT,
    ELEMENT_STORE,
    GOTO,
    GOTO_WIDE,
    KINDS,
    LDC,
    LENGTH_OF,
    LOAD,
    LOAD_SHORT,
    NEW,
    NEW_ARRAY,
    NEW_GRID,
    NULL_CONSTANT,
    PRIMITIVE,
    PRIMITIVE_ELEMENT,
    REFERENCE,
    RETURN,
    RETURN_FROM,
    SHUFFLE,
    SHUFFLES,
    SIZES,
    SPECIAL,
    STORE,
    STORE_PRIMITIVE,
    SWITCH,
    THROW,
    WIDE,
    WIDTH,
)
from core.jar.errors import ClassFormatError
from core.jar.frames import Frame
from core.jar.instructions import Instruction, _instruction
from core.jar.stacktypes import (
    ADDRESS,
    MERGED,
    NULL,
    OBJECT,
    SEPARATOR,
    THROWABLE,
    UNINITIALIZED_THIS,
    Slot,
    component,
    plain,
    shape_of,
)
from core.jar.symbols import Effect, Symbols

_HEAD, _ATTRIBUTE, _ROW = struct.Struct(">HHI"), struct.Struct(">HI"), struct.Struct(">HHHH")
_NEW, _WIDE_RET, _IINC = 0xBB, 0xA9, 0x84
_CHECKCAST = 0xC0
_STATIC = 0x0008


class Handler(NamedTuple):
    """A row of the exception table; ``catches`` is the type of what arrives."""

    start: int
    end: int
    target: int
    catches: str


class Body(NamedTuple):
    """The code of a method, taken apart."""

    max_locals: int
    code: bytes
    handlers: list[Handler]
    stack_map: bytes | None
    initial: tuple[Slot, ...]
    """Receiver and parameters."""
    returns: str | None
    """What ``areturn`` must return, None where that is no question."""


_body = partial(tuple.__new__, Body)


def body_of(symbols: Symbols, method: Method, used: dict[int, Effect]) -> Body | None:
    """The code of *method*, None if it has none; :class:`ClassFormatError`. The classes caught go to *used*."""
    places: Any = symbols.places
    for row in method.attributes._table:  # spares most methods what raw() costs
        if type(row) is tuple and places[row[0]][1] == "Code":
            data = row[1]
            break
    else:
        data = method.attributes.raw("Code")
        if data is None:
            return None
    try:
        _, max_locals, size = _HEAD.unpack_from(data)
        at = 8 + size
        code = data[8:at]
        if not 0 < size < 65536 or len(code) != size:
            raise ClassFormatError(f"a method has {size} bytes of code")
        count = data[at] << 8 | data[at + 1]
        at += 2
        handlers: list[Handler] = []
        for start, end, target, index in _ROW.iter_unpack(data[at : at + 8 * count]) if count else ():
            if not start < end <= size or target >= size:
                raise ClassFormatError("an exception handler is outside of the code")
            if index:
                used[index] = symbols[index]
            handlers.append(Handler(start, end, target, symbols.types[index] if index else THROWABLE))
        at += 8 * count
        stack_map = _stack_map(symbols, data, at) if data[at] | data[at + 1] else None
    except (struct.error, IndexError, TypeError):  # TypeError: a name that is no constant
        raise ClassFormatError("a Code attribute is cut off") from None
    shape = shape_of(places[method._descriptor_index][1])
    initial: tuple[Slot, ...] = shape.arguments
    if not method.access & _STATIC:
        constructor = places[method._name_index][1] == "<init>" and symbols.this != OBJECT
        initial = (UNINITIALIZED_THIS if constructor else symbols.this, *initial)
    if len(initial) > max_locals:
        raise ClassFormatError("a method has less local variables than parameters")
    return _body((max_locals, code, handlers, stack_map, initial, shape.returned))


def _stack_map(symbols: Symbols, data: bytes, at: int) -> bytes | None:
    """The content of the StackMapTable among the attributes of a Code attribute that start at *at*."""
    places: Any = symbols.places
    for _ in range(data[at] << 8 | data[at + 1]):
        name, size = _ATTRIBUTE.unpack_from(data, at + 2)
        at += 6 + size
        if places[name][1] == "StackMapTable":
            if at + 2 > len(data):
                raise ClassFormatError("a StackMapTable is cut off")
            return data[at + 2 - size : at + 2]
    return None


def _decoded(code: bytes, at: int) -> Instruction:
    """The instruction at *at*: for those whose form is not simple."""
    try:
        return _instruction(code, at)
    except struct.error:
        raise IndexError from None


class Walk:
    """Interprets pieces of one method's code. A subclass says what happens where they meet.

    What is found is collected in dictionaries that serve as ordered sets: the result must not
    depend on hashes.
    """

    def __init__(self, symbols: Symbols, body: Body, budget: int) -> None:
        self.symbols = symbols
        self.body = body
        self.budget = budget
        self.used: dict[int, Effect] = {}
        """Instructions with constants, as in :class:`~core.jar.symbols.Symbols`."""
        self.relations: dict[tuple[Slot, Slot, str], None] = {}
        """(type, wanted type, reason), with all that a slot may hold."""
        self.receivers: dict[tuple[int, Slot], None] = {}
        self.casts: dict[tuple[Slot, str], None] = {}
        self.active: Sequence[Handler] = ()
        """Handlers of the piece at hand."""
        for handler in body.handlers:
            if handler.catches != THROWABLE:
                self.relations[handler.catches, THROWABLE, why.CATCH] = None

    def edge(self, target: int, variables: list[Slot], stack: list[Slot]) -> None:
        """Control may go to *target* in this state (the lists change later: copy them)."""
        raise NotImplementedError

    def changed(self, after: int, variables: list[Slot]) -> None:
        """Local variables changed inside of a protected range, before the instruction at *after*."""
        raise NotImplementedError

    def subroutine(self, at: int, target: int, after: int, variables: list[Slot], stack: list[Slot]) -> None:
        """``jsr`` at *at* to *target*, which comes back to *after*."""
        raise NotImplementedError

    def come_back(self, subroutine: int, variables: list[Slot], stack: list[Slot]) -> None:
        """``ret`` of the *subroutine* that starts there."""
        raise NotImplementedError

    def spend(self, work: int) -> None:
        """Counts slots handled, so that no code can keep us for ever."""
        self.budget -= work
        if self.budget < 0:
            raise ClassFormatError("the code of a method is too complex")

    def names(self, slot: Slot) -> list[str]:
        """The types that a slot may hold: none if it is no reference, or null."""
        if not isinstance(slot, str) or not slot:
            return []
        self.spend(len(slot) >> 4)
        return str(plain(slot)).split(SEPARATOR) if slot[-1] == MERGED or SEPARATOR in slot else [slot]

    def meets(self, frame: Frame, variables: list[Slot], stack: list[Slot]) -> None:
        """Notes that this state goes over into *frame*."""
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

    def run(self, at: int, stop: int, variables: list[Slot], stack: list[Slot]) -> int:
        """Interprets from *at* until *stop*, or until an instruction behind which nothing goes on.

        Changes the lists. Returns the offset reached, negative in the latter case.
        IndexError: the code is malformed.
        """
        code, symbols, used, relations = self.body.code, self.symbols, self.used, self.relations
        push, pop, edge, active, this = stack.append, stack.pop, self.edge, self.active, symbols.this
        while at < stop:
            opcode = code[at]
            kind = KINDS[opcode]
            if kind == LOAD_SHORT:
                push(variables[opcode - 0x2A])
                at += 1
            elif kind == REFERENCE:
                key = opcode << 16 | code[at + 1] << 8 | code[at + 2]
                used[key] = effect = symbols[key]
                checks, pops, pushed, receives, _, _ = effect
                if pops:
                    if len(stack) < pops:
                        raise IndexError
                    for depth, wanted, reason in checks:
                        got = stack[depth]
                        if got != wanted and got:
                            relations[got, wanted, reason] = None
                    if receives:
                        got = stack[-pops]
                        if got != this:
                            self.receivers[key, got] = None
                    del stack[-pops:]
                stack += pushed
                at += SIZES[opcode]
            elif kind == PRIMITIVE:
                change = CHANGE[opcode]
                if change == 1:
                    push(0)
                elif change == -1:
                    pop()
                elif change < 0:
                    if len(stack) < -change:
                        raise IndexError
                    del stack[change:]
                elif change:
                    stack += (0, 0)
                at += SIZES[opcode]
            elif kind == BRANCH:
                pop()
                if 0x9F <= opcode <= 0xA6:
                    pop()
                jump = code[at + 1] << 8 | code[at + 2]
                edge(at + jump if jump < 0x8000 else at + jump - 0x10000, variables, stack)
                at += 3
            elif kind == LOAD:
                push(variables[code[at + 1]])
                at += 2
            elif kind <= STORE:
                if kind == STORE:
                    index = code[at + 1]
                    at += 2
                else:
                    index = opcode - 0x4B
                    at += 1
                variables[index] = pop()
                if active:
                    self.changed(at, variables)
            elif kind == RETURN:
                return -at - 1
            elif kind == DUP:
                push(stack[-1])
                at += 1
            elif kind == SPECIAL:
                self._special(at, variables, stack)
                at += 3
            elif kind == NEW:
                key = opcode << 16 | code[at + 1] << 8 | code[at + 2]
                used[key] = symbols[key]
                at += 1
                push(at)
                at += 2
            elif kind == GOTO:
                jump = code[at + 1] << 8 | code[at + 2]
                edge(at + jump if jump < 0x8000 else at + jump - 0x10000, variables, stack)
                return -at - 3
            elif kind == LDC:
                key = opcode << 16 | code[at + 1]
                used[key] = effect = symbols[key]
                stack += effect[2]
                at += 2
            elif kind == CAST:
                key = opcode << 16 | code[at + 1] << 8 | code[at + 2]
                used[key] = symbols[key]
                wanted = symbols.types[key & 0xFFFF]
                got = stack[-1]
                if got and got != wanted:
                    self.casts[got, wanted] = None
                stack[-1] = wanted if opcode == _CHECKCAST else 0
                at += 3
            elif kind == ARETURN:
                got = pop()
                if got and got != self.body.returns and self.body.returns:
                    relations[got, self.body.returns, why.RETURN] = None
                return -at - 1
            elif kind == NULL_CONSTANT:
                push(NULL)
                at += 1
            elif kind <= STORE_PRIMITIVE:
                if kind == STORE_PRIMITIVE:
                    index = code[at + 1]
                    at += 2
                else:
                    index = (opcode - 0x3B) & 3
                    at += 1
                pop()
                variables[index] = 0
                if WIDTH[opcode] == 2:
                    pop()
                    variables[index + 1] = 0
                if active:
                    self.changed(at, variables)
            elif kind == SHUFFLE:
                taken, order = SHUFFLES[opcode]
                if len(stack) < taken:
                    raise IndexError
                top = stack[-taken:]
                stack[-taken:] = [top[place] for place in order]
                at += 1
            elif kind == ELEMENT:
                pop()
                got = stack[-1]
                stack[-1] = component(got) if type(got) is str else OBJECT
                at += 1
            elif kind == ELEMENT_STORE:
                got = pop()
                pop()
                array = pop()
                if got and array:
                    relations[got, array, why.ELEMENT] = None
                at += 1
            elif kind == PRIMITIVE_ELEMENT:
                pop()
                stack[-1] = 0
                if WIDTH[opcode] == 2:
                    push(0)
                at += 1
            elif kind == LENGTH_OF:
                stack[-1] = 0
                at += 1
            elif kind == NEW_ARRAY:
                if code[at + 1] not in ARRAYS:
                    raise ClassFormatError(f"unknown kind of array {code[at + 1]}")
                stack[-1] = ARRAYS[code[at + 1]]
                at += 2
            elif kind == THROW:
                got = pop()
                if got and got != THROWABLE:
                    relations[got, THROWABLE, why.THROW] = None
                return -at - 1
            elif kind == SWITCH:
                pop()
                instruction = _decoded(code, at)
                for target in dict.fromkeys((instruction.operand, *instruction.extra)):
                    edge(target, variables, stack)
                return -at - instruction.length
            elif kind == NEW_GRID:
                key = opcode << 16 | code[at + 1] << 8 | code[at + 2]
                used[key] = symbols[key]
                dimensions = code[at + 3]
                wanted = symbols.types[key & 0xFFFF]
                if not dimensions or len(stack) < dimensions or wanted[:dimensions] != "[" * dimensions:
                    raise ClassFormatError(f"the array at {at} has {dimensions} dimensions")
                stack[-dimensions:] = [wanted]
                at += 4
            elif kind == WIDE:
                done = self._wide(at, variables, stack)
                if done < 0:
                    return done
                at = done
            else:
                return self._rare(at, variables, stack)
        return at

    def _special(self, at: int, variables: list[Slot], stack: list[Slot]) -> None:
        """``invokespecial``: constructors, private methods, ``super``."""
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
            variables[:] = [made if slot == receiver else slot for slot in variables]
            if self.active:
                self.changed(at + 3, variables)

    def _wide(self, at: int, variables: list[Slot], stack: list[Slot]) -> int:
        """An instruction with the prefix ``wide``; as :meth:`run`."""
        _, opcode, index, _, size = _decoded(self.body.code, at)
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

    def _rare(self, at: int, variables: list[Slot], stack: list[Slot]) -> int:
        """``goto_w``, ``jsr``, ``ret``; as :meth:`run`."""
        _, opcode, operand, _, size = _decoded(self.body.code, at)
        if KINDS[opcode] == RETURN_FROM:
            return self._ret(at, operand, variables, stack)
        if KINDS[opcode] == GOTO_WIDE:
            self.edge(operand, variables, stack)
        else:
            self.subroutine(at, operand, at + size, variables, stack)
        return -at - size

    def _ret(self, at: int, index: int, variables: list[Slot], stack: list[Slot]) -> int:
        address = variables[index]
        if type(address) is not int or address > ADDRESS:
            raise ClassFormatError(f"the ret at {at} has no return address")
        self.come_back(ADDRESS - address, variables, stack)
        return -at - (4 if self.body.code[at] != _WIDE_RET else 2)
