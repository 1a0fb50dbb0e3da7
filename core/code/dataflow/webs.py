"""Webs: the loads and stores of a local variable that belong together.

Two stores belong together when a load may read either value. So all instructions of a web can go at once, and no other
load misses a value. (The term is that of register allocation: Chaitin's live ranges.)
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from networkx.utils import UnionFind

from core.code.blocks import Flow, successors
from core.code.dataflow.locals import Access, access_of

State = dict[int, frozenset[int]]
"""Slot -> what may have been written to it last: places in the list of accesses, or below 0 for a parameter."""


class Web(NamedTuple):
    """One variable as a compiler means it."""

    slot: int
    kind: str
    """A descriptor, of :data:`~core.classfile.opcodes.KINDS`."""
    reads: tuple[int, ...]
    """Offsets of the instructions that read it (``iinc`` does both), ascending."""
    writes: tuple[int, ...]
    is_parameter: bool
    """True if the variable has a value from the start of the method."""


def webs_of(flow: Flow) -> list[Web]:
    """Return the webs of the reachable code, by their first offset."""
    return _Webs(flow).webs()


class _Webs:
    def __init__(self, flow: Flow) -> None:
        self.flow = flow
        self.live = [number for number, height in enumerate(flow.heights) if height >= 0]
        self.accesses: dict[int, list[tuple[int, Access]]] = {}
        for number in self.live:
            found = [(op.offset, access) for op in flow.blocks[number].ops if (access := access_of(op)) is not None]
            self.accesses[number] = found
        self.joined: Any = UnionFind()  # type: ignore[no-untyped-call]

    def webs(self) -> list[Web]:
        """Return all webs."""
        states = self._states()
        for number in self.live:
            self._join(number, dict(states[number]))
        groups: dict[int, list[tuple[int, Access]]] = {}
        for number in self.live:
            for offset, access in self.accesses[number]:
                groups.setdefault(self.joined[offset], []).append((offset, access))
        parameters = {self.joined[key] for key in list(self.joined.parents) if key < 0}
        found = [
            Web(
                group[0][1].slot,
                group[0][1].kind,
                tuple(sorted({offset for offset, access in group if access.reads})),
                tuple(sorted({offset for offset, access in group if access.writes})),
                root in parameters,
            )
            for root, group in groups.items()
            # bytes that mean one thing here and another there are left alone
            if len({(access.slot, access.kind) for _, access in group}) == 1
        ]
        return sorted(found, key=lambda web: min(*web.reads, *web.writes, 1 << 16, 1 << 16))

    def _states(self) -> dict[int, State]:
        found: dict[int, State] = {0: {slot: frozenset((-1 - slot,)) for slot in range(self.flow.parameters)}}
        todo = [0]
        while todo:
            number = todo.pop()
            state = dict(found[number])
            for target, arriving in self._edges(number, state):
                before = found.get(target)
                if before is None:
                    found[target] = dict(arriving)
                    todo.append(target)
                    continue
                changed = False
                for slot, writers in arriving.items():
                    joined = before.get(slot, frozenset()) | writers
                    if len(joined) != len(before.get(slot, ())):
                        before[slot] = joined
                        changed = True
                if changed:
                    todo.append(target)
        return found

    def _edges(self, number: int, state: State) -> Iterator[tuple[int, State]]:
        """Yield the successors of a block, each with the possible writers at its entry; ``state`` is changed."""
        block = self.flow.blocks[number]
        anywhere: dict[int, set[int]] = {}
        if block.rows:
            anywhere = {slot: set(writers) for slot, writers in state.items()}
        for offset, access in self.accesses[number]:
            if access.writes:
                for slot in access.slots:
                    state[slot] = frozenset((offset,))
                    if block.rows:
                        anywhere.setdefault(slot, set()).add(offset)
        yield from ((target, state) for target in successors(number, block.end))
        if block.rows:
            caught = {slot: frozenset(writers) for slot, writers in anywhere.items()}
            yield from ((self.flow.guards[row].handler, caught) for row in block.rows)

    def _join(self, number: int, state: State) -> None:
        for offset, access in self.accesses[number]:
            if access.reads:
                for slot in access.slots:
                    for writer in state.get(slot, ()):
                        self.joined.union(offset, writer)
            if access.writes:
                for slot in access.slots:
                    state[slot] = frozenset((offset,))
