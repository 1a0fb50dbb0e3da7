"""Class files as ``jlink --compress=1`` shares their strings (the plug-in ``compact-cp``).

Text constants are replaced by two kinds of constant of jlink's own: 23, a string of the image,
and 25, a descriptor or signature with its class names taken out of it.
"""

from __future__ import annotations

from collections.abc import Callable

_TEXT, _SHARED, _SHARED_DESCRIPTOR = 1, 23, 25
_SIZES = {3: 4, 4: 4, 5: 8, 6: 8, 7: 2, 8: 2, 9: 4, 10: 4, 11: 4, 12: 4, 15: 3, 16: 2, 17: 4, 18: 4, 19: 2, 20: 2}


def restore(data: bytes, string: Callable[[int], bytes]) -> bytes:
    """Return the class file; ``string`` gives the image's strings. Raise :class:`ValueError` or :class:`IndexError`."""
    count = int.from_bytes(data[8:10], "big")
    parts = [data[:10]]
    at, place = 10, 1
    while place < count:
        tag = data[at]
        if tag in (_SHARED, _SHARED_DESCRIPTOR):
            index, at = _number(data, at + 1)
            text = string(index)
            if tag == _SHARED_DESCRIPTOR:
                size, at = _number(data, at)
                text = _descriptor(text, data[at : at + size], string)
                at += size
            parts.append(b"\x01" + len(text).to_bytes(2, "big") + text)
        else:
            size = 3 + int.from_bytes(data[at + 1 : at + 3], "big") if tag == _TEXT else 1 + _size(tag)
            parts.append(data[at : at + size])
            at += size
        place += 2 if tag in (5, 6) else 1
    parts.append(data[at:])
    return b"".join(parts)


def _size(tag: int) -> int:
    if tag not in _SIZES:
        raise ValueError(f"unknown constant kind {tag}")
    return _SIZES[tag]


def _descriptor(text: bytes, indexes: bytes, string: Callable[[int], bytes]) -> bytes:
    """Return ``text`` with a package and a class name put in behind each L."""
    numbers = []
    at = 0
    while at < len(indexes):
        number, at = _number(indexes, at)
        numbers.append(number)
    pieces = text.split(b"L")
    result = [pieces[0]]
    for piece, package, name in zip(pieces[1:], numbers[::2], numbers[1::2], strict=True):
        folder = string(package)
        result += (b"L", folder + b"/" if folder else b"", string(name), piece)
    return b"".join(result)


def _number(data: bytes, at: int) -> tuple[int, int]:
    """Return the number at ``at`` and the offset behind it: u4, or with the highest bit set 1 to 3 bytes, of which the
    first has the count in 2 bits and the number's highest 5."""
    first = data[at]
    if not first & 0x80:
        return int.from_bytes(data[at : at + 4], "big"), at + 4
    size = first >> 5 & 3
    return int.from_bytes(bytes([first & 0x1F]) + data[at + 1 : at + size], "big"), at + size
