"""Code that uses variables in the place of fields, and methods that get more parameters behind those that they have."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import NamedTuple, TypeVar

from core.bytecode.symbols import GETFIELD, PUTFIELD, PUTSTATIC, Symbols
from core.classfile.class_file import ClassFile, Method, parse
from core.classfile.descriptors import method_types
from core.classfile.generics.signatures import parameter_types, type_parameters
from core.rewrite.bodies.blocks import Flow
from core.rewrite.bodies.body_layout import TooLongError, laid
from core.rewrite.bodies.change import Changed, with_ops
from core.rewrite.bodies.code_attribute import code_attribute
from core.rewrite.bodies.dataflow.body_facts import BodyFacts
from core.rewrite.bodies.dataflow.locals import KINDS, load, store
from core.rewrite.bodies.flow import flow_of
from core.rewrite.bodies.ops import FIELDS, Op, argument_widths, drops, width_of
from core.rewrite.bodies.shell import Shell
from core.rewrite.bodies.simplify import simplified
from core.rewrite.bodies.stackmap import at_start
from core.rewrite.pieces import Piece
from core.rewrite.programs.class_tree import AttributeTree, MemberTree, SymbolicClass, read, text
from core.rewrite.programs.nesting import Reference

_STATIC = 0x0008
_VARARGS = 0x0080
_STORES = frozenset((PUTFIELD, PUTSTATIC))
_INTS = frozenset("BCISZ")
_MOST_VARIABLES = 0xFFFF
_MOST_PARAMETERS = 255
"""Slots of the parameters of a method, with the object (JVMS 4.3.3)."""

Value = TypeVar("Value", bound=Hashable)
"""Type of what parameters stand for."""

MethodKey = tuple[str, str]
"""Name and descriptor of a method."""


class Added(NamedTuple):
    """A parameter that a method gets, in the place of a field or another value."""

    descriptor: str
    signature: str
    """The generic type; the descriptor where there is none."""


def field_of(op: Op, symbols: Symbols) -> Reference:
    """Return the field that an instruction names."""
    _, owner, name, descriptor = symbols[op.opcode << 16 | op.key][5]
    return owner, name, descriptor


def with_variables(
    tree: SymbolicClass,
    gone: Mapping[Reference, Reference],
    added: Mapping[MethodKey, Mapping[Reference, Added]],
) -> SymbolicClass:
    """Return a class whose methods use variables in the place of some fields. Raise :class:`TooLongError`.

    ``gone`` has the field that each reference means. ``added`` has the methods that get parameters, each with the
    fields in whose place these stand; other methods store in new variables, and read none of the fields.
    """
    places: dict[MethodKey, dict[Reference, int]] = {}
    if added:
        tree, places = with_parameters(tree, added)
    data = tree.written()
    cf = parse(data)
    symbols, shell, codes = Symbols(cf), Shell(cf, data), {}
    for number, method in enumerate(cf.methods):
        flow = flow_of(cf, symbols, number, method)
        if flow is None:
            continue
        slots = _Slots(_variables(method), places.get((method.name_text, method.descriptor_text), {}))
        ops = {}
        for place, block in enumerate(flow.blocks):
            found: list[Op] = []
            for op in block.ops:
                field = gone.get(field_of(op, symbols)) if op.opcode in FIELDS else None
                found += (op,) if field is None else _instead(op, field, slots)
            if found != list(block.ops):
                ops[place] = simplified(found)
        if ops:
            codes[number] = written_code(cf, shell, flow, with_ops(flow, symbols, BodyFacts(flow), ops))
    return read(parse(shell.write(codes))) if codes else tree


class _Slots:
    """The variables of one method in the place of fields: parameters, and new variables."""

    def __init__(self, free: int, known: Mapping[Reference, int]) -> None:
        self._free = free
        self._known = dict(known)

    def of(self, field: Reference) -> int:
        """Return the variable of a field."""
        if field not in self._known:
            self._known[field] = self._free
            self._free += width_of(field[2])
            if self._free > _MOST_VARIABLES:
                raise TooLongError
        return self._known[field]


def _instead(op: Op, field: Reference, slots: _Slots) -> list[Op]:
    """Return what uses a variable as an instruction uses a field. The object of the field goes from the stack."""
    descriptor, slot = field[2], slots.of(field)
    kind = kind_of(descriptor)
    if op.opcode in _STORES:
        stored = store(op.offset, kind, slot)
        return [stored, *drops(op.offset, (1,))] if op.opcode == PUTFIELD else [stored]
    loaded = load(op.offset, kind, slot)
    return [*drops(op.offset, (1,)), loaded] if op.opcode == GETFIELD else [loaded]


def kind_of(descriptor: str) -> str:
    """Return the kind of a variable of a type."""
    return KINDS[0] if descriptor in _INTS else descriptor if descriptor in KINDS else KINDS[-1]


def _variables(method: Method) -> int:
    """Return the number of local variables of a method with code."""
    return int.from_bytes((method.attributes.raw("Code") or b"")[2:4], "big")


def written_code(cf: ClassFile, shell: Shell, flow: Flow, change: Changed) -> Piece:
    """Return the Code attribute of a method after a change. Raise :class:`TooLongError`."""
    return code_attribute(shell.code_names[flow.number], flow, change, laid(flow, change), cf.constants.text)


def with_parameters(
    tree: SymbolicClass, added: Mapping[MethodKey, Mapping[Value, Added]]
) -> tuple[SymbolicClass, dict[MethodKey, dict[Value, int]]]:
    """Return a class whose methods have more parameters, which nothing reads, and their variables by the methods' new
    descriptors. Raise :class:`TooLongError`.
    """
    data = tree.written()
    cf = parse(data)
    symbols, shell, codes = Symbols(cf), Shell(cf, data), {}
    places: dict[MethodKey, dict[Value, int]] = {}
    for number, method in enumerate(cf.methods):
        more = added.get((method.name_text, method.descriptor_text))
        if more is None:
            continue
        flow = flow_of(cf, symbols, number, method)
        assert flow is not None  # it computes the value
        descriptor = with_types(flow.descriptor, [each.descriptor for each in more.values()])
        receiver = None if method.access & _STATIC else cf.name
        uninitialised = method.name_text == "<init>"
        width = sum(argument_widths(descriptor)) - sum(argument_widths(flow.descriptor))
        if flow.parameters + width > _MOST_PARAMETERS:
            raise TooLongError
        slots = {slot: slot + (width if slot >= flow.parameters else 0) for slot in range(_variables(method))}
        change = with_ops(flow, symbols, BodyFacts(flow), {})
        change = change._replace(slots=slots, initial=at_start(descriptor, receiver, uninitialised))
        codes[number] = written_code(cf, shell, flow, change)
        slot, own = flow.parameters, places.setdefault((method.name_text, descriptor), {})
        for value, parameter in more.items():
            own[value] = slot
            slot += width_of(parameter.descriptor)
    changed = read(parse(shell.write(codes)))
    methods = [_declared(each, list(added.get(each.key, {}).values())) for each in changed.methods]
    return changed._replace(methods=tuple(methods)), places


def with_types(descriptor: str, types: Sequence[str]) -> str:
    """Return a method's descriptor with more parameters at the end."""
    own, result = method_types(descriptor)
    return f"({''.join((*own, *types))}){result}"


def _declared(method: MemberTree, more: Sequence[Added]) -> MemberTree:
    """Return a method with more parameters in its descriptor and its signature."""
    if not more:
        return method
    descriptor = with_types(method.descriptor, [each.descriptor for each in more])
    known = method.attribute("Signature")
    signature = method.descriptor if known is None else str(next(known.symbols).content[0])
    _, begin = type_parameters(signature)
    _, end = parameter_types(signature[begin:])
    at = begin + end
    signature = signature[:at] + "".join([each.signature for each in more]) + signature[at:]
    left = tuple([each for each in method.attributes if each is not known])
    if signature != descriptor:
        left = (*left, AttributeTree("Signature", Piece(b"\0\0", (0,), (text(signature),))))
    return method._replace(access=method.access & ~_VARARGS, descriptor=descriptor, attributes=left)
