"""Replacements of removed instructions, and instructions that serve only a jump."""

from __future__ import annotations

from core.classfile import pool
from core.classfile.opcodes import EFFECTS, KINDS, kind_of
from core.code.blocks import Block
from core.code.dataflow.locals import access_of
from core.code.ops import (
    CALLS,
    ELEMENT_STORES,
    FIELDS,
    MONITORS,
    NEW,
    Op,
    argument_widths,
    default,
    drops,
    width_of,
)
from core.code.types.symbols import (
    GETSTATIC,
    INVOKEDYNAMIC,
    INVOKESTATIC,
    LDC,
    LDC2_W,
    LDC_W,
    PUTFIELD,
    PUTSTATIC,
    Symbols,
)

_TAGS = dict(zip((pool.INTEGER, pool.LONG, pool.FLOAT, pool.DOUBLE), KINDS, strict=False))


def replacement(op: Op, symbols: Symbols) -> list[Op]:
    """Return the replacement of an instruction that an edit takes away."""
    offset, opcode = op.offset, op.opcode
    if opcode == NEW:
        return default(offset, "Lnull;")
    if opcode in MONITORS:
        return drops(offset, (1,))
    if op.inputs is not None:
        return [*drops(offset, op.inputs), *default(offset, kind_pushed(op, symbols))]
    access = access_of(op)
    if access is not None:
        return [] if access.reads else drops(offset, (access.width,))
    if opcode in ELEMENT_STORES:
        return drops(offset, (1, 1, op.pops - 2))
    widths = widths_taken(op, symbols)
    if opcode in (PUTFIELD, PUTSTATIC):
        return drops(offset, widths)
    return [*drops(offset, widths), *default(offset, pushed_type(op, symbols))]


def widths_taken(op: Op, symbols: Symbols) -> tuple[int, ...]:
    """Return the widths of what a computation, a call or an instruction with a field takes, the lowest first."""
    if op.inputs is not None:
        return op.inputs
    descriptor: str = symbols.fact(op.opcode, op.key)[3]
    if op.opcode in FIELDS:
        owner = () if op.opcode in (GETSTATIC, PUTSTATIC) else (1,)
        return (*owner, width_of(descriptor)) if op.opcode in (PUTFIELD, PUTSTATIC) else owner
    assert op.opcode in CALLS
    receiver = () if op.opcode in (INVOKESTATIC, INVOKEDYNAMIC) else (1,)
    return (*receiver, *argument_widths(descriptor))


def pushed_type(op: Op, symbols: Symbols) -> str:
    """Return the descriptor of a call's result, or of a read field."""
    descriptor: str = symbols.fact(op.opcode, op.key)[3]
    return descriptor[descriptor.rfind(")") + 1 :]


def kind_pushed(op: Op, symbols: Symbols) -> str:
    """Return the descriptor of the kind of value that an instruction with ``inputs`` pushes."""
    if op.opcode not in (LDC, LDC_W, LDC2_W):
        return EFFECTS[op.opcode].kind
    constant = symbols.places[op.key if op.key > 0 else ~op.key]
    assert constant is not None  # the flow has looked at it
    if constant[0] == pool.DYNAMIC:
        descriptor = str(symbols.fact(op.opcode, op.key if op.key > 0 else ~op.key)[3])
        return kind_of(descriptor)
    return _TAGS.get(constant[0], KINDS[-1])


_ELSEWHERE = -1
"""In place of the number of an instruction: it is not of the block, or what it pushes is used more than once."""


def made_for_jump(block: Block, symbols: Symbols) -> list[int]:
    """Return the places in the block of the calls and the reads of fields from which the jump's operands are
    computed."""
    jump = block.end.op
    if jump is None or not jump.pops:
        return []
    stack: list[int] = []
    taken: dict[int, list[int]] = {}
    for place, op in enumerate(block.ops):
        used = stack[-op.pops :] if op.pops else []
        if op.pops:
            del stack[-op.pops :]
        is_call = op.opcode in CALLS and symbols.fact(op.opcode, op.key)[2] != "<init>"
        known = op.inputs is not None or is_call or op.opcode in FIELDS
        taken[place] = used if known else []
        stack += [place if known else _ELSEWHERE] * op.pushes
    found: set[int] = set()
    todo = stack[-jump.pops :]
    while todo:
        place = todo.pop()
        if place == _ELSEWHERE or place in found:
            continue
        found.add(place)
        todo += taken[place]
    return sorted(place for place in found if block.ops[place].inputs is None)
