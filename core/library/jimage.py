"""The JDK's run-time image, ``lib/modules``: single classes out of it, found by name in microseconds.

Layout of version 1 of the format (the JDK keeps it to itself; what stands here is checked against
``jimage list`` and ``javap``). Numbers have the byte order of the machine the image is made for::

    header     7 u4: magic CAFEDADA, version (major << 16 | minor), flags, number of resources,
               n = length of the tables, bytes of the locations, bytes of the strings
    redirects  n s4: one place for each hash; 0 nothing, negative -1 - i: the offset i,
               positive: seed for a second hash that gives the offset
    offsets    n u4: where in the locations
    locations  attributes, each a byte (kind << 3 | size - 1) and a big-endian number; kind 0 ends
    strings    texts in modified UTF-8, each with a NUL behind it; named by their offset
    resources  the files

A resource's name is ``/module/parent/base.extension``. ``/packages/a.b`` holds pairs of u4 (whether
the module has the package empty, module name) for the package ``a.b``.

``jlink --compress=1`` (the plug-in ``compact-cp``) shares the strings of class files: text constants are replaced by
two kinds of constant of jlink's own, 23, a string of the image, and 25, a descriptor or signature without its class
names.
"""

from __future__ import annotations

import mmap
import struct
import zlib
from collections.abc import Callable
from pathlib import Path

from core.archive.zips import SMALL
from core.classfile.pool import DOUBLE, LONG, SIZES, UTF8, decode
from core.entries import Entries
from core.errors import InputError
from core.protocol.java_names import dotted
from core.remembered import remembered

_MAGIC = 0xCAFEDADA
_RESOURCE_MAGIC = 0xCAFEFAFA
_PRIME = 0x01000193
_OFFSET, _COMPRESSED, _SIZE = 5, 6, 7


class Image:
    """An open run-time image. It is mapped, not read: pages come in as classes are asked for."""

    def __init__(self, path: Path) -> None:
        """Raise :class:`InputError` when ``path`` is no image of a format known here."""
        self._path = path
        try:
            with path.open("rb") as file:
                self._map = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        except (OSError, ValueError) as error:
            raise InputError(f"{path}: the JDK's run-time image cannot be read ({error}).") from error
        self._order = next((o for o in "<>" if self._map[:4] == struct.pack(o + "I", _MAGIC)), "")
        if not self._order:
            raise self._damaged("it begins with other bytes than an image")
        try:
            _, version, _, _, self._length, locations, strings = struct.unpack_from(self._order + "7I", self._map)
        except struct.error as error:
            raise self._damaged("it is cut off") from error
        if version >> 16 != 1:
            raise self._damaged(f"it has version {version >> 16} of the format")
        self._redirects = 28
        self._offsets = self._redirects + 4 * self._length
        self._locations = self._offsets + 4 * self._length
        self._strings = self._locations + locations
        self._resources = self._strings + strings
        if self._resources > len(self._map) or not self._length:
            raise self._damaged("it is cut off")

    def close(self) -> None:
        """End the use of the file."""
        self._map.close()

    def class_bytes(self, name: str) -> bytes | None:
        """Return the class file of ``name`` (``java/lang/Object``), or None. Raise :class:`InputError` for a damaged
        image."""
        package = name.rpartition("/")[0]
        module = self.module_of(package) if package else None
        return None if module is None else self.resource(f"/{module}/{name}.class")

    def resource(self, path: str) -> bytes | None:
        """Return the content of the resource ``path`` (``/java.base/java/lang/Object.class``), or None."""
        try:
            location = self._location(path.encode("utf-8", "surrogatepass"))
            return None if location is None else self._content(location)
        except (struct.error, IndexError, zlib.error, ValueError) as error:
            raise self._damaged(f"{path}: {error}") from error

    def module(self, name: str) -> Entries:
        """Return the files of a module, sorted by their names within it; none if there is no such module. Raise
        :class:`InputError` for a damaged image."""
        beginning = f"/{name}/".encode()
        found = []
        try:
            for (offset,) in struct.iter_unpack(self._order + "I", self._map[self._offsets : self._locations]):
                values = self._attributes(offset)
                path = self._name(values)
                if path.startswith(beginning):
                    found.append((path.removeprefix(beginning).decode(), self._content(values)))
        except (struct.error, IndexError, zlib.error, ValueError) as error:
            raise self._damaged(f"{name}: {error}") from error
        return sorted(found)

    def _content(self, location: list[int]) -> bytes:
        at = self._resources + location[_OFFSET]
        stored = location[_COMPRESSED] or location[_SIZE]
        data = self._map[at : at + stored]
        if len(data) != stored:
            raise self._damaged("it is cut off")
        return self._unpacked(data) if location[_COMPRESSED] else data

    @remembered
    def module_of(self, package: str) -> str | None:
        """Return the module that has classes in ``package``; no two have."""
        data = self.resource("/packages/" + dotted(package))
        pairs = struct.iter_unpack(self._order + "II", data or b"")
        return next((decode(self._string(name)) for empty, name in pairs if not empty), None)

    def _location(self, path: bytes) -> list[int] | None:
        """Return the attributes, by kind, of the resource ``path``."""
        number = _hash(path, _PRIME)
        (redirect,) = struct.unpack_from(self._order + "i", self._map, self._redirects + 4 * (number % self._length))
        if redirect == 0:
            return None
        place = -1 - redirect if redirect < 0 else _hash(path, redirect) % self._length
        (offset,) = struct.unpack_from(self._order + "I", self._map, self._offsets + 4 * place)
        values = self._attributes(offset)
        # The hash also finds a place for names that are not there.
        return values if self._name(values) == path else None

    def _attributes(self, offset: int) -> list[int]:
        """Return the attributes of the resource at a place of the locations, by kind."""
        values = [0] * 8
        at = self._locations + offset
        while (head := self._map[at]) >= 8:
            size = (head & 7) + 1
            if head >> 3 < len(values):  # later releases add kinds that say nothing about the content
                values[head >> 3] = int.from_bytes(self._map[at + 1 : at + 1 + size], "big")
            at += 1 + size
        return values

    def _name(self, values: list[int]) -> bytes:
        module, parent, base, extension = (self._string(values[kind]) for kind in (1, 2, 3, 4))
        return b"".join(
            (
                b"/" + module + b"/" if module else b"",
                parent + b"/" if parent else b"",
                base,
                b"." + extension if extension else b"",
            )
        )

    def _string(self, offset: int) -> bytes:
        start = self._strings + offset
        return self._map[start : self._map.find(b"\0", start, self._resources)]

    def _unpacked(self, data: bytes) -> bytes:
        """Return the bytes that ``jlink --compress`` packed, once for each plug-in, the last plug-in outermost.

        Each time a header of 29 bytes: u4 magic, u8 packed and u8 unpacked size, u4 the plug-in's
        name, u4 its settings, u1 whether it was the first.
        """
        header = struct.Struct(self._order + "IQQIIB")
        while len(data) >= header.size:
            magic, packed, unpacked, name, _, _ = header.unpack_from(data)
            if magic != _RESOURCE_MAGIC:
                break
            plugin = self._string(name)
            body = data[header.size : header.size + packed]
            if plugin == b"zip":
                data = zlib.decompressobj().decompress(body, SMALL)
            elif plugin == b"compact-cp":
                data = restore(body, self._string)
            else:
                raise ValueError(f"unknown compression {decode(plugin)}")
            if len(data) != unpacked:
                raise ValueError(f"{len(data)} bytes instead of {unpacked}")
        return data

    def _damaged(self, why: str) -> InputError:
        return InputError(
            f"{self._path}: the JDK's run-time image cannot be used, {why}. Point JAVA_HOME to another JDK."
        )


