"""Reading one jar, war, zip or folder of classes into entries.

Only ``stored`` and ``deflated`` entries are read, as in the JVM. Nothing is opened for writing. An unusable file always
leads to an :class:`~core.errors.InputError` with the name of the file.
"""

from __future__ import annotations

import os
import stat
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from core.archive.entry_names import MANIFEST, EntryKind, kind_of, why_unsafe
from core.archive.zips import Archive, BoundedFile, open_regular
from core.errors import InputError
from core.system.budget import ENTRIES, LIMIT, refuse_if_too_deep, refuse_if_too_large, shortened
from core.system.interpreter import collector_paused
from core.words import some_of

_ENCRYPTED = 0x1 | 0x40 | 0x2000
_SHOWN = 3  # names that a warning lists before it only counts


@dataclass(frozen=True, slots=True)
class Entry:
    """One file (or folder mark) of an input: its name with ``/`` between folders, and its unpacked bytes."""

    name: str
    data: bytes
    kind: EntryKind


def read_source(source: Path, left: int, warnings: list[str]) -> list[Entry]:
    try:
        mode = source.stat().st_mode
        if stat.S_ISDIR(mode):
            return _read_folder(source, left, warnings)
        if not stat.S_ISREG(mode):
            raise InputError(f"{source}: this is neither a file nor a folder. Name a jar or a folder of classes.")
        return read_zip(source, left, warnings)
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
        warnings.append(f"{folder}: neither files nor folders, left out: {listed(sorted(skipped))}")
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
    """Return the name and size of each file below ``folder``, and the names that are neither a file nor a folder. Links
    to folders are not followed, so there is no loop; no recursion, whatever the depth."""
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


def read_zip(path: Path, left: int, warnings: list[str], data: bytes | None = None) -> list[Entry]:
    """Return the entries of the zip at ``path``, or of its bytes ``data``, ``left`` bytes of them at most. Of several
    with one name the last is taken, as in the JVM. Raise InputError, and OSError for a file that cannot be read."""
    _refuse_other(path, data)
    before = _facts(path) if data is None else (len(data), 0)
    with Archive(path, data) as archive:
        infos = archive.infos
        for info in infos:
            _check_entry(path, info)
        # The JVM finds the last of several entries with one name.
        last = {info.filename: info for info in infos}
        repeated = [info.filename for info in infos if last[info.filename] is not info]
        if repeated:
            warnings.append(
                f"{path}: more than one entry of one name, the last is used as in the JVM: {listed(repeated)}"
            )
            infos = [info for info in infos if last[info.filename] is info]
        sizes = [info.file_size for info in infos]
        if sum(sizes) > left:
            raise _too_large(path)
        refuse_if_too_large(path, sum(sizes), len(sizes), max(sizes, default=0), before[0])
        with collector_paused():
            entries = [
                Entry(info.filename, archive.read(info, info.file_size), kind_of(info.filename)) for info in infos
            ]
    if data is None and _facts(path) != before:
        raise InputError(f"{path}: the file changed while it was read. Try again when it is complete.")
    return entries


def _facts(path: Path) -> tuple[int, int]:
    """Return facts by which a change of a file shows: its size, and its time."""
    found = path.stat()
    return found.st_size, found.st_mtime_ns


def _refuse_other(path: Path, data: bytes | None) -> None:
    """Raise InputError for a file that is no zip."""
    with BoundedFile(path, data) as file:
        start, is_zip = file.read(4), zipfile.is_zipfile(file)
    if not start:
        raise InputError(f"{path}: the file is empty, so it is not a jar.")
    if is_zip:
        return
    if start == b"PK\x03\x04":
        raise InputError(f"{path}: the zip has no directory at its end: it is truncated. Get the file again.")
    raise InputError(f"{path}: this is not a jar, war or zip file (whatever its name says).")


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


def listed(names: Sequence[str]) -> str:
    return some_of(map(shortened, names), _SHOWN)
