"""Zip files opened with care: never a special file, never a directory that takes more memory than the bound."""

from __future__ import annotations

import errno
import io
import os
import stat
import struct
import zipfile
import zlib
from contextlib import suppress
from pathlib import Path

from core.errors import InputError
from core.system.budget import DIRECTORY

_HEADER = struct.Struct("<4s22xHH")
"""Of a local file header (APPNOTE 4.3.7): signature, lengths of the name and of the extra field."""

_SPARE = 64
"""Bytes of an extra field that are read with the header, and more in a second go."""

_ODD = 0x61
"""Flags of entries that are encrypted or patch data."""

_WHOLE = 64 << 20
"""Most packed bytes that are taken in one piece."""


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
    """Return a descriptor to read the ordinary file at ``path``; OSError for what is none, without waiting for a
    pipe."""
    handle = os.open(path, os.O_RDONLY | os.O_CLOEXEC | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    mode = os.fstat(handle).st_mode
    if not stat.S_ISREG(mode):
        os.close(handle)
        number = errno.EISDIR if stat.S_ISDIR(mode) else errno.EINVAL
        raise OSError(number, "Is a directory" if stat.S_ISDIR(mode) else "This is not an ordinary file", str(path))
    return handle


def open_zip(file: BoundedFile) -> zipfile.ZipFile:
    """Return the archive in ``file``, its directory read. Raises what :class:`zipfile.ZipFile` raises, and InputError
    for a directory that is too large."""
    try:
        # Jars name their entries in UTF-8 also without the flag that says so.
        archive = zipfile.ZipFile(file, metadata_encoding="utf-8")
    except UnicodeDecodeError:
        archive = zipfile.ZipFile(file)
    file.most = None  # from here on it is entries that are read, whose sizes are known
    return archive


def read_entry(file: BoundedFile, info: zipfile.ZipInfo) -> bytes | None:
    """Return the entry's bytes where all is as it should be: header, name, sizes, checksum; else None, and ``zipfile``,
    which takes twice as long, says what is wrong."""
    if info.flag_bits & _ODD or info.compress_size > _WHOLE:
        return None
    try:
        name = info.orig_filename.encode()
        start = _HEADER.size + len(name)
        piece = os.pread(file.fileno(), start + _SPARE + info.compress_size, info.header_offset)
        signature, named, extra = _HEADER.unpack_from(piece)
        if signature != b"PK\x03\x04" or named != len(name) or piece[_HEADER.size : start] != name:
            return None
        start += extra
        packed = piece[start : start + info.compress_size]
        if extra > _SPARE:
            packed = os.pread(file.fileno(), info.compress_size, info.header_offset + start)
        if info.compress_type == zipfile.ZIP_DEFLATED:
            inflating = zlib.decompressobj(-zlib.MAX_WBITS)
            data = inflating.decompress(packed, info.file_size + 1)
            whole = inflating.eof
        else:
            data, whole = packed, info.compress_type == zipfile.ZIP_STORED
    except (AttributeError, OSError, struct.error, zlib.error, ValueError, OverflowError):
        return None
    return data if whole and len(data) == info.file_size and zlib.crc32(data) == info.CRC else None
