"""Modified UTF-8 (JVMS 4.4.7): the encoding of strings in class files.

It differs from UTF-8 in three ways: NUL is ``C0 80``, characters above U+FFFF are two
surrogates of three bytes each, and lone surrogates may occur. Whatever cannot be
written back to the same bytes becomes a :class:`RawText`, which remembers them.
"""

from __future__ import annotations

import re

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
