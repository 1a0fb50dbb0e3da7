"""The files written during a reduction: the best so far to its output file, the accepted steps to its session.
Verdicts and steps are held back until the check has passed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from core.archive.jar_folders import write_result
from core.archive.named_inputs import InputJar
from core.archive.packer import Packer
from core.errors import OutputError
from core.predicate.verdict import Outcome
from core.protocol import events
from core.reduction.probing.memory import InMemory, Memory
from core.reduction.records import SubInput
from core.store.names_file import keep_names
from core.store.other_failures import OTHERS, OtherFailureStore
from core.store.session import Session
from core.system.outputs import Origin


@dataclass(eq=False)
class Saver:
    """A writer of the best so far: to the output file, whole at each step, and to the session."""

    output: Path | None
    session: Session | None = None
    reads: Sequence[Origin] = ()
    inputs: Sequence[InputJar] = ()

    def __post_init__(self) -> None:
        self._written: tuple[int, ...] = ()
        self._saved: SubInput | None = None
        self._key = b""
        self._noted = b""
        self.provisional = Provisional(InMemory())
        """The verdicts and actions that wait until the check has passed."""

    @property
    def store(self) -> Path | None:
        """The session's folder, if there is one."""
        return self.session.path if self.session is not None else None

    @property
    def others(self) -> OtherFailureStore | None:
        """The store of jars with other failures: in the session, else beside the output; None if there is neither."""
        if self.session is not None:
            return OtherFailureStore(self.session.path / OTHERS, inputs=self.inputs)
        if self.output is not None:
            return OtherFailureStore(self.output.parent, f"{self.output.stem}-", self.reads, self.inputs)
        return None

    def note(self, event: events.Event, free: float = 0.0) -> None:
        """Write each accepted step, and the seconds used, to the session. ``free``: seconds that events count and
        the time limit does not.
        """
        if isinstance(event, events.Counted) and self.session is not None:
            self.session.spent(event.at - free)
        if isinstance(event, events.Accepted) and self._saved is not None and self._key != self._noted:
            self._noted = self._key
            if self.session is not None:
                self.provisional.once_sure(partial(_accept, self.session, event, self._saved))

    def save(self, best: SubInput, packer: Packer) -> None:
        """Write the best so far, unless it was written last. Contents known to ``packer`` are not compressed again."""
        key = best.tester.key(best.items)
        if key != self._key:  # fewer items may be the same bytes
            self._saved, self._key = best, key
            self.provisional.latest_once_sure(partial(self._write, packer))

    def _write(self, packer: Packer | None = None) -> None:
        if self.output is None or self._saved is None:
            return
        entries = self._saved.entries
        try:
            write_result(self.output, entries, self.inputs, packer)
        except OutputError:  # perhaps a full disk: old steps are worth less than the result
            if self.session is None or not self.session.relieve():
                raise
            write_result(self.output, entries, self.inputs, packer)
        keep_names(self.output, entries)
        self._written = _facts(self.output)

    def finish(self, reason: str, report: dict[str, Any], used: float) -> None:
        """End the run: write its report and the ``used`` seconds of the time limit to the session. If somebody
        removed or changed the output, write it again.
        """
        if self.output is not None and self._written != _facts(self.output):
            self._write()
        if self.session is not None:
            self.session.spent(used, last=True)
            self.session.finish(reason, report)


def _accept(session: Session, event: events.Accepted, step: SubInput) -> None:
    session.accept(event, step.entries)


def _facts(path: Path) -> tuple[int, ...]:
    """Return facts by which a change of a file shows; empty if there is no file."""
    try:
        facts = path.stat()
    except OSError:
        return ()
    return facts.st_dev, facts.st_ino, facts.st_size, facts.st_mtime_ns


class Provisional:
    """A memory of verdicts in front of ``memory``, and a list of actions that wait until the check has passed.

    ``verdicts``: True to hold back verdicts; ``acts``: True to delay actions. After an objection of the check, the
    provisional memory is dropped with everything in doubt.
    """

    def __init__(self, memory: Memory, *, verdicts: bool = False, acts: bool = False) -> None:
        self._memory = memory
        self._verdicts: dict[bytes, Outcome] | None = {} if verdicts else None
        self._waiting: list[Callable[[], None]] | None = [] if acts else None
        self._latest: Callable[[], None] | None = None

    def get(self, key: bytes) -> Outcome | None:
        """Return the outcome of an earlier probe with equal content; None if there was none."""
        found = self._verdicts.get(key) if self._verdicts is not None else None
        return self._memory.get(key) if found is None else found

    def put(self, key: bytes, outcome: Outcome) -> None:
        """Store an outcome."""
        if self._verdicts is None:
            self._memory.put(key, outcome)
        else:
            self._verdicts[key] = outcome

    def once_sure(self, act: Callable[[], None]) -> None:
        """Call ``act`` now, or in its turn once the check has passed."""
        if self._waiting is None:
            act()
        else:
            self._waiting.append(act)

    def latest_once_sure(self, act: Callable[[], None]) -> None:
        """Call ``act`` now, or after all other actions once the check has passed. A later call replaces ``act``."""
        if self._waiting is None:
            act()
        else:
            self._latest = act

    def release(self) -> None:
        """Pass on everything held back, once the check has passed."""
        verdicts, self._verdicts = self._verdicts, None
        for key, outcome in (verdicts or {}).items():
            self._memory.put(key, outcome)
        waiting, self._waiting = self._waiting or [], None
        for act in waiting:
            act()
        if self._latest is not None:
            self._latest()
            self._latest = None