def _hash(path: bytes, seed: int) -> int:
    for byte in path:
        seed = (seed * _PRIME ^ byte) & 0xFFFFFFFF
    return seed & 0x7FFFFFFF


_SHARED, _SHARED_DESCRIPTOR = 23, 25


def restore(data: bytes, string: Callable[[int], bytes]) -> bytes:
    """Return the class file; ``string`` gives the image's strings. Raise :class:`ValueError` or :class:`IndexError`."""
    count = int.from_bytes(data[8:10], "big")
    parts = [data[:10]]
    at, place = 10, 1
    while place < count:
        tag = data[at]
        if tag in (_SHARED, _SHARED_DESCRIPTOR):
            index, at = _number(data, at + 1)
            text = string(index)
            if tag == _SHARED_DESCRIPTOR:
                size, at = _number(data, at)
                text = _descriptor(text, data[at : at + size], string)
                at += size
            parts.append(b"\x01" + len(text).to_bytes(2, "big") + text)
        else:
            if tag != UTF8 and tag not in SIZES:
                raise ValueError(f"unknown constant kind {tag}")
            size = 3 + int.from_bytes(data[at + 1 : at + 3], "big") if tag == UTF8 else SIZES[tag]
            parts.append(data[at : at + size])
            at += size
        place += 2 if tag in (LONG, DOUBLE) else 1
    parts.append(data[at:])
    return b"".join(parts)


def _descriptor(text: bytes, indexes: bytes, string: Callable[[int], bytes]) -> bytes:
    """Return ``text`` with a package and a class name put in behind each L."""
    numbers = []
    at = 0
    while at < len(indexes):
        number, at = _number(indexes, at)
        numbers.append(number)
    pieces = text.split(b"L")
    result = [pieces[0]]
    for piece, package, name in zip(pieces[1:], numbers[::2], numbers[1::2], strict=True):
        folder = string(package)
        result += (b"L", folder + b"/" if folder else b"", string(name), piece)
    return b"".join(result)


def _number(data: bytes, at: int) -> tuple[int, int]:
    """Return the number at ``at`` and the offset behind it: u4, or with the highest bit set 1 to 3 bytes, of which the
    first has the count in 2 bits and the number's highest 5."""
    first = data[at]
    if not first & 0x80:
        return int.from_bytes(data[at : at + 4], "big"), at + 4
    size = first >> 5 & 3
    return int.from_bytes(bytes([first & 0x1F]) + data[at + 1 : at + size], "big"), at + size
