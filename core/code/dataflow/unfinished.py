"""Where objects whose constructor has not been called are loaded, or kept, in local variables."""

from __future__ import annotations

from collections.abc import Mapping

from core.classfile.opcodes import KINDS, SHUFFLES
from core.code.blocks import Block, Flow, successors
from core.code.dataflow.locals import access_of
from core.code.flow import THIS
from core.code.ops import NEW, Op

_DONE = -2
"""On the model stack: a value that is no object under construction; else the offset of its ``new``."""
_REFERENCE = KINDS[-1]


def unmade_loads(flow: Flow) -> frozenset[int] | None:
    """Return the offsets of the loads of ``this`` before ``super(...)``; None: a variable holds another unfinished
    object."""
    calls = {at: made for made, places in flow.creations.items() for at in places}
    loads: set[int] = set()
    seen: set[int] = set()
    todo: list[tuple[int, list[int]]] = [(0, [])]
    while todo:
        number, stack = todo.pop()
        if number in seen:
            continue
        # all ways to a block bring the same unfinished objects, or else they cannot be used there
        seen.add(number)
        block = flow.blocks[number]
        todo += [(flow.guards[row].handler, [_DONE]) for row in block.rows]
        if not _run(block, flow.unmade.get(number, 0), stack, calls, loads):
            return None
        if block.end.op is not None and block.end.op.pops:
            del stack[-block.end.op.pops :]
        todo += [(target, stack[:]) for target in successors(number, block.end)]
    return frozenset(loads)


def _run(block: Block, unmade: int, stack: list[int], calls: Mapping[int, int], loads: set[int]) -> bool:
    for place, op in enumerate(block.ops):
        if op.opcode in SHUFFLES:
            count, order = SHUFFLES[op.opcode]
            taken = stack[-count:]
            stack[-count:] = [taken[at] for at in order]
            continue
        made = calls.get(op.offset)
        access = access_of(op)
        if access is not None and access.kind == _REFERENCE and access.writes and stack[-1] != _DONE:
            return False
        if op.pops:
            del stack[-op.pops :]
        if made is not None:
            stack[:] = [_DONE if value == made else value for value in stack]
        elif place < unmade and _calls_super(op, place, unmade, block):
            stack[:] = [_DONE if value == THIS else value for value in stack]
        stack += _pushed(op, access is not None and place < unmade and access.slot == 0, loads)
    return True


def _calls_super(op: Op, place: int, unmade: int, block: Block) -> bool:
    return place == unmade - 1 and unmade <= len(block.ops)


def _pushed(op: Op, is_this: bool, loads: set[int]) -> list[int]:
    if op.opcode == NEW:
        return [op.offset]
    if is_this and op.pushes == 1 and op.inputs is not None:
        loads.add(op.offset)
        return [THIS]
    return [_DONE] * op.pushes
