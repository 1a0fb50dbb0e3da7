"""The first bytes of some class files of an input, before the input is read."""

from __future__ import annotations

import zipfile
import zlib
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import islice
from pathlib import Path

from core.archive.zips import BoundedFile, open_zip
from core.errors import InputError

_MOST = 200
"""Number of class files that are looked at in each jar."""
_HEAD = 8
"""Bytes up to the end of the version of a class file."""


def peek(paths: Sequence[str]) -> Iterator[tuple[str, bytes]]:
    """Yield the names and first bytes of some class files. Nothing is said of what cannot be read."""
    for path in map(Path, paths):
        with suppress(OSError, InputError, zipfile.BadZipFile, zlib.error, ValueError, RuntimeError):
            yield from islice(_in_folder(path) if path.is_dir() else _in_zip(path), _MOST)


def _in_folder(folder: Path) -> Iterator[tuple[str, bytes]]:
    for path in folder.rglob("*.class"):
        if path.is_file():
            with path.open("rb") as file:
                yield path.relative_to(folder).as_posix(), file.read(_HEAD)


def _in_zip(path: Path) -> Iterator[tuple[str, bytes]]:
    with BoundedFile(path) as file, open_zip(file) as archive:
        for info in archive.infolist():
            if info.filename.endswith(".class"):
                with archive.open(info) as stream:
                    yield info.filename, stream.read(_HEAD)
