"""The edits that a method offers, with estimates of the saved bytes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from core.cancellation import cancellation_point
from core.classfile.descriptors import method_types
from core.classfile.opcodes import KINDS, MNEMONICS
from core.code.blocks import Ends
from core.code.dataflow.dominators import Dominators
from core.code.dataflow.locals import access_of
from core.code.dataflow.replacements import kind_pushed, pushed_type
from core.code.edit import Edit, EditKind
from core.code.method_code import MethodCode
from core.code.ops import (
    CALLS,
    CONDITIONAL,
    ELEMENT_STORES,
    FIELDS,
    MONITORS,
    NEW,
    POP,
    POP2,
    RETURNS,
    Op,
    default,
    default_return,
)
from core.code.types.symbols import INVOKEDYNAMIC, INVOKESTATIC, PUTFIELD, PUTSTATIC
from core.protocol.java_names import java_name, type_name

_KINDS = {kind: place for place, kind in enumerate(EditKind)}
_STORES = frozenset((PUTFIELD, PUTSTATIC))
_LEFT = frozenset((*range(0x60, 0x84), 0x91, 0x92, 0x93))
"""Opcodes whose result is of the type of their (left) operand."""
_ROW = 10
"""Bytes of a row of LocalVariableTable."""
_JUMPS = {
    0x99: "== 0", 0x9A: "!= 0", 0x9B: "< 0", 0x9C: ">= 0", 0x9D: "> 0", 0x9E: "<= 0", 0x9F: "==", 0xA0: "!=", 0xA1: "<",
    0xA2: ">=", 0xA3: ">", 0xA4: "<=", 0xA5: "same", 0xA6: "not same", 0xC6: "null", 0xC7: "not null",
}  # fmt: skip


def offers(number: int, code: MethodCode) -> list[Edit]:
    """Return the edits of the method of a ``number`` in its class, by offset, kind and index."""
    cancellation_point()
    return sorted(_Offers(number, code).all(), key=lambda edit: (edit.offset, _KINDS[edit.kind], edit.index))


class _Offers:
    def __init__(self, number: int, code: MethodCode) -> None:
        self.number = number
        self.code, self.flow, self.symbols = code, code.flow, code.symbols
        self.live = self.flow.live
        self.dominators = Dominators(self.flow)

    def all(self) -> Iterator[Edit]:
        """Yield all edits, in no order that means anything."""
        for number in self.live:
            block = self.flow.blocks[number]
            for op in block.ops:
                yield from self._instruction(op)
            yield from self._cuts(number)
            yield from self._jumps(number)
            yield from self._values(number)
        yield from self._variables()
        yield from self._monitors()
        yield from self._names()
        rows = {row for number in self.live for row in self.flow.blocks[number].rows}
        for row, guard in enumerate(self.flow.guards):
            if row in rows:
                caught = self._type(guard.caught) if guard.caught else "everything"
                saved = 8 + self.dominators.saved_without_row(row)
                at = self.flow.blocks[guard.handler].start
                yield self._edit(EditKind.HANDLER, at, f"drop the handler of {caught}", saved, row)

    def _edit(self, kind: EditKind, offset: int, description: str, saved: int, index: int = 0) -> Edit:
        return Edit(self.number, kind, offset, index, description, max(0, saved))

    def _instruction(self, op: Op) -> Iterator[Edit]:
        opcode, offset = op.opcode, op.offset
        if opcode in CALLS:
            name, descriptor = self._fact(op)[2:4]
            if name != "<init>":
                yield from self._results(op)
                saved = len(op.data) - len(default(offset, descriptor[descriptor.rindex(")") + 1 :]))
                yield self._edit(EditKind.CALL, offset, f"drop {self._name(op)}", saved)
        elif opcode in _STORES:
            yield self._edit(EditKind.STORE, offset, f"drop {self._name(op)}", 3)
        elif opcode in FIELDS:
            yield from self._results(op)
            yield self._edit(EditKind.READ, offset, f"drop {self._name(op)}", 2)
        elif opcode in ELEMENT_STORES:
            yield self._edit(EditKind.STORE, offset, "drop the store to an array element", 1)
        elif opcode == NEW:
            calls = self.flow.creations[offset]
            yield self._edit(EditKind.NEW, offset, f"null instead of a new {self._type(op.key)}", 3 + 3 * len(calls))

    def _name(self, op: Op | None) -> str:
        """Return a description of a call, or of an instruction that uses a field."""
        assert op is not None  # only the end of a block that has no jump is
        fact = self._fact(op)
        if fact[0] == "call":
            return f"the dynamic call of {fact[2]}"
        what = "call of" if op.opcode in CALLS else "store to" if op.opcode in _STORES else "reading of"
        return f"the {what} {java_name(fact[1])}.{fact[2]}"

    def _cuts(self, number: int) -> Iterator[Edit]:
        """Yield the cuts before the first instruction, and behind each that calls or writes."""
        flow = self.flow
        block = flow.blocks[number]
        places = {0}
        for place, op in enumerate(block.ops):
            if op.opcode in CALLS or op.opcode in _STORES:
                places.add(place + 1)
        first = flow.unmade.get(number, 0)
        ops = (*block.ops, block.end.op) if block.end.op is not None else block.ops
        least = default_return(0, flow.returns)
        for place in sorted(places):
            if first <= place < len(ops):
                rest = ops[place : place + 2]
                op = ops[place]
                assert op is not None  # there is a jump at the end wherever ops are longer than those of the block
                if op.opcode in RETURNS or [each.opcode for each in rest if each] == [each.opcode for each in least]:
                    continue
                saved = block.stop - op.offset - len(least) + self.dominators.below(number)
                before = f"after {self._name(ops[place - 1])}" if place else f"at offset {op.offset}"
                yield self._edit(EditKind.CUT, op.offset, f"end {before}", saved)

    def _jumps(self, number: int) -> Iterator[Edit]:
        end = self.flow.blocks[number].end
        op = end.op
        if op is None:
            return
        if number in self.code.idle_jumps and end.how is not Ends.SWITCHES:
            yield self._edit(EditKind.FALL, op.offset, "no jump to where control goes anyway", 3 - op.pops)
        elif op.opcode in CONDITIONAL:
            target = end.targets[0]
            saved = self.dominators.saved_without_edge(number, target)
            name = _JUMPS[op.opcode]
            yield self._edit(EditKind.FALL, op.offset, f"never jump if {name}", saved + 3 - op.pops)
            saved = self.dominators.saved_without_edge(number, number + 1)
            yield self._edit(EditKind.JUMP, op.offset, f"always jump, not only if {name}", saved - op.pops)
            asked = self.code.asked
            if asked is not None and not self._asks_already(number):
                text = f"ask for variable {asked.slot}, not if {name}"
                yield self._edit(EditKind.ASK, op.offset, text, op.pops - 1)
        elif end.how is Ends.SWITCHES:
            cases: dict[int, list[int]] = {}
            for index, target in enumerate(end.targets[1:]):
                cases.setdefault(target, []).append(index)
            without = {target: self.dominators.saved_without_edge(number, target) for target in end.targets}
            every = sum(without.values())
            size = 8 if op.opcode == 0xAB else 0
            for target, indexes in cases.items():
                if target != end.targets[0]:
                    keys = ", ".join(str(end.keys[index]) for index in indexes[:3])
                    text = f"no case {keys}{', ...' if len(indexes) > 3 else ''}"
                    saved = without[target] + size * len(indexes)
                    yield self._edit(EditKind.ARM, op.offset, text, saved, indexes[0])
            for target in without:
                index = end.targets.index(target)
                saved = every - without[target]
                text = f"always case {end.keys[index - 1]}" if index else "always the default case"
                saved += 8 + (8 if size else 4) * len(end.keys)
                yield self._edit(EditKind.CASE, op.offset, text, saved, index)

    def _results(self, op: Op) -> Iterator[Edit]:
        """Yield edits with another value in the place of a call's result or a field's value."""
        result = pushed_type(op, self.symbols)
        if result == "V" or op.opcode in _STORES:
            return
        saved = len(op.data) - 1
        if op.opcode in CALLS and self._first_type(op) == result:
            yield self._edit(EditKind.PASS, op.offset, f"what it takes first instead of {self._name(op)}", saved)
        slots = [one.slot for one in self.code.parameters if one.fits(result)]
        if slots:
            text = f"the parameter in variable {slots[0]} instead of {self._name(op)}"
            yield self._edit(EditKind.PARAMETER, op.offset, text, saved)

    def _first_type(self, op: Op) -> str:
        """Return the type of a call's first operand, its receiver if it has one; empty for no operand."""
        fact = self._fact(op)
        if op.opcode in (INVOKEDYNAMIC, INVOKESTATIC):
            return next(iter(method_types(fact[3])[0]), "")
        owner: str = fact[1]
        return owner if owner.startswith("[") else f"L{owner};"

    def _values(self, number: int) -> Iterator[Edit]:
        """Yield edits of single computations, each with the computations of its operands. Skip computations of one
        byte and loads of variables, which have an edit of their own, unless their values are only popped."""
        slots: list[tuple[Op, int]] = []  # the op that filled each slot in this block, and the bytes of its computation
        for op in self.flow.blocks[number].ops:
            size = len(op.data)
            if op.inputs is not None:
                size += sum(slots[-width][1] if len(slots) >= width else 0 for width in op.inputs) if op.pops else 0
            if op.inputs is not None and size > 1 and access_of(op) is None:
                kind = kind_pushed(op, self.symbols)
                text = f"{'null' if kind == KINDS[-1] else '0'} instead of {MNEMONICS[op.opcode]} at offset {op.offset}"
                yield self._edit(EditKind.VALUE, op.offset, text, size - 1)
            if op.opcode in _LEFT:
                text = f"the left operand instead of {MNEMONICS[op.opcode]} at offset {op.offset}"
                yield self._edit(EditKind.PASS, op.offset, text, 2)
            if op.opcode in (POP, POP2) and slots and _is_bare(slots[-1][0], op.pops):
                pushing, bytes_of = slots[-1]
                text = f"no value at offset {pushing.offset}, which is only popped"
                yield self._edit(EditKind.VALUE, pushing.offset, text, bytes_of + 1)
            if op.pops:
                del slots[-op.pops :]
            slots += [(op, size if op.inputs is not None else 0)] * op.pushes

    def _variables(self) -> Iterator[Edit]:
        """Yield one edit for each web of a local variable. A parameter that nothing writes is one web: its reads have
        edits of their own as values."""
        places, blocks = self.flow.places, self.flow.blocks
        for index, web in enumerate(self.code.webs):
            offsets = sorted({*web.reads, *web.writes})
            sizes = [len(blocks[places[at][0]].ops[places[at][1]].data) for at in offsets]
            saved = sum(
                size - (at in web.reads and at not in web.writes) for at, size in zip(offsets, sizes, strict=True)
            )
            text = f"no local variable {web.slot} at offset {offsets[0]}"
            yield self._edit(EditKind.VARIABLE, offsets[0], text, saved, index)

    def _names(self) -> Iterator[Edit]:
        for index, row in enumerate(self.flow.named):
            text = f"no name for local variable {row.slot} from offset {row.start}"
            yield self._edit(EditKind.NAME, row.start, text, _ROW, index)

    def _monitors(self) -> Iterator[Edit]:
        ops = (op for number in self.live for op in self.flow.blocks[number].ops)
        offsets = [op.offset for op in ops if op.opcode in MONITORS]
        if offsets:
            yield self._edit(EditKind.MONITOR, offsets[0], "no monitors", 2 * len(offsets))

    def _asks_already(self, number: int) -> bool:
        """Return True if the jump at the end of a block tests no more than a parameter's variable."""
        block = self.flow.blocks[number]
        jump = block.end.op
        if jump is None or jump.pops != 1 or not block.ops:
            return False
        access = access_of(block.ops[-1])
        return access is not None and access.reads and access.slot < self.flow.parameters

    def _fact(self, op: Op) -> Any:
        return self.symbols.fact(op.opcode, op.key)

    def _type(self, index: int) -> str:
        name = self.symbols.types[index]
        return type_name(name, short=False) if name.startswith("[") else java_name(name)


def _is_bare(op: Op, width: int) -> bool:
    """Return True for a load or a constant of one byte: only where its value is popped, less is left without it."""
    return op.inputs == () and op.pushes == width and (len(op.data) == 1 or access_of(op) is not None)
