"""Methods that nobody calls become one method, which runs the code of one after that of the other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import accumulate
from typing import NamedTuple

from core.bytecode.symbols import Symbols
from core.classfile.class_file import parse
from core.classfile.descriptors import method_types
from core.classfile.generics.signatures import parameter_types, type_parameters
from core.classfile.instructions import instructions
from core.classfile.pool import CLASS
from core.protocol.java_names import item_title
from core.rewrite.around import rows_of
from core.rewrite.bodies.body_layout import TooLongError, laid
from core.rewrite.bodies.change import with_ops
from core.rewrite.bodies.code_attribute import code_attribute
from core.rewrite.bodies.dataflow.body_facts import BodyFacts
from core.rewrite.bodies.dataflow.parameters import Parameter, with_parameters
from core.rewrite.bodies.flow import flow_of
from core.rewrite.bodies.ops import RETURNS, SWITCHES, Op, argument_widths, drops
from core.rewrite.bodies.shell import Shell
from core.rewrite.bodies.simplify import simplified
from core.rewrite.bodies.stackmap import FrameWriter, Type, Types, at_start, read_frames
from core.rewrite.pieces import Key, Piece
from core.rewrite.programs.class_relations import CONSTRUCTOR, INITIALISER
from core.rewrite.programs.class_tree import AttributeTree, MemberTree, Symbol, SymbolicClass, read, text
from core.rewrite.programs.program import ProgramEdit, WholeProgram, bytes_saved, kind
from core.rewrite.programs.shapes.method_shapes import changeable

_STATIC, _SYNCHRONIZED, _VARARGS = 0x0008, 0x0020, 0x0080
_PLAIN = frozenset(("Code", "Exceptions", "Deprecated", "Signature"))
_OF_CODE = frozenset(("LineNumberTable", "LocalVariableTable", "LocalVariableTypeTable", "StackMapTable"))
_HEAD, _ROW, _RETURN = 8, 8, 0xB1
"""Bytes of a Code attribute before its instructions; of a row of the exception table; the opcode of ``return``."""
_WIDE = (3, 4)
"""Types of values of two slots in frames."""
_MOST_PARAMETERS, _MOST_CODE_BYTES = 255, 0xFFFF

MethodKey = tuple[str, str]


class _ToldTypes(NamedTuple):
    """The types of parameters in the frames of joined code."""

    initial: tuple[Type, ...]
    told: Sequence[Sequence[Parameter]]
    """For each part of the code the parameters that later parts may read."""


class _Join(NamedTuple):
    """A method that goes, and the method of the same class that gets its code."""

    owner: str
    old: MethodKey
    new: MethodKey


def _find(program: WholeProgram) -> Sequence[ProgramEdit]:
    """Return one edit for each method whose code can stand before that of another one in its class and saves bytes
    there.
    """
    free: dict[str, set[MethodKey]] = {}
    for family in changeable(program):
        if not family.calls and len(family.methods) == 1 and family.name not in (CONSTRUCTOR, INITIALISER):
            free.setdefault(family.methods[0].cf.name, set()).add((family.name, family.descriptor))
    found = []
    for tree in program.classes:
        if len(free.get(tree.name, ())) > 1:
            found += [_edit(each) for each in _joins(tree, free[tree.name])]
    return [edit for edit in found if bytes_saved(program, JOINING.make(program, [edit])) > 0]


def _edit(join: _Join) -> ProgramEdit:
    old, new = (f"{join.owner}.{name}:{descriptor}" for name, descriptor in (join.old, join.new))
    says = f"the code of {item_title(old)} is part of {item_title(new)}"
    return ProgramEdit(says, (old, new, f"{old}!code", f"{new}!code"), join)


@kind("joining", "methods that nobody calls become one method", _find, moves=True)
def JOINING(program: WholeProgram, edits: Sequence[ProgramEdit]) -> WholeProgram:
    """Put the code of some methods before that of others, which take their parameters too.

    A class stays as it is where the method would become too long, or could not be told from another one.
    """
    parts: dict[str, list[MethodKey]] = {}
    heads: dict[str, MethodKey] = {}
    for owner, old, new in (edit.what for edit in edits):
        parts.setdefault(owner, []).append(old)
        heads[owner] = new
    gone = {(owner, *key) for owner in heads for key in (heads[owner], *parts[owner])}
    known = {
        (method.name, method_types(method.descriptor)[0])
        for tree in program.classes
        for method in tree.methods
        if (tree.name, *method.key) not in gone
    }

    def changed(tree: SymbolicClass) -> SymbolicClass:
        if tree.name not in heads:
            return tree
        old = [method.key for method in tree.methods if method.key in parts[tree.name]]
        name, descriptor = heads[tree.name]
        more = [each for _, each in old]
        new = _with_all(descriptor, more)
        if new != descriptor and (name, method_types(new)[0]) in known:
            return tree
        if sum(argument_widths(new)) >= _MOST_PARAMETERS:
            return tree
        try:
            return _joined(tree, old, (name, descriptor), new)
        except TooLongError:
            return tree

    return replace(program, classes=tuple(map(changed, program.classes)))


def _with_all(descriptor: str, others: Sequence[str]) -> str:
    """Return a descriptor with the parameters of others behind its own."""
    own, result = method_types(descriptor)
    return f"({''.join((*own, *(each for other in others for each in method_types(other)[0])))}){result}"


def _joins(tree: SymbolicClass, free: set[MethodKey]) -> Iterator[_Join]:
    """Yield the methods of a class that can go, all into one method: one of objects if there is one, that with the
    shortest name.
    """
    cf = parse(tree.written())
    symbols = Symbols(cf)
    flows = {number: flow_of(cf, symbols, number, method) for number, method in enumerate(cf.methods)}
    numbers = [
        number
        for number, method in enumerate(tree.methods)
        if method.key in free and flows[number] is not None and _is_simple(method)
    ]
    ordered = sorted(numbers, key=lambda each: (tree.methods[each].access & _STATIC, len(tree.methods[each].name)))
    for head in ordered[:1]:
        for number in ordered[1:]:
            method = tree.methods[number]
            if _ends_once(method) and _type_parameters(method) == _type_parameters(tree.methods[head]):
                yield _Join(tree.name, method.key, tree.methods[head].key)


def _is_simple(method: MemberTree) -> bool:
    """Return True if the code of a method can move: it has no switch, whose length depends on its place."""
    if method.access & _SYNCHRONIZED or not _PLAIN.issuperset(each.name for each in method.attributes):
        return False
    code = method.attribute("Code")
    if code is None or "^" in _signature(method):
        return False
    if not _OF_CODE.issuperset(each.name for each in code.inside):
        return False
    return not any(each.opcode in SWITCHES for each in instructions(_instructions(code)))


def _ends_once(method: MemberTree) -> bool:
    """Return True if a method returns in one place alone, at its end."""
    code = method.attribute("Code")
    assert code is not None
    found = [each.opcode in RETURNS for each in instructions(_instructions(code))]
    return found.count(True) == 1 and found[-1]


def _signature(method: MemberTree) -> str:
    attribute = method.attribute("Signature")
    return method.descriptor if attribute is None else str(next(attribute.symbols).content[0])


def _type_parameters(method: MemberTree) -> str:
    signature = _signature(method)
    return signature[: type_parameters(signature)[1]]


def _instructions(code: AttributeTree) -> bytes:
    data = code.content.data
    return data[_HEAD : _HEAD + int.from_bytes(data[4:_HEAD], "big")]


def _joined(tree: SymbolicClass, old: Sequence[MethodKey], head: MethodKey, descriptor: str) -> SymbolicClass:
    """Return a class with the code of some methods before that of another one, which gets a new descriptor."""
    moved = _with_places(tree, [head, *old], descriptor)
    by_key = {method.key: method for method in moved.methods}
    receiver = None if by_key[head].access & _STATIC else tree.name
    initial = at_start(descriptor, receiver, False)
    told = [_read_later(initial, [head, *old], number, receiver) for number in range(1, len(old) + 1)]
    method = _one([by_key[key] for key in (*old, head)], descriptor, _ToldTypes(initial, [*told, []]))
    left = [method if each.key == head else each for each in moved.methods if each.key not in old]
    return moved._replace(methods=tuple(left))


def _read_later(
    initial: tuple[Type, ...], keys: Sequence[MethodKey], number: int, receiver: str | None
) -> list[Parameter]:
    """Return the parameters that the code behind that of a method, by its number among all, may read: those of the
    first method, whose code comes last, and of those behind it.
    """
    slots = list(accumulate((1 if type_ not in _WIDE else 2 for type_ in initial), initial=0))
    counts = [len(method_types(descriptor)[0]) for _, descriptor in keys]
    ends = list(accumulate(counts, initial=0 if receiver is None else 1))
    places = [*range(ends[1]), *range(ends[number + 1], len(initial))]
    return [Parameter(slots[place], initial[place]) for place in places]


def _with_places(tree: SymbolicClass, keys: Sequence[MethodKey], descriptor: str) -> SymbolicClass:
    """Return a class in which some methods use the variables that they have once they are one method: the parameters of
    all come first, those of the first method before the others'.
    """
    data = tree.written()
    cf = parse(data)
    symbols, shell, codes = Symbols(cf), Shell(cf, data), {}
    numbers = {method.key: number for number, method in enumerate(tree.methods)}
    receiver = None if tree.methods[numbers[keys[0]]].access & _STATIC else cf.name
    first = 0 if receiver is None else 1
    behind = first + sum(argument_widths(descriptor))
    for key in keys:
        number = numbers[key]
        method = list(cf.methods)[number]
        flow = flow_of(cf, symbols, number, method)
        assert flow is not None  # the edit asked
        own = 0 if method.access & _STATIC else 1
        count = int.from_bytes((method.attributes.raw("Code") or b"")[2:4], "big")
        slots = {0: 0} if own else {}
        slots |= {slot: first + slot - own for slot in range(own, flow.parameters)}
        slots |= {slot: behind + slot - flow.parameters for slot in range(flow.parameters, count)}
        first += flow.parameters - own
        ops = {
            place: simplified([each for op in block.ops for each in _returning(op)])
            for place, block in enumerate(flow.blocks)
            if key != keys[0] and any(op.opcode in RETURNS and op.pops for op in block.ops)
        }
        change = with_ops(flow, symbols, BodyFacts(flow), ops)
        change = change._replace(slots=slots, initial=at_start(descriptor, receiver, False))
        codes[number] = code_attribute(shell.code_names[number], flow, change, laid(flow, change), cf.constants.text)
    return read(parse(shell.write(codes)))


def _returning(op: Op) -> list[Op]:
    """Return an instruction; ``return`` in the place of one that returns a value."""
    if op.opcode not in RETURNS or not op.pops:
        return [op]
    return [*drops(op.offset, (op.pops,)), Op(op.offset, _RETURN, bytes([_RETURN]), 0, 0, 0, None, 0, True)]


def _one(methods: Sequence[MemberTree], descriptor: str, frames: _ToldTypes) -> MemberTree:
    """Return the last of some methods with the code of all, one after the other."""
    head = methods[-1]
    codes = [code for method in methods if (code := method.attribute("Code")) is not None]
    attributes = {each.name: each for each in head.attributes if each.name != "Signature"}
    attributes["Code"] = _one_code(codes, frames)
    thrown = dict.fromkeys(
        symbol for method in methods if (clause := method.attribute("Exceptions")) for symbol in clause.symbols
    )
    if thrown:
        rows = [Piece(b"\0\0", (0,), (symbol,)) for symbol in thrown]
        attributes["Exceptions"] = AttributeTree("Exceptions", Piece.join([Piece(_u2(len(rows))), *rows]))
    signature = _one_signature(methods)
    if signature != descriptor:
        attributes["Signature"] = AttributeTree("Signature", Piece(b"\0\0", (0,), (text(signature),)))
    access = head.access if descriptor == head.descriptor else head.access & ~_VARARGS
    return head._replace(access=access, descriptor=descriptor, attributes=tuple(attributes.values()))


def _one_signature(methods: Sequence[MemberTree]) -> str:
    """Return the signature of the last method with the parameters of the others behind its own."""
    more: list[str] = []
    for method in methods[:-1]:
        signature = _signature(method)
        more += parameter_types(signature[type_parameters(signature)[1] :])[0]
    own = _signature(methods[-1])
    begin = type_parameters(own)[1]
    at = begin + parameter_types(own[begin:])[1]
    return f"{own[:at]}{''.join(more)}{own[at:]}"


def _u2(number: int) -> bytes:
    return number.to_bytes(2, "big")


def _one_code(codes: Sequence[AttributeTree], frames: _ToldTypes) -> AttributeTree:
    """Return the code of several methods as one: all but the last end with a ``return``, which goes."""
    body, rows = Piece(b""), []
    stack = variables = 0
    bases, sizes = [], []
    for number, code in enumerate(codes):
        data = code.content.data
        size = len(_instructions(code)) - (number < len(codes) - 1)
        base = len(body.data)
        holes = dict(zip(code.content.offsets, code.content.keys, strict=True))
        inside = [at for at in holes if at < _HEAD + size]
        part = Piece(data[_HEAD : _HEAD + size], [at - _HEAD for at in inside], [holes[at] for at in inside])
        stack = max(stack, int.from_bytes(data[:2], "big"))
        variables = max(variables, int.from_bytes(data[2:4], "big"))
        table = _HEAD + len(_instructions(code)) + 2
        rows += [_row(data, at, holes, base, size) for at in range(table, len(data), _ROW)]
        body = Piece.join([body, part])
        bases.append(base)
        sizes.append(size)
    if len(body.data) > _MOST_CODE_BYTES:
        raise TooLongError
    left = [row for row in rows if row.data[:2] < row.data[2:4]]
    head = Piece(_u2(stack) + _u2(variables) + len(body.data).to_bytes(4, "big"))
    content = Piece.join([head, body, Piece(_u2(len(left))), *left])
    return AttributeTree("Code", content, tuple(_tables(codes, bases, sizes, frames)))


def _row(data: bytes, at: int, holes: dict[int, Key], base: int, size: int) -> Piece:
    """Return a row of the exception table at its new place."""
    start, stop, handler = (int.from_bytes(data[each : each + 2], "big") for each in (at, at + 2, at + 4))
    found = b"".join(map(_u2, (base + start, base + min(stop, size), base + handler, 0)))
    caught = holes.get(at + 6)
    return Piece(found) if caught is None else Piece(found, (6,), (caught,))


def _tables(
    codes: Sequence[AttributeTree], bases: Sequence[int], sizes: Sequence[int], frames: _ToldTypes
) -> Iterator[AttributeTree]:
    """Yield the tables of lines, variables and frames of all code."""
    for name, width in (("LineNumberTable", 4), ("LocalVariableTable", 10), ("LocalVariableTypeTable", 10)):
        rows: list[Piece] = []
        for code, base, size in zip(codes, bases, sizes, strict=True):
            for table in [each for each in code.inside if each.name == name]:
                rows += [_moved(row, base, size, width) for row in rows_of(table, width)]
        if rows:
            yield AttributeTree(name, Piece.join([Piece(_u2(len(rows))), *rows]))
    found: dict[int, Types] = {}
    for code, base, told in zip(codes, bases, frames.told, strict=True):
        for table in [each for each in code.inside if each.name == "StackMapTable"]:
            for at, types in _frames_of(table, frames.initial).items():
                moved = Types(*(tuple([_later(each, base) for each in group]) for group in types))
                found[base + at] = with_parameters(moved, list(told))
    if found:
        writer = FrameWriter(frames.initial)
        for at in sorted(found):
            writer.add(at, found[at])
        keys: list[Key] = [Symbol(CLASS, (name,)) for _, name in writer.classes]
        yield AttributeTree("StackMapTable", Piece(bytes(writer.data), [at for at, _ in writer.classes], keys))


def _later(type_: Type, base: int) -> Type:
    return (type_[0] + base,) if isinstance(type_, tuple) else type_


def _frames_of(table: AttributeTree, initial: tuple[Type, ...]) -> dict[int, Types]:
    data = bytearray(table.content.data)
    names = []
    for number, (at, key) in enumerate(zip(table.content.offsets, table.content.keys, strict=True)):
        data[at : at + 2] = _u2(number)
        assert isinstance(key, Symbol)
        names.append(str(key.content[0]))
    return read_frames(bytes(data), initial, names.__getitem__)


def _moved(row: Piece, base: int, size: int, width: int) -> Piece:
    """Return a row of a table of lines or variables for code that begins at an offset and has another size."""
    start = int.from_bytes(row.data[:2], "big")
    data = _u2(base + start) + row.data[2:]
    if width > 4:
        length = min(int.from_bytes(row.data[2:4], "big"), size - start)
        data = data[:2] + _u2(max(0, length)) + data[4:]
    return Piece(data, row.offsets, row.keys)
