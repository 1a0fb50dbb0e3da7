"""A folder for temporary files that is removed at the end, and swept by the next start if the end never came.

Only folders with our mark are swept: a file that this program wrote at the folder's birth. The folder must belong to
this user, be no link and no session, and nobody may hold its lock. All of it is looked at and removed by one
descriptor.
"""

from __future__ import annotations

import os
import re
import signal
import stat
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from core.errors import OutputError
from core.system.file_locks import try_take
from core.system.processes import families, process_table
from core.system.remains import remains_text
from core.system.removal import empty, mounted, remove

_PREFIX = "jarlet-"
_UNBORN = ".jarlet-new-"
_KEPT = "jarlet-check-"
_LOCK = "lock"
_NOT_OURS = frozenset({"settings.json", "journal.sqlite"})
"""Files of sessions: a folder with one of them is never swept."""

_MARK = "Temporary files of Jarlet: removed by its next start once nobody holds this file's lock. Run {}.\n"
_READ = re.compile(re.escape(_MARK).replace(r"\{\}", r"(\d{1,20})").encode())
_KEPT_MARK = b"A run of Jarlet's check that failed, kept to be repeated by hand: removed when later ones are kept.\n"

RUNS_KEPT = 3
"""Number of failed checks whose folders stay."""

_BIRTH = 3600.0
"""Seconds after which a folder without any lock so far counts as left behind."""

_FILE = os.O_RDWR | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


class WorkFolder:
    """A locked folder of our own under ``parent`` (default: the system's folder for temporary files)."""

    def __init__(self, parent: Path | None = None) -> None:
        base = Path(parent) if parent else Path(tempfile.gettempdir())
        try:
            base.mkdir(parents=True, exist_ok=True)
            _sweep(base)
            # under another name until it is locked: a sweep must not take it for a dead run's
            unborn = Path(tempfile.mkdtemp(prefix=_UNBORN, dir=base)).resolve()
            self._lock = os.open(unborn / _LOCK, os.O_CREAT | os.O_EXCL | _FILE, 0o600)
            try_take(self._lock)
            os.write(self._lock, _MARK.format(families.RUN).encode())
            self.path = unborn.rename(unborn.with_name(_PREFIX + unborn.name.removeprefix(_UNBORN)))
        except OSError as error:
            raise OutputError(
                f"No folder for temporary files can be made in {base}: {error.strerror or error}. "
                "Choose another one with --work or TMPDIR."
            ) from error

    def close(self) -> str:
        """Remove the folder with all that is in it. Return a sentence on what cannot be removed, at best none."""
        stuck = remove(self.path, last=_LOCK)  # without it the folder is no longer known to be ours
        os.close(self._lock)
        return remains_text(self.path, stuck)

    def __enter__(self) -> WorkFolder:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()


@contextmanager
def temporary_folder() -> Iterator[Path]:
    """Within it a work folder of its own is there. Raise OutputError."""
    with WorkFolder() as folder:
        yield folder.path


def keep_last(work: Path, base: Path) -> Path:
    """Move the folder of a run to where it stays until :data:`RUNS_KEPT` later ones are kept in ``base``. Return its
    new place.
    """
    with _opened(base) as place:
        times = {name: made for name in _named(place, _KEPT) if (made := _time(name, place)) is not None}
        for name in sorted(times, key=lambda name: times[name])[: max(0, len(times) - RUNS_KEPT + 1)]:
            with suppress(OSError), _ours(name, place) as folder:
                _remove(name, folder, place)
    kept = Path(tempfile.mkdtemp(prefix=_KEPT, dir=base))
    (kept / _LOCK).write_bytes(_KEPT_MARK)
    if not work.is_dir() or work.is_symlink():
        return kept
    try:
        return work.rename(kept / "work")
    except OSError:  # the command made it immutable: it stays where it is
        remove(kept)
        return work


def _time(name: str, place: int) -> int | None:
    """Return the time of a kept folder in nanoseconds; None if the folder is none of ours."""
    with suppress(OSError), _ours(name, place) as folder:
        if _content(folder, _LOCK) == _KEPT_MARK:
            return os.fstat(folder).st_mtime_ns
    return None


@dataclass(frozen=True)
class _Dead:
    """The remains of a dead run: its open folder, its lock, which is now ours, and the number of the run."""

    name: str
    folder: int
    lock: int
    run: int


