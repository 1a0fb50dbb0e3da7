"""Reading an input (jar, war, zip, folder of classes, or several) into memory.

Only ``stored`` and ``deflated`` entries are read, as in the JVM. Nothing here ever
opens an input for writing. Every way in which an input can be unusable is an
:class:`~core.errors.InputError` whose text names the file.
"""

from __future__ import annotations

import errno
import os
import stat
import struct
import zipfile
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from core.archive.entry_names import MANIFEST, SERVICES, EntryKind, kind_of, why_unsafe
from core.archive.manifest import joined, without_class_path
from core.archive.nested import NotOpenedError, unfold
from core.archive.packer import write_folder, write_jar
from core.archive.zips import Allowance, BoundedFile, inflated, open_regular, open_zip, read_entry
from core.errors import InputError
from core.system.budget import ENTRIES, LIMIT, most_unpacked, refuse_if_too_deep, refuse_if_too_large, shortened
from core.system.interpreter import collector_paused

__all__ = ["LIMIT", "Entry", "EntryKind", "Jar", "read_jar", "write_folder", "write_jar"]

_ENCRYPTED = 0x1 | 0x40 | 0x2000
_INDEX = "META-INF/INDEX.LIST"
_SHOWN_NAMES = 3  # names that a warning lists before it only counts


@dataclass(frozen=True, slots=True)
class Entry:
    """One file (or folder mark) of an input: its name with ``/`` between folders, and its unpacked bytes."""

    name: str
    data: bytes
    kind: EntryKind


@dataclass(frozen=True)
class Jar:
    """An input in memory. ``entries`` are in the order of the archive's directory, names unique."""

    sources: tuple[Path, ...]
    title: str
    entries: tuple[Entry, ...]
    warnings: tuple[str, ...] = ()
    unfolded: bool = False
    """True if nested jars are opened: their entries are among the entries."""

    def classes(self) -> list[int]:
        """Return the indexes of the class files among the entries, ascending."""
        return [index for index, entry in enumerate(self.entries) if entry.kind is EntryKind.CLASS]

    @property
    def is_one_file(self) -> bool:
        """True if the input is one file, which can be run as it is."""
        return len(self.sources) == 1 and self.sources[0].is_file()

    @property
    def is_signed(self) -> bool:
        """True if the input has a signature."""
        return any(entry.kind is EntryKind.SIGNATURE for entry in self.entries)

    @property
    def size(self) -> int:
        """Unpacked bytes of all entries together."""
        return sum(len(entry.data) for entry in self.entries)


def read_jar(paths: Sequence[Path | str], *, limit: int = LIMIT, nested: bool = False) -> Jar:
    """Read jars, wars, zips and folders of classes as one input.

    Of entries with one name the first input's is kept (as on a class path), within one
    zip the last one (as the JVM does); a warning tells.
    Service files of several inputs are joined. Signature files are dropped then, since they
    cannot vouch for the mixture.
    ``limit``: most unpacked bytes in all. ``nested``: open jars inside the jars (:mod:`core.archive.nested`).
    """
    sources = tuple(Path(path) for path in paths)
    if not sources:
        raise InputError("No input given: name a jar, a war, a zip or a folder of classes.")
    entries: dict[str, Entry] = {}
    warnings: list[str] = []
    left = limit
    for source in sources:
        found = _read_source(source, left, warnings)
        left -= sum(len(entry.data) for entry in found)
        if nested:
            found = _unfolded(source, found, left, warnings)
            left = limit - sum(len(entry.data) for entry in (*entries.values(), *found))
        if len(sources) > 1:
            found = _to_join(source, found, entries, warnings)
        repeated = [e.name for e in found if e.name in entries and e.kind is not EntryKind.DIRECTORY]
        if repeated:
            warnings.append(f"{source}: left out, since an earlier input has them too: {_listed(repeated)}")
        for entry in found:
            entries.setdefault(entry.name, entry)
    if len(sources) > 1:
        signatures = [name for name, entry in entries.items() if entry.kind is EntryKind.SIGNATURE]
        for name in signatures:
            del entries[name]
        if signatures:
            warnings.append(f"Signature files of joined inputs are left out: {_listed(signatures)}")
    if not any(entry.kind is EntryKind.CLASS for entry in entries.values()):
        names = ", ".join(map(str, sources))
        if not any(entry.kind is EntryKind.NESTED for entry in entries.values()):
            hint = " Name a jar, a war, a zip or a folder with classes."
        elif nested:
            hint = " ".join(("", "Nor is there one in the jars inside that could be opened.", *warnings))
        else:
            hint = " It only has jars inside: --nested opens them."
        raise InputError(f"{names}: there is no class file in it.{hint}")
    whole = [entry.name for entry in entries.values() if entry.kind is EntryKind.NESTED]
    if whole and not nested:
        warnings.append(
            f"Jars inside are whole, each kept or removed as one, and serve as libraries: {_listed(whole)}. "
            "--nested opens them (File, Open nested jars)."
        )
    title = sources[0].resolve().name or str(sources[0])
    if len(sources) > 1:
        title += f" + {len(sources) - 1}"
    return Jar(sources, title, tuple(entries.values()), tuple(warnings), nested)


