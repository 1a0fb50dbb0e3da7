"""Files that are there whole or not at all, whatever happens while they are written."""

from __future__ import annotations

import filecmp
import os
import shutil
from contextlib import suppress
from pathlib import Path

from core.errors import OutputError

LEFTOVERS = (".*.part", ".*.part-*", ".jarlet-*.tmp")
"""Patterns of what a write that was cut short leaves behind (the last: :func:`core.jar.writer.write_jar`)."""


def write_whole(path: Path, data: bytes) -> None:
    """Replaces a file; the new content has reached the disk on return. Raises OutputError."""
    part = _part(path)
    try:
        with part.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
        sync_folder(path.parent)
    except OSError as error:
        with suppress(OSError):
            part.unlink(missing_ok=True)
        raise OutputError(f"{path}: cannot be written ({error.strerror or error}).") from error


def link_whole(source: Path, target: Path) -> None:
    """Makes ``target`` the same file as ``source``, or a copy where there are no links. Raises OutputError."""
    part = _part(target)
    try:
        if target.exists() and (target.samefile(source) or filecmp.cmp(target, source, shallow=False)):
            return
        part.unlink(missing_ok=True)
        try:
            os.link(source, part)
        except OSError:
            shutil.copyfile(source, part)
            with part.open("rb") as file:
                os.fsync(file.fileno())
        part.replace(target)
        sync_folder(target.parent)
    except OSError as error:
        with suppress(OSError):
            part.unlink(missing_ok=True)
        raise OutputError(f"{target}: cannot be written ({error.strerror or error}).") from error


def sweep(folder: Path) -> None:
    """Removes what writes that were cut short left in ``folder``."""
    for pattern in LEFTOVERS:
        for path in folder.glob(pattern):
            with suppress(OSError):
                path.unlink()


def sync_folder(folder: Path) -> None:
    """Makes names last; systems that cannot open a folder do not need it."""
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def _part(path: Path) -> Path:
    return path.with_name(f".{path.name}.part")
