"""Zip files read within bounds: never a special file, a directory or an entry that takes more memory than it may.

:class:`Archive` reads whatever is not the input itself (:mod:`core.archive.reading`): libraries, tools, nested jars,
steps. :func:`peek` looks at the first class files of an input before the input is read.
"""

from __future__ import annotations

import errno
import io
import os
import stat
import struct
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from core.archive.entry_names import EntryKind, kind_of
from core.cancellation import cancellation_point
from core.entries import Entries
from core.errors import InputError
from core.system.budget import DIRECTORY, ENTRIES, LIMIT, shortened

_CHUNK = 1 << 20
"""Bytes that are inflated between two cancellation points."""

SMALL = 16 << 20
"""Largest size of an entry that is read for information: a manifest, properties, a source, a helper of a tool. Bytes.
"""

_DAMAGED = (
    zipfile.BadZipFile,
    zlib.error,
    struct.error,
    EOFError,
    ValueError,
    OverflowError,
    NotImplementedError,
    RuntimeError,
)


class BoundedFile(io.BufferedReader):
    """A file, or its bytes, of which nothing larger than ``most`` bytes is read at once; None = anything."""

    most: int | None = DIRECTORY

    def __init__(self, path: Path, data: bytes | None = None) -> None:
        raw = io.FileIO(open_regular(path)) if data is None else io.BytesIO(data)
        super().__init__(raw)
        self._path = path

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
    """Return a descriptor to read the ordinary file at ``path``. Raise OSError for anything else, without waiting for a
    pipe."""
    handle = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
    mode = os.fstat(handle).st_mode
    if not stat.S_ISREG(mode):
        os.close(handle)
        number = errno.EISDIR if stat.S_ISDIR(mode) else errno.EINVAL
        raise OSError(number, "Is a directory" if stat.S_ISDIR(mode) else "This is not an ordinary file", str(path))
    return handle


def open_zip(file: BoundedFile) -> zipfile.ZipFile:
    """Return the archive in ``file``, its directory read. Raises the errors of :class:`zipfile.ZipFile`, and InputError
    for too large a directory."""
    try:
        # Jars name their entries in UTF-8 also without the flag that says so.
        archive = zipfile.ZipFile(file, metadata_encoding="utf-8")
    except UnicodeDecodeError:
        archive = zipfile.ZipFile(file)
    file.most = None  # from here on entries are read, and their sizes are known
    return archive


@dataclass(eq=False)
class Allowance:
    """Limits on the total bytes and entries of all archives of one input; read ones stay counted."""

    octets: int = LIMIT
    entries: int = ENTRIES

    def take(self, octets: int, entries: int = 0) -> None:
        """Count read bytes and entries."""
        self.octets -= octets
        self.entries -= entries
        if min(self.octets, self.entries) < 0:
            raise InputError("too large")


class Archive:
    """A zip archive that anybody may have made. Whatever is wrong with it is an InputError; a file that cannot be read
    is an OSError."""

    def __init__(self, path: Path, data: bytes | None = None) -> None:
        """``data``: the archive itself, if it is no file at ``path``."""
        self._path = path
        self._file = BoundedFile(path, data)
        with self._told():
            self._zip = open_zip(self._file)

    def __enter__(self) -> Archive:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        self._zip.close()
        self._file.close()

    @property
    def infos(self) -> list[zipfile.ZipInfo]:
        """The entries of the directory."""
        return self._zip.infolist()

    @property
    def names(self) -> list[str]:
        """Names of the entries, in the order of the directory."""
        return self._zip.namelist()

    def read(self, entry: str | zipfile.ZipInfo, most: int = SMALL, allowance: Allowance | None = None) -> bytes:
        """Return the entry's bytes. Raises InputError for one that is not there or has more than ``most``."""
        name = entry if isinstance(entry, str) else entry.filename
        info = self._zip.NameToInfo.get(name) if isinstance(entry, str) else entry
        if info is None:
            raise InputError(f"{self._path}: there is no entry {shortened(name)} in it.")
        chunks, left = [], most + 1  # counted as they come, whatever the header says
        with self._told(name), self._zip.open(info) as stream:
            while left > 0 and (chunk := stream.read(min(_CHUNK, left))):
                cancellation_point()
                if allowance is not None:
                    allowance.take(len(chunk))
                chunks.append(chunk)
                left -= len(chunk)
            data = b"".join(chunks)
            if len(data) < min(info.file_size, most):
                raise zipfile.BadZipFile(f"{len(data)} bytes instead of {info.file_size}")
        if len(data) > most:
            raise InputError(f"{self._path}: the entry {shortened(name)} has more than {most:,} bytes.")
        return data

    def entries(self) -> Entries:
        """Return all entries with their bytes. Raises InputError if these are more than an input may have."""
        allowance = Allowance()
        allowance.take(0, len(self.infos))
        return [(info.filename, self.read(info, LIMIT, allowance)) for info in self.infos]

    @contextmanager
    def _told(self, entry: str = "") -> Iterator[None]:
        try:
            yield
        except _DAMAGED as error:
            what = f"the entry {shortened(entry)}" if entry else "the jar"
            reason = "a name is not UTF-8, though it says so" if isinstance(error, UnicodeDecodeError) else error
            raise InputError(f"{self._path}: {what} is damaged ({reason}). Get the file again.") from error
        except OSError as error:
            if error.errno != errno.EINVAL:  # that one: the directory names a place before the file's beginning
                raise
            reason = "its directory names places outside of the file"
            raise InputError(f"{self._path}: the jar is damaged ({reason}). Get the file again.") from error


_MOST = 200
"""Number of class files that are looked at in each jar."""
_HEAD = 8
"""Bytes up to the end of the version of a class file."""


def peek(paths: Sequence[str]) -> Iterator[tuple[str, bytes]]:
    """Yield the names and first bytes of some class files, and the names of jars inside. Unreadable archives and
    entries are skipped in silence.
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