def _to_join(source: Path, found: list[Entry], entries: dict[str, Entry], warnings: list[str]) -> list[Entry]:
    """Return the entries of one of several inputs without what is about its own jar: an index, a ``Class-Path``. Its
    service files become part of those of the same names in ``entries``, as a class path has them all."""
    kept = []
    for entry in found:
        earlier = entries.get(entry.name)
        if entry.name == MANIFEST and earlier is None:
            data, named = without_class_path(entry.data)
            if named:
                warnings.append(
                    f"{source}: the Class-Path of its manifest is left out, since inputs are joined to a jar in another"
                    f" folder: {shortened(named)}. Name these jars as inputs, or in the command."
                )
            kept.append(replace(entry, data=data))
        elif earlier is not None and SERVICES.fullmatch(entry.name):
            entries[entry.name] = replace(earlier, data=joined(earlier.data, entry.data))
        elif entry.name != _INDEX:
            kept.append(entry)
    return kept


def _unfolded(source: Path, entries: list[Entry], left: int, warnings: list[str]) -> list[Entry]:
    """Return the entries with those of nested jars in the place of the jars. A jar that cannot be opened stays."""
    found: list[Entry] = []
    packed = sum(len(entry.data) for entry in entries) if source.is_dir() else source.stat().st_size
    allowance = Allowance(most_unpacked(packed, left))
    for entry in entries:
        if entry.kind is not EntryKind.NESTED:
            found.append(entry)
            continue
        try:
            inside = [Entry(name, data, kind_of(name)) for name, data in unfold(entry.name, entry.data, allowance)]
        except NotOpenedError as error:
            warnings.append(f"{source}: {shortened(entry.name)} stays whole: {shortened(str(error))}.")
            inside = [entry]
        found += inside
    return found


def _read_source(source: Path, left: int, warnings: list[str]) -> list[Entry]:
    try:
        mode = source.stat().st_mode
        if stat.S_ISDIR(mode):
            return _read_folder(source, left, warnings)
        if not stat.S_ISREG(mode):
            raise InputError(f"{source}: this is neither a file nor a folder. Name a jar or a folder of classes.")
        return _read_zip(source, left, warnings)
    except FileNotFoundError as error:
        what = "file" if source.suffix else "folder"
        raise InputError(f"{source}: there is no such {what}. Check the path.") from error
    except OSError as error:
        raise InputError(f"{source}: cannot be read ({error.strerror or error}).") from error
    except ValueError as error:  # a path with a NUL character
        raise InputError(f"{str(source)!r}: cannot be read ({error}).") from error


def _read_folder(folder: Path, left: int, warnings: list[str]) -> list[Entry]:
    """Return the files below ``folder``, sorted by name, the manifest first (``JarInputStream`` wants it there)."""
    files, skipped = _found_below(folder)
    if skipped:
        warnings.append(f"{folder}: neither files nor folders, left out: {_listed(sorted(skipped))}")
    sizes = [size for _, size in files]
    if sum(sizes) > left:
        raise _too_large(folder)
    refuse_if_too_large(folder, sum(sizes), len(sizes), max(sizes, default=0))
    files.sort(key=lambda file: (file[0] != MANIFEST, file[0]))
    entries = []
    for name, _ in files:
        _check_name(folder, name)
        path = folder / name
        with open(open_regular(path), "rb") as file:
            data = file.read(left + 1)  # it may have grown since
        left -= len(data)
        if left < 0:
            raise _too_large(folder)
        entries.append(Entry(name, data, kind_of(name)))
    return entries


def _found_below(folder: Path) -> tuple[list[tuple[str, int]], list[str]]:
    """Return the name and size of each file below ``folder``, and what is neither a file nor a folder. Links to folders
    are not followed, so there is no loop; no recursion, whatever the depth."""
    files: list[tuple[str, int]] = []
    skipped: list[str] = []
    waiting = [""]
    while waiting:
        above = waiting.pop()
        try:
            with os.scandir(folder / above) as found:
                for one in found:
                    name = above + one.name
                    if one.is_dir(follow_symlinks=False):
                        refuse_if_too_deep(folder, f"{name}/")
                        waiting.append(f"{name}/")
                    elif one.is_file():
                        files.append((name, one.stat().st_size))
                    else:
                        skipped.append(str(folder / name))
                    if len(files) > ENTRIES or len(waiting) > ENTRIES or len(skipped) > ENTRIES:
                        raise InputError(f"{folder}: it has more than {ENTRIES:,} files. Name a part of it.")
        except OSError as error:
            place = shortened(str(error.filename or folder / above), 300)
            raise InputError(f"{place}: cannot be read ({error.strerror or error}).") from error
    return files, skipped


