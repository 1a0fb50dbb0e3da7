"""Every algorithm on every case, each run a process of its own, limited in time and probes.

``FOLDER/runs/CASE/ALGORITHM.json`` is the report of a run; what has one is not run again. ``ALGORITHM.csv`` has verdict
and seconds of each of its probes. A run that was cut short goes on from its session. ``FOLDER/runs/CASE/skipped`` says
why a case does not count.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from core.batch.executors import Executor
from core.batch.job import Job
from core.batch.tasks import INTERRUPTED, NOT_INTERESTING, Done, Task
from core.errors import InputError, JarletError
from core.protocol.run_words import EndReason
from core.protocol.settings import Settings
from core.system.files import write_whole
from core.system.removal import remove
from tests.bench.suite.corpus import Store, Subject

Tell = Callable[[str], None]

KEPT = ("runs", "root", "debs")
"""Folders by which a bench's folder is known."""


class BenchCase(Protocol):
    """An input and what is asked of it."""

    @property
    def name(self) -> str:
        """Return the name of the case and of its folder."""

    @property
    def subject(self) -> Subject:
        """The input."""

    @property
    def label(self) -> tuple[str, str]:
        """Return the columns of the case in tables: the jar, and the tool or task."""

    def get(self, store: Store, folder: Path) -> list[str]:
        """Get the files that the case needs, in the case's ``folder`` too. Return notes for the user. Raise
        InputError."""

    def asked(self, store: Store, folder: Path) -> dict[str, Any]:
        """Return the settings that describe the failure."""


@dataclass(frozen=True)
class BenchRun:
    """One algorithm on one case."""

    case: BenchCase
    algorithm: str

    @property
    def name(self) -> str:
        """``gson-procyon/gbr``."""
        return f"{self.case.name}/{self.algorithm}"


@dataclass(frozen=True)
class Bench:
    """Cases and algorithms, where their files are, and the limits of a run: seconds, and probes where that is set."""

    folder: Path
    cases: Sequence[BenchCase]
    algorithms: Sequence[str]
    seconds: float
    probes: int | None = None
    classic: bool = True
    """Delta debugging as the papers that the results are compared with run it."""

    @property
    def store(self) -> Store:
        """Where the jars are."""
        return Store(self.folder)

    def place(self, case: BenchCase) -> Path:
        """Return the folder of a case."""
        return self.folder / "runs" / case.name

    def report(self, run: BenchRun) -> dict[str, Any] | None:
        """Return the report of a run that has ended, by itself or at a limit; None before."""
        try:
            report = dict(json.loads(self._file(run, ".json").read_bytes()))
        except (OSError, ValueError):
            return None
        return report if report["reason"] != EndReason.STOPPED else None

    def skipped(self, case: BenchCase) -> str:
        """Return the reason why the case does not count; empty if it does."""
        try:
            return (self.place(case) / "skipped").read_text(encoding="utf-8")
        except OSError:
            return ""

    def run(self, executor: Executor, emit: Tell) -> bool:
        """Run the cases that have not been run. Return True if all came to their ends."""
        whole = True
        runs = {run.name: run for case in self.cases for run in self._runs(case)}
        for done in executor.run(self._tasks(emit)):
            run = runs[done.name]
            if done.exit == INTERRUPTED:
                whole = False
            elif done.report is None and done.exit == NOT_INTERESTING:
                self._skip(run.case, done.message, emit)
            elif done.report is None:
                whole = False
                emit(f"{run.name}: {done.state}: {done.message}")
            else:
                session = self._job(run).session
                self._note_probes(run, session)
                remove(session)
                emit(f"{run.name}: {_summary(done)}")
        return whole

    def _tasks(self, emit: Tell) -> Iterator[Task]:
        for case in self.cases:
            try:
                for note in case.get(self.store, self.place(case)):
                    emit(note)
            except InputError as error:
                emit(f"{case.name} is left out: {error}")
                continue
            for run in self._runs(case):
                # looked up anew each time: the case's first run may have found that it does not fail
                if not self.skipped(case) and self.report(run) is None:
                    self.place(case).mkdir(parents=True, exist_ok=True)
                    yield self._task(run)

    def _runs(self, case: BenchCase) -> list[BenchRun]:
        return [BenchRun(case, algorithm) for algorithm in self.algorithms]

    def _skip(self, case: BenchCase, reason: str, emit: Tell) -> None:
        if not self.skipped(case):
            text = " ".join(reason.partition("The folder of that run stays")[0].split())
            write_whole(self.place(case) / "skipped", text.encode(), parents=True)
            emit(f"{case.name} is skipped: {text}")

    def _task(self, run: BenchRun) -> Task:
        return self._job(run).task(self.place(run.case))

    def _settings(self, run: BenchRun) -> Settings:
        return Settings(
            **run.case.asked(self.store, self.place(run.case)),
            algorithm=run.algorithm,
            classpath=tuple(str(path.resolve()) for path in self.store.library(run.case.subject)),
            time_limit=self.seconds,
            max_probes=self.probes,
            classic=self.classic,
            # that the case is stable is seen once
            check_runs=2 if run.algorithm == self.algorithms[0] else 1,
        )

    def _job(self, run: BenchRun) -> Job:
        jar = self.store.jar(run.case.subject).resolve()
        output = self._file(run, ".jar").resolve()
        return Job(run.name, (jar,), output, output.with_suffix(".json"), self._settings(run))

    def _note_probes(self, run: BenchRun, session: Path) -> None:
        """Keep verdict and seconds of each probe that the session knows of."""
        with suppress(JarletError, sqlite3.Error), closing(sqlite3.connect(session / "journal.sqlite")) as journal:
            found = journal.execute("SELECT verdict, seconds FROM probes ORDER BY id")
            rows = [f"{verdict},{took:.4f}" for verdict, took in found]
            write_whole(self._file(run, ".csv"), "\n".join(["verdict,seconds", *rows, ""]).encode())

    def probes_of(self, run: BenchRun) -> list[tuple[str, float]]:
        """Return verdict and seconds of each probe of a run that has ended; nothing where they are not known."""
        try:
            lines = self._file(run, ".csv").read_text(encoding="utf-8").splitlines()[1:]
            return [(verdict, float(took)) for verdict, took in (line.split(",") for line in lines)]
        except (OSError, ValueError):
            return []

    def _file(self, run: BenchRun, suffix: str) -> Path:
        return self.place(run.case) / f"{run.algorithm.replace('/', '_')}{suffix}"


def _summary(done: Done) -> str:
    assert done.report is not None
    left, whole = done.report["output"], done.report["input"]
    probes, seconds = done.report["probes"]["run"], done.report["seconds"]["total"]
    return (
        f"{done.state}, {left['bytes'] / whole['bytes']:.1%} of bytes, "
        f"{left['classes']} of {whole['classes']} classes, {probes} probes, {seconds:.0f} s"
    )
