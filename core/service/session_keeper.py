"""The session folder of the input that a window has opened."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from core.entries import Entries
from core.errors import InputError, JarletError, OutputError, UsageError
from core.evidence.clues import kept_clues
from core.protocol import events
from core.protocol.commands import StepKey
from core.protocol.settings import Settings
from core.service.meaning import settings_in
from core.service.reads import inputs_read
from core.service.workspace import Workspace
from core.store import history, retention
from core.store.session import Session
from core.store.session_folder import session_place
from core.system.file_locks import NAME as LOCK
from core.system.outputs import Output, guard


class SessionKeeper:
    """A keeper of the session of an opened input. ``place`` is its folder; None until the input has a session."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._running: Session | None = None
        """The session of the current run."""
        self._home = Path.cwd()
        self.place: Path | None = None

    def open(
        self, paths: Sequence[str], notes: Sequence[str] = (), *, nested: bool = False, merge: bool = False
    ) -> Path:
        """Read an input without a session. Return the folder in which its commands start."""
        self._workspace.open(list(paths), notes, nested=nested, merge=merge)
        self.place = None
        return self._home

    def open_session(self, path: Path) -> Path:
        """Read the input of a session and emit its settings, so that a run can continue. No program is run.

        Return the folder in which the commands of the session start. Raises InputError and UsageError.
        """
        with Session.open(path) as session:
            path = session.path
            inputs, place = session.inputs(), session.place() or self._home
            settings, broken = settings_in(session), retention.interrupted(path)
            last = session.last_run
            start, best = last.start(), last.smallest()
            self._workspace.emit(events.Restored(str(path), settings, broken, inputs, str(place), start, best))
            manifest = session.manifest
            self.open(inputs, session.warnings, nested=manifest.nested, merge=manifest.merged)
            session.same_input(self._workspace.opened.jar)
        self._workspace.clues = kept_clues(path)
        self.place = path
        return place

    @contextmanager
    def kept(self, settings: Settings) -> Iterator[Session | None]:
        """Yield the session folder of a run, and emit its path.

        If no folder can be made, the reason is emitted, and the run goes on with None.
        """
        try:
            session = self._folder(settings)
            retention.begun(session.path)
        except JarletError as error:
            self._workspace.emit(events.SessionKept("", f"This run cannot be resumed after a crash: {error}"))
            yield None
            return
        self.place = session.path
        self._workspace.emit(events.SessionKept(str(session.path)))
        with session:
            self._running = session
            try:
                yield session
            except JarletError:
                retention.refused(session.path)
                raise
            finally:
                self._running = None

    def keep_settings(self, settings: Settings) -> None:
        """Write changed settings into the session of the current run: a resumed run uses them."""
        if self._running is not None:
            self._running.save_settings(settings.to_json())

    def save(self, target: Path) -> None:
        """Copy the session to a folder that the user chose. This folder is the session's from then on."""
        if self.place is None:
            raise UsageError("There is no session yet: it begins with the first reduction.")
        target = session_place(target)
        guard([Output(target, "the session", folder=True)], self._workspace.reads)
        if target.exists():
            raise OutputError(f"{target}: this name is taken. Choose another one.")
        with OutputError.telling(f"{target}: the session cannot be written"):
            shutil.copytree(self.place, target, ignore=shutil.ignore_patterns(LOCK))
        self.place = target
        self._workspace.emit(events.SessionKept(str(self.place)))

    def step(self, step: StepKey) -> Entries:
        """Return the entries of an accepted step, found by its ``bytes`` and ``items``; of the input for ``probe``
        0.

        Raises InputError for a step that was not kept.
        """
        workspace = self._workspace
        if not step.probe:
            return workspace.opened.entries(workspace.opened.full)
        best = workspace.best
        if best is not None and best.bytes == step.bytes and step.items in (best.items.bit_count(), 0):
            return workspace.entries
        if self.place is None:
            raise InputError("The steps of this run are not kept, for there is no session.")
        return history.step(self.place, step.bytes, step.items)

    def _folder(self, settings: Settings) -> Session:
        """Open the session of the input, or make a new one if there is no usable session."""
        jar = self._workspace.opened.jar
        if self.place is not None and self.place.exists():
            with suppress(InputError, UsageError):  # in use elsewhere, or damaged: another one
                session = Session.open(self.place)
                try:
                    session.same_input(jar)
                    session.save_settings(settings.to_json())
                    session.work_here()
                    if not retention.interrupted(self.place):  # an ended run that is started again has the whole limit
                        session.forget_time()
                except BaseException:
                    session.close()
                    raise
                return session
        retention.sweep([self.place] if self.place else [], jar.paths)
        place = retention.fresh_place(jar.title)
        guard([Output(place, "the session", folder=True)], inputs_read(jar.paths))
        return Session.create(place, jar, settings.to_json())
