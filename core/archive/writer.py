"""Writing a choice of entries: as a jar whose bytes depend on nothing but the entries, or as a folder."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import BinaryIO

from core.archive.entry_names import why_unsafe
from core.archive.nested import folded
from core.archive.packer import Packer
from core.errors import OutputError
from core.system.budget import shortened
from core.system.files import write_whole


def write_jar(
    target: Path | BinaryIO,
    entries: Iterable[tuple[str, bytes]],
    *,
    packer: Packer | None = None,
    durable: bool = True,
    parents: bool = False,
) -> int:
    """Write ``entries`` (name, bytes) in the given order; the same entries always give the same bytes.

    A path has either the old content or the whole new one (:func:`core.system.files.write_whole`). With ``durable`` the
    result has reached the disk on return; candidates in a scratch folder need not pay for that. With ``parents``
    missing folders are made.
    A ``packer`` that is used again need not compress what it knows.
    Returns the size of the jar in bytes. Raises :class:`OutputError`.
    """
    if not isinstance(target, (str, os.PathLike)):
        data = b"".join((packer or Packer()).pack(entries))
        try:
            target.write(data)
        except OSError as error:
            raise OutputError(f"The jar cannot be written ({error.strerror or error}).") from error
        return len(data)
    return write_whole(target, (packer or Packer()).pack(entries), durable=durable, parents=parents)


def write_folder(target: Path, entries: Iterable[tuple[str, bytes]]) -> int:
    """Write ``entries`` below the folder ``target`` (made if need be), each under its own name.

    Returns the number of bytes. Raises :class:`OutputError`, also for a name that leads out of ``target``.
    """
    made: set[Path] = set()
    total = 0
    made_of = folded(entries, lambda inside: b"".join(Packer().pack(inside)))
    for name, data in made_of:
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
            raise _not_written(path, name, made_of, error) from error
        total += len(data)
    try:
        target.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OutputError(f"{target}: cannot be made ({error.strerror or error}).") from error
    return total


def _not_written(path: Path, name: str, entries: Sequence[tuple[str, bytes]], error: OSError) -> OutputError:
    """Return the error of an entry for which there is no file: its name is too long, or is another entry's folder."""
    if error.errno not in (errno.ENAMETOOLONG, errno.EEXIST, errno.ENOTDIR, errno.EISDIR):
        return OutputError(f"{path}: cannot be written ({error.strerror or error}).")
    near = (each for each, _ in entries if each.startswith(f"{name}/") or name.startswith(f"{each}/"))
    other = next((f", beside the entry {shortened(each)}" for each in near), "")
    return OutputError(
        f"The input's entry {shortened(name)} cannot be a file{other} ({error.strerror}). Use {{jar}} in place of"
        " {classes}, or remove the entry from the input."
    )
