"""A class after the methods of a program lost parameters or results: descriptors, calls, local variables and frames.

A value that is no longer given is null or 0.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import NamedTuple

from core.bytecode.symbols import Symbols
from core.classfile import pool
from core.classfile.class_file import ClassFile, parse
from core.classfile.descriptors import method_types
from core.classfile.generics.signatures import parameter_types, type_parameters
from core.rewrite.bodies.blocks import Flow
from core.rewrite.bodies.body_layout import laid
from core.rewrite.bodies.change import Changed, with_ops
from core.rewrite.bodies.code_attribute import code_attribute
from core.rewrite.bodies.dataflow.body_facts import BodyFacts
from core.rewrite.bodies.dataflow.locals import access_of
from core.rewrite.bodies.flow import flow_of
from core.rewrite.bodies.ops import CALLS, RETURNS, Op, argument_widths, default, drops
from core.rewrite.bodies.shell import Shell
from core.rewrite.bodies.simplify import simplified
from core.rewrite.bodies.stackmap import at_start
from core.rewrite.parameters.families import CONSTRUCTOR, Reference, references, signature_of, simply_pushed
from core.rewrite.pieces import Piece

Dropped = Callable[[Reference], Collection[int]]
"""The parameters that a method loses, by class, name and descriptor."""

_STATIC, _INVOKEINTERFACE = 0x0008, 0xB9
_HEAD = 8
"""Bytes of a class file before its constants."""


_RETURN, _SWAP = 0xB1, 0x5F
_SHUFFLES = {(1, 1): (0x5F, 2), (1, 2): (0x5D, 3), (2, 1): (0x5B, 3), (2, 2): (0x5E, 4)}
"""By the slots of a value and of those above it: the instruction that copies what is above beneath the value, and the
slots that it takes. ``swap`` leaves no copy."""
DEEPEST = 2
"""Most slots above a value that can be taken off the stack. See decisions/039-types-of-members.md."""


class MethodShape(NamedTuple):
    """The parts of a method's descriptor that go."""

    dropped: frozenset[int] = frozenset()
    """Places of parameters."""
    is_void: bool = False
    """True if the result goes."""

    def of(self, descriptor: str) -> str:
        """Return a descriptor without these parts."""
        types, result = method_types(descriptor)
        left = [type_ for place, type_ in enumerate(types) if place not in self.dropped]
        return f"({''.join(left)}){'V' if self.is_void else result}"

    def of_signature(self, signature: str) -> str:
        """Return the signature of a method without these parts."""
        _, begin = type_parameters(signature)
        types, end = parameter_types(signature[begin:])
        left = [type_ for place, type_ in enumerate(types) if place not in self.dropped]
        rest = signature[begin + end + 1 :]
        if self.is_void:
            _, mark, thrown = rest.partition("^")
            rest = f"V{mark}{thrown}"
        return f"{signature[:begin]}({''.join(left)}){rest}"


SAME = MethodShape()


class ChangedCall(NamedTuple):
    """The changed form of calls by one constant."""

    key: int
    """The constant that stands in its place."""
    descriptor: str
    shape: MethodShape


def without_parameters(data: bytes, dropped: Dropped) -> bytes:
    """Return the class file ``data`` without the parameters that :func:`droppable` found and ``dropped`` tells; itself
    if it has nothing to do with these."""
    return reshaped(data, lambda called: MethodShape(frozenset(dropped(called))))


def reshaped(data: bytes, shape: Callable[[Reference], MethodShape]) -> bytes:
    """Return the class file ``data`` after the methods of some families lost what ``shape`` tells; itself if it has
    nothing to do with these.

    A parameter that goes is never written, and has at most :data:`DEEPEST` slots above it in a call before the first
    argument from which on each is pushed by one instruction.
    """
    cf = parse(data)
    calls = {key: each for key, called in references(cf).items() if (each := shape(called)) != SAME}
    declared = {
        number: each
        for number, method in enumerate(cf.methods)
        if (each := shape((cf.name, method.name_text, method.descriptor_text))) != SAME
    }
    if not calls and not declared:
        return data
    constants, called = _Constants(data), references(cf)
    changes = {
        key: ChangedCall(constants.with_descriptor(key, each.of(called[key][2])), called[key][2], each)
        for key, each in calls.items()
    }
    methods = list(cf.methods)
    texts = {number: constants.text(each.of(methods[number].descriptor_text)) for number, each in declared.items()}
    signatures = {
        number: constants.text(each.of_signature(signature))
        for number, each in declared.items()
        if (signature := signature_of(cf, methods[number]))
    }
    data = constants.written()
    cf = parse(data)
    symbols, codes = Symbols(cf), {}
    flows = list(_flows(cf, symbols, declared, changes))
    methods = list(cf.methods)
    for number, text in texts.items():
        methods[number]._descriptor_index = text
    for number, text in signatures.items():
        methods[number].attributes.replace("Signature", text.to_bytes(2, "big"))
    shell = Shell(cf, data)
    for flow in flows:
        own = declared.get(flow.number, SAME)
        if own != SAME or any(op.key in changes for block in flow.blocks for op in block.ops):
            codes[flow.number] = _code(cf, shell, symbols, flow, changes, own)
    return shell.write(codes)


