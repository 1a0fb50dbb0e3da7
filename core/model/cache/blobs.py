"""Files of a cache: written whole or not at all, checked when they are read, the oldest removed when it is full."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from core.errors import OutputError
from core.system.files import write_whole

LIMIT = 512 << 20
"""Most bytes of all files together."""

_MAGIC = b"jarlet model 1\n"
_DIGEST = 32
_SUFFIX = ".model"
_STALE = 3600  # seconds after which a temporary file is taken for one that nobody writes any more


def get(folder: Path, key: str) -> memoryview | None:
    """Return the content stored under ``key``, and count a use. Return None if there is no content; remove a damaged
    file and return None."""
    path = folder / (key + _SUFFIX)
    try:
        data = path.read_bytes()
    except OSError:
        return None
    start = len(_MAGIC) + _DIGEST
    content = memoryview(data)[start:]
    if data[: len(_MAGIC)] != _MAGIC or data[len(_MAGIC) : start] != _digest([content]):
        remove(folder, key)
        return None
    with suppress(OSError):
        os.utime(path)
    return content


def put(folder: Path, key: str, content: list[bytes], limit: int = LIMIT) -> None:
    """Store ``content``; then remove the blobs used longest ago until ``limit`` bytes are left, but never the new blob.

    What cannot be written is not stored: a cache costs time only.
    """
    path = folder / (key + _SUFFIX)
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        write_whole(path, [_MAGIC + _digest(content), *content], durable=False)
    except (OSError, OutputError):
        return
    _shrink(folder, path, limit)


def remove(folder: Path, key: str) -> None:
    """Forget the blob."""
    with suppress(OSError):
        (folder / (key + _SUFFIX)).unlink(missing_ok=True)


def _digest(content: Iterable[bytes | memoryview]) -> bytes:
    digest = hashlib.blake2b(digest_size=_DIGEST)
    for data in content:
        digest.update(data)
    return digest.digest()


def _shrink(folder: Path, newest: Path, limit: int) -> None:
    found = []
    with suppress(OSError):
        now = newest.stat().st_mtime
        for path in folder.iterdir():
            with suppress(OSError):
                stat = path.stat()
                if path.suffix == _SUFFIX:
                    found.append((stat.st_mtime_ns, stat.st_size, path))
                elif path.suffix == ".tmp" and now - stat.st_mtime > _STALE:
                    path.unlink()
    total = sum(size for _, size, _ in found)
    for _, size, path in sorted(found):
        if total > limit and path != newest:
            with suppress(OSError):
                path.unlink()
            total -= size