def _read_zip(path: Path, left: int, warnings: list[str]) -> list[Entry]:
    with BoundedFile(path) as file:
        try:
            with _open_zip(path, file) as archive:
                infos = archive.infolist()
                for info in infos:
                    _check_entry(path, info)
                # The JVM finds the last of several entries with one name.
                last = {info.filename: info for info in infos}
                if len(last) < len(infos):
                    kept = {id(info) for info in last.values()}
                    repeated = [info.filename for info in infos if id(info) not in kept]
                    warnings.append(
                        f"{path}: more than one entry of one name, the last is used as in the JVM: {_listed(repeated)}"
                    )
                    infos = [info for info in infos if id(info) in kept]
                sizes = [info.file_size for info in infos]
                if sum(sizes) > left:
                    raise _too_large(path)
                packed = os.fstat(file.fileno()).st_size
                refuse_if_too_large(path, sum(sizes), len(sizes), max(sizes, default=0), packed)
                with collector_paused():
                    return [
                        Entry(
                            info.filename,
                            read_entry(file, info) or _inflate(path, archive, info),
                            kind_of(info.filename),
                        )
                        for info in infos
                    ]
        except (zipfile.BadZipFile, struct.error, ValueError, OverflowError, EOFError) as error:
            raise InputError(f"{path}: the zip is damaged ({error}). Get the file again.") from error
        except OSError as error:
            if error.errno != errno.EINVAL:  # that one: the directory names a place before the file's beginning
                raise
            reason = "its directory names places outside of the file"
            raise InputError(f"{path}: the zip is damaged ({reason}). Get the file again.") from error
        except NotImplementedError as error:
            raise InputError(f"{path}: uses a feature of zip that the JVM cannot read ({error}).") from error


def _open_zip(path: Path, file: BoundedFile) -> zipfile.ZipFile:
    start = file.read(4)
    if not start:
        raise InputError(f"{path}: the file is empty, so it is not a jar.")
    if not zipfile.is_zipfile(file):
        if start == b"PK\x03\x04":
            raise InputError(f"{path}: the zip has no directory at its end: it is truncated. Get the file again.")
        if start == b"\xca\xfe\xba\xbe":
            raise InputError(f"{path}: this is a single class file. Name the folder of classes or a jar.")
        raise InputError(f"{path}: this is not a jar, war or zip file (whatever its name says).")
    return open_zip(file)


def _check_entry(path: Path, info: zipfile.ZipInfo) -> None:
    _check_name(path, info.orig_filename)
    if info.flag_bits & _ENCRYPTED:
        raise InputError(
            f"{path}: the entry {shortened(info.filename)} is encrypted. Unpack it with its password first."
        )
    if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise InputError(
            f"{path}: the entry {shortened(info.filename)} has a compression that the JVM cannot read"
            f" (method {info.compress_type}). Pack it again with deflate."
        )


def _inflate(path: Path, archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> bytes:
    """Return the entry's bytes; never inflates further than one byte past the declared size."""
    try:
        data = inflated(archive, info, info.file_size)
    except (zipfile.BadZipFile, zlib.error, EOFError, struct.error, ValueError) as error:
        raise InputError(
            f"{path}: the entry {shortened(info.filename)} is damaged ({error}). Get the file again."
        ) from error
    if len(data) != info.file_size:
        raise InputError(
            f"{path}: the entry {shortened(info.filename)} is damaged ({len(data)} bytes instead of {info.file_size})."
            " Get the file again."
        )
    return data


def _check_name(path: Path, name: str) -> None:
    reason = why_unsafe(name)
    if reason is None:
        refuse_if_too_deep(path, name)
        try:
            name.encode()
            return
        except UnicodeEncodeError:
            reason = "the name is not valid UTF-8"
    raise InputError(f"{path}: refused because of the entry {shortened(name)!r}: {reason}. Remove that entry.")


def _too_large(path: Path) -> InputError:
    return InputError(f"{path}: unpacked it is larger than Jarlet reads (in all {LIMIT >> 30} GiB). Is it a zip bomb?")


def _listed(names: Sequence[str]) -> str:
    shown = ", ".join(shortened(name) for name in names[:_SHOWN_NAMES])
    return shown if len(names) <= _SHOWN_NAMES else f"{shown} and {len(names) - _SHOWN_NAMES} more"
