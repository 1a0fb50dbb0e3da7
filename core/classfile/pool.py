"""Bytes of a constant pool (JVMS 4.4) to tuples and back.

A pool is a list of ``(tag, value, ...)`` as jawa keeps it, with None in place 0 and
behind each long and double. The numbers keep their bits.

Texts are in modified UTF-8 (JVMS 4.4.7): NUL is ``C0 80``, characters above U+FFFF are two surrogates of three bytes
each, and lone surrogates may occur. A text that cannot be written back to the same bytes becomes a :class:`RawText`
with these bytes.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Iterable
from functools import lru_cache
from math import isnan
from sys import intern
from typing import Any, NamedTuple

from core.classfile.format_error import ClassFormatError

UTF8, INTEGER, FLOAT, LONG, DOUBLE, CLASS, STRING = 1, 3, 4, 5, 6, 7, 8
FIELD_REF, METHOD_REF, INTERFACE_METHOD_REF, NAME_AND_TYPE = 9, 10, 11, 12
METHOD_HANDLE, METHOD_TYPE, DYNAMIC, INVOKE_DYNAMIC, MODULE, PACKAGE = 15, 16, 17, 18, 19, 20
MEMBERS, DYNAMICS = (FIELD_REF, METHOD_REF, INTERFACE_METHOD_REF), (DYNAMIC, INVOKE_DYNAMIC)

Constant = tuple[Any, ...]

_ONE, _TWO = struct.Struct(">BH"), struct.Struct(">BHH")
_LAYOUT = {
    INTEGER: struct.Struct(">Bi"),
    FLOAT: struct.Struct(">Bf"),
    LONG: struct.Struct(">Bq"),
    DOUBLE: struct.Struct(">Bd"),
    CLASS: _ONE,
    STRING: _ONE,
    FIELD_REF: _TWO,
    METHOD_REF: _TWO,
    INTERFACE_METHOD_REF: _TWO,
    NAME_AND_TYPE: _TWO,
    METHOD_HANDLE: struct.Struct(">BBH"),
    METHOD_TYPE: _ONE,
    DYNAMIC: _TWO,
    INVOKE_DYNAMIC: _TWO,
    MODULE: _ONE,
    PACKAGE: _ONE,
}
SIZES = {tag: layout.size for tag, layout in _LAYOUT.items()}
"""Bytes of constants with their tags; a text has its own length."""
_NUMBERS = {FLOAT: 4, DOUBLE: 8}
_KINDS = [(_LAYOUT[tag].unpack_from, _LAYOUT[tag].size) if tag in _LAYOUT else None for tag in range(256)]
_NAMING = frozenset((CLASS, STRING, METHOD_TYPE, MODULE, PACKAGE))
"""Constants that are a text under another name."""
HANDLES = {
    **dict.fromkeys((1, 2, 3, 4), (FIELD_REF,)),
    **dict.fromkeys((5, 8), (METHOD_REF,)),
    **dict.fromkeys((6, 7), (METHOD_REF, INTERFACE_METHOD_REF)),
    9: (INTERFACE_METHOD_REF,),
}
"""Tags of the constants to which a method handle of each kind may point."""


class RawFloat(float):
    """A NaN of a float or double constant: ``raw`` are its bytes, which Python's float may not keep."""

    __slots__ = ("raw",)
    raw: bytes


class Texts(dict[bytes, Constant]):
    """Utf8 constants by their bytes, tag and length included. The classes of a jar say the same names again and again:
    shared, they are decoded once, and look-ups of names by the million find the very object."""

    def __missing__(self, raw: bytes) -> Constant:
        text = decode(raw[3:])
        constant = self[raw] = (UTF8, intern(text) if type(text) is str else text)
        return constant


Raw = Constant | bytes | None
"""A constant whose text, if it is one, may still be bytes, tag and length included."""


class RawPool(NamedTuple):
    """A pool with texts in bytes. Each constant points to constants of the right kinds."""

    constants: list[Raw]
    end: int
    """Offset behind the pool."""
    classes: list[int]
    """Places of the names of classes."""
    descriptors: list[int]
    """Places of the descriptors in MethodType and NameAndType constants."""


@lru_cache(maxsize=1)  # the outline and the parse of a class follow each other
def raw_pool(data: bytes, at: int) -> RawPool:
    """Return the pool that starts (with its count) at offset ``at``, not to be changed. Raises
    :class:`ClassFormatError`; every index inside the pool is checked."""
    try:
        pool, end = _read(data, at)
        return RawPool(pool, end, *_checked(pool))
    except (struct.error, IndexError) as error:
        raise ClassFormatError("the class file ends or points outside of its constant pool") from error


def read_pool(data: bytes, at: int) -> tuple[list[Constant | None], int]:
    """Return the pool that starts (with its count) at offset ``at``, and the offset behind it. Raises as
    :func:`raw_pool` does."""
    pool = raw_pool(data, at)
    return decoded(pool.constants, Texts()), pool.end


