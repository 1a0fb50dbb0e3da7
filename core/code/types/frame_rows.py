"""The rows of a StackMapTable (JVMS 4.7.4) with their offsets, types unread: for who moves code."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import NamedTuple

from core.classfile.format_error import ClassFormatError

_U2 = struct.Struct(">H").unpack_from
_OBJECT, _UNINITIALIZED = 7, 8
SAME, ONE_TYPE, ONE_TYPE_FAR, CHOPPED, SAME_FAR = 64, 128, 247, 248, 251
"""Kinds below 64 and from 64 to 127 hold their distance, the others have it behind the kind."""


class FrameRow(NamedTuple):
    """One frame."""

    offset: int
    """Where in the code it stands."""
    kind: int
    rest: bytes
    """Bytes behind the kind and the distance."""
    news: tuple[int, ...]
    """Places in ``rest`` of offsets of the ``new`` that made an object (two bytes each)."""


def frame_rows(data: bytes) -> Iterator[FrameRow]:
    """Yield the rows in the content ``data`` of a StackMapTable, in order; :class:`ClassFormatError`."""
    try:
        yield from _rows(data)
    except (struct.error, IndexError):
        raise ClassFormatError("a StackMapTable is cut off") from None


def _rows(data: bytes) -> Iterator[FrameRow]:
    at, offset = 2, -1
    for _ in range(_U2(data)[0]):
        kind = data[at]
        at += 1
        if kind < ONE_TYPE:
            offset += 1 + kind % SAME
        elif kind < ONE_TYPE_FAR:
            raise ClassFormatError(f"unknown kind {kind} of stack map frame")
        else:
            offset += 1 + int(_U2(data, at)[0])
            at += 2
        start = at
        news: list[int] = []
        for skipped, count in _counts(kind):
            at += skipped
            for _ in range(count if count >= 0 else _U2(data, at - 2)[0]):
                tag = data[at]
                at += 1
                if tag == _UNINITIALIZED:
                    news.append(at - start)
                at += 2 if tag in (_OBJECT, _UNINITIALIZED) else 0
        if at > len(data):
            raise IndexError
        yield FrameRow(offset, kind, data[start:at], tuple(news))


def _counts(kind: int) -> tuple[tuple[int, int], ...]:
    """Return, for each list of types, the bytes before it and its length; -1 where these bytes tell the length."""
    if kind < SAME or CHOPPED <= kind <= SAME_FAR:
        return ()
    if kind <= ONE_TYPE_FAR:
        return ((0, 1),)
    return ((0, kind - SAME_FAR),) if kind < 255 else ((2, -1), (2, -1))
