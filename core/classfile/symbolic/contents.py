"""The contents of attributes of a symbolic class: rows of tables, instructions, exception tables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from core.classfile.instructions import instructions
from core.classfile.pool import CLASS
from core.classfile.symbolic.pieces import Key, Piece, literal
from core.classfile.symbolic.symbolic_class import AttributeTree, Symbol, SymbolicClass

ENCLOSING, INNER_CLASSES = "EnclosingMethod", "InnerClasses"
INNER_ROW = 8
"""Bytes of a row of InnerClasses."""
_REQUIRES = 8
"""Bytes of a Module attribute before the modules that it requires."""
_HEAD, _HANDLER, _CAUGHT = 8, 8, 6
"""Bytes of a Code attribute before its instructions; of a row of the exception table; of a row before the class that it
catches."""


def class_name(key: object) -> str:
    """Return the name in the constant of a class."""
    assert isinstance(key, Symbol)
    assert key.tag == CLASS
    return str(key.content[0])


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


def outer_of(row: Piece) -> str:
    """Return the class around in a row of InnerClasses; empty for a local class."""
    return class_name(row.keys[1]) if list(row.offsets[1:2]) == [2] else ""


def flags_of(row: Piece) -> int:
    """Return the access flags in a row of InnerClasses."""
    return int.from_bytes(row.data[-2:], "big")


def with_flags(row: Piece, access: int) -> Piece:
    """Return a row of InnerClasses with other access flags."""
    return Piece(row.data[:-2] + access.to_bytes(2, "big"), row.offsets, row.keys)


def bytes_of(code: AttributeTree) -> bytes:
    """Return the bytes of the instructions in a Code attribute, with anything in the place of indexes."""
    return code.content.data[_HEAD : _table(code)]


def required_modules(module: AttributeTree) -> list[str]:
    """Return the modules that a Module attribute requires."""
    count = int.from_bytes(module.content.data[_REQUIRES - 2 : _REQUIRES], "big")
    known = holes(module)
    found = [known[at] for at in range(_REQUIRES, _REQUIRES + 6 * count, 6)]
    return [str(symbol.content[0]) for symbol in found if isinstance(symbol, Symbol)]


def opcodes(code: AttributeTree) -> list[int]:
    """Return the opcodes of a Code attribute, in order."""
    return [each.opcode for each in instructions(bytes_of(code))]


def handlers(code: AttributeTree) -> Iterator[tuple[bytes, Symbol | None]]:
    """Yield the rows of the exception table of a Code attribute, each with what it catches; None for anything."""
    data, keys = code.content.data, holes(code)
    for at in range(_table(code) + 2, len(data), _HANDLER):
        key = keys.get(at + _CAUGHT)
        assert key is None or isinstance(key, Symbol)
        yield data[at : at + _CAUGHT], key


def with_handlers(code: AttributeTree, rows: Sequence[tuple[bytes, Symbol | None]]) -> AttributeTree:
    """Return a Code attribute with another exception table."""
    table, content = _table(code), code.content
    known = [(at, key) for at, key in zip(content.offsets, content.keys, strict=True) if at < table]
    before = Piece(content.data[:table], [at for at, _ in known], [key for _, key in known])
    made = [Piece(row + b"\0\0", (_CAUGHT,) if key else (), (key,) if key else ()) for row, key in rows]
    return code._replace(content=Piece.join([before, literal(len(made), 2), *made]))


def _table(code: AttributeTree) -> int:
    return _HEAD + int.from_bytes(code.content.data[4:_HEAD], "big")