def _flows(cf: ClassFile, symbols: Symbols, declared: Collection[int], calls: Collection[int]) -> Iterator[Flow]:
    """Yield the code of the ``declared`` methods, and of all whose bytes may hold one of the ``calls``."""
    wanted = [key.to_bytes(2, "big") for key in calls]
    for number, method in enumerate(cf.methods):
        code = method.attributes.raw("Code") or b""
        if number in declared or any(key in code for key in wanted):
            flow = flow_of(cf, symbols, number, method)
            if flow is not None:
                yield flow


def shorter(descriptor: str, dropped: Collection[int]) -> str:
    """Return a method's descriptor without some parameters."""
    return MethodShape(frozenset(dropped)).of(descriptor)


def _code(
    cf: ClassFile, shell: Shell, symbols: Symbols, flow: Flow, changes: Mapping[int, ChangedCall], own: MethodShape
) -> Piece:
    """Return the Code attribute of a method, with other calls, and without its own parts that go."""
    slots = _slots(cf, flow, own.dropped)
    ops = {}
    for number, block in enumerate(flow.blocks):
        found: list[Op] = []
        for op in block.ops:
            found += _instead(op, found, changes, slots, own)
        if found != list(block.ops):
            ops[number] = simplified(found)
    change = with_ops(flow, symbols, BodyFacts(flow), ops)
    if own.dropped:
        change = _renumbered(cf, flow, change, slots, own)
    return code_attribute(shell.code_names[flow.number], flow, change, laid(flow, change), cf.constants.text)


def _instead(
    op: Op, before: list[Op], changes: Mapping[int, ChangedCall], slots: Collection[int], own: MethodShape
) -> Sequence[Op]:
    """Return what stands for an instruction. Arguments that a call no longer takes go from the instructions ``before``
    it.
    """
    call = changes.get(op.key) if op.opcode in CALLS else None
    if call is not None:
        return changed_call(op, before, call)
    if own.is_void and op.opcode in RETURNS and op.pops:
        return [*drops(op.offset, (op.pops,)), Op(op.offset, _RETURN, bytes([_RETURN]), 0, 0, 0, None, 0, True)]
    access = access_of(op) if slots else None
    if access is not None and access.slot in slots:
        return default(op.offset, access.kind)
    return (op,)


def changed_call(op: Op, before: list[Op], call: ChangedCall) -> list[Op]:
    """Return a call without what goes, with a constant in the place of its result. Arguments that the call no longer
    takes go from the instructions ``before`` it, or from the stack.
    """
    widths, dropped = argument_widths(call.descriptor), call.shape.dropped
    first = simply_pushed(before, len(before), call.descriptor)
    start = len(before) - (len(widths) - first)
    for place in sorted(dropped, reverse=True):
        if place >= first:
            del before[start + place - first]
    before[start:start] = _taken(op.offset, widths[:first], dropped)
    fewer = sum(widths[place] for place in dropped)
    data = op.data
    if op.opcode == _INVOKEINTERFACE:
        data = data[:3] + bytes([data[3] - fewer]) + data[4:]
    if not call.shape.is_void:
        return [op._replace(data=data, key=call.key, pops=op.pops - fewer)]
    result = method_types(call.descriptor)[1]
    return [op._replace(data=data, key=call.key, pops=op.pops - fewer, pushes=0), *default(op.offset, result)]


def _taken(offset: int, widths: Sequence[int], dropped: Collection[int]) -> Iterator[Op]:
    """Take the arguments that go off the stack, on which values of the ``widths`` are the topmost."""
    above = 0
    for place in reversed(range(len(widths))):
        if place not in dropped:
            above += widths[place]
            continue
        if above:
            opcode, slots = _SHUFFLES[widths[place], above]
            copied = 0 if opcode == _SWAP else above
            yield Op(offset, opcode, bytes([opcode]), 0, slots, slots + copied, None, 0, True)
            yield from drops(offset, (copied,) if copied else ())
        yield from drops(offset, (widths[place],))


def _slots(cf: ClassFile, flow: Flow, dropped: Collection[int]) -> set[int]:
    """Return the local variables of the parameters that go."""
    slot = 0 if list(cf.methods)[flow.number].access & _STATIC else 1
    free: set[int] = set()
    for place, width in enumerate(argument_widths(flow.descriptor)):
        if place in dropped:
            free.update(range(slot, slot + width))
        slot += width
    return free


def _renumbered(cf: ClassFile, flow: Flow, change: Changed, free: Collection[int], own: MethodShape) -> Changed:
    """Return the change in which the local variables behind the removed parameters move up."""
    method = list(cf.methods)[flow.number]
    count = int.from_bytes((method.attributes.raw("Code") or b"")[2:4], "big")
    slots = {old: new for new, old in enumerate([old for old in range(count) if old not in free])}
    constructor = method.name_text == CONSTRUCTOR and cf.superclass is not None
    initial = at_start(own.of(flow.descriptor), None if method.access & _STATIC else cf.name, constructor)
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
