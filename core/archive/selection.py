"""The entries of a sub-input: kept ones, changes that follow from missing ones, and the digest of the result."""

from __future__ import annotations

import hashlib
from bisect import bisect_left
from collections.abc import Callable, Container, Iterable, Mapping
from functools import cached_property
from types import MappingProxyType

from core.archive.entry_names import MANIFEST, MARK, SERVICES, class_path, kind_of, within
from core.archive.jar import Entry, EntryKind, Jar
from core.archive.manifest import prune_manifest, prune_services
from core.entries import Entries


def select(
    jar: Jar, kept: Container[int] | Callable[[int], bool], changed: Mapping[int, bytes] = MappingProxyType({})
) -> Entries:
    """Return the names and contents of the entries of a sub-input, in input order. ``changed``: other contents of
    entries, by their indexes.

    ``kept`` holds the indexes of kept entries, or decides on an index; it is asked for classes, resources and nested
    jars. If all of those are kept, the result is the whole input, unchanged. Otherwise changed jars lose their
    signature files, empty folders go, and the manifest and the service files lose the names of missing entries. Class
    files are never touched.
    """
    keeps = kept if callable(kept) else kept.__contains__
    derived = (EntryKind.DIRECTORY, EntryKind.SIGNATURE)
    left = [(index, entry) for index, entry in enumerate(jar.entries) if entry.kind in derived or keeps(index)]
    if len(left) == len(jar.entries) and not changed:
        return jar.contents
    pruned = _Pruned(jar, [entry for _, entry in left if entry.kind not in derived])
    contents = {entry.name: changed.get(index) or pruned.content(entry) for index, entry in left}
    touched = {_own_jar(jar, entry.name) for entry in jar.entries if contents.get(entry.name) != entry.data}
    selected = [
        (name, pruned.manifest(name, data) if _own_jar(jar, name) in touched else data)
        for name, data in contents.items()
        if data is not None
    ]
    return _without_empty_folders(without_signatures(jar, selected, touched))


def without_signatures(jar: Jar, entries: Entries, touched: Container[str] | None = None) -> Entries:
    """Return entries without the signatures of the jars of a class path that are ``touched``; by default of those with
    another content than in ``jar``. One jar is touched in any case: a signature vouches for nothing then."""
    entries = list(entries)
    if touched is None and jar.is_class_path:
        before = {entry.name: entry.data for entry in jar.entries}
        now = dict(entries)
        names = (name for name in before.keys() | now.keys() if before.get(name) is not now.get(name))
        touched = {_own_jar(jar, name) for name in names}
    return [
        (name, data)
        for name, data in entries
        if kind_of(name) is not EntryKind.SIGNATURE or not (touched is None or _own_jar(jar, name) in touched)
    ]


def _own_jar(jar: Jar, name: str) -> str:
    """Return the name of the entry's own jar in a class path; nothing if the input is one jar."""
    return name.partition(MARK)[0] if jar.is_class_path else ""


class _Pruned:
    """The missing part of the input, and the remaining entries as they are without that part."""

    def __init__(self, jar: Jar, files: list[Entry]) -> None:
        self.files = {entry.name for entry in files}
        self.folders = Folders(self.files)
        self.all_files = {entry.name for entry in jar.entries if entry.kind is not EntryKind.DIRECTORY}
        self.all_folders = Folders(self.all_files)
        present = {class_path(entry.name) for entry in files}
        self.missing_classes = {
            path
            for entry in jar.entries
            if entry.kind is EntryKind.CLASS and (path := class_path(entry.name)) not in present
        }

    def content(self, entry: Entry) -> bytes | None:
        """Return the bytes to write for a kept entry; None: not at all."""
        if entry.kind is EntryKind.RESOURCE and SERVICES.fullmatch(class_path(entry.name)):
            return prune_services(entry.data, self.class_gone)
        return entry.data

    def manifest(self, name: str, data: bytes) -> bytes:
        """Return the bytes of an entry of an incomplete jar: a manifest loses the names of missing entries."""
        inner = within(name)
        if inner.upper() != MANIFEST:
            return data
        jar = name.removesuffix(inner)
        return prune_manifest(data, lambda gone: self.entry_gone(f"{jar}{gone}"))

    def entry_gone(self, name: str) -> bool:
        """Return True if the input has an entry ``name``, or files in the folder of that name, and the sub-input does
        not."""
        if name.endswith("/"):
            return name in self.all_folders and name not in self.folders
        return name in self.all_files and name not in self.files

    def class_gone(self, name: str) -> bool:
        return name.replace(".", "/") + ".class" in self.missing_classes


class Folders:
    """The folders (with ``/``) that hold files, directly or not: looked up among the sorted names.

    Not a set of all of them, which for deeply nested names takes memory by the square of the depth.
    """

    def __init__(self, names: Iterable[str]) -> None:
        self._names = names

    @cached_property
    def _sorted(self) -> list[str]:
        return sorted(self._names)

    def __contains__(self, folder: str) -> bool:
        at = bisect_left(self._sorted, folder)
        return at < len(self._sorted) and self._sorted[at].startswith(folder)


def _without_empty_folders(entries: Entries) -> Entries:
    held = Folders([name for name, _ in entries if not name.endswith("/")])
    return [(name, data) for name, data in entries if not name.endswith("/") or name in held]


_SIZE = 20


def digest_of(data: bytes) -> bytes:
    """Return the digest of one entry's content, 20 bytes."""
    return hashlib.blake2b(data, digest_size=_SIZE).digest()


def content_key(entries: Entries, digest: Callable[[bytes], bytes] = digest_of) -> bytes:
    """Return the digest of the names and contents of entries in their order, 20 bytes.

    ``digest`` gives :func:`digest_of` of a content; a caller that asks about the same contents again and again
    remembers them.
    """
    key = hashlib.blake2b(digest_size=_SIZE)
    for name, data in entries:
        key.update(name.encode("utf-8", "surrogateescape") + b"\0" + digest(data))
    return key.digest()
