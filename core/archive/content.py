"""The content of a set of entries: its digest, which identifies a candidate wherever the candidate is written."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable

_SIZE = 20


def digest_of(data: bytes) -> bytes:
    """Return the digest of one entry's content, 20 bytes."""
    return hashlib.blake2b(data, digest_size=_SIZE).digest()


def content_key(entries: Iterable[tuple[str, bytes]], digest: Callable[[bytes], bytes] = digest_of) -> bytes:
    """Return the digest of the names and contents of entries in their order, 20 bytes.

    ``digest`` gives :func:`digest_of` of a content; a caller that asks about the same contents again and again
    remembers them.
    """
    key = hashlib.blake2b(digest_size=_SIZE)
    for name, data in entries:
        key.update(name.encode("utf-8", "surrogateescape") + b"\0" + digest(data))
    return key.digest()
