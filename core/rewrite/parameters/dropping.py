"""A class without some parameters: descriptors, calls, local variables and frames."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import NamedTuple

from core.bytecode.symbols import Symbols
from core.classfile import pool
from core.classfile.class_file import ClassFile, parse
from core.classfile.descriptors import method_types
from core.classfile.generics.signatures import parameter_types
from core.rewrite.bodies.blocks import Flow
from core.rewrite.bodies.body_layout import laid
from core.rewrite.bodies.change import Changed, changed
from core.rewrite.bodies.code_attribute import code_attribute
from core.rewrite.bodies.dataflow.body_facts import BodyFacts
from core.rewrite.bodies.flow import flow_of
from core.rewrite.bodies.ops import CALLS, Op, argument_widths
from core.rewrite.bodies.shell import Shell
from core.rewrite.bodies.stackmap import at_start
from core.rewrite.parameters.families import CONSTRUCTOR, Reference, references, signature_of
from core.rewrite.pieces import Piece

Dropped = Callable[[Reference], Collection[int]]
"""The parameters that a method loses, by class, name and descriptor."""

_STATIC, _INVOKEINTERFACE = 0x0008, 0xB9
_HEAD = 8
"""Bytes of a class file before its constants."""


class _Call(NamedTuple):
    """The changed form of calls by one constant."""

    key: int
    """The other constant."""
    descriptor: str
    dropped: Collection[int]


def without_parameters(data: bytes, dropped: Dropped) -> bytes:
    """Return the class file ``data`` without the parameters that :func:`droppable` found and ``dropped`` tells; itself
    if it has nothing to do with these."""
    cf = parse(data)
    calls = {key: called for key, called in references(cf).items() if dropped(called)}
    declared = {
        number: (method.descriptor_text, dropped((cf.name, method.name_text, method.descriptor_text)))
        for number, method in enumerate(cf.methods)
    }
    declared = {number: each for number, each in declared.items() if each[1]}
    if not calls and not declared:
        return data
    constants = _Constants(data)
    changes = {
        key: _Call(constants.with_descriptor(key, shorter(called[2], dropped(called))), called[2], dropped(called))
        for key, called in calls.items()
    }
    texts = {number: constants.text(shorter(*each)) for number, each in declared.items()}
    signatures = {
        number: constants.text(_shorter_signature(signature, declared[number][1]))
        for number, method in enumerate(cf.methods)
        if number in declared and (signature := signature_of(cf, method))
    }
    data = constants.written()
    cf = parse(data)
    symbols, codes = Symbols(cf), {}
    flows = [flow_of(cf, symbols, number, method) for number, method in enumerate(cf.methods)]
    methods = list(cf.methods)
    for number, text in texts.items():
        methods[number]._descriptor_index = text
    for number, text in signatures.items():
        methods[number].attributes.replace("Signature", text.to_bytes(2, "big"))
    shell = Shell(cf, data)
    for number, flow in enumerate(flows):
        gone = declared[number][1] if number in declared else ()
        if flow is not None and (gone or any(op.key in changes for block in flow.blocks for op in block.ops)):
            codes[number] = _code(cf, shell, symbols, flow, changes, gone)
    return shell.write(codes)


def shorter(descriptor: str, dropped: Collection[int]) -> str:
    """Return a method's descriptor without some parameters."""
    types, result = method_types(descriptor)
    return f"({''.join([type_ for index, type_ in enumerate(types) if index not in dropped])}){result}"


def _shorter_signature(signature: str, dropped: Collection[int]) -> str:
    types, end = parameter_types(signature)
    return f"({''.join([type_ for index, type_ in enumerate(types) if index not in dropped])}{signature[end:]}"


def _code(
    cf: ClassFile, shell: Shell, symbols: Symbols, flow: Flow, changes: Mapping[int, _Call], gone: Collection[int]
) -> Piece:
    """Return the Code attribute of a method, with other calls, and without its own parameters that are ``gone``."""
    change = changed(flow, symbols, BodyFacts(flow), ())
    ops = {number: _called(change.ops.get(number, flow.blocks[number].ops), changes) for number in change.live}
    change = change._replace(ops=ops)
    if gone:
        change = _renumbered(cf, flow, change, gone)
    return code_attribute(shell.code_names[flow.number], flow, change, laid(flow, change), cf.constants.text)


def _called(ops: Collection[Op], changes: Mapping[int, _Call]) -> list[Op]:
    """Return the instructions of a block, with shorter calls."""
    found: list[Op] = []
    for op in ops:
        call = changes.get(op.key) if op.opcode in CALLS else None
        if call is None:
            found.append(op)
            continue
        widths = argument_widths(call.descriptor)
        first = len(found) - len(widths)
        # only back to the first that goes is each pushed by one instruction
        for index in sorted(call.dropped, reverse=True):
            del found[first + index]
        fewer = sum(widths[index] for index in call.dropped)
        data = op.data
        if op.opcode == _INVOKEINTERFACE:
            data = data[:3] + bytes([data[3] - fewer]) + data[4:]
        found.append(op._replace(data=data, key=call.key, pops=op.pops - fewer))
    return found


def _renumbered(cf: ClassFile, flow: Flow, change: Changed, gone: Collection[int]) -> Changed:
    """Return the change in which the local variables behind the removed parameters move up."""
    method = list(cf.methods)[flow.number]
    is_static = bool(method.access & _STATIC)
    slot = 0 if is_static else 1
    free: set[int] = set()
    for index, width in enumerate(argument_widths(flow.descriptor)):
        if index in gone:
            free.update(range(slot, slot + width))
        slot += width
    count = int.from_bytes((method.attributes.raw("Code") or b"")[2:4], "big")
    slots = {old: new for new, old in enumerate([old for old in range(count) if old not in free])}
    constructor = method.name_text == CONSTRUCTOR and cf.superclass is not None
    initial = at_start(shorter(flow.descriptor, gone), None if is_static else cf.name, constructor)
    return change._replace(slots=slots, initial=initial)


class _Constants:
    """The constants of a class file, and more behind them."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._pool, self._end = pool.read_pool(data, _HEAD)
        self._places = {constant: place for place, constant in enumerate(self._pool) if constant is not None}

    def text(self, text: str) -> int:
        """Return the place of a text."""
        return self._place((pool.UTF8, text))

    def with_descriptor(self, key: int, descriptor: str) -> int:
        """Return the place of what refers to a method as the constant at ``key`` does, but of another descriptor."""
        constant = self._pool[key]
        assert constant is not None
        tag, owner, named = constant
        name = self._pool[named]
        assert name is not None
        return self._place((tag, owner, self._place((pool.NAME_AND_TYPE, name[1], self.text(descriptor)))))

    def _place(self, constant: pool.Constant) -> int:
        place = self._places.get(constant)
        if place is None:
            place = self._places[constant] = len(self._pool)
            self._pool.append(constant)
        return place

    def written(self) -> bytes:
        """Return the class file with all of them."""
        return self._data[:_HEAD] + pool.write_pool(self._pool, len(self._pool)) + self._data[self._end :]
