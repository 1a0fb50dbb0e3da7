"""The form of verdicts, outputs and failures in the rows of a journal."""

from __future__ import annotations

import json
import zlib
from collections.abc import Mapping

SHOWN = 4096
"""Characters that are kept of each output, and of a detail."""


def unpack_failures(packed: bytes | None, names: Mapping[int, str]) -> tuple[str, ...]:
    """Return the failure names of a probe, by ``names`` of their numbers; none if they are damaged."""
    try:
        return tuple(names.get(int(number), "?") for number in zlib.decompress(packed).split()) if packed else ()
    except (zlib.error, ValueError, TypeError):
        return ()


def unpack_outputs(data: bytes | None) -> tuple[str, str]:
    """Return both outputs; empty ones if they were dropped or are damaged, since the verdict stands without them."""
    try:
        out, err = json.loads(zlib.decompress(data)) if data else ("", "")
        return str(out), str(err)
    except (zlib.error, ValueError, TypeError, RecursionError):
        return "", ""


def seal(*values: object) -> int:
    """Return a checksum of the values that decide, since SQLite does not notice a changed byte within a row."""
    return zlib.crc32(repr(values).encode())


def clean(text: str) -> str:
    """Return the text as UTF-8 can hold it."""
    return text.encode("utf-8", "backslashreplace").decode()


def pack_outputs(out: str, err: str) -> bytes:
    """Return the ends of both outputs, compressed."""
    return zlib.compress(json.dumps([_ends(out), _ends(err)]).encode())


def _ends(text: str) -> str:
    text = clean(text)
    return text if len(text) <= SHOWN else f"{text[: SHOWN // 2]}\n[...]\n{text[-SHOWN // 2 :]}"
