"""The code of a constructor after its calls of the superclass's constructor became calls of Object's."""

from __future__ import annotations

import struct
from collections.abc import Iterable, Sequence
from typing import Any

from core.classfile.symbolic.pieces import Piece
from core.classfile.symbolic.symbol_pool import Symbol
from core.code.change import replaced
from core.code.code_attribute import code_attribute
from core.code.dataflow.body_facts import EditableCode
from core.code.flow import flow_of
from core.code.ops import Op, argument_widths, drops
from core.code.types.method_body import MethodHead, SuperCall
from core.code.types.symbols import INVOKESPECIAL, Symbols


def orphaned(
    symbols: Symbols, major: int, method: MethodHead, data: bytes, calls: Iterable[SuperCall]
) -> tuple[bytes, list[int]] | None:
    """Return the content ``data`` of a Code attribute with ``calls`` that take no arguments, and the offsets of these
    in the content. Pool indexes stay.

    None for code that every verifier refuses. Raises :class:`ClassFormatError` if the attribute is damaged.
    """
    flow = flow_of(symbols, major, method, data)
    if flow is None:
        return None
    widths = {call.at: argument_widths(call.descriptor) for call in calls}
    called = set()

    def instead(op: Op, _: list[Op]) -> Sequence[Op]:
        if op.offset not in widths:
            return (op,)
        called.add(op.key)
        return [*drops(op.offset, widths[op.offset]), op._replace(pops=1)]

    change = replaced(EditableCode(flow, symbols), instead)
    content, tables = code_attribute(change, symbols.text)
    holes = zip(content.offsets, content.keys, strict=True)
    places = [at - 1 for at, key in holes if key in called and content.data[at - 1] == INVOKESPECIAL]
    indexes = {name: index for index, name in symbols.types.items()}
    rows = [(name, _numbered(piece, indexes)) for name, piece in tables]
    written = [struct.pack(">HI", name, len(row)) + row for name, row in rows]
    return b"".join([_numbered(content, indexes), len(rows).to_bytes(2, "big"), *written]), places


def _numbered(piece: Piece, indexes: dict[str, int]) -> bytes:
    """Return the bytes of a piece with the pool indexes that are its keys. ``indexes``: of classes by name."""
    numbers: dict[Any, bytes] = {}
    keys: Sequence[Any] = piece.keys
    for key in keys:
        index: int = indexes[key.text] if isinstance(key, Symbol) else key
        numbers[key] = index.to_bytes(2, "big") if index >= 0 else (~index).to_bytes(1, "big")
    return piece.numbered(numbers)
