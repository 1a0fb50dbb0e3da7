"""The folder of a session, ``NAME.jarlet``: everything that a reduction needs to go on after any end.

``settings.json``  the input (paths and digest) and the settings (:mod:`core.store.session_manifest`)
``journal.sqlite`` verdicts and accepted steps (:mod:`core.store.journal`)
``steps/N.jar``    accepted steps; the oldest are dropped when they grow beyond the size cap
``best.jar``       the smallest accepted step of the predicate last used
``others/X.jar``   the smallest candidates with other failures (:mod:`core.store.other_failures`)
``report.json``    the report of the last ended run
``damaged-N/``     files set aside when the journal was damaged
``lock``           held by the program with the open session

To go on is to run the same algorithm again: the journal has the earlier answers.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from contextlib import ExitStack, closing
from dataclasses import replace
from pathlib import Path
from typing import Any

from core.archive.jar import Jar
from core.entries import Entries
from core.errors import OutputError, UsageError
from core.protocol.run_events import Accepted
from core.protocol.settings import Settings
from core.store.accepted_steps import BEST, STEPS, StepStore
from core.store.answers import Answers, LastRun
from core.store.fingerprint import Fingerprint
from core.store.journal import Journal
from core.store.other_failures import OTHERS
from core.store.session_folder import (
    JOURNAL,
    LOGS,
    REPORT,
    SETTINGS,
    hint,
    journal_of,
    located,
    locked,
    refuse_used,
    session_place,
)
from core.store.session_manifest import Made, Manifest
from core.system.file_locks import FolderLock
from core.system.files import sweep, write_whole

_EVERY = 0.2
"""Seconds of a run that the end of the process may leave uncounted, besides the probe under way."""


class Session:
    """An open session; made by :meth:`create` or :meth:`open`, a context manager. Its methods raise
    OutputError or JournalError when something cannot be written."""

    def __init__(self, path: Path, lock: FolderLock, manifest: Manifest, journal: Journal) -> None:
        self.path = path
        self.manifest = manifest
        self.warnings: list[str] = []
        """Warnings for the user: a damaged journal, a changed predicate."""
        self._lock = lock
        self._journal = journal
        self._steps = StepStore(path, journal)
        self.last_run = LastRun(journal)
        self._run = 0
        last, self.ended = journal.last_run()
        self.used = journal.seconds_used(last)
        self._noted = self.used
        self._foreseen: set[str] = set()
        journal.relieve = self.relieve

    @classmethod
    def create(cls, path: Path, jar: Jar, settings: Mapping[str, Any]) -> Session:
        """Make a session for an input; ``.jarlet`` is added to the name if need be. It remembers the current folder.

        Raises UsageError when there is one already or it is open elsewhere, OutputError when it cannot be made.
        """
        path = session_place(path)
        with OutputError.telling(f"{path}: the session cannot be made"), ExitStack() as stack:
            path.mkdir(parents=True, exist_ok=True)
            lock = stack.enter_context(closing(locked(path)))
            refuse_used(path)
            for name in LOGS:  # of a creation that was cut short
                (path / name).unlink(missing_ok=True)
            (path / STEPS).mkdir(exist_ok=True)
            journal = stack.enter_context(closing(Journal(path / JOURNAL, new=True, hint=lambda: hint(path))))
            manifest = Manifest.of(jar, settings, path)
            manifest.write(path / SETTINGS)  # last: with it the folder is a session
            stack.pop_all()
        return cls(path, lock, manifest, journal)

    @classmethod
    def open(cls, path: Path) -> Session:
        """Open a session to go on with it, and mend what its last end left half done; see ``warnings``. The name may
        lack its ``.jarlet``.

        Raises InputError when this is no session, UsageError while it is open elsewhere, OutputError when
        it may not be written to.
        """
        path = located(path)
        manifest = Manifest.read(path / SETTINGS)
        try:
            lock = locked(path)
        except OSError as error:
            raise OutputError(
                f"{path}: the session may not be written to ({error.strerror or error}), so it cannot be resumed here. "
                f"Copy the folder to another place. {hint(path)}".strip()
            ) from error
        with OutputError.telling(f"{path}: the session cannot be opened"), ExitStack() as stack:
            stack.enter_context(closing(lock))
            journal, warning = journal_of(path)
            stack.enter_context(closing(journal))
            folder = cls(path, lock, manifest, journal)
            folder.warnings += [warning] * bool(warning)
            folder.warnings += folder._steps.mend()
            sweep(path / OTHERS)
            stack.pop_all()
            return folder

    def close(self) -> None:
        """Close the journal and give the session free."""
        self._journal.close()
        self._lock.close()

    def __enter__(self) -> Session:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    @property
    def best(self) -> Path | None:
        """The jar of the smallest step that was accepted under the predicate last used, if there is one."""
        path = self.path / BEST
        return path if path.exists() else None

    @property
    def settings(self) -> Settings:
        """Return the user's settings. Raise InputError for settings that cannot be used."""
        return self.manifest.chosen(self.path / SETTINGS)

    def place(self) -> Path | None:
        """Return the folder of the relative names of the settings (:meth:`Manifest.place`). Raises InputError."""
        return self.manifest.place(self.path)

    def remember(self, **written: Path | None) -> None:
        """Keep the names of the files that are written from here on, by the fields of their names; None leaves the kept
        name."""
        names = {name: os.path.abspath(path) for name, path in written.items() if path is not None}
        self._save(replace(self.manifest, made=replace(self.manifest.made, **names)))

    def work_here(self) -> None:
        """Let relative names of the settings begin at the current folder from here on."""
        here = Made.here(self.path)
        made = replace(self.manifest.made, folder=here.folder, relative=here.relative)
        self._save(replace(self.manifest, made=made))

    def relieve(self) -> bool:
        """Give up the jars of steps but the best one's, for a disk that is full. Return True if there were any."""
        return self._steps.relieve()

    def foresee(self, fingerprint: Fingerprint) -> list[str]:
        """Return warnings on programs and scripts of the predicate that differ from those of the run used last. They
        are given before the programs run; :meth:`memory` does not repeat them.
        """
        changed = fingerprint.changed_files(self.last_run.parts())
        self._foreseen = set(changed)
        return [
            f"{name.removeprefix('file ')} has changed since this session used it last: it is run as it is now, and "
            "earlier verdicts are ignored."
            for name in changed
        ]

    def inputs(self) -> list[str]:
        """Return the words that name the inputs, also if it was moved together with the session. Raises InputError."""
        return self.manifest.inputs(self.path)

    def same_input(self, jar: Jar) -> None:
        """Check that ``jar`` is the session's input, and remember its path. Raise InputError."""
        self._save(self.manifest.moved(jar, self.path))

    def save_settings(self, settings: Mapping[str, Any]) -> None:
        """Replace the settings."""
        self._save(replace(self.manifest, settings=dict(settings)))

    def take(self, choice: Mapping[str, str]) -> None:
        """Remember the choices of the first run where the settings leave them open."""
        self._save(replace(self.manifest, taken={**self.manifest.taken, **choice}))

    def memory(
        self, fingerprint: Fingerprint, limit: float | None, search: Mapping[str, Any], *, measured: bool = False
    ) -> Answers:
        """Begin or go on with a run: the verdicts of that predicate, for the driver.

        ``limit``: seconds of a probe. If it is ``measured`` and not the user's wish, the first measure wins: run the
        predicate under ``Answers.limit``. ``search``: the settings that decide the questions (algorithm, granularity,
        no limits). Equal predicates and searches are one run in the history. When earlier verdicts do not count because
        the predicate has changed, a warning tells.
        """
        before = self.last_run.parts()
        answers = Answers.of(self._journal, fingerprint.digest, fingerprint.parts, limit, measured)
        if before and not len(answers):
            self._tell_change(before, fingerprint)
        self._run = self._journal.begin_run(answers.predicate, json.dumps(dict(search), sort_keys=True))
        self.used = self._noted = self._journal.seconds_used(self._run)
        self._steps.choose_best(self._run)
        return answers

    def accept(self, step: Accepted, entries: Entries) -> int:
        """Keep an accepted step with its jar: on disk when this call returns. Return the step's number in the history;
        a step that the run had before keeps its number. Raise UsageError before :meth:`memory`."""
        if not self._run:
            raise UsageError("No run has begun in this session.")
        return self._steps.keep(self._run, step, entries)

    def spent(self, seconds: float, *, last: bool = False) -> None:
        """Note how long this part of the run has taken, on disk at least every ``_EVERY`` seconds. It comes on top of
        ``used``, the seconds of earlier parts."""
        total = self.used + seconds
        if self._run and (last or total - self._noted >= _EVERY):
            self._noted = total
            self._journal.use(self._run, total)

    def forget_time(self) -> None:
        """Begin the time limit of the run used last anew."""
        last, _ = self._journal.last_run()
        if last:
            self._journal.use(last, 0.0)
        self.used = self._noted = 0.0

    def finish(self, reason: str, report: Mapping[str, Any]) -> None:
        """Write the report of the run and notes how it ended (``Reduction.reason``)."""
        data = (json.dumps(dict(report), indent=2) + "\n").encode()
        try:
            write_whole(self.path / REPORT, data)
        except OutputError:
            if not self.relieve():
                raise
            write_whole(self.path / REPORT, data)
        sql = "UPDATE runs SET reason = ? WHERE id = ?"
        self._journal.write(lambda: self._journal.execute(sql, reason, self._run), durable=True)

    def _save(self, manifest: Manifest) -> None:
        if manifest != self.manifest:
            manifest.write(self.path / SETTINGS)
            self.manifest = manifest

    def _tell_change(self, before: Mapping[str, Any], fingerprint: Fingerprint) -> None:
        names = sorted(
            name for name in before.keys() | fingerprint.parts.keys() if before.get(name) != fingerprint.parts.get(name)
        )
        if not self._foreseen.issuperset(names):
            self.warnings.append(f"The predicate has changed ({', '.join(names)}), so earlier verdicts are ignored.")
