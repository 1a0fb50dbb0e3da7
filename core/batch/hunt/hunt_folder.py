"""The folder of a hunt: what it found so far, so that the same command goes on after whatever ended it.

``index.html``, ``hunt.json``  the results, for people and for machines
``bugs/KEY/``                  a folder for each bug (:mod:`core.service.bug_folder`)
``hunt.txt``                   the mark of a hunt's folder
``state/``                     the lock, looks, and reductions under way
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from core.batch.hunt.looks import Look
from core.errors import OutputError, UsageError
from core.store.json_fields import read_json
from core.system.files import write_whole
from core.system.lock import FolderLock, holder
from core.system.outputs import refuse_filled

_MARK = "hunt.txt"
_MARKED = "This folder belongs to jarlet hunt: open index.html.\n"


class HuntFolder:
    """An open folder of a hunt; a context manager. Its methods raise OutputError when something cannot be written.

    Raises OutputError for a folder that has other things in it, UsageError while another hunt has it open.
    """

    def __init__(self, path: Path) -> None:
        self.path = path.absolute()
        self.bugs, self._state = self.path / "bugs", self.path / "state"
        self.reductions = self._state / "reductions"
        self._looks = self._state / "looks"
        if not self._marked():
            refuse_filled(path, "a hunt")
        write_whole(self.path / _MARK, _MARKED.encode(), parents=True)
        try:
            for folder in (self._looks, self.reductions, self.bugs):
                folder.mkdir(parents=True, exist_ok=True)
            self._lock = FolderLock(self._state)
        except BlockingIOError as error:
            pid = holder(self._state)
            who = f"another hunt (process {pid})" if pid else "another hunt"
            raise UsageError(f"{path}: {who} has this folder open. Wait for it, or choose another folder.") from error
        except OSError as error:
            raise OutputError(f"{path}: the folder cannot be made ({error.strerror or error}).") from error

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._lock.close()

    def look(self, key: str) -> Look | None:
        """Return the look of that key, if it was taken."""
        try:
            return Look.from_json(read_json(self._looks / f"{key}.json"))
        except (OSError, UsageError, LookupError, TypeError):
            return None

    def keep_look(self, key: str, look: Look) -> None:
        """Write a look."""
        _write(self._looks / f"{key}.json", look.to_json())

    def reduction(self, key: str) -> dict[str, Any] | None:
        """Return the record of a bug's reduction that came to its end, if there is one."""
        try:
            return read_json(self.reductions / f"{key}.json")
        except (OSError, UsageError):
            return None

    def keep_reduction(self, key: str, record: Mapping[str, Any]) -> None:
        """Write the record of a bug's reduction."""
        _write(self.reductions / f"{key}.json", record)

    def publish(self, page: str, results: Mapping[str, Any]) -> None:
        """Write the results."""
        write_whole(self.path / "index.html", page.encode("utf-8", "backslashreplace"))
        _write(self.path / "hunt.json", results)

    def _marked(self) -> bool:
        """Return True if a hunt made the folder."""
        try:
            return (self.path / _MARK).read_text(encoding="utf-8") == _MARKED
        except (OSError, UnicodeDecodeError):
            return False


def _write(path: Path, values: Mapping[str, Any]) -> None:
    write_whole(path, (json.dumps(dict(values), indent=1) + "\n").encode())
