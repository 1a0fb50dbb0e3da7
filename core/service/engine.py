"""The engine: carries out the commands of a window, and emits events.

Opening, checks and reductions wait for each other on one thread. Commands that stop or pause them are carried out at
once. Questions are answered on threads of their own, by the functions of :mod:`core.service.queries.desk`. At the end
the engine kills the predicate's processes. The session (:mod:`core.store.retention`) keeps the results of a reduction.
"""

from __future__ import annotations

import os
import queue
import threading
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import IO

from core.crash import told
from core.errors import InputError, UsageError
from core.model.class_model import ClassModel
from core.protocol import commands, events, wire
from core.protocol.run_words import EndReason
from core.protocol.settings import Settings
from core.service.meaning import understood
from core.service.queries.desk import Desk
from core.service.queries.layouts import granted, package_layout
from core.service.session_keeper import SessionKeeper
from core.service.workspace import Workspace
from core.store import retention

_GOODBYE = 5.0
"""Seconds that runs may take to end after a stop."""

_LAST: dict[str, type[events.Event]] = {
    "check": events.Checked,
    "reduce": events.Finished,
}
"""The last event of each command that runs alone, one at a time."""

Job = Callable[[], object]


class Engine:
    """A workspace with its session, and the threads that carry out commands."""

    def __init__(self, output: IO[str]) -> None:
        self._output = output
        self._lock = threading.Lock()
        self._jobs: queue.SimpleQueue[tuple[str, Job] | None] = queue.SimpleQueue()
        self._running = ""
        self._ending = False
        self._cut_off = False
        """True if the run that was stopped last was stopped because its reader ended, not by the user."""
        self._announced: ClassModel | None = None
        """The input of the last Opened event: layouts of other inputs are not emitted."""
        self.workspace = Workspace(self.emit, keeps_checks=True)
        self.keeper = SessionKeeper(self.workspace)
        self.desk = Desk(self.workspace, self.keeper)
        self._worker = threading.Thread(target=self._work, name="worker", daemon=True)
        self._worker.start()
        self.emit(events.Versions())

    def emit(self, event: events.Event) -> None:
        """Write an event. If the reader is gone, stop the run."""
        if isinstance(event, _LAST.get(self._running, ())):
            left = self.workspace.stuck()
            if left:
                self.emit(events.Warned(left))
            self._running = ""  # before the event is out: whoever hears of the end may begin anew
        line = events.to_line(event)
        with self._lock:
            if isinstance(event, events.Opened):
                self._announced = self.workspace.model
            self._write(line)

    def _emit_places(self, model: ClassModel, places: events.Layout | events.Matrix) -> None:
        """Write the layout of an input, unless the window has been told of another input."""
        line = events.to_line(places)
        with self._lock:
            if self._announced is model:
                self._write(line)

    def _write(self, line: str) -> None:
        try:
            self._output.write(line + "\n")
            self._output.flush()
        except (OSError, ValueError):
            self._cut()

    def _cut(self) -> None:
        """Stop the run, unless the user has stopped it."""
        control = self.workspace.control
        self._cut_off |= not control.cancel.is_set()
        control.stop()

    def obey(self, line: str) -> bool:
        """Carry out a command, or put it into the queue. Return False if the engine should end."""
        name = "?"
        try:
            name, values = wire.parse_command(line)
            return self._obey(wire.command_from(name, values))
        except Exception as error:
            self.emit(events.Failed(name, told(error)))
        return True

    def _obey(self, command: wire.Command) -> bool:
        control, keeper = self.workspace.control, self.keeper
        match command:
            case commands.Quit():
                return False
            case commands.Pause():
                control.pause()
            case commands.Resume():
                control.resume()
            case commands.Stop():
                control.stop()
                self.desk.background.stop()
            case commands.Open(paths, nested, room):
                self._enqueue(command, lambda: self._open(lambda: keeper.open(paths, nested=nested), room))
            case commands.OpenSession(path, room):
                self._enqueue(command, lambda: self._open(lambda: keeper.open_session(Path(path)), room))
            case commands.SaveSession(path):
                self._enqueue(command, lambda: keeper.save(Path(path)))
            case commands.KeepSettings(settings):
                keeper.keep_settings(settings)
            case commands.Check(settings):
                understood(settings)
                self._enqueue(command, lambda: self.workspace.check(settings))
            case commands.Reduce(settings, start):
                understood(settings)
                self._enqueue(command, lambda: self._reduce(settings, start))
            case commands.LayOut():
                self._aside(command.name, partial(self._lay_out, self.workspace.opened, command))
            case wire.Question():
                self._aside(command.name, partial(self.desk.answer, command))
        return True

    def end(self) -> None:
        """Stop the run, kill its processes and remove the temporary files."""
        self._ending = True
        self._jobs.put(None)
        deadline = time.monotonic() + _GOODBYE
        while self._worker.is_alive() and time.monotonic() < deadline:
            # again and again: a job that was about to begin has a control of its own
            self._cut()
            self._worker.join(0.05)
        self.desk.background.close(_GOODBYE)
        self.workspace.close()

    def _enqueue(self, command: wire.Command, job: Job) -> None:
        if self._running:
            raise UsageError(f"A {self._running.replace('_', ' ')} is running: stop it first.")
        if command.name in _LAST:
            self._running = command.name
            self.workspace.begin()
        self._jobs.put((command.name, job))

    def _work(self) -> None:
        while (item := self._jobs.get()) is not None:
            if self._ending:
                return
            self._guarded(*item)

    def _aside(self, name: str, job: Job) -> None:
        """Run a job on a thread of its own, beside the reduction."""
        threading.Thread(target=self._guarded, args=(name, job), daemon=True).start()

    def _guarded(self, name: str, job: Job) -> None:
        """Run a job. Emit its error: a user's mistake as a sentence, a bug with a trace in the log."""
        try:
            job()
        except Exception as error:
            if name == self._running:
                self._running = ""
            self.emit(events.Failed(name, told(error)))

    def _open(self, read: Callable[[], Path], room: Sequence[int]) -> None:
        """Read an input, change to the folder in which its commands start, and emit the first layouts, for a graph of
        ``room`` pixels."""
        folder = read()
        self.desk.background.stop()  # what runs is of the former input
        try:
            os.chdir(folder)
        except OSError as error:
            self.keeper.place = None
            raise InputError(f"{folder}: commands cannot start here ({error.strerror or error}).") from error
        model = self.workspace.opened
        self._emit_places(model, package_layout(model, room=room))
        self._emit_places(model, granted(model, commands.LayOut("components")))

    def _lay_out(self, model: ClassModel, wish: commands.LayOut) -> None:
        self._emit_places(model, granted(model, wish))

    def _reduce(self, settings: Settings, start: commands.StepKey) -> None:
        begin, earlier = (start, self.keeper.step(start)) if start.probe else (None, None)
        with self.keeper.kept(settings) as session:
            reduction = self.workspace.reduce(settings, None, session, begin, earlier)
            if session is not None and self._cut_off and reduction.reason is EndReason.STOPPED:
                retention.begun(session.path)  # it did not come to its end: it may go on
