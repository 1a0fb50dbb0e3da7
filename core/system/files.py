"""Files that are there whole or not at all, even if a write is cut short. All files of ours go through here.

New content is written beside its place, in a file ``.jarlet-RANDOM-MARK.tmp``, and renamed into it. A kill leaves that
file. Its writer holds a lock on it, so that the next write into the folder can tell remains from files still in the
making (:func:`sweep_dead`).
"""

from __future__ import annotations

import errno
import filecmp
import hashlib
import os
import re
import secrets
import shutil
import stat
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from core.errors import OutputError
from core.outside_names import inside
from core.system.file_locks import take, try_take

LEFTOVERS = (".*.part", ".*.part-*", ".jarlet-*.tmp")
"""Patterns of the remains of a write cut short, also by earlier versions."""

_BUFFER = 1 << 20
"""Bytes written at a time: of small writes each would let other threads take the interpreter."""

_NAME = re.compile(r"\.jarlet-([0-9a-f]{12})-([0-9a-f]{12})\.tmp")
_TRIES = 20


_swept: set[str] = set()
_sweeping = threading.Lock()


def write_whole(
    path: str | os.PathLike[str], data: bytes | Iterable[bytes], *, durable: bool = True, parents: bool = False
) -> int:
    """Replace a file by ``data``, one piece or several, and return its size in bytes.

    A symbolic link stays and what it points to is replaced. With ``durable`` the new content has reached the disk on
    return; with ``parents`` missing folders are made. Raises OutputError: also for a folder, a device or a pipe, which
    a rename would replace.
    """
    pieces = [data] if isinstance(data, bytes) else list(data)
    with OutputError.telling(f"{path}: cannot be written"):
        real = _ordinary(path)
        for _ in range(_TRIES if parents else 0):  # a probe's command may remove the folder at any moment
            with suppress(FileNotFoundError):
                real.parent.mkdir(parents=True, exist_ok=True)
                return _replace(real, pieces, durable)
        return _replace(real, pieces, durable)


def write_folder(folder: Path, files: Iterable[tuple[str | Path, bytes, bool]]) -> None:
    """Write files into a folder: path within it, content, and True for a program. If one cannot be written, none of
    them stays, and no folder that was made for them. Raise OutputError, and InputError for a path that leads out."""
    made: list[Path] = []
    try:
        for name, data, program in files:
            path = inside(folder, *Path(name).parts)
            made += reversed([place for place in path.parents if not place.exists()])
            path.parent.mkdir(parents=True, exist_ok=True)
            made.append(path)
            write_whole(path, data)
            if program:
                path.chmod(0o755)
    except BaseException as error:
        for path in reversed(made):
            with suppress(OSError):
                path.rmdir() if path.is_dir() else path.unlink()
        if isinstance(error, OSError):
            raise OutputError(f"{folder}: cannot be written ({error.strerror or error}).") from error
        raise


def link_whole(source: Path, target: Path) -> None:
    """Make ``target`` the same file as ``source``, or a copy where there are no links. Raise OutputError."""
    part = target.with_name(_fresh_name())
    try:
        if target.exists() and (target.samefile(source) or filecmp.cmp(target, source, shallow=False)):
            return
        try:
            os.link(source, part)
        except OSError:
            shutil.copyfile(source, part)
            with part.open("rb") as file:
                os.fsync(file.fileno())
        part.replace(target)
        sync_folder(target.parent)
    except OSError as error:
        with suppress(OSError):
            part.unlink(missing_ok=True)
        raise OutputError(f"{target}: cannot be written ({error.strerror or error}).") from error


def check_file(path: str | os.PathLike[str], *, parents: bool = False) -> None:
    """Check that :func:`write_whole` can write there, before there is anything to write. An existing file stays as it
    is.

    Raises OutputError with the reason. With ``parents`` its folder may be missing.
    """
    with OutputError.telling(f"{path}: cannot be written"):
        real = _ordinary(path)
        if real.exists() and not os.access(real, os.W_OK):
            raise OutputError(f"{path}: cannot be written, it is read-only.")
        if not parents and not real.parent.is_dir():
            what = "is not a folder" if real.parent.exists() else "does not exist: make it first, or name another"
            raise OutputError(f"{path}: cannot be written, since {real.parent} {what}.")
        _try_out(real.parent, parents)
        _check_names(real, parents)


def ignores_case(folder: Path) -> bool:
    """Return True if A and a are one letter in names: in this folder, or in the nearest existing one."""
    while not folder.exists() and folder != folder.parent:
        folder = folder.parent
    try:
        with _part(folder) as (_, name):
            found = (folder / name.upper()).exists()
            os.unlink(folder / name)
            return found
    except OSError:
        return False  # nothing can be written there, which is told


def check_folder(path: str | os.PathLike[str]) -> None:
    """Check that a folder can be made, or files in it if it exists. Raise OutputError otherwise."""
    with OutputError.telling(f"{path}: the folder cannot be made or written to"):
        real = _real(path)
        for place in (Path(os.path.abspath(path)), *Path(os.path.abspath(path)).parents):
            if place.is_symlink() and not place.exists():
                raise OutputError(
                    f"{path}: no folder can be made there, since {place} is a symbolic link to {os.readlink(place)}, "
                    "which is not there. Make that folder, or choose another name."
                )
        if real.exists() and not real.is_dir():
            raise OutputError(f"{path}: no folder can be made there, it is a file. Choose another name.")
        _try_out(real, parents=True)
        _check_names(real, parents=True)


