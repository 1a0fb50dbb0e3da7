"""The contents of attributes of a symbolic class: rows of tables, instructions, handlers, and the roles of texts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from enum import Enum, auto
from typing import NamedTuple

from core.classfile.annotations import ATTRIBUTES, text_places
from core.classfile.code_content import code_head
from core.classfile.instructions import instructions
from core.classfile.symbolic.pieces import Key, Piece, literal
from core.classfile.symbolic.symbol_pool import Symbol
from core.classfile.symbolic.symbolic_class import AttributeTree, SymbolicClass

ENCLOSING, INNER_CLASSES = "EnclosingMethod", "InnerClasses"
INNER_ROW = 8
"""Bytes of a row of InnerClasses."""
_REQUIRES = 8
"""Bytes of a Module attribute before the modules that it requires."""
_HEAD, _HANDLER, _CAUGHT = 8, 8, 6
"""Bytes of a Code attribute before its instructions; of a row of the exception table; of a row before the class that it
catches."""


def text_of(key: object) -> str:
    """Return the text of a constant, or the name that the constant is for."""
    assert isinstance(key, Symbol)
    return key.text


def holes(attribute: AttributeTree) -> Mapping[int, Key]:
    """Return the constants of an attribute by their offsets."""
    return dict(zip(attribute.content.offsets, attribute.content.keys, strict=True))


def rows_of(table: AttributeTree, size: int) -> Iterator[Piece]:
    """Yield the rows of a counted table."""
    known = holes(table)
    for start in range(2, len(table.content.data), size):
        inside = [at for at in known if start <= at < start + size]
        data = table.content.data[start : start + size]
        yield Piece(data, [at - start for at in inside], [known[at] for at in inside])


def with_rows(table: AttributeTree, rows: Sequence[Piece]) -> AttributeTree:
    """Return a counted table with other rows."""
    return table._replace(content=Piece.join([literal(len(rows), 2), *rows]))


def inner_classes(tree: SymbolicClass) -> list[Piece]:
    """Return the rows of InnerClasses, which hold a class, the class around it, its simple name and its flags."""
    table = tree.attribute(INNER_CLASSES)
    return list(rows_of(table, INNER_ROW)) if table is not None else []


def inner_of(row: Piece) -> str:
    """Return the nested class in a row of InnerClasses."""
    return text_of(row.keys[0])


def outer_of(row: Piece) -> str:
    """Return the class around in a row of InnerClasses; empty for a local class."""
    return text_of(row.keys[1]) if list(row.offsets[1:2]) == [2] else ""


def flags_of(row: Piece) -> int:
    """Return the access flags in a row of InnerClasses."""
    return int.from_bytes(row.data[-2:], "big")


def with_flags(row: Piece, access: int) -> Piece:
    """Return a row of InnerClasses with other access flags."""
    return Piece(row.data[:-2] + access.to_bytes(2, "big"), row.offsets, row.keys)


def bytes_of(code: AttributeTree) -> bytes:
    """Return the bytes of the instructions in a Code attribute, with anything in the place of indexes."""
    return code_head(code.content.data).code


def required_modules(module: AttributeTree) -> list[str]:
    """Return the modules that a Module attribute requires."""
    count = int.from_bytes(module.content.data[_REQUIRES - 2 : _REQUIRES], "big")
    known = holes(module)
    found = [known[at] for at in range(_REQUIRES, _REQUIRES + 6 * count, 6)]
    return [symbol.text for symbol in found if isinstance(symbol, Symbol)]


def opcodes(code: AttributeTree) -> list[int]:
    """Return the opcodes of a Code attribute, in order."""
    return [each.opcode for each in instructions(bytes_of(code))]


def handlers(code: AttributeTree) -> Iterator[tuple[bytes, Symbol | None]]:
    """Yield the rows of the exception table of a Code attribute, each with its caught class; None for anything."""
    data, keys = code.content.data, holes(code)
    for at in range(_table(code) + 2, len(data), _HANDLER):
        key = keys.get(at + _CAUGHT)
        assert key is None or isinstance(key, Symbol)
        yield data[at : at + _CAUGHT], key


def with_handlers(code: AttributeTree, rows: Sequence[tuple[bytes, Symbol | None]]) -> AttributeTree:
    """Return a Code attribute with another exception table."""
    table, content = _table(code), code.content
    known = {at: key for at, key in holes(code).items() if at < table}
    before = Piece(content.data[:table], list(known), list(known.values()))
    made = [Piece(row + b"\0\0", (_CAUGHT,) if key else (), (key,) if key else ()) for row, key in rows]
    return code._replace(content=Piece.join([before, literal(len(made), 2), *made]))


def _table(code: AttributeTree) -> int:
    return _HEAD + len(bytes_of(code))


_VARIABLES = frozenset(("LocalVariableTable", "LocalVariableTypeTable"))
_VARIABLE_ROW, _VARIABLE_NAME, _VARIABLE_TYPE = 10, 4, 6
"""Bytes of a row of these tables, the offset of a variable's name in it, and that of its type."""
_VERSION = 4
"""Offset of the version of the module that is described."""
_INNER_NAME = 4
"""Offset of the simple name in a row of InnerClasses."""


