"""Jumps of a method that lead where control goes anyway."""

from __future__ import annotations

from core.code.blocks import Ends, Flow


def idle_jumps(flow: Flow) -> frozenset[int]:
    """Return the numbers of the blocks whose jump leads where control goes anyway: a ``goto`` to what comes next, or a
    condition or a switch with one way to go. A compiler writes them for empty branches, and a decompiler may trip over
    them.
    """
    idle = set()
    after: dict[int, int] = {}  # live block -> itself or the next that is not empty; all behind the one at hand
    following = len(flow.blocks)
    for number in reversed([number for number, height in enumerate(flow.heights) if height >= 0]):
        block = flow.blocks[number]
        ways = {after.get(target, target) for target in block.end.targets}
        if block.end.how is Ends.BRANCHES:
            ways.add(after.get(number + 1, number + 1))
        if block.end.op is not None and len(ways) == 1 and (block.end.how is not Ends.GOES or ways == {following}):
            idle.add(number)
        if block.ops or (block.end.op is not None and number not in idle):
            following = number
        after[number] = following
    return frozenset(idle)
