"""The folder of a hunt: its findings so far, from which the same command goes on after any end.

``index.html``, ``hunt.json``  the results, for people and for machines
``bugs/KEY/``                  a folder for each bug (:mod:`core.service.bug_folder`)
``hunt.txt``                   the mark of a hunt's folder
``state/``                     the lock, looks, and reductions under way
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from core.batch.job import write_json
from core.errors import OutputError, UsageError
from core.system.file_locks import FolderLock, holder
from core.system.files import write_whole
from core.system.outputs import refuse_filled
from core.values import read_json

_MARK = "hunt.txt"
_MARKED = "This folder belongs to jarlet hunt: open index.html.\n"


class HuntFolder:
    """An open folder of a hunt; a context manager. Its methods raise OutputError when something cannot be written.

    Raises OutputError for a folder that has other things in it, UsageError while another hunt has it open.
    """

    def __init__(self, path: Path) -> None:
        self.path = path.absolute()
        self.bugs, self.state = self.path / "bugs", self.path / "state"
        if not self._marked():
            refuse_filled(path, "a hunt")
        write_whole(self.path / _MARK, _MARKED.encode(), parents=True)
        try:
            for folder in (self.state / "looks", self.state / "reductions", self.bugs):
                folder.mkdir(parents=True, exist_ok=True)
            self._lock = FolderLock(self.state)
        except BlockingIOError as error:
            pid = holder(self.state)
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

    def read(self, kind: str, key: str) -> dict[str, Any]:
        """Return the record of a look (``kind`` "looks") or of a reduction ("reductions"); empty if there is none."""
        try:
            return read_json(self.state / kind / f"{key}.json")
        except (OSError, UsageError):
            return {}

    def keep(self, kind: str, key: str, record: Mapping[str, Any]) -> None:
        """Write a record that :meth:`read` returns."""
        write_json(self.state / kind / f"{key}.json", record, 1)

    def publish(self, page: str, results: Mapping[str, Any]) -> None:
        """Write the results."""
        write_whole(self.path / "index.html", page.encode("utf-8", "backslashreplace"))
        write_json(self.path / "hunt.json", results, 1)

    def _marked(self) -> bool:
        """Return True if a hunt made the folder."""
        try:
            return (self.path / _MARK).read_text(encoding="utf-8") == _MARKED
        except (OSError, UnicodeDecodeError):
            return False
