"""A class file that a test has read and changed, written back."""

from __future__ import annotations

import struct
from collections.abc import Iterable, Sequence

from core.classfile.class_file import Attributes, ClassFile, Method
from core.classfile.code_content import CodeHead
from core.classfile.pool import Constant, write_constant


def rebuilt(cf: ClassFile) -> bytes:
    """The class file as bytes: those that it was read from if nothing was changed."""
    pool = cf.constants.tuples()
    interfaces = struct.pack(
        f">HHHH{len(cf._interfaces)}H", cf.access, cf._this, cf._super, len(cf._interfaces), *cf._interfaces
    )
    parts = [b"\xca\xfe\xba\xbe", struct.pack(">HH", cf.version.minor, cf.version.major)]
    parts += [write_pool(pool, len(pool)), interfaces]
    for table in (cf.fields, cf.methods):
        parts.append(len(table).to_bytes(2, "big"))
        for member in table:
            parts.append(struct.pack(">HHH", member.access, member._name_index, member._descriptor_index))
            parts.append(_table(member.attributes))
    return b"".join([*parts, _table(cf.attributes)])


def write_pool(pool: Iterable[Constant | None], count: int) -> bytes:
    """A constant pool with its count, ``count`` (one more than the highest index)."""
    parts = [count.to_bytes(2, "big")]
    return b"".join([*parts, *(write_constant(constant) for constant in pool if constant is not None)])


def _table(table: Attributes) -> bytes:
    return _packed(table.indexed_rows())


def _packed(table: Sequence[tuple[int, bytes]]) -> bytes:
    rows = [struct.pack(">HI", name, len(data)) + data for name, data in table]
    return len(rows).to_bytes(2, "big") + b"".join(rows)


def put(method: Method, code: CodeHead, inside: Sequence[tuple[int, bytes]] | None = None) -> None:
    """Give a method changed code, and other attributes in it: indexes of names and contents."""
    names = [name for name, _ in method.attributes.rows()]
    at = names.index("Code")
    name, before = method.attributes._rows[at]
    head = struct.pack(">HHI", code.max_stack, code.max_locals, len(code.code)) + code.code
    rows = [struct.pack(">HHHH", *row) for row in code.handlers]
    table = before[code.end :] if inside is None else _packed(inside)
    method.attributes._rows[at] = (name, head + len(rows).to_bytes(2, "big") + b"".join(rows) + table)
