"""The calls and reads that serve only the jump at the end of a block."""

from __future__ import annotations

from core.code.blocks import Block
from core.code.ops import CALLS, FIELDS
from core.code.types.symbols import Symbols

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
        is_call = op.opcode in CALLS and symbols[op.opcode << 16 | op.key][5][2] != "<init>"
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
