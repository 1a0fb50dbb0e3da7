"""Classes outside the input: those of a class path and of the JDK, looked up one by one."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from pathlib import Path

from core.archive.entry_names import EntryKind, kind_of
from core.archive.jar import Jar
from core.classfile.format_error import ClassFormatError
from core.classfile.outline import references
from core.library.class_path import Classpath, Inside
from core.library.jdk import Jdk
from core.library.jdks import choose_jdk, needed_java
from core.library.jimage import Image
from core.library.skim import LibraryClass, skim
from core.remembered import remembered

__all__ = ["Library", "LibraryClass", "open_library"]


def open_library(class_path: Sequence[Path] = (), jar: Jar | None = None, jdk: str = "") -> Library:
    """Return the library of ``class_path`` (jars and folders), of the jars inside the input ``jar``, and a JDK; to be
    closed.

    ``jdk`` is the folder or version of the JDK; empty: the best one for the input. A part of the class path that cannot
    be used raises :class:`~core.errors.InputError`; the JDK is looked for when the first class of it is asked for.
    """
    entries = jar.contents if jar is not None else []
    inside = [(name, data) for name, data in entries if kind_of(name) is EntryKind.NESTED]
    return Library(class_path, lambda: choose_jdk(jdk, needed_java(entries)).jdk, inside)


class Library:
    """Class facts, kept once they were looked up. The class path comes before the JDK."""

    def __init__(self, class_path: Sequence[Path], find: Callable[[], Jdk], inside: Sequence[Inside]) -> None:
        self._find = find
        self._paths = tuple(class_path)
        self._classpath: Classpath | None = None
        self._jdk: Jdk | None = None
        self._image: Image | Classpath | None = None
        self._known: dict[str, LibraryClass | None] = {}
        if self._paths or inside:
            self._classpath = Classpath(self._paths, lambda: self.jdk.feature, inside)

    def get(self, name: str) -> LibraryClass | None:
        """Return the class called ``name`` (``java/util/Map$Entry``), or None if neither has it.

        Raises :class:`~core.errors.InputError` when the class is not on the class path and there is no JDK.
        """
        try:
            return self._known[name]
        except KeyError:
            found = self._known[name] = self._load(name)
            return found

    @remembered
    def mentioned_by(self, name: str) -> frozenset[str]:
        """Return the names of the classes that a class of the class path mentions; none for the JDK's and damaged
        ones."""
        data = self._classpath.class_bytes(name) if self._classpath else None
        try:
            return references(data) if data is not None else frozenset()
        except ClassFormatError:
            return frozenset()

    def class_bytes(self, name: str) -> bytes | None:
        """Return the class file of ``name``, or None."""
        data = self._classpath.class_bytes(name) if self._classpath else None
        return self._open().class_bytes(name) if data is None else data

    def module_of(self, name: str) -> str | None:
        """Return the module of the JDK that has a class; None for a class elsewhere, or a JDK without modules."""
        image = self._open()
        return image.module_of(name.rpartition("/")[0]) if isinstance(image, Image) else None

    @property
    def jdk(self) -> Jdk:
        """The Java installation; :class:`~core.errors.InputError` without one."""
        if self._jdk is None:
            self._jdk = self._find()
        return self._jdk

    @property
    def identity(self) -> str:
        """A text that changes when the JDK or a part of the class path does; caches go by it."""
        parts = self._classpath.files() if self._classpath else []
        stats = [(str(path), stat.st_mtime_ns, stat.st_size) for path in parts for stat in [path.stat()]]
        return hashlib.sha256(repr((self.jdk.identity, stats)).encode()).hexdigest()

    def close(self) -> None:
        """Close the files; classes looked up before stay known."""
        if self._classpath:
            self._classpath.close()
        if self._image:
            self._image.close()

    def _load(self, name: str) -> LibraryClass | None:
        if not name or name.startswith("["):
            return None
        data = self.class_bytes(name)
        if data is None:
            return None
        try:
            cls = skim(data)
        except ClassFormatError:
            return None
        # On a file system that does not tell a from A, A.class answers for both.
        return cls if cls.name == name else None

    def _open(self) -> Image | Classpath:
        if self._image is None:
            self._image = self.jdk.open()
        return self._image
