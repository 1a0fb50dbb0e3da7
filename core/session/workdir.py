"""A folder for temporary files that is removed at the end, and swept by the next start if the end never came."""

from __future__ import annotations

import fcntl
import os
import shutil
import tempfile
from pathlib import Path
from types import TracebackType

from core.errors import OutputError

_PREFIX = "jarlet-"
_LOCK = "lock"


class WorkFolder:
    """A locked folder of our own under ``parent`` (default: the system's folder for temporary files)."""

    def __init__(self, parent: Path | None = None) -> None:
        base = Path(parent) if parent else Path(tempfile.gettempdir())
        try:
            base.mkdir(parents=True, exist_ok=True)
            _sweep(base)
            self.path = Path(tempfile.mkdtemp(prefix=_PREFIX, dir=base)).resolve()
            self._lock = os.open(self.path / _LOCK, os.O_CREAT | os.O_RDWR, 0o600)
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
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
    """Removes what dead runs left: folders of ours whose lock nobody holds."""
    for folder in base.glob(f"{_PREFIX}*"):
        try:
            lock = os.open(folder / _LOCK, os.O_RDWR)
        except OSError:
            continue  # not ours, another user's, or being made right now
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            shutil.rmtree(folder, ignore_errors=True)
        except OSError:
            pass  # in use
        finally:
            os.close(lock)
