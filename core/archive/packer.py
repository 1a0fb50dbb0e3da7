"""Entries written as a folder or as a zip archive, in which nothing is compressed twice.

A reduction writes hundreds of candidates with the same class files in them. The standard library's
``zipfile`` takes 226 ms for a candidate of 1,026 classes, compression included; this takes 3.8 ms once
the entries are known (``python -m tests.bench.writing``). Format: PKWARE's APPNOTE 6.3, sections 4.3 and 4.4.
"""

from __future__ import annotations

import errno
import re
import struct
import zlib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from core.archive.entry_names import JMOD, NESTED, why_unsafe
from core.archive.nested import folded
from core.entries import Entries, of_jar
from core.errors import OutputError
from core.system.budget import shortened
from core.system.files import write_whole

LEVEL = 6
"""Deflate level of written entries; fixed, since the bytes depend on it."""

REMEMBERED = 256 << 20
"""Most bytes, packed and unpacked, that are kept besides the input's."""

JMOD_HEAD = b"JM\1\0"
"""Magic number and version of a module file of the JDK, before its zip."""
_STORED, _DEFLATED = 0, 8
_VERSION = 20
_UNIX = 3 << 8
_UTF8 = 1 << 11
_DATE = 1 << 5 | 1  # 1 January 1980, the earliest that a zip can tell
_FILE_MODE = 0o100644 << 16
_FOLDER_MODE = 0o40755 << 16 | 0x10

OURS = re.compile(rb"\A(?:JM\x01\x00)?PK(?:\x03\x04\x14\x00.{4}\x00\x00\x21\x00|\x05\x06)", re.DOTALL)
"""Pattern at the start of an archive that this module wrote: its version and date are always the same."""

_COMMON = struct.Struct("<HHHHHIIIHH")  # version needed .. length of the extra field
_LOCAL = b"PK\3\4"
_CENTRAL = b"PK\1\2"
_END = struct.Struct("<4sHHHHIIH")
_END64 = struct.Struct("<4sQHHIIQQQQ4sIQI")
_MOST_ENTRIES, _MOST_BYTES = 0xFFFF, 0xFFFFFFFF


@dataclass(frozen=True, slots=True)
class _Packed:
    method: int
    crc: int
    size: int
    data: bytes


class Packer:
    """A compressor that keeps compressed contents, by content, and starts over above ``remembered`` bytes. The same
    entries always give the same bytes. Threads may share one."""

    def __init__(self, level: int = LEVEL, remembered: int = REMEMBERED) -> None:
        self._level = level
        self._remembered = remembered
        self.held = 0
        """Bytes that are kept, packed and unpacked."""
        self._known: dict[bytes, _Packed] = {}
        self._kept: dict[bytes, _Packed] = {}

    def pack(self, entries: Iterable[tuple[str, bytes]]) -> list[bytes]:
        """Return the archive of ``entries`` (name, bytes), in pieces to be written one after another.

        A name that ends with ``/`` is a folder. Jars inside the archive are stored as they are, since Spring Boot's
        loader wants them so; opened ones are folded. Raises :class:`OutputError` above 4 GiB.
        """
        pieces: list[bytes] = []
        directory: list[bytes] = []
        offset = 0
        for name, data in self.folded(entries):
            stored = name.lower().endswith(NESTED)
            packed = (
                _Packed(_STORED, zlib.crc32(data), len(data), data) if stored else self._pack(data, name.endswith("/"))
            )
            try:
                raw, flags = name.encode("ascii"), 0
            except UnicodeEncodeError:
                raw, flags = name.encode("utf-8", "surrogateescape"), _UTF8
            if len(raw) > 0xFFFF:
                raise OutputError(f"The jar cannot be written: the name {name[:40]!r}... is too long for a zip.")
            common = _COMMON.pack(
                _VERSION, flags, packed.method, 0, _DATE, packed.crc, len(packed.data), packed.size, len(raw), 0
            )
            mode = _FOLDER_MODE if name.endswith("/") else _FILE_MODE
            place = struct.pack("<HHHII", 0, 0, 0, mode, offset)
            directory.append(b"".join((_CENTRAL, struct.pack("<H", _VERSION | _UNIX), common, place, raw)))
            local = b"".join((_LOCAL, common, raw))
            pieces += (local, packed.data)
            offset += len(local) + len(packed.data)
            if offset > _MOST_BYTES:
                raise OutputError("The jar cannot be written: it would be larger than 4 GiB.")
        return [*pieces, *directory, _end(len(directory), sum(map(len, directory)), offset)]

    def folded(self, entries: Iterable[tuple[str, bytes]]) -> Entries:
        """Return the entries of the jar with each opened jar as one entry again."""
        return folded(of_jar(entries), lambda name, inside: b"".join(self.file(name, inside)))

    def file(self, name: str, entries: Iterable[tuple[str, bytes]]) -> list[bytes]:
        """Return the archive of ``entries`` in the form that the name of its file tells, in pieces."""
        head = [JMOD_HEAD] if name.lower().endswith(JMOD) else []
        return [*head, *self.pack(entries)]

    def keep(self, contents: Iterable[bytes]) -> None:
        """Compress contents that are held elsewhere as long as this packer, and never forget them."""
        self._kept.update((data, self._compressed(data)) for data in contents if data)

    def learn(self, contents: Iterable[bytes]) -> None:
        """Compress the contents that the packer does not know yet."""
        for data in contents:
            self._pack(data, folder=False)

    def _pack(self, data: bytes, folder: bool) -> _Packed:
        if folder or not data:
            return _Packed(_STORED, 0, 0, b"")
        packed = self._kept.get(data) or self._known.get(data)
        if packed is None:
            packed = self._compressed(data)
            self.held += len(data) + len(packed.data)
            if self.held > self._remembered:
                self._known.clear()
                self.held = len(data) + len(packed.data)
            self._known[data] = packed
        return packed

    def _compressed(self, data: bytes) -> _Packed:
        deflate = zlib.compressobj(self._level, zlib.DEFLATED, -zlib.MAX_WBITS)
        return _Packed(_DEFLATED, zlib.crc32(data), len(data), deflate.compress(data) + deflate.flush())