def decoded(pool: Iterable[Raw], texts: Texts) -> list[Constant | None]:
    """Return the constants of a pool with all texts decoded."""
    return [texts[constant] if type(constant) is bytes else constant for constant in pool]  # type: ignore[misc]


def _read(data: bytes, at: int) -> tuple[list[Raw], int]:
    count = int.from_bytes(data[at : at + 2], "big")
    if count == 0:
        raise ClassFormatError("the constant pool is missing")
    at += 2
    pool: list[Raw] = [None]
    append, kinds = pool.append, _KINDS
    while len(pool) < count:
        tag = data[at]
        if tag == UTF8:
            start = at
            at += 3 + (data[at + 1] << 8 | data[at + 2])
            append(data[start:at])
            continue
        kind = kinds[tag]
        if kind is None:
            raise ClassFormatError(f"unknown constant kind {tag} in the constant pool")
        unpack, length = kind
        constant = unpack(data, at)
        at += length
        if tag > DOUBLE:
            append(constant)
            continue
        if tag in _NUMBERS and isnan(constant[1]):
            number = RawFloat(constant[1])
            number.raw = data[at - _NUMBERS[tag] : at]
            constant = (tag, number)
        append(constant)
        if tag in (LONG, DOUBLE):
            append(None)
    if len(pool) > count or at > len(data):
        raise ClassFormatError("the class file ends inside of its constant pool")
    return pool, at


def _checked(pool: list[Raw]) -> tuple[list[int], list[int]]:
    """Check that every constant points to constants of the right kinds. Return the last two of :class:`RawPool`."""
    tags = [constant[0] if constant else 0 for constant in pool]
    classes: list[int] = []
    descriptors: list[int] = []
    for index, tag in enumerate(tags):
        if tag <= DOUBLE:
            continue
        constant: Constant = pool[index]  # type: ignore[assignment]  # None has no tag
        if tag in _NAMING:
            right = tags[constant[1]] == UTF8
            if tag == CLASS:
                classes.append(constant[1])
            elif tag == METHOD_TYPE:
                descriptors.append(constant[1])
        elif tag == NAME_AND_TYPE:
            right = tags[constant[1]] == UTF8 and tags[constant[2]] == UTF8
            descriptors.append(constant[2])
        elif tag <= INTERFACE_METHOD_REF:
            right = tags[constant[1]] == CLASS and tags[constant[2]] == NAME_AND_TYPE
        elif tag == METHOD_HANDLE:
            right = tags[constant[2]] in HANDLES.get(constant[1], ())
        else:
            right = tags[constant[2]] == NAME_AND_TYPE
        if not right:
            raise ClassFormatError(f"constant {index} points to a constant of the wrong kind")
    return classes, descriptors


def write_constant(constant: Constant) -> bytes:
    """Return the bytes of one constant, its tag included."""
    tag = constant[0]
    if tag == UTF8:
        raw = encode(constant[1])
        if len(raw) > 0xFFFF:
            raise ClassFormatError("a string constant is longer than 65,535 bytes")
        return b"\x01" + len(raw).to_bytes(2, "big") + raw
    if isinstance(constant[1], RawFloat):
        return bytes([tag]) + constant[1].raw
    return _LAYOUT[tag].pack(*constant)


_SUPPLEMENTARY = re.compile("[\U00010000-\U0010ffff]")


class RawText(str):
    """Text of a string constant that is no correct modified UTF-8; ``raw`` are its bytes."""

    __slots__ = ("raw",)
    raw: bytes

    @classmethod
    def of(cls, raw: bytes) -> RawText:
        text = cls(raw.decode("utf-8", "backslashreplace"))
        text.raw = raw
        return text


def decode(data: bytes) -> str:
    """Return the text of ``data``. ``encode(decode(data)) == data`` for any bytes."""
    if data.isascii() and 0 not in data:
        return data.decode("ascii")
    try:
        text = data.replace(b"\xc0\x80", b"\x00").decode("utf-8", "surrogatepass")
        # Going through UTF-16 joins a pair of surrogates to the one character it stands for.
        text = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")
    except UnicodeDecodeError:
        return RawText.of(data)
    return text if encode(text) == data else RawText.of(data)


def encode(text: str) -> bytes:
    """Return ``text`` as modified UTF-8, or the original bytes of a :class:`RawText`."""
    if isinstance(text, RawText):
        return text.raw
    if text.isascii():
        return text.encode("ascii").replace(b"\x00", b"\xc0\x80")
    return _SUPPLEMENTARY.sub(_split, text).encode("utf-8", "surrogatepass").replace(b"\x00", b"\xc0\x80")


def _split(match: re.Match[str]) -> str:
    code = ord(match[0]) - 0x10000
    return chr(0xD800 + (code >> 10)) + chr(0xDC00 + (code & 0x3FF))
