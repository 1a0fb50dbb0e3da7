"""Writing a choice of entries: as a jar whose bytes depend on nothing but the entries, or as a folder."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO

from core.errors import OutputError
from core.jar.names import why_unsafe
from core.jar.packer import Packer

_BUFFER = 1 << 20
"""Bytes written at a time: of small writes each would let other threads take the interpreter."""


def write_jar(
    target: Path | BinaryIO,
    entries: Iterable[tuple[str, bytes]],
    *,
    packer: Packer | None = None,
    durable: bool = True,
) -> int:
    """Writes *entries* (name, bytes) in the given order; the same entries always give the same bytes.

    A path is written through a temporary file beside it and a rename, so that it has
    either the old content or the whole new one. With *durable* the result has reached
    the disk on return; candidates in a scratch folder need not pay for that.
    A *packer* that is used again need not compress what it knows.
    Returns the size of the jar in bytes. Raises :class:`OutputError`.
    """
    if not isinstance(target, (str, os.PathLike)):
        data = b"".join((packer or Packer()).pack(entries))
        try:
            target.write(data)
        except OSError as error:
            raise OutputError(f"The jar cannot be written ({error.strerror or error}).") from error
        return len(data)
    target = Path(target)
    try:
        real = Path(os.path.realpath(target))
        if real.is_dir():
            raise OutputError(f"{target}: cannot be written, it is a folder. Name a file.")
        if real.exists() and not real.is_file():
            raise OutputError(f"{target}: cannot be written, it is not an ordinary file. Name a file.")
        return _replace(real, (packer or Packer()).pack(entries), durable)
    except OSError as error:
        raise OutputError(f"{target}: cannot be written ({error.strerror or error}).") from error
    except ValueError as error:  # a path with a NUL character
        raise OutputError(f"{str(target)!r}: cannot be written ({error}).") from error


def _replace(real: Path, pieces: list[bytes], durable: bool) -> int:
    # Not mkstemp: the result is to have the rights that the user's umask gives, not 0600.
    temporary = real.with_name(f".jarlet-{secrets.token_hex(6)}.tmp")
    try:
        with temporary.open("xb", buffering=_BUFFER) as file:
            file.writelines(pieces)
            file.flush()
            size = file.tell()
            if durable:
                os.fsync(file.fileno())
        temporary.replace(real)
    except BaseException:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)
        raise
    if durable:
        _sync_folder(real.parent)
    return size


def _sync_folder(folder: Path) -> None:
    """Makes the rename last; systems that cannot open a folder do not need it."""
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def write_folder(target: Path, entries: Iterable[tuple[str, bytes]]) -> int:
    """Writes *entries* below the folder *target* (made if need be), each under its own name.

    Returns the number of bytes. Raises :class:`OutputError`, also for a name that leads out of *target*.
    """
    made: set[Path] = set()
    total = 0
    for name, data in entries:
        reason = why_unsafe(name)
        if reason is not None:
            raise OutputError(f"{target}: the entry {name!r} cannot be written, {reason}.")
        path = target / name
        folder = path if name.endswith("/") else path.parent
        try:
            if folder not in made:
                folder.mkdir(parents=True, exist_ok=True)
                made.add(folder)
            if not name.endswith("/"):
                path.write_bytes(data)
        except OSError as error:
            raise OutputError(f"{path}: cannot be written ({error.strerror or error}).") from error
        total += len(data)
    try:
        target.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OutputError(f"{target}: cannot be made ({error.strerror or error}).") from error
    return total
