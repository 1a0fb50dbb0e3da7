"""The layout of a Code attribute (JVMS 4.7.3) and of the StackMapTable in it (JVMS 4.7.4)."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from functools import partial
from typing import NamedTuple

from core.classfile.format_error import ClassFormatError

_HEAD, _HANDLER = struct.Struct(">HHI"), struct.Struct(">HHHH")
OBJECT, UNINITIALIZED = 7, 8
"""Tags of verification types that two bytes follow: the index of a class, the offset of a ``new``."""
SAME, ONE_TYPE, ONE_TYPE_FAR, CHOPPED, SAME_FAR, FULL = 64, 128, 247, 248, 251, 255
"""Kinds of frames. Kinds below 64 and from 64 to 127 hold their distance; it follows the other kinds."""


class CodeHead(NamedTuple):
    """A Code attribute up to the attributes in it."""

    max_stack: int
    max_locals: int
    code: bytes
    handlers: tuple[tuple[int, int, int, int], ...]
    """Rows of the exception table: begin and end of a range, handler, index of the caught class or 0."""
    end: int
    """Offset of the table of attributes."""


_head = partial(tuple.__new__, CodeHead)


def code_head(data: bytes) -> CodeHead:
    """Return the head of the content ``data`` of a Code attribute. Raises :class:`ClassFormatError`."""
    try:
        max_stack, max_locals, size = _HEAD.unpack_from(data)
        at = 8 + size
        code = data[8:at]
        if not 0 < size < 65536 or len(code) != size:
            raise ClassFormatError(f"a method has {size} bytes of code")
        end = at + 2 + 8 * (data[at] << 8 | data[at + 1])
    except (struct.error, IndexError):
        raise ClassFormatError("a Code attribute is cut off") from None
    if end > len(data):
        raise ClassFormatError("an exception table is cut off")
    handlers = tuple(_HANDLER.iter_unpack(data[at + 2 : end])) if end > at + 2 else ()
    return _head((max_stack, max_locals, code, handlers, end))


class FrameRow(NamedTuple):
    """A frame of a StackMapTable. A type is its tag; the tags that two bytes follow have the offset of these added,
    four bits up."""

    offset: int
    """Offset in the code."""
    kind: int
    variables: list[int]
    """Types of its local variables: all in a full frame, the appended ones in others."""
    stack: list[int]
    start: int
    """Offset behind the kind and the distance."""
    stop: int


_row = partial(tuple.__new__, FrameRow)
"""A row of all its values at once: a third of the time that naming them takes."""


def frame_rows(data: bytes) -> Iterator[FrameRow]:
    """Yield the frames in the content ``data`` of a StackMapTable, in order; :class:`ClassFormatError`."""
    at, offset = 2, -1
    nothing: list[int] = []
    try:
        for _ in range(data[0] << 8 | data[1]):
            kind = data[at]
            at += 1
            if kind < ONE_TYPE:
                offset += 1 + kind % SAME
            elif kind < ONE_TYPE_FAR:
                raise ClassFormatError(f"unknown kind of frame {kind}")
            else:
                offset += 1 + (data[at] << 8 | data[at + 1])
                at += 2
            start = at
            variables = stack = nothing
            if kind == FULL:
                variables, at = _types(data, at + 2, data[at] << 8 | data[at + 1])
                stack, at = _types(data, at + 2, data[at] << 8 | data[at + 1])
            elif kind > SAME_FAR:
                variables, at = _types(data, at, kind - SAME_FAR)
            elif SAME <= kind <= ONE_TYPE_FAR:
                stack, at = _types(data, at, 1)
            yield _row((offset, kind, variables, stack, start, at))
    except IndexError:
        raise ClassFormatError("a StackMapTable is cut off") from None
    if at != len(data):
        raise ClassFormatError("a StackMapTable is longer than its frames")


def _types(data: bytes, at: int, count: int) -> tuple[list[int], int]:
    found = []
    for _ in range(count):
        tag = data[at]
        at += 1
        if tag < OBJECT:
            found.append(tag)
        elif tag <= UNINITIALIZED:
            found.append(tag | at << 4)
            at += 2
        else:
            raise ClassFormatError(f"unknown verification type {tag}")
    if at > len(data):
        raise IndexError
    return found, at


def number_of(data: bytes, type_: int) -> int:
    """Return the number behind the tag of a type of :class:`FrameRow`."""
    return data[type_ >> 4] << 8 | data[(type_ >> 4) + 1]
