"""The blocks of a method after some edits: the remaining instructions of each, and the new control flow.

Where edits meet, the larger one wins: a CUT makes all edits behind it moot, unreachable code goes with its edits, FALL
wins over JUMP at the same jump, and the first CASE over other cases of its switch.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from core.classfile.instructions import TABLESWITCH
from core.code.blocks import End, Ends, Flow, Named, may_throw, successors
from core.code.dataflow.body_facts import EditableCode
from core.code.dataflow.replacements import made_for_jump, pushed_type, replacement, widths_taken
from core.code.edit import Edit, EditKind
from core.code.halting import halting
from core.code.ops import (
    GOTO,
    MONITORS,
    NEW,
    Op,
    default_return,
    drops,
    made,
)
from core.code.simplify import simplified, unused
from core.code.stackmap import Type
from core.code.types.symbols import INVOKESPECIAL

Instead = Callable[[Op, list[Op]], Iterable[Op]]
"""Function that returns the instructions in the place of one. It also gets those before it in the block, which it may
change."""

_EQUAL = frozenset((0x99, 0x9F, 0xA5, 0xC6))


class Changed(NamedTuple):
    """The remaining code of a method after a change."""

    flow: Flow
    """The code before."""
    live: list[int]
    """The blocks that are reached and have something in them, ascending."""
    ops: dict[int, list[Op]]
    """Blocks with changed instructions."""
    ends: dict[int, End]
    """Blocks with a changed end."""
    follows: Sequence[int]
    """For each block itself, or the next live one if nothing is left of it; jumps to it go there."""
    rows: list[int]
    """Remaining rows of the exception table: those that still protect something."""
    nulls: frozenset[int]
    """Offsets of ``new`` that make null instead."""
    nameless: frozenset[Named]
    """Variables whose names go."""
    slots: Mapping[int, int] | None = None
    """Local variables that are left, and their new numbers; None if they keep the old ones."""
    initial: tuple[Type, ...] | None = None
    """The local variables at the start, where there are fewer parameters; None if all are there."""

    def ops_of(self, number: int) -> Sequence[Op]:
        """Return the instructions of a block, without the jump at its end."""
        return self.ops.get(number, self.flow.blocks[number].ops)

    def end_of(self, number: int) -> End:
        """Return the end of a block."""
        return self.ends.get(number, self.flow.blocks[number].end)


def changed(code: EditableCode, edits: Iterable[Edit], *, halts: bool) -> Changed:
    """Return code after ``edits``, which are its own. ``halts``: the virtual machine ends at each CUT."""
    return _Change(code, edits, halts).result()


def with_ops(code: EditableCode, ops: Mapping[int, list[Op]]) -> Changed:
    """Return code with other instructions in some blocks, by number."""
    change = _Change(code, ())
    change.ops.update(ops)
    return change.result()


def replaced(code: EditableCode, instead: Instead) -> Changed:
    """Return code with what ``instead`` tells in the place of each instruction."""
    ops = {}
    for number, block in enumerate(code.flow.blocks):
        found: list[Op] = []
        for op in block.ops:
            found += instead(op, found)
        if found != list(block.ops):
            ops[number] = simplified(found)
    return with_ops(code, ops)


class _Change:
    def __init__(self, code: EditableCode, edits: Iterable[Edit], halts: bool = False) -> None:
        self.code, self.flow, self.symbols, self.halts = code, code.flow, code.symbols, halts
        self.ops: dict[int, list[Op]] = {}
        self.ends: dict[int, End] = {}
        self.gone_rows: set[int] = set()
        self.nulls: set[int] = set()
        self.chosen: dict[int, dict[EditKind, list[Edit]]] = {}
        """The edits of each block's instructions, by kind."""
        self.replaced: dict[int, dict[int, list[Op]]] = {}
        self.nameless: set[Named] = set()
        edits = list(edits)
        for edit in edits:
            self._take(edit)
        for kind in (EditKind.PASS, EditKind.PARAMETER):
            for edit in edits:
                if edit.kind is kind:
                    self._lighten(edit)
        self._rewrite()
        if self.ends and self.flow.creations:
            self._make_null()
            self._rewrite()

    def result(self) -> Changed:
        flow = self.flow
        live = self._reached()
        while self._shorten(live) and (again := self._reached()) != live:
            live = again
        filled = [number for number in live if self._is_filled(number)]
        follows = self._follows(filled)
        rows = sorted({row for number in filled for row in self._rows(number)})
        nulls, nameless = frozenset(self.nulls), frozenset(self.nameless)
        return Changed(flow, filled, self.ops, self.ends, follows, rows, nulls, nameless)

    def _take(self, edit: Edit) -> None:
        if edit.kind is EditKind.HANDLER:
            self.gone_rows.add(edit.index)
            return
        if edit.kind is EditKind.NAME:
            self.nameless.add(self.flow.named[edit.index])
            return
        number, place = self.flow.places[edit.offset]
        self.chosen.setdefault(number, {}).setdefault(edit.kind, []).append(edit)
        match edit.kind:
            case EditKind.CUT | EditKind.ARM | EditKind.FALL | EditKind.JUMP | EditKind.CASE:
                pass  # made with the block
            case EditKind.PASS | EditKind.PARAMETER:
                pass  # made where no other edit takes the instruction away
            case EditKind.NEW:
                self._replace(number, place)
                self.nulls.add(edit.offset)
                for at in self.flow.creations[edit.offset]:
                    self._replace(*self.flow.places[at])
            case EditKind.ASK:
                for place in made_for_jump(self.flow.blocks[number], self.symbols):
                    self._replace(number, place)
            case EditKind.VARIABLE:
                web = self.code.webs[edit.index]
                for at in {*web.reads, *web.writes}:
                    self._replace(*self.flow.places[at])
            case EditKind.MONITOR:
                for number, block in enumerate(self.flow.blocks):
                    for place, op in enumerate(block.ops):
                        if op.opcode in MONITORS:
                            self._replace(number, place)
            case _:
                self._replace(number, place)

    def _lighten(self, edit: Edit) -> None:
        """Give another result to an instruction that no other edit takes away."""
        number, place = self.flow.places[edit.offset]
        op = self.flow.blocks[number].ops[place]
        instead = self.replaced.setdefault(number, {})
        if place in instead:
            return
        widths = widths_taken(op, self.symbols)
        if edit.kind is EditKind.PASS:
            instead[place] = drops(op.offset, widths[1:])
        else:
            parameter = next(one for one in self.code.parameters if one.fits(pushed_type(op, self.symbols)))
            instead[place] = [*drops(op.offset, widths), parameter.load(op.offset)]

    def _replace(self, number: int, place: int) -> None:
        op = self.flow.blocks[number].ops[place]
        self.replaced.setdefault(number, {})[place] = replacement(op, self.symbols)

    def _rewrite(self) -> None:
        """Do what each edit says within its block."""
        flow = self.flow
        for number in sorted({*self.chosen, *self.replaced}):
            block, chosen = flow.blocks[number], self.chosen.get(number, {})
            cut = min((flow.places[edit.offset][1] for edit in chosen.get(EditKind.CUT, ())), default=None)
            instead = self.replaced.get(number, {})
            ops: list[Op] = []
            for place, op in enumerate(block.ops[:cut]):
                ops += instead.get(place, [op])
            jump = block.end.op
            target: int | None = None
            if cut is not None:
                at = (*block.ops, jump)[cut]
                assert at is not None  # a cut is before an instruction
                # What waits on the stack for the rest of the block need not be computed.
                ends = halting(at.offset) if self.halts else default_return(at.offset, flow.returns)
                ops += [*unused(ops), *ends]
                self.ends[number] = End(Ends.STOPS, None)
            elif jump is not None and EditKind.FALL in chosen:
                ops += drops(jump.offset, (1,) * jump.pops)
                target = block.end.targets[0] if block.end.how is Ends.GOES else number + 1
                self.ends[number] = End(Ends.FALLS, None, (target,))
            elif jump is not None and (ways := chosen.get(EditKind.JUMP) or chosen.get(EditKind.CASE)):
                target = block.end.targets[min(edit.index for edit in ways)]
                ops += drops(jump.offset, (1,) * jump.pops)
                self.ends[number] = _goto(jump.offset, target)
            elif jump is not None and EditKind.ASK in chosen and self.code.asked is not None:
                ops += [*drops(jump.offset, (1,) * jump.pops), self.code.asked.load(jump.offset)]
                self.ends[number] = _asking(jump, self.code.asked.kind, block.end.targets)
            elif EditKind.ARM in chosen:
                self.ends[number] = _without_arms(block.end, {edit.index for edit in chosen[EditKind.ARM]})
            if cut is not None or instead or EditKind.ASK in chosen or target is not None:
                self.ops[number] = simplified(ops)

    def _make_null(self) -> None:
        """Let each ``new`` make null whose constructor is no longer called: in source there is no such object."""
        live = self._reached()
        left = {(op.offset, op.opcode) for number in live for op in self.ops.get(number, self.flow.blocks[number].ops)}
        for at, calls in self.flow.creations.items():
            if (at, NEW) in left and calls and left.isdisjoint((call, INVOKESPECIAL) for call in calls):
                self._replace(*self.flow.places[at])
                self.nulls.add(at)

    def _end(self, number: int) -> End:
        return self.ends.get(number) or self.flow.blocks[number].end

    def _is_filled(self, number: int) -> bool:
        """Return True if the block still holds an instruction."""
        ops = self.ops.get(number)
        return bool(self.flow.blocks[number].ops if ops is None else ops) or self._end(number).op is not None

    def _rows(self, number: int) -> list[int]:
        """Return the rows of the exception table that the block needs: none if the rest of it never throws."""
        flow = self.flow
        block = flow.blocks[number]
        if not block.rows:
            return []
        ops = self.ops.get(number)
        throws = block.throws if ops is None else may_throw(ops)
        idle = flow.idle if self._is_filled(number) else ()
        return [row for row in block.rows if row not in self.gone_rows and (throws or row in idle)]

    def _reached(self) -> list[int]:
        flow, seen, todo = self.flow, {0}, [0]
        while todo:
            number = todo.pop()
            targets = successors(number, self._end(number))
            targets += tuple([flow.guards[row].handler for row in self._rows(number)])
            for target in targets:
                if target not in seen:
                    seen.add(target)
                    todo.append(target)
        return sorted(seen)

    def _follows(self, filled: list[int]) -> list[int]:
        count = len(self.flow.blocks)
        filled = [*filled, count]
        return [filled[bisect_left(filled, number)] for number in range(count)]

    def _shorten(self, live: list[int]) -> bool:
        """Remove jumps made idle by edits, from the last to the first: a block may get empty. Those that did so before
        stay: no edit has named them. Return False if there is none.
        """
        before = dict(self.ends)
        after: dict[int, int] = {}  # live block -> itself or the next that is not empty; all behind the one at hand
        beyond = len(self.flow.blocks)
        following = beyond
        # A jump backwards never leads to what comes next, so blocks at or before the one at hand need no entry.
        for number in reversed(live):
            end = self._end(number)
            untouched = end is self.flow.blocks[number].end and number in self.code.idle_jumps
            if end.op is not None and not untouched:
                targets = {after.get(target, target) for target in end.targets}
                if end.how is Ends.SWITCHES and len(targets) == 1:
                    self._drop(number, end.op)
                    end = self.ends[number] = _goto(end.op.offset, end.targets[0])
                if end.how is Ends.GOES and targets == {following}:
                    self.ops.setdefault(number, list(self.flow.blocks[number].ops))
                    self.ends[number] = End(Ends.FALLS, None, end.targets)
                elif end.how is Ends.BRANCHES and targets == {after.get(number + 1, number + 1)}:
                    assert end.op is not None
                    self._drop(number, end.op)
                    self.ends[number] = End(Ends.FALLS, None, (number + 1,))
            if self._is_filled(number):
                following = number
            after[number] = following
        return self.ends != before

    def _drop(self, number: int, jump: Op) -> None:
        """Drop the operands of a jump that is no longer made at the end of a block."""
        ops = self.ops.get(number)
        kept = list(self.flow.blocks[number].ops) if ops is None else ops
        self.ops[number] = simplified([*kept, *drops(jump.offset, (1,) * jump.pops)])


