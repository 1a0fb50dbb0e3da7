"""A folder for temporary files that is removed at the end, and swept by the next start if the end never came."""

from __future__ import annotations

import fcntl
import os
import shutil
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from types import TracebackType

from core.errors import OutputError
from core.session.leftovers import kill_leftovers

_PREFIX = "jarlet-"
_UNBORN = ".jarlet-new-"
_LOCK = "lock"

_BIRTH = 3600.0
"""Seconds after which a folder that was never locked counts as left behind."""


class WorkFolder:
    """A locked folder of our own under ``parent`` (default: the system's folder for temporary files)."""

    def __init__(self, parent: Path | None = None) -> None:
        base = Path(parent) if parent else Path(tempfile.gettempdir())
        try:
            base.mkdir(parents=True, exist_ok=True)
            _sweep(base)
            # under another name until it is locked: a sweep must not take it for a dead run's
            unborn = Path(tempfile.mkdtemp(prefix=_UNBORN, dir=base)).resolve()
            self._lock = os.open(unborn / _LOCK, os.O_CREAT | os.O_RDWR, 0o600)
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            self.path = unborn.rename(unborn.with_name(_PREFIX + unborn.name.removeprefix(_UNBORN)))
        except OSError as error:
            raise OutputError(
                f"No folder for temporary files can be made in {base}: {error.strerror or error}. "
                "Choose another one with --work or TMPDIR."
            ) from error

    def close(self) -> None:
        """Removes the folder with all that is in it."""
        shutil.rmtree(self.path, ignore_errors=True)
        os.close(self._lock)

    def __enter__(self) -> WorkFolder:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()


def _sweep(base: Path) -> None:
    """Removes what dead runs left: folders of ours whose lock nobody holds, and the processes that work in them."""
    dead: dict[Path, int] = {}
    try:
        for folder in base.glob(f"{_PREFIX}*"):
            try:
                lock = os.open(folder / _LOCK, os.O_RDWR)
            except OSError:
                continue  # not ours, or another user's
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                dead[folder.resolve()] = lock
            except OSError:
                os.close(lock)  # in use
        kill_leftovers(list(dead))
        for folder in dead:
            shutil.rmtree(folder, ignore_errors=True)
    finally:
        for lock in dead.values():
            os.close(lock)
    for folder in base.glob(f"{_UNBORN}*"):
        with suppress(OSError):
            if time.time() - folder.stat().st_mtime > _BIRTH:
                shutil.rmtree(folder, ignore_errors=True)