def _end(count: int, size: int, offset: int) -> bytes:
    """End of the central directory; the 64-bit one before it if there are too many entries."""
    ahead = b""
    if count > _MOST_ENTRIES:
        ahead = _END64.pack(
            b"PK\6\6", 44, _VERSION | _UNIX, 45, 0, 0, count, count, size, offset, b"PK\6\7", 0, offset + size, 1
        )
        count = _MOST_ENTRIES
    return ahead + _END.pack(b"PK\5\6", 0, 0, count, count, size, offset, 0)


def write_jar(
    target: Path,
    entries: Entries,
    *,
    packer: Packer | None = None,
    durable: bool = True,
    parents: bool = False,
) -> int:
    """Write ``entries`` (name, bytes) in the given order; the same entries always give the same bytes.

    The target has the old content or the whole new one (:func:`core.system.files.write_whole`). With ``durable`` the
    result has reached the disk on return; candidates in a scratch folder need not pay for that. With ``parents``
    missing folders are made. A ``packer`` in repeated use compresses known content only once. Returns the size of the
    jar in bytes. Raises :class:`OutputError`.
    """
    return write_whole(target, (packer or Packer()).pack(entries), durable=durable, parents=parents)


def write_folder(target: Path, entries: Entries, packer: Packer | None = None) -> int:
    """Write ``entries`` below the folder ``target`` (made if need be), each under its own name; an opened jar is one
    file, which ``packer`` packs.

    Returns the number of bytes. Raises :class:`OutputError`, also for a name that leads out of ``target``.
    """
    made: set[Path] = set()
    total = 0
    made_of = (packer or Packer()).folded(entries)
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
    with OutputError.telling(f"{target}: cannot be made"):
        target.mkdir(parents=True, exist_ok=True)
    return total


def _not_written(path: Path, name: str, entries: Entries, error: OSError) -> OutputError:
    """Return the error of an entry for which there is no file: its name is too long, or is another entry's folder."""
    if error.errno not in (errno.ENAMETOOLONG, errno.EEXIST, errno.ENOTDIR, errno.EISDIR):
        return OutputError(f"{path}: cannot be written ({error.strerror or error}).")
    near = (each for each, _ in entries if each.startswith(f"{name}/") or name.startswith(f"{each}/"))
    other = next((f", beside the entry {shortened(each)}" for each in near), "")
    return OutputError(
        f"The input's entry {shortened(name)} cannot be a file{other} ({error.strerror}). Use {{jar}} in place of"
        " {classes}, or remove the entry from the input."
    )
