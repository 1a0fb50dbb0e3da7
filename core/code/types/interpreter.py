"""Straight-line abstract interpretation of code: types on the stack in, uses and subtype facts out.

The loop is one long function on purpose: it sees every instruction of a jar.
"""

from __future__ import annotations

from core.classfile.format_error import ClassFormatError
from core.classfile.opcodes import SHUFFLES
from core.code.types import symbols as why
from core.code.types.effects import (
    ARETURN,
    ARRAYS,
    BRANCH,
    CAST,
    CHANGE,
    DUP,
    ELEMENT,
    ELEMENT_STORE,
    GOTO,
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
    SHUFFLE,
    SIZES,
    SPECIAL,
    STORE,
    STORE_PRIMITIVE,
    SWITCH,
    THROW,
    WIDE,
    WIDTH,
)
from core.code.types.findings import CodeFindings, decoded
from core.code.types.stack_types import (
    NULL,
    OBJECT,
    THROWABLE,
    Slots,
    component,
)

_CHECKCAST = 0xC0
_ACMP = 0xA5


class Interpreter(CodeFindings):
    """An interpreter of pieces of one method's code. A subclass treats the places where pieces meet."""

    def run(self, at: int, stop: int, variables: Slots, stack: Slots) -> int:
        """Interpret from ``at`` until ``stop``, or until an instruction behind which nothing goes on.

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
                got = pop()
                if 0x9F <= opcode <= 0xA6:
                    other = pop()
                    if opcode >= _ACMP and got and other and got != other:
                        self.compared[got, other] = None
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
                self.special(at, variables, stack)
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
                instruction = decoded(code, at)
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
                done = self.wide(at, variables, stack)
                if done < 0:
                    return done
                at = done
            else:
                return self.rare(at, variables, stack)
        return at
