"""A command with its condition: candidate entries in, outcome out."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from threading import Event as Flag

from core.errors import OutputError
from core.jar.archive import write_folder, write_jar
from core.jar.packer import Packer
from core.predicate import process
from core.predicate.command import CLASSES, JAR, Command
from core.predicate.condition import Condition, Reference, reference_of
from core.predicate.verdict import Outcome

Entries = Sequence[tuple[str, bytes]]


@dataclass(frozen=True)
class CommandPredicate:
    """Runs the command on a candidate in a fresh folder and judges what came of it."""

    command: Command
    condition: Condition
    timeout: float | None = None
    reference: Reference | None = None
    packer: Packer = field(default_factory=Packer)
    """Compresses each class file once, for all candidates."""

    def calibrated(self, entries: Entries, work: Path, cancel: Flag | None = None) -> tuple[CommandPredicate, Outcome]:
        """The predicate that compares with this run, and the run's own outcome."""
        result = self._run(entries, work, cancel)
        reference = reference_of(result, str(work))
        outcome = self.condition.judge(result, reference, str(work))
        return replace(self, reference=reference), outcome

    def probe(self, entries: Entries, work: Path, cancel: Flag | None = None, seconds: float | None = None) -> Outcome:
        """The outcome for a candidate; ``work`` must not exist yet, and is left behind.

        ``seconds`` shortens the predicate's own time limit.
        """
        result = self._run(entries, work, cancel, seconds)
        return self.condition.judge(result, self.reference, str(work))

    def _run(self, entries: Entries, work: Path, cancel: Flag | None, seconds: float | None = None) -> process.Result:
        limits = [limit for limit in (self.timeout, seconds) if limit is not None]
        try:
            work.mkdir(parents=True)
            write_jar(work / JAR, entries, packer=self.packer, durable=False)
            if self.command.needs_classes:
                write_folder(work / CLASSES, entries)
        except OSError as error:
            raise OutputError(f"The candidate cannot be written to {work}: {error.strerror or error}.") from error
        return process.run(
            self.command.argv(work),
            work,
            self.command.environment(work),
            min(limits, default=None),
            cancel,
            marker=f"JARLET_WORK={work}",
        )


def discard(work: Path) -> None:
    """Removes a probe's folder, whatever the command did to it."""
    shutil.rmtree(work, ignore_errors=True)
