"""Removing a tree of folders that somebody else filled: of any depth, with any permissions, and nothing beyond it.

Everything goes by descriptor: no link is followed, and no path grows longer than the system allows. A folder that
lies deep is moved to the top before it is emptied, so a few descriptors are enough for any depth. Nothing is removed
where another file system is mounted.
"""

from __future__ import annotations

import errno
import os
import secrets
import stat
from collections.abc import Container, Iterator
from contextlib import suppress
from pathlib import Path

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_DEEP = 64
"""Folders inside one another that are open at a time; deeper ones are moved to the top first."""
_TRIES = 3
"""Looks at a tree in which something is still written."""


def remove(path: Path, last: str = "") -> tuple[str, ...]:
    """Remove a file, a link or a whole folder. Return the paths that could not be removed, at best none.

    The file ``last`` at the top of a folder goes after all else is gone: whoever is killed meanwhile leaves it there.
    """
    try:
        parent = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    except FileNotFoundError:
        return ()
    except OSError:
        return (str(path),)
    try:
        return tuple(str(path / name) if name else str(path) for name in _remove(path.name, parent, last))
    finally:
        os.close(parent)


def empty(folder: int, last: str) -> tuple[str, ...]:
    """Remove the content of an open folder, the file ``last`` after all else. Return the names that could not be
    removed. No error."""
    stuck: tuple[str, ...] = ()
    for _ in range(_TRIES):
        stuck = _Emptying(folder, last).run()
        if not stuck:
            return _Emptying(folder).run() if last else ()
    return stuck


def open_folder(name: str, parent: int) -> int:
    """Return a descriptor of a folder in ``parent``, made ours to change if it is our own; never of a link. Raise
    OSError."""
    try:
        folder = os.open(name, _FOLDER, dir_fd=parent)
    except PermissionError:
        _unlock(name, parent)
        folder = os.open(name, _FOLDER, dir_fd=parent)
    with suppress(OSError):
        if os.fstat(folder).st_mode & stat.S_IRWXU != stat.S_IRWXU:
            os.fchmod(folder, stat.S_IRWXU)
    return folder


def mounted(folder: int, parent: int) -> bool:
    """Return True if another file system, or another part of the same file system, is mounted on the folder in
    ``parent``."""
    return _mount(folder) != _mount(parent)


def _remove(name: str, parent: int, last: str) -> tuple[str, ...]:
    """Remove ``name`` in ``parent``. Return relative names of the remains, an empty name for ``name`` itself."""
    try:
        if not stat.S_ISDIR(os.stat(name, dir_fd=parent, follow_symlinks=False).st_mode):
            os.unlink(name, dir_fd=parent)
            return ()
        folder = open_folder(name, parent)
    except FileNotFoundError:
        return ()
    except OSError:
        return ("",)
    try:
        stuck = ("",) if mounted(folder, parent) else empty(folder, last)
    finally:
        os.close(folder)
    if not stuck:
        try:
            os.rmdir(name, dir_fd=parent)
        except FileNotFoundError:
            return ()
        except OSError:
            return ("",)
    return stuck


class _Emptying:
    """One pass over a tree, in which the name ``but`` at the top stays."""

    def __init__(self, root: int, but: str = "") -> None:
        self._root, self._but = root, but
        self._token = secrets.token_hex(6)
        self._count = 0
        self._waiting: list[tuple[str, str]] = []
        """Folders at the top, each with the name that it had at first."""
        self._stuck: list[str] = []

    def run(self) -> tuple[str, ...]:
        self._clear(self._root, "")
        while self._waiting:
            name, known = self._waiting.pop()
            try:
                folder = open_folder(name, self._root)
                try:
                    self._clear(folder, f"{known}/")
                finally:
                    os.close(folder)
                os.rmdir(name, dir_fd=self._root)
            except FileNotFoundError:
                continue
            except OSError as error:
                # what is in it is told already, unless something came meanwhile
                if error.errno != errno.ENOTEMPTY or not any(text.startswith(f"{known}/") for text in self._stuck):
                    self._stuck.append(known)
        return tuple(self._stuck)

    def _clear(self, folder: int, known: str, depth: int = 0) -> None:
        """Remove the content of a folder; folders deep in it move to the top."""
        try:
            with os.scandir(folder) as entries:
                found = [
                    (entry.name, entry.is_dir(follow_symlinks=False))
                    for entry in entries
                    if known or entry.name != self._but
                ]
        except OSError:
            self._stuck.append(known.rstrip("/"))
            return
        for name, is_folder in found:
            try:
                if is_folder:
                    (self._descend if depth < _DEEP else self._lift)(name, folder, f"{known}{name}", depth)
                else:
                    os.unlink(name, dir_fd=folder)
            except FileNotFoundError:
                continue
            except OSError:
                self._stuck.append(f"{known}{name}")

    def _descend(self, name: str, folder: int, known: str, depth: int) -> None:
        inner = open_folder(name, folder)
        try:
            if mounted(inner, folder):
                self._stuck.append(known)
                return
            before = len(self._stuck)
            self._clear(inner, f"{known}/", depth + 1)
        finally:
            os.close(inner)
        if len(self._stuck) == before:
            os.rmdir(name, dir_fd=folder)

    def _lift(self, name: str, folder: int, known: str, _: int) -> None:
        self._count += 1
        fresh = f".{self._token}-{self._count}"
        try:
            os.rename(name, fresh, src_dir_fd=folder, dst_dir_fd=self._root)
        except PermissionError:  # a folder that may not be written to may not be moved elsewhere
            _unlock(name, folder)
            os.rename(name, fresh, src_dir_fd=folder, dst_dir_fd=self._root)
        self._waiting.append((fresh, known))


def _unlock(name: str, parent: int) -> None:
    """Give us access to a folder of our own with any permissions; a link is not followed."""
    if not hasattr(os, "O_PATH"):
        os.chmod(name, stat.S_IRWXU, dir_fd=parent, follow_symlinks=False)
        return
    handle = os.open(name, os.O_PATH | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=parent)
    try:
        os.chmod(f"/proc/self/fd/{handle}", stat.S_IRWXU)
    finally:
        os.close(handle)


def _mount(folder: int) -> int:
    """Return a number of the mount that an open folder lies in (Linux), else of its device."""
    with suppress(OSError), open(f"/proc/self/fdinfo/{folder}", "rb") as file:
        for line in file:
            if line.startswith(b"mnt_id:"):
                return int(line.split()[1])
    return os.fstat(folder).st_dev


def files_below(folder: Path, left_out: Container[str] = ()) -> Iterator[os.DirEntry[str]]:
    """Yield all below ``folder`` that is no folder, in no order.

    No link below ``folder`` is followed. A folder named in ``left_out`` has nothing, nor has one that cannot be read,
    is gone, or has a path longer than the system allows.
    """
    waiting = [os.fspath(folder)]
    while waiting:
        with suppress(OSError), os.scandir(waiting.pop()) as found:
            for entry in found:
                if not entry.is_dir(follow_symlinks=False):
                    yield entry
                elif entry.name not in left_out:
                    waiting.append(entry.path)
