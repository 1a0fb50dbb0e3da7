"""Avoidable regions of a body, from a block to its immediate post-dominator; and dominators among blocks."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import networkx as nx

from core.classfile.opcodes import KINDS
from core.code.blocks import Ends, Flow
from core.code.dataflow.locals import access_of, read_before
from core.code.stackmap import type_at

_EACH = len(KINDS)
_ALL = (1 << _EACH) - 1
_END = -1
"""In place of the number of a block: behind every end of the method."""


class Region(NamedTuple):
    """A region that control can go round, and the values for the detour."""

    behind: int
    """The block where all ways from it meet again."""
    values: tuple[tuple[int, str], ...]
    """Variables written in the region and read behind it, without a value of their type before it: slot and kind."""
    held: tuple[tuple[int, str], ...]
    """Such variables with a value before the region: another variable's in the same slot, which may go by an edit of
    its own."""


def regions_of(flow: Flow) -> dict[int, Region]:
    """Return the avoidable regions by the block at their start.

    There nothing is on the stack, and every object has been constructed (``flow.unmade``).
    """
    after = _post_dominators(flow)
    reads = _live_variables(flow)
    found = {}
    for number in flow.live:
        behind = after.get(number)
        if behind is None or flow.heights[number] or flow.heights[behind] or flow.unmade.get(number):
            continue
        frameless = bool(flow.frames) and flow.blocks[behind].start not in flow.frames
        if behind != number + 1 and frameless:
            continue
        if behind == number + 1 and flow.blocks[number].end.how is not Ends.FALLS and frameless:
            continue
        written = 0
        for inside in _between(flow, number, behind):
            written |= _writes(flow, inside)
        wanted = reads[behind] & written
        values: list[tuple[int, str]] = []
        held: list[tuple[int, str]] = []
        for value in _values(wanted):
            (held if _has(flow, number, behind, value, reads[number]) else values).append(value)
        if len({slot for slot, _ in values}) == len(values):
            found[number] = Region(behind, tuple(values), tuple(held))
    return found


def _has(flow: Flow, number: int, behind: int, value: tuple[int, str], reads: int) -> bool:
    """Return True if a variable read behind a region has a fitting value at its start.

    What is read from there on, before it is written, has been written; of a reference the frames must say the same.
    """
    slot, kind = value
    if not reads >> _EACH * slot + KINDS.index(kind) & 1:
        return False
    if kind != KINDS[-1]:
        return True
    before, after = (flow.frames.get(flow.blocks[place].start) for place in (number, behind))
    return before is not None and after is not None and type_at(before, slot) == type_at(after, slot)


def _post_dominators(flow: Flow) -> dict[int, int]:
    """Return for each block the next one that every way from it to an end of the method goes through."""
    graph = nx.DiGraph()
    graph.add_node(_END)
    for number in flow.live:
        graph.add_edges_from((target, number) for target in flow.targets(number) or (_END,))
    found = nx.immediate_dominators(graph, _END)
    return {number: behind for number, behind in found.items() if behind not in (_END, None)}


def _between(flow: Flow, number: int, behind: int) -> set[int]:
    seen, todo = {number}, [number]
    while todo:
        inside = todo.pop()
        for target in (*flow.targets(inside), *flow.handlers(inside)):
            if target != behind and target not in seen:
                seen.add(target)
                todo.append(target)
    return seen


def _writes(flow: Flow, number: int) -> int:
    """Return the variables that a block writes, each as all of its kinds."""
    mask = 0
    for op in flow.blocks[number].ops:
        access = access_of(op)
        if access is not None and access.writes:
            mask |= _killed(access.slots)
    return mask


def _killed(slots: range) -> int:
    mask = 0
    for slot in slots:
        mask |= _ALL << _EACH * slot
    before = slots.start - 1
    if before >= 0:  # a long or double there is no more
        mask |= (1 << KINDS.index("J") | 1 << KINDS.index("D")) << _EACH * before
    return mask


def _live_variables(flow: Flow) -> dict[int, int]:
    """Return for each block the variables that are read from there on before they are written, by slot and kind."""
    first: dict[int, int] = {}
    written: dict[int, int] = {}
    for number in flow.live:
        reads = writes = 0
        for op in flow.blocks[number].ops:
            access = access_of(op)
            if access is None:
                continue
            bit = 1 << _EACH * access.slot + KINDS.index(access.kind)
            if access.reads and not writes & bit:
                reads |= bit
            if access.writes:
                writes |= _killed(access.slots)
        first[number], written[number] = reads, writes
    return read_before(first, written, flow.targets, flow.handlers)


def _values(mask: int) -> Iterator[tuple[int, str]]:
    for bit in _bits(mask):
        slot, kind = divmod(bit, _EACH)
        yield slot, KINDS[kind]


def _bits(mask: int) -> Iterator[int]:
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


class Dominators:
    """The tree of immediate dominators of the blocks that the start of a method reaches."""

    def __init__(self, flow: Flow) -> None:
        self._flow = flow
        blocks = flow.blocks
        graph = nx.DiGraph()
        graph.add_node(0)
        for number in flow.live:
            graph.add_edges_from((number, target) for target in (*flow.targets(number), *flow.handlers(number)))
        self._before = graph.pred
        self._above: dict[int, int] = {0: 0, **nx.immediate_dominators(graph, 0)}
        self._bytes: dict[int, int] = {number: blocks[number].stop - blocks[number].start for number in graph}
        for number in nx.dfs_postorder_nodes(graph, 0):  # what is dominated comes before its dominator
            if number:
                self._bytes[self._above[number]] += self._bytes[number]

    def below(self, number: int) -> int:
        """Return the bytes of the blocks that only this one leads to, without its own."""
        block = self._flow.blocks[number]
        return self._bytes[number] - (block.stop - block.start)

    def whole(self, number: int, upper: int) -> int:
        """Return the bytes of a block and of all blocks that it dominates, if ``upper`` dominates it; else 0."""
        return self._bytes[number] if self._dominates(upper, number) else 0

    def saved_without_edge(self, source: int, target: int) -> int:
        """Return the bytes that cannot be reached any more once control never goes from ``source`` to ``target``."""
        return self._saved({source}, target)

    def saved_without_row(self, row: int) -> int:
        """Return the bytes that cannot be reached any more without a row of the exception table."""
        flow = self._flow
        target = flow.guards[row].handler
        sources = {
            number
            for number in self._before[target]
            if row in flow.blocks[number].rows
            and target not in flow.targets(number)
            and not any(other != row and flow.guards[other].handler == target for other in flow.blocks[number].rows)
        }
        return self._saved(sources, target)

    def _saved(self, sources: set[int], target: int) -> int:
        if target == 0:
            return 0
        others = [number for number in self._before[target] if number not in sources]
        return 0 if any(not self._dominates(target, other) for other in others) else self._bytes[target]

    def _dominates(self, upper: int, lower: int) -> bool:
        while lower not in (upper, 0):
            lower = self._above[lower]
        return lower == upper
