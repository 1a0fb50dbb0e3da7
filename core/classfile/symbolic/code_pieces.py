"""The Code attribute (JVMS 4.7.3) and its content, as a tree of pieces."""

from __future__ import annotations

import struct
from array import array
from collections.abc import Callable, Sequence

from core.classfile.code_content import OBJECT, code_head, frame_rows
from core.classfile.descriptors import element_class, method_types
from core.classfile.format_error import ClassFormatError
from core.classfile.instructions import LDC, pool_operands
from core.classfile.symbolic.decoding import Decoder, PieceOwner, Place, RawAttribute, Reader, bytes_of, counted_rows
from core.classfile.symbolic.fact_kinds import FactKind, added_index, without_types
from core.classfile.symbolic.part_kinds import PartKind
from core.classfile.symbolic.pieces import NO_FACTS, Attribute, Choice, Facts, Key, Leaf, Node, Piece, Row, Table
from core.classfile.tables import attribute_rows, counted

_U2 = struct.Struct(">H")
_VARIABLE = 10
"""Bytes of a row about a local variable."""


def read_code(raw: RawAttribute) -> Attribute:
    """Return the Code attribute of a method."""
    method_types(raw.decoder.methods[raw.owner.element].descriptor_text)  # raises now rather than when somebody asks
    return raw.of(*code_content(raw))


def code_content(raw: RawAttribute, calls: Sequence[int] = (), called: Callable[[Piece], Node] = Leaf) -> list[Node]:
    """Return the content of a Code attribute. ``called`` makes the node for the index in each of the ``calls``, offsets
    in the content.
    """
    decoder, _, _, data, owner = raw
    _, _, code, handlers, end = code_head(data)
    offsets = array("I")  # a list of numbers takes ten times as much
    keys: list[Key] = []
    check, narrow = decoder.constants.check, decoder.narrow
    for place in pool_operands(code):
        offsets.append(8 + place)
        if code[place - 1] == LDC:
            narrow.add(check(code[place]))
            keys.append(~code[place])
        else:
            keys.append(check(code[place] << 8 | code[place + 1]))
    for number, (*_, caught) in enumerate(handlers, -len(handlers)):
        if caught:
            offsets.append(end + 8 * number + 6)
            keys.append(check(caught))
    number = decoder.number(PartKind.CODE, owner.part, 0)
    rows, stop = attribute_rows(decoder.cf.constants.text, data, end)
    if stop != len(data):
        raise ClassFormatError("a Code attribute is longer than its content")
    inside = decoder.table(rows, PieceOwner(Place.CODE, owner.element, number, variables=_variables_of(decoder, rows)))
    nodes: list[Node] = []
    begin = first = 0
    for call in calls:
        place = call + 1
        index = offsets.index(place)
        nodes.append(Leaf(Piece(data[begin:place], _from(begin, offsets[first:index]), tuple(keys[first:index]))))
        nodes.append(called(Piece(b"\0\0", (0,), (keys[index],))))
        begin, first = place + 2, index + 1
    nodes.append(Leaf(Piece(data[begin:end], _from(begin, offsets[first:]), tuple(keys[first:]))))
    return [*nodes, inside]


def _from(begin: int, offsets: array[int]) -> array[int]:
    """Return offsets that count from another place."""
    return array("I", [each - begin for each in offsets]) if begin else offsets


def _variables_of(decoder: Decoder, rows: list[tuple[int, bytes]]) -> dict[bytes, int]:
    """See :attr:`PieceOwner.variables`; empty where nobody will ask."""
    found: dict[bytes, int] = {}
    names = [decoder.name(index)[0] for index, _ in rows]
    if "LocalVariableTypeTable" in names:
        for table in [data for name, (_, data) in zip(names, rows, strict=True) if name == "LocalVariableTable"]:
            for row in counted_rows(table, _VARIABLE, "LocalVariableTable"):
                found[row[:6] + row[8:]] = int(_U2.unpack_from(row, 6)[0])
    return found


def _line_numbers(raw: RawAttribute) -> Attribute:
    return raw.of(Leaf(Piece(counted(raw.data, 4, raw.title))), bit=raw.decoder.lines)


