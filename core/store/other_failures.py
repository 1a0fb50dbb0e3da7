"""Candidates that show another failure than the one searched for: the smallest jar for each, kept beside the run.

The predicate tells of them by the exit code ``also_interesting`` of the settings
(:attr:`core.predicate.condition.Condition.also`).
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from core.archive.jar_folders import end_of, write_result
from core.archive.named_inputs import InputJar, listed_jars
from core.archive.zips import Archive
from core.entries import Entries
from core.errors import InputError, OutputError, UsageError
from core.protocol import events
from core.protocol.wording import tells_other
from core.reduction.records import SubInput
from core.system.outputs import Origin, refuse_read

OTHERS = "others"
"""The folder of a session that has these jars."""

_LONGEST = 40
"""Characters of a failure's name that its file's name has."""


_NAME = 255
"""Bytes of a file's name."""

_TRIES = 100


@dataclass(eq=False)
class OtherFailureStore:
    """A store of jars in ``folder``, with names that begin with ``stem``; a smaller one of an earlier run stays.

    The ``reads`` are only read: a jar that would have the name of one gets another.
    """

    folder: Path
    stem: str = ""
    reads: Sequence[Origin] = ()
    inputs: Sequence[InputJar] = ()

    def __post_init__(self) -> None:
        self._end = end_of(self.inputs)
        self._paths: dict[str, Path] = {}

    def path(self, failure: str) -> Path:
        """Return the path of the failure's jar, which need not be there yet."""
        digest = hashlib.sha256(failure.encode("utf-8", "backslashreplace")).hexdigest()[:8]
        slug = re.sub(r"[^A-Za-z0-9]+", "-", failure).strip("-")[:_LONGEST].strip("-").lower()
        if failure not in self._paths:
            self._paths[failure] = self._free(f"{slug}-{digest}")
        return self._paths[failure]

    def _free(self, name: str) -> Path:
        path = self.folder / _named(self.stem, f"{name}{self._end}")
        for number in range(2, _TRIES):
            try:
                refuse_read(path, self.reads)
                break
            except UsageError:
                path = self.folder / _named(self.stem, f"{name}-{number}{self._end}")
        return path

    def keep(self, failure: str, entries: Entries) -> Path:
        """Write the jar unless there is one that is as small. Raise OutputError."""
        path = self.path(failure)
        before = _unpacked(path)
        if before is None or sum(len(data) for _, data in entries) < before:
            with OutputError.telling(f"{self.folder}: cannot be made"):
                self.folder.mkdir(parents=True, exist_ok=True)
            write_result(path, entries, self.inputs)
        return path


@dataclass(eq=False)
class OtherFailures:
    """The other failures of a reduction: the smallest candidate of each, from its first occurrence on."""

    code: int | None
    store: OtherFailureStore | None
    smallest: Callable[[str], SubInput | None]

    def __post_init__(self) -> None:
        self._kept: dict[str, SubInput | None] = {}

    def note(self, event: events.Event) -> None:
        """Keep the other failures of an event."""
        match event:
            case events.Met(failures=names):
                self._kept |= dict.fromkeys(name for name in names if tells_other(name, self.code))
                self.keep()
            case events.Probed():
                self.keep()

    def keep(self) -> None:
        """Write the jars that are smaller than those written last. Raise OutputError."""
        for name, before in self._kept.items():
            found = self.smallest(name)
            gone = found is not None and self.store is not None and not self.store.path(name).exists()
            if found is not None and (found is not before or gone):
                self._kept[name] = found
                if self.store is not None:
                    self.store.keep(name, found.entries)

    def report(self) -> list[dict[str, Any]]:
        """Return the kept jars by the names of their failures: sizes, and the jar's path."""
        return [
            {
                "failure": name,
                "classes": found.classes,
                "bytes": found.bytes,
                "jar": str(self.store.path(name).absolute()) if self.store is not None else "",
            }
            for name, found in sorted(self._kept.items())
            if found is not None
        ]


def _named(stem: str, rest: str) -> str:
    """Return both parts together, the stem cut where the name would be too long for a file."""
    return os.fsdecode(os.fsencode(stem)[: _NAME - len(os.fsencode(rest))]) + rest


def _unpacked(path: Path) -> int | None:
    """Return the bytes of a jar's entries, None if there is none that can be read."""
    with suppress(OSError, ValueError, InputError):
        if path.is_dir():
            return sum(filter(None, (_unpacked(path / name) for name in listed_jars(path))))
        with Archive(path) as archive:
            return sum(info.file_size for info in archive.infos)
    return None
