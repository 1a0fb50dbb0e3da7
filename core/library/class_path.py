"""A class path of jars and folders, read class by class on demand; the needed parts of it."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, closing, suppress
from pathlib import Path
from urllib.parse import unquote

from core.archive.entry_names import MANIFEST, place_of
from core.archive.manifest import main_attributes
from core.archive.zips import Archive, open_regular
from core.classfile.format_error import ClassFormatError
from core.classfile.outline import references
from core.errors import InputError
from core.outside_names import inside

LARGEST = 256 << 20
"""Most bytes of a class file of the class path."""

_NOT_THERE = (errno.ENOENT, errno.ENOTDIR, errno.EISDIR, errno.ENAMETOOLONG)

Inside = tuple[str, bytes]
"""The name and the bytes of a jar that lies in another one."""


class Classpath:
    """The parts are opened at once, the classes in them as they are asked for; the first part that has one wins."""

    def __init__(self, paths: Sequence[Path], feature: Callable[[], int], inside: Sequence[Inside] = ()) -> None:
        """``feature`` gives the Java version that chooses among the copies in a multi-release jar, if there is one;
        ``inside`` are jars in another one, behind ``paths``. Damaged ones are passed over.

        Jars of a manifest's ``Class-Path`` come behind the jar that names them, as in the JVM, and missing ones are
        passed over. An unusable path in ``paths`` raises :class:`InputError`.
        """
        self._parts: list[_Folder | _Jar] = []
        seen: set[Path] = set()
        try:
            for path in paths:
                self._add(path, feature, seen, required=True)
            for name, data in inside:
                with suppress(InputError):
                    self._parts.append(_Jar(Path(name), feature, data))
        except InputError:
            self.close()
            raise

    def _add(self, path: Path, feature: Callable[[], int], seen: set[Path], required: bool) -> None:
        real = path.resolve()
        if real in seen:
            return
        seen.add(real)
        if real.is_dir():
            self._parts.append(_Folder(real))
            return
        try:
            jar = _Jar(path, feature)
        except InputError:
            if required:
                raise
            return
        self._parts.append(jar)
        for named in jar.class_path():
            self._add(named, feature, seen, required=False)

    def class_bytes(self, name: str) -> bytes | None:
        """Return the class file of ``name`` (``a/b/C``), or None. Raise :class:`InputError` for a damaged entry."""
        for part in self._parts:
            data = part.read(name)
            if data is not None:
                return data
        return None

    def files(self) -> list[Path]:
        """Return the jars and class files that it is made of."""
        return [path for part in self._parts for path in part.files()]

    def close(self) -> None:
        """Close the jars."""
        for part in self._parts:
            part.close()


def named_by_manifest(path: Path) -> list[Path]:
    """Return the existing jars that the manifest of the jar at ``path`` names. Raise :class:`InputError` for a jar that
    cannot be read."""
    with closing(_Jar(path, lambda: 0)) as jar:
        return list(dict.fromkeys(place for place in jar.class_path() if place.suffix == ".jar" and place.is_file()))


class _Folder:
    def __init__(self, path: Path) -> None:
        self._path = path

    def read(self, name: str) -> bytes | None:
        try:
            path = inside(self._path, *f"{name}.class".split("/"))
        except InputError:  # the name of a class comes from a class file, which may be anybody's
            return None
        try:
            with open(open_regular(path), "rb") as file:
                return file.read(LARGEST)
        except OSError as error:
            if error.errno in _NOT_THERE:
                return None
            raise InputError(f"{path}: cannot be read ({error.strerror}).") from error

    def files(self) -> list[Path]:
        return sorted(self._path.rglob("*.class"))

    def close(self) -> None:
        pass


class _Jar:
    def __init__(self, path: Path, feature: Callable[[], int], data: bytes | None = None) -> None:
        self._path = path
        self._inside = data is not None
        try:
            self._zip = Archive(path, data)
        except FileNotFoundError as error:
            raise InputError(f"{path}: there is no such jar. Check the class path.") from error
        except OSError as error:
            raise InputError(f"{path}: cannot be read ({error.strerror or error}).") from error
        self._manifest = self._attributes()
        self._classes = {n.removesuffix(".class"): n for n in self._zip.names if n.endswith(".class")}
        if self._manifest.get("multi-release", "").strip().lower() == "true":
            self._overlay(feature())

    def _overlay(self, feature: int) -> None:
        """Put the copies for later Java versions, up to ``feature``, in the place of the first ones."""
        for version, rest, entry in sorted((*place_of(name), entry) for name, entry in self._classes.items()):
            if 9 <= version <= feature:
                self._classes[rest] = entry

    def read(self, name: str) -> bytes | None:
        entry = self._classes.get(name)
        if entry is None:
            return None
        with InputError.telling(f"{self._path}: cannot be read"):
            return self._zip.read(entry, LARGEST)

    def files(self) -> list[Path]:
        return [] if self._inside else [self._path]

    def class_path(self) -> Iterator[Path]:
        """Yield the existing jars and folders named in its manifest. Malformed paths are left out."""
        beside = Path(os.path.realpath(self._path)).parent
        for url in self._manifest.get("class-path", "").split():
            with suppress(OSError, ValueError, RuntimeError):
                place = (beside / unquote(url)).resolve()
                if ":" not in url and place.exists():
                    yield place

    def close(self) -> None:
        self._zip.close()

    def _attributes(self) -> dict[str, str]:
        """Return the manifest's main attributes, names in small letters."""
        try:
            return main_attributes(self._zip.read(MANIFEST))
        except (InputError, OSError):
            return {}


def needed_jars(classes: Iterable[bytes], class_path: Sequence[Path]) -> list[Path]:
    """Return, in their order, the parts of a class path with a class named by one of the ``classes``, or with a
    supertype of one. Unreadable parts count as needed, and all do if one of the ``classes`` cannot be read.
    """
    found: set[Path] = set()
    with ExitStack() as stack:
        parts: dict[Path, Classpath] = {}
        for path in class_path:
            try:
                parts[path] = stack.enter_context(closing(Classpath([path], lambda: 0)))
            except InputError:
                found.add(path)

        def read(name: str) -> bytes | None:
            for path, part in parts.items():
                if (data := part.class_bytes(name)) is not None:
                    found.add(path)
                    return data
            return None

        try:
            _read_needed(set().union(*map(references, classes)), read)
        except ClassFormatError:
            return list(class_path)
    return [path for path in class_path if path in found]


def needed_files(classes: Iterable[bytes], folder: Path) -> list[Path]:
    """Return the class files in a folder that ``classes`` name, and their supertypes. Damaged classes name none."""
    names: set[str] = set()
    for data in classes:
        with suppress(ClassFormatError):
            names |= references(data)
    return sorted(folder / f"{name}.class" for name in _read_needed(names, _Folder(folder).read))


def _read_needed(names: set[str], read: Callable[[str], bytes | None]) -> list[str]:
    """Read the classes of these names, and their supertypes. Return the names of those that are there."""
    found, left = [], sorted(names)
    while left:
        name = left.pop()
        if (data := read(name)) is not None:
            found.append(name)
            more = _supertypes(data) - names
            names |= more
            left += sorted(more)
    return found


def _supertypes(data: bytes) -> set[str]:
    """Return the superclass and the interfaces of a class file; none of a damaged one."""
    from core.library.skim import skim  # here: the reader of class files takes long to load

    with suppress(ClassFormatError):
        known = skim(data)
        return {*known.interfaces, *([known.superclass] if known.superclass else [])}
    return set()
