"""Zip files opened with care: never a special file, never a directory that takes more memory than the bound."""

from __future__ import annotations

import errno
import io
import os
import stat
import zipfile
from contextlib import suppress
from pathlib import Path

from core.errors import InputError
from core.system.budget import DIRECTORY


class BoundedFile(io.BufferedReader):
    """A file of which nothing larger than ``most`` bytes is read at once; None = anything."""

    def __init__(self, path: Path, most: int | None = DIRECTORY) -> None:
        super().__init__(io.FileIO(open_regular(path)))
        self._path = path
        self.most = most

    def __del__(self) -> None:
        with suppress(ValueError):  # never opened
            self.close()  # an archive made of it does not, as one made of a path would

    def read(self, size: int | None = -1, /) -> bytes:
        if self.most is not None and size is not None and size > self.most:
            raise InputError(
                f"{self._path}: the directory of the zip has {size:,} bytes, and Jarlet reads {self.most:,}:"
                " these are more files than a program has. Name a part of it."
            )
        return super().read(size)


def open_regular(path: Path) -> int:
    """A descriptor to read the ordinary file at *path*; OSError for what is none, without waiting for a pipe."""
    handle = os.open(path, os.O_RDONLY | os.O_CLOEXEC | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    mode = os.fstat(handle).st_mode
    if not stat.S_ISREG(mode):
        os.close(handle)
        number = errno.EISDIR if stat.S_ISDIR(mode) else errno.EINVAL
        raise OSError(number, "Is a directory" if stat.S_ISDIR(mode) else "This is not an ordinary file", str(path))
    return handle


def open_zip(file: BoundedFile) -> zipfile.ZipFile:
    """The archive in *file*, its directory read. Raises what :class:`zipfile.ZipFile` raises, and InputError for a
    directory that is too large."""
    try:
        # Jars name their entries in UTF-8 also without the flag that says so.
        archive = zipfile.ZipFile(file, metadata_encoding="utf-8")
    except UnicodeDecodeError:
        archive = zipfile.ZipFile(file)
    file.most = None  # from here on it is entries that are read, whose sizes are known
    return archive
