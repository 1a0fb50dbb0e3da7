"""A class after the methods of a program lost parameters or results: descriptors, calls, local variables and frames.

A value that is no longer given is null or 0.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import NamedTuple

from core.classfile.descriptors import method_types
from core.classfile.signatures import parameter_types
from core.classfile.symbolic.symbol_pool import Reference, Symbol
from core.classfile.symbolic.symbolic_class import MemberTree, SymbolicClass, signature_of
from core.code.change import replaced
from core.code.dataflow.locals import access_of
from core.code.method_code import MethodCode, code_of
from core.code.ops import CALLS, RETURNS, Op, argument_widths, default, default_return, drops, made
from core.code.types.symbols import INVOKEINTERFACE
from core.edits.programs.shapes.families import METHOD_REFERENCES, Declared, simply_pushed, slots_of_parameters

_SWAP = 0x5F
_SHUFFLES = {(1, 1): (0x5F, 2), (1, 2): (0x5D, 3), (2, 1): (0x5B, 3), (2, 2): (0x5E, 4)}
"""By the slots of a value and of the stack above it: the instruction that copies the top beneath the value, and the
number of its slots. ``swap`` leaves no copy."""
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
        types, begin, end = parameter_types(signature)
        left = [type_ for place, type_ in enumerate(types) if place not in self.dropped]
        rest = signature[end + 1 :]
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


def reshaped(tree: SymbolicClass, shape: Callable[[Reference], MethodShape]) -> SymbolicClass:
    """Return a class after the methods of some families lost what ``shape`` tells; itself if it has nothing to do with
    these.

    A dropped parameter is never written. In a call at most :data:`DEEPEST` slots lie above it before the simple
    arguments, each of which one instruction pushes.
    """
    named = {symbol: shape(symbol.content) for symbol in set(tree.symbols) if symbol.tag in METHOD_REFERENCES}  # type: ignore[arg-type]  # three texts
    calls = {symbol: each for symbol, each in named.items() if each != SAME}
    declared = [shape((tree.name, *method.key)) for method in tree.methods]
    if not calls and all(each == SAME for each in declared):
        return tree
    methods = [_reshaped(tree, *each, calls) for each in zip(tree.methods, declared, strict=True)]
    return tree._replace(methods=tuple(methods))


def _reshaped(
    tree: SymbolicClass, method: MemberTree, own: MethodShape, calls: Mapping[Symbol, MethodShape]
) -> MemberTree:
    """Return a method with other calls, and without its own parts that go."""
    code = method.attribute("Code")
    called = calls.keys() & code.symbols if code is not None else set()
    if own == SAME and not called:
        return method
    found = code_of(tree, method)
    if found is not None:
        method = _with_code(tree, method, found, {symbol: calls[symbol] for symbol in called}, own)
    if own == SAME:
        return method
    if method.signature:
        method = method.with_attribute("Signature", signature_of(own.of_signature(method.signature)))
    return method._replace(descriptor=own.of(method.descriptor))


def _with_code(
    tree: SymbolicClass,
    method: MemberTree,
    code: MethodCode,
    calls: Mapping[Symbol, MethodShape],
    own: MethodShape,
) -> MemberTree:
    changes = {
        code.key(symbol): ChangedCall(
            code.key(Symbol(symbol.tag, (*symbol.content[:2], each.of(str(symbol.content[2]))))),
            str(symbol.content[2]),
            each,
        )
        for symbol, each in calls.items()
    }
    places = slots_of_parameters(Declared(tree, method))
    slots = {slot for slot, place in places.items() if place in own.dropped}
    change = replaced(code, lambda op, before: _instead(op, before, changes, slots, own))
    if own.dropped:
        left = [slot for slot in range(code.flow.variables) if slot not in slots]
        change = code.moved(
            change, {old: new for new, old in enumerate(left)}, own.of(method.descriptor), method.access
        )
    return code.method(change)


def _instead(
    op: Op, before: list[Op], changes: Mapping[int, ChangedCall], slots: Collection[int], own: MethodShape
) -> Sequence[Op]:
    """Return the instructions that replace one. Arguments that a call no longer takes go from the instructions
    ``before`` it.
    """
    call = changes.get(op.key) if op.opcode in CALLS else None
    if call is not None:
        return changed_call(op, before, call)
    if own.is_void and op.opcode in RETURNS and op.pops:
        return [*drops(op.offset, (op.pops,)), *default_return(op.offset, "V")]
    access = access_of(op) if slots else None
    if access is not None and access.slot in slots:
        return default(op.offset, access.kind)
    return (op,)


def changed_call(op: Op, before: list[Op], call: ChangedCall) -> list[Op]:
    """Return a call without dropped arguments, with a constant in the place of its dropped result. Arguments that the
    call no longer takes go from the instructions ``before`` it, or from the stack.
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
    if op.opcode == INVOKEINTERFACE:
        data = data[:3] + bytes([data[3] - fewer]) + data[4:]
    if not call.shape.is_void:
        return [op._replace(data=data, key=call.key, pops=op.pops - fewer)]
    result = method_types(call.descriptor)[1]
    return [op._replace(data=data, key=call.key, pops=op.pops - fewer, pushes=0), *default(op.offset, result)]


def _taken(offset: int, widths: Sequence[int], dropped: Collection[int]) -> Iterator[Op]:
    """Take the dropped arguments off the stack; arguments of the ``widths`` are the topmost values."""
    above = 0
    for place in reversed(range(len(widths))):
        if place not in dropped:
            above += widths[place]
            continue
        if above:
            opcode, slots = _SHUFFLES[widths[place], above]
            copied = 0 if opcode == _SWAP else above
            yield made(offset, opcode, slots, slots + copied)
            yield from drops(offset, (copied,) if copied else ())
        yield from drops(offset, (widths[place],))
