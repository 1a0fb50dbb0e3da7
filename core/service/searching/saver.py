"""What a reduction writes while it goes on: the best so far to its output file, the accepted steps to its session."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

from core.archive.packer import Packer
from core.archive.writer import write_jar
from core.check.provisional import Provisional
from core.errors import OutputError
from core.protocol import events
from core.reduction.probing.memory import InMemory
from core.reduction.records import SubInput, entries_of
from core.store.other_failures import OTHERS, OtherFailureStore
from core.store.session import Session
from core.system.outputs import Origin


class Saver:
    """Writes the best so far to the output file, each time whole, and to the session."""

    def __init__(
        self, output: Path | None = None, folder: Session | None = None, sources: Sequence[Origin] = ()
    ) -> None:
        self._output = output
        self._folder = folder
        self._sources = sources
        self._written: tuple[int, ...] = ()
        self._saved: SubInput | None = None
        self._key = b""
        self._noted = b""
        self._provisional = Provisional(InMemory())

    def begin(self, provisional: Provisional) -> None:
        """Let what is written wait as ``provisional`` says."""
        self._provisional = provisional

    @property
    def store(self) -> Path | None:
        """The session's folder, if there is one."""
        return self._folder.path if self._folder is not None else None

    @property
    def others(self) -> OtherFailureStore | None:
        """Where jars that show another failure go: to the session, else beside the output, else nowhere."""
        if self._folder is not None:
            return OtherFailureStore(self._folder.path / OTHERS)
        if self._output is not None:
            return OtherFailureStore(self._output.parent, f"{self._output.stem}-", self._sources)
        return None

    def note(self, event: events.Event, free: float = 0.0) -> None:
        """Write each accepted step, and the seconds used, to the session. ``free``: seconds that events count and the
        time limit does not."""
        if isinstance(event, events.Counted) and self._folder is not None:
            self._folder.spent(event.at - free)
        if isinstance(event, events.Accepted) and self._saved is not None and self._key != self._noted:
            self._noted = self._key
            if self._folder is not None:
                self._provisional.once_sure(partial(_accept, self._folder, event, self._saved))

    def save(self, best: SubInput, packer: Packer) -> None:
        """Writes it, unless it is what was written last. What ``packer`` knows need not be compressed again."""
        key = best.tester.key(best.items)
        if key != self._key:  # fewer items may be the same bytes
            self._saved, self._key = best, key
            self._provisional.latest_once_sure(partial(self._write, packer))

    def _write(self, packer: Packer | None = None) -> None:
        if self._output is None or self._saved is None:
            return
        entries = entries_of(self._saved)
        try:
            write_jar(self._output, entries, packer=packer, parents=True)
        except OutputError:  # perhaps a full disk: old steps are worth less than the result
            if self._folder is None or not self._folder.relieve():
                raise
            write_jar(self._output, entries, packer=packer, parents=True)
        self._written = _facts(self._output)

    def finish(self, reason: str, report: dict[str, Any], used: float) -> None:
        """The run is over: the session keeps its report, and that it took ``used`` seconds of the time limit. What
        somebody removed or changed is written again."""
        if self._output is not None and self._written != _facts(self._output):
            self._write()
        if self._folder is not None:
            self._folder.spent(used, last=True)
            self._folder.finish(reason, report)


def _accept(folder: Session, event: events.Accepted, step: SubInput) -> None:
    folder.accept(event, entries_of(step))


def _facts(path: Path) -> tuple[int, ...]:
    """What tells whether a file is still the one that was written; nothing if there is none."""
    try:
        facts = path.stat()
    except OSError:
        return ()
    return facts.st_dev, facts.st_ino, facts.st_size, facts.st_mtime_ns
