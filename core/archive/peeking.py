"""The first bytes of some class files of an input, before the input is read."""

from __future__ import annotations

import zipfile
import zlib
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import islice
from pathlib import Path

from core.archive.entry_names import EntryKind, kind_of
from core.archive.zips import BoundedFile, open_zip
from core.errors import InputError

_MOST = 200
"""Number of class files that are looked at in each jar."""
_HEAD = 8
"""Bytes up to the end of the version of a class file."""


def peek(paths: Sequence[str]) -> Iterator[tuple[str, bytes]]:
    """Yield the names and first bytes of some class files, and the names of jars inside. Nothing is said of what cannot
    be read.
    """
    for path in map(Path, paths):
        with suppress(OSError, InputError, zipfile.BadZipFile, zlib.error, ValueError, RuntimeError):
            yield from _in_folder(path) if path.is_dir() else _in_zip(path)


def _in_folder(folder: Path) -> Iterator[tuple[str, bytes]]:
    for path in islice(folder.rglob("*.class"), _MOST):
        if path.is_file():
            with path.open("rb") as file:
                yield path.relative_to(folder).as_posix(), file.read(_HEAD)


def _in_zip(path: Path) -> Iterator[tuple[str, bytes]]:
    with BoundedFile(path) as file, open_zip(file) as archive:
        names = archive.namelist()
        yield from ((name, b"") for name in names if kind_of(name) is EntryKind.NESTED)
        for name in islice((name for name in names if kind_of(name) is EntryKind.CLASS), _MOST):
            with archive.open(name) as stream:
                yield name, stream.read(_HEAD)