def _goto(offset: int, target: int) -> End:
    return End(Ends.GOES, made(offset, GOTO, operand=b"\0\0"), (target,))


def _asking(jump: Op, kind: str, targets: tuple[int, ...]) -> End:
    """Return a jump if one value is null or 0, or is not, as the ``jump`` jumps if two are equal or are not."""
    is_equal = jump.opcode in _EQUAL
    opcode = (0x99 if is_equal else 0x9A) if kind == "I" else (0xC6 if is_equal else 0xC7)
    return End(Ends.BRANCHES, made(jump.offset, opcode, 1, operand=b"\0\0"), targets)


def _without_arms(end: End, firsts: set[int]) -> End:
    """Return a switch without the cases ``firsts`` and those with the same targets: these go to the default."""
    assert end.op is not None
    default_, *cases = end.targets
    gone = {cases[first] for first in firsts}
    left = [(key, target) for key, target in zip(end.keys, cases, strict=True)]
    if end.op.opcode == TABLESWITCH:
        left = [(key, default_ if target in gone else target) for key, target in left]
        while left and left[-1][1] == default_:
            left.pop()
        while left and left[0][1] == default_:
            del left[0]
    else:
        left = [(key, target) for key, target in left if target not in gone]
    return End(
        Ends.SWITCHES,
        end.op._replace(made=True),
        (default_, *[target for _, target in left]),
        tuple(key for key, _ in left),
    )