class TextRole(Enum):
    """The roles of texts in attributes."""

    VARIABLE = auto()
    """Name of a parameter or local variable."""
    MEMBER = auto()
    """Name of a field, method, element or constant."""
    SIMPLE = auto()
    """Simple name of a nested class."""
    TYPE = auto()
    """Descriptor or generic signature."""
    FILE = auto()
    """Name of the source file."""
    STRING = auto()


class RoleOfText(NamedTuple):
    """A role, and the offset of the member's declaring type, or of the class with that simple name; else -1."""

    role: TextRole
    owner: int = -1


def text_roles(attribute: AttributeTree) -> dict[int, RoleOfText]:
    """Return the roles by offset; no role where a text is no name, as the version of another module is.

    Raises :class:`~core.classfile.format_error.ClassFormatError`.
    """
    name, data = attribute.name, attribute.content.data
    if name in ATTRIBUTES:
        return _of_annotations(name, data, 0)
    if name in _VARIABLES:
        rows = range(2, len(data), _VARIABLE_ROW)
        return dict.fromkeys((row + _VARIABLE_NAME for row in rows), RoleOfText(TextRole.VARIABLE)) | dict.fromkeys(
            (row + _VARIABLE_TYPE for row in rows), RoleOfText(TextRole.TYPE)
        )
    if name == INNER_CLASSES:
        return {row + _INNER_NAME: RoleOfText(TextRole.SIMPLE, row) for row in range(2, len(data), INNER_ROW)}
    if name == "MethodParameters":
        return {at: RoleOfText(TextRole.VARIABLE) for at in range(1, len(data), 4)}
    if name == "Record":
        return _of_record(attribute)
    if name == "Module":
        return {_VERSION: RoleOfText(TextRole.STRING)}
    role = {"Signature": TextRole.TYPE, "SourceFile": TextRole.FILE}.get(name)
    return {} if role is None else {0: RoleOfText(role)}


def _of_annotations(name: str, data: bytes, start: int) -> dict[int, RoleOfText]:
    found = text_places(name, data)
    roles = {start + at: RoleOfText(TextRole.TYPE) for at in found.types}
    roles |= {start + at: RoleOfText(TextRole.STRING) for at in found.strings}
    for at, owner in (*found.elements.items(), *found.constants.items()):
        roles[start + at] = RoleOfText(TextRole.MEMBER, start + owner)
    return roles


def _of_record(attribute: AttributeTree) -> dict[int, RoleOfText]:
    """Return the roles in a Record: of the components, and of their attributes."""
    texts, data, at = holes(attribute), attribute.content.data, 2
    roles: dict[int, RoleOfText] = {}
    for _ in range(int.from_bytes(data[:2], "big")):
        roles[at], roles[at + 2] = RoleOfText(TextRole.MEMBER), RoleOfText(TextRole.TYPE)
        count, at = int.from_bytes(data[at + 4 : at + 6], "big"), at + 6
        for _ in range(count):
            symbol = texts[at]
            assert isinstance(symbol, Symbol)
            name, start = symbol.text, at + 6
            at = start + int.from_bytes(data[at + 2 : start], "big")
            if name in ATTRIBUTES:
                roles |= _of_annotations(name, data[start:at], start)
            elif name == "Signature":
                roles[start] = RoleOfText(TextRole.TYPE)
    return roles