def sweep(folder: Path) -> None:
    """Remove the remains of unfinished writes in ``folder``, which is ours alone: nobody writes there now."""
    for pattern in LEFTOVERS:
        for path in folder.glob(pattern):
            with suppress(OSError):
                path.unlink()


def sweep_dead(folder: Path) -> None:
    """Remove the remains of our dead writers in a folder of the user's.

    Remains are ordinary files of this user with our mark in the name, without another name and without a lock. All else
    stays.
    """
    with suppress(OSError), os.scandir(folder) as entries:
        for entry in list(entries):
            if _ours(entry.name) and entry.is_file(follow_symlinks=False):
                with suppress(OSError):
                    _remove_dead(folder / entry.name)


def sync_folder(folder: Path) -> None:
    """Make names last; systems that cannot open a folder do not need it."""
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def _real(path: str | os.PathLike[str]) -> Path:
    try:
        return Path(os.path.realpath(path))
    except ValueError as error:  # a NUL character
        raise OutputError(f"{os.fspath(path)!r}: cannot be written ({error}).") from error


def _ordinary(path: str | os.PathLike[str]) -> Path:
    """Return the place of an existing or future file of that name. Raise OutputError if something else is there."""
    real = _real(path)
    try:
        mode = os.lstat(real).st_mode
    except FileNotFoundError:
        return real
    if stat.S_ISDIR(mode):
        raise OutputError(f"{path}: cannot be written, it is a folder. Name a file.")
    if stat.S_ISLNK(mode):
        raise OutputError(f"{path}: cannot be written, its symbolic links lead in a circle.")
    if not stat.S_ISREG(mode):
        raise OutputError(f"{path}: cannot be written, it is not an ordinary file. Name a file.")
    return real


def _replace(real: Path, pieces: list[bytes], durable: bool) -> int:
    if durable:
        _sweep_once(real.parent)
    with _part(real.parent) as (handle, name):
        size = _write(handle, pieces)
        if durable:
            os.fsync(handle)
        os.replace(real.parent / name, real)
    if durable:
        sync_folder(real.parent)
    return size


def _write(handle: int, pieces: list[bytes]) -> int:
    with open(handle, "wb", buffering=_BUFFER, closefd=False) as file:
        file.writelines(pieces)
        file.flush()
        return file.tell()


@contextmanager
def _part(folder: Path) -> Iterator[tuple[int, str]]:
    """Open a new file in ``folder``, locked, with its name. It is closed at the end, and removed if that is an error.
    It has the rights that the user's umask gives."""
    handle, name = _locked(folder)
    try:
        yield handle, name
    except BaseException:
        with suppress(OSError):
            os.unlink(folder / name)
        raise
    finally:
        os.close(handle)


def _locked(folder: Path) -> tuple[int, str]:
    """Return a new file with a name, and that name. A sweep may take it before it is locked: then it is another one."""
    for _ in range(_TRIES):
        name = _fresh_name()
        try:
            handle = os.open(folder / name, os.O_CREAT | os.O_EXCL | os.O_RDWR | os.O_CLOEXEC, 0o666)
        except FileExistsError:
            continue
        _lock(handle)
        if os.fstat(handle).st_nlink:
            return handle, name
        os.close(handle)
    raise FileExistsError(errno.EEXIST, "no free name for a temporary file")


def _lock(handle: int) -> None:
    with suppress(OSError):  # a file system without locks: its files are not swept either
        take(handle)


def _fresh_name() -> str:
    number = secrets.token_hex(6)
    return f".jarlet-{number}-{_mark(number)}.tmp"


def _mark(number: str) -> str:
    return hashlib.sha256(f"Jarlet writes here: {number}".encode()).hexdigest()[:12]


def _ours(name: str) -> bool:
    found = _NAME.fullmatch(name)
    return found is not None and found[2] == _mark(found[1])


def _sweep_once(folder: Path) -> None:
    with _sweeping:
        new = str(folder) not in _swept
        _swept.add(str(folder))
    if new:
        sweep_dead(folder)


def _remove_dead(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    try:
        facts = os.fstat(handle)
        if not stat.S_ISREG(facts.st_mode) or facts.st_uid != os.geteuid() or facts.st_nlink != 1:
            return
        try_take(handle)  # an error while its writer lives
        now = os.lstat(path)
        if (now.st_dev, now.st_ino) == (facts.st_dev, facts.st_ino):
            os.unlink(path)
    finally:
        os.close(handle)


def _try_out(folder: Path, parents: bool) -> None:
    """Make a file in the folder, or in the nearest one that is there, and remove it. Raise OSError."""
    while parents and not folder.exists() and folder != folder.parent:
        folder = folder.parent
    with _part(folder) as (_, name):
        os.unlink(folder / name)


def _check_names(real: Path, parents: bool) -> None:
    """Raise OSError for names that are too long, although the folders before them are missing."""
    there, missing = real, []
    while not os.path.lexists(there) and there != there.parent:
        missing.append(there.name)
        there = there.parent
    longest = os.pathconf(there, "PC_NAME_MAX")
    if any(len(os.fsencode(name)) > longest for name in missing):
        raise OSError(errno.ENAMETOOLONG, os.strerror(errno.ENAMETOOLONG))
    if not parents and len(missing) > 1:
        raise FileNotFoundError(errno.ENOENT, f"there is no folder {real.parent}")
