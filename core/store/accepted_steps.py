"""The jars of a session's accepted steps: one file each, the smallest one as ``best.jar`` besides."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from core.archive.nested import forms
from core.archive.packer import Packer, write_jar
from core.archive.selection import content_key
from core.archive.zips import Archive
from core.entries import Entries
from core.errors import InputError, JarletError
from core.protocol.run_events import Accepted
from core.store.journal import Journal
from core.store.journal_schema import StepRow, plain_name
from core.system.files import link_whole, sweep

STEPS, BEST = "steps", "best.jar"

SIZE_CAP = 1 << 30
"""Bytes that the jars of accepted steps may take together (1 GiB)."""


@dataclass(eq=False)
class StepStore:
    """A store of steps, which writes steps to ``steps/`` and their rows to the journal."""

    path: Path
    journal: Journal

    def __post_init__(self) -> None:
        self._folder = self.path / STEPS
        self._packer = Packer()

    def keep(self, run: int, step: Accepted, entries: Entries) -> int:
        """Keep a step on disk: jar, row, best jar, in this order. Return the step's number, the earlier one if the run
        had the step before."""
        key = content_key(entries)
        known = self.journal.steps("key = ?", key)
        same = next((row for row in known if row.run == run), None)
        best = self._best(run)
        file = next((row.file for row in known if row.file and (self._folder / row.file).exists()), None)
        if same is None:
            number = 1 + int(self.journal.rows("SELECT coalesce(max(number), 0) FROM steps")[0][0])
            file = file or self._write(number, entries)
            row = StepRow(number, run, key, step.at, step.probe, step.classes, step.items, step.bytes, file)
            self.journal.add_step(row)
        else:
            number = same.number
            if file is None and (best is None or step.bytes < best.bytes):
                file = self._write(number, entries)
            if same.file != file:
                self._name(number, file)
        self.choose_best(run)
        self._drop(SIZE_CAP, {self._best_file(run), file})
        return number

    def choose_best(self, run: int) -> None:
        """Make ``best.jar`` the smallest step of the predicate of ``run``; it stays as it is if there is none."""
        name = self._best_file(run)
        if name is not None:
            link_whole(self._folder / name, self.path / BEST)

    def relieve(self) -> bool:
        """Remove all jars but that of the best of the run used last. Return True if there were any."""
        last, _ = self.journal.last_run()
        return bool(last) and self._drop(0, {self._best_file(last)})

    def mend(self) -> list[str]:
        """Bring files and rows together again after an end at any moment. Return warnings on damaged jars. Raise
        OSError."""
        sweep(self.path)
        sweep(self._folder)
        rows = self.journal.steps("file IS NOT NULL")
        there = {path.name for path in self._folder.iterdir()}
        for row in rows:
            if row.file not in there or not plain_name(row.file):
                self._name(row.number, None)
        for name in there - {row.file for row in rows}:
            with suppress(OSError):
                (self._folder / name).unlink()  # a folder stays: we make none
        warnings = self._drop_damaged()
        last, _ = self.journal.last_run()
        if last:
            self.choose_best(last)
        return warnings

    def _drop_damaged(self) -> list[str]:
        """Give up damaged jars of the runs' best steps, so that the next one is the best."""
        warnings = []
        for (run,) in self.journal.rows("SELECT id FROM runs ORDER BY opened"):
            while (best := self._best(run)) is not None and not self._whole(best):
                path = self._folder / str(best.file)
                with suppress(OSError):
                    path.unlink()
                for row in self.journal.steps("file = ?", best.file):
                    self._name(row.number, None)
                warnings.append(f"{path}: this step's jar was damaged and is gone; the search finds it again.")
        return warnings

    def _whole(self, row: StepRow) -> bool:
        with suppress(OSError, ValueError, InputError):
            with Archive(self._folder / str(row.file)) as archive:
                found = archive.entries()
            return any(row.key == content_key(form) for form in forms(found))
        return False

    def _write(self, number: int, entries: Entries) -> str:
        name = f"{number:04d}.jar"
        path = self._folder / name
        try:
            write_jar(path, entries, packer=self._packer)
        except JarletError:
            # a full disk: the old steps are worth less than the run
            if not self.relieve():
                raise
            write_jar(path, entries, packer=self._packer)
        return name

    def _drop(self, cap: int, spared: set[str | None]) -> bool:
        """Remove the oldest jars until the rest takes ``cap`` bytes. Return True if any was removed."""
        rows = self.journal.rows("SELECT file, min(number) FROM steps WHERE file IS NOT NULL GROUP BY file ORDER BY 2")
        sizes = {}
        for file, _ in rows:
            with suppress(OSError):
                sizes[file] = (self._folder / file).stat().st_size
        total = sum(sizes.values())
        dropped = False
        for file, size in sizes.items():
            if total <= cap:
                break
            if file not in spared and plain_name(file):
                # the file first: a row without a file is mended, a full disk takes no rows
                with suppress(OSError):
                    (self._folder / file).unlink()
                    total -= size
                    dropped = True
                with suppress(JarletError):
                    self.journal.execute("UPDATE steps SET file = NULL WHERE file = ?", file)
        return dropped

    def _name(self, number: int, file: str | None) -> None:
        with self.journal.writing():
            self.journal.execute("UPDATE steps SET file = ? WHERE number = ?", file, number)

    def _best(self, run: int) -> StepRow | None:
        runs = "SELECT id FROM runs WHERE predicate = (SELECT predicate FROM runs WHERE id = ?)"
        rows = self.journal.steps(f"file IS NOT NULL AND run IN ({runs})", run)
        return min(rows, key=lambda row: row.bytes, default=None)

    def _best_file(self, run: int) -> str | None:
        best = self._best(run)
        return best.file if best else None