def _sweep(base: Path) -> None:
    """Remove the remains of dead runs: unlocked folders of ours, and the processes at work in them."""
    dead: list[_Dead] = []
    with _opened(base) as place:
        try:
            dead += filter(None, (_dead(name, place) for name in _named(place, _PREFIX)))
            kill_leftovers([base.resolve() / left.name for left in dead])
            for left in dead:
                families.kill_run(left.run)
                _remove(left.name, left.folder, place)
        finally:
            for left in dead:
                os.close(left.lock)
                os.close(left.folder)
        for name in _named(place, _UNBORN):
            with suppress(OSError), _ours(name, place) as folder:
                if time.time() - os.fstat(folder).st_mtime > _BIRTH:
                    _remove_unborn(name, folder, place)


def _dead(name: str, place: int) -> _Dead | None:
    """Return the folder ``name`` if it is a dead run's, locked; None otherwise."""
    with suppress(OSError):
        folder = _open_ours(name, place)
        try:
            lock = os.open(_LOCK, _FILE, dir_fd=folder)
            try:
                try_take(lock)
                mark = _READ.fullmatch(_text(lock))
                if mark and not _NOT_OURS.intersection(os.listdir(folder)):
                    return _Dead(name, folder, lock, int(mark[1]))
            except OSError:
                os.close(lock)  # in use
                raise
            os.close(lock)
        except OSError:
            os.close(folder)
            raise
        os.close(folder)
    return None


def _remove_unborn(name: str, folder: int, place: int) -> None:
    """Remove a folder of a run that died before locking it; such a folder holds at most the file for the lock."""
    names = os.listdir(folder)
    if names == [_LOCK]:
        lock = os.open(_LOCK, _FILE, dir_fd=folder)
        try:
            try_take(lock)
            text = _text(lock)
            if text and not _READ.fullmatch(text):
                return
        finally:
            os.close(lock)
    if names in ([], [_LOCK]):
        _remove(name, folder, place)


def _remove(name: str, folder: int, place: int) -> None:
    """Empty the open folder and remove it, unless another one has its name by now."""
    if empty(folder, last=_LOCK):
        return
    with suppress(OSError):
        if os.path.samestat(os.fstat(folder), os.stat(name, dir_fd=place, follow_symlinks=False)):
            os.rmdir(name, dir_fd=place)


@contextmanager
def _opened(base: Path) -> Iterator[int]:
    place = os.open(base, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        yield place
    finally:
        os.close(place)


@contextmanager
def _ours(name: str, place: int) -> Iterator[int]:
    folder = _open_ours(name, place)
    try:
        yield folder
    finally:
        os.close(folder)


def _open_ours(name: str, place: int) -> int:
    """Return a descriptor of a folder that belongs to this user and is neither a link nor a mount. Raise OSError."""
    before = os.stat(name, dir_fd=place, follow_symlinks=False)
    if not stat.S_ISDIR(before.st_mode) or before.st_uid != os.geteuid():
        raise PermissionError(name)
    folder = os.open(name, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=place)
    if os.fstat(folder).st_uid != os.geteuid() or mounted(folder, place):
        os.close(folder)
        raise PermissionError(name)
    return folder


def _named(place: int, prefix: str) -> list[str]:
    return sorted(name for name in os.listdir(place) if name.startswith(prefix))


def _content(folder: int, name: str) -> bytes:
    file = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=folder)
    try:
        return _text(file)
    finally:
        os.close(file)


def _text(file: int) -> bytes:
    """Return the beginning of an ordinary file of this user's. Raise OSError."""
    found = os.fstat(file)
    if not stat.S_ISREG(found.st_mode) or found.st_uid != os.geteuid():
        raise PermissionError("not ours")
    return os.pread(file, 4096, 0)


def kill_leftovers(folders: Sequence[Path]) -> int:
    """Kill the processes whose ``JARLET_WORK`` lies in one of ``folders``. Return their number.

    Every command of a predicate is started with that variable, and passes it on to its children. A process is examined
    and killed by a handle, so that a reused number hits nobody.
    """
    if not folders or not hasattr(os, "pidfd_open") or not process_table.listed():
        return 0
    marks = tuple(b"JARLET_WORK=" + os.fsencode(folder) + b"/" for folder in folders)
    killed = 0
    for _ in range(5):  # what starts processes faster than one look takes
        found = sum(_kill_marked(pid, marks) for pid in process_table.numbers())
        if not found:
            break
        killed += found
    return killed


def _kill_marked(pid: int, marks: tuple[bytes, ...]) -> bool:
    if pid == os.getpid():
        return False
    with suppress(OSError):  # gone meanwhile, or another user's
        handle = os.pidfd_open(pid)
        try:
            if any(text.startswith(marks) for text in process_table.environment(pid)):
                signal.pidfd_send_signal(handle, signal.SIGKILL)
                return True
        finally:
            os.close(handle)
    return False