def _variables(raw: RawAttribute) -> Attribute:
    """Return a LocalVariableTable; a row is start, length, name, type, slot."""
    decoder, rows = raw.decoder, raw.rows(_VARIABLE)

    def split(row: bytes) -> Row:
        return Row([decoder.leaf(row, (4, 6))], 0, decoder.types(row[6] << 8 | row[7]))

    facts: Facts = frozenset().union(*[decoder.types(row[6] << 8 | row[7]) for row in rows])
    return _variable_table(raw, facts, lambda: list(map(split, rows)))


def _generic_variables(raw: RawAttribute) -> Attribute:
    """Return a LocalVariableTypeTable; a row is start, length, name, generic signature, slot."""
    decoder, owner, rows = raw.decoder, raw.owner, raw.rows(_VARIABLE)

    def split() -> list[Row]:
        return [_GenericRow(decoder, row, owner) for row in rows]

    facts: Facts = frozenset().union(*[row.facts for row in split()])
    return _variable_table(raw, facts, split)


def _variable_table(raw: RawAttribute, facts: Facts, split: Callable[[], Sequence[Row]]) -> Attribute:
    decoder, data = raw.decoder, raw.data
    whole = decoder.piece(data, [at + add for at in range(2, len(data), _VARIABLE) for add in (4, 6)])
    table = Table.lazy(whole, facts, split)
    return Attribute(raw.name, [table], decoder.variables, tables=[table])


class _GenericRow(Row):
    """A row about a local variable with type arguments. If the world wants that, Object replaces removed classes among
    these; else the row goes. It also goes without its row of LocalVariableTable, as the JVM demands."""

    __slots__ = ("open",)

    def __init__(self, decoder: Decoder, row: bytes, owner: PieceOwner) -> None:
        signature = decoder.signature(row[6] << 8 | row[7])
        plain = owner.variables.get(row[:6] + row[8:])
        types: Facts = NO_FACTS if plain is None else decoder.types(plain)
        names = decoder.generic(row[6] << 8 | row[7])
        self.open = frozenset(fact[1] for fact in signature.facts if isinstance(fact, tuple)) - types
        children = [decoder.leaf(row[:6], (4,)), signature, Leaf(Piece(row[8:]))]
        super().__init__(children, 0, (names | types) - self.open)
        self.facts |= self.open

    def stays(self, choice: Choice) -> bool:
        gone = choice.gone
        return self.needs.isdisjoint(gone) and all((FactKind.TYPE, name) in gone for name in self.open & gone)


def _stack_maps(raw: RawAttribute) -> Attribute:
    """Return a StackMapTable (JVMS 4.7.4) with the classes in its frames."""
    types = (type_ for row in frame_rows(raw.data) for group in (row.variables, row.stack) for type_ in group)
    return raw.of(_Frames(raw.decoder, raw.data, [type_ >> 4 for type_ in types if type_ & 15 == OBJECT]))


class _Frames(Node):
    """The content of a StackMapTable: Object replaces removed classes in its types, if the world wants that."""

    __slots__ = ("data", "names", "places")

    def __init__(self, decoder: Decoder, data: bytes, places: list[int]) -> None:
        texts = [decoder.cf.constants.class_name(int(_U2.unpack_from(data, place)[0])) for place in places]
        classes = [element_class(text) for text in texts]
        facts = decoder.typed(decoder.others([each for each in classes if each is not None]))
        super().__init__(0, facts, decoder.piece(data, places))
        self.data, self.places, self.names = data, places, texts

    def _emit_changed(self, choice: Choice, out: list[Piece]) -> int:
        begin, keys = 0, iter(self.whole.keys)
        offsets: list[int] = []
        kept: list[Key] = []
        for place, name in zip(self.places, self.names, strict=True):
            key, text = next(keys), class_without_types(name, choice)
            if text == name:
                offsets.append(place - begin)
                kept.append(key)
                continue
            out += (Piece(self.data[begin:place], offsets, kept), added_index(choice.added.class_(text)))
            begin, offsets, kept = place + 2, [], []
        out.append(Piece(self.data[begin:], offsets, kept))
        return len(self.data)


def class_without_types(name: str, choice: Choice) -> str:
    """Return the name in a Class constant with Object in the place of a type that is gone."""
    if name.startswith("["):
        return without_types(name, choice)
    return without_types(f"L{name};", choice)[1:-1]


CODE_READERS: dict[str, Reader] = {
    "LineNumberTable": _line_numbers,
    "LocalVariableTable": _variables,
    "LocalVariableTypeTable": _generic_variables,
    "StackMapTable": _stack_maps,
    "CharacterRangeTable": bytes_of(),
}
