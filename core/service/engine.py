"""What the engine process does (``python -m core.command_loop``): commands in, events out, one JSON object a line.

Commands are those of :mod:`core.protocol.commands`, events those of :mod:`core.protocol.events`, of which the first is
``versions``. This module only dispatches: opening, checks and reductions queue up on one thread, what ends or holds
them is done at once, and all else beside them on a thread of its own. When the input closes, the engine kills the
predicate's processes and ends; what a reduction had found so far stays in its session (:mod:`core.store.retention`).
"""

from __future__ import annotations

import io
import os
import queue
import signal
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import IO

from core.crash import record
from core.errors import JarletError, UsageError
from core.model.class_model import ClassModel
from core.protocol import bug_commands, commands, events, wire
from core.protocol.settings import Settings
from core.service.meaning import understood
from core.service.queries.export import export, export_view
from core.service.queries.layouts import first_layouts, granted, refined_layout
from core.service.queries.window_queries import WindowQueries
from core.service.workspace import Workspace
from core.store import retention
from core.system.processes import background
from core.system.processes.families import die

_GOODBYE = 5.0
"""Seconds that a run has to end once it was told to."""

_LAST: dict[str, type[events.Event]] = {
    "check": events.Checked,
    "watch_run": events.Watched,
    "reduce": events.Finished,
}
"""The event that ends each of the commands that only one of may run."""

Job = Callable[[], None]


class Engine:
    """Runs commands one after another on a worker thread; pause, resume, stop and exports at once."""

    def __init__(self, output: IO[str]) -> None:
        self._output = output
        self._lock = threading.Lock()
        self._jobs: queue.SimpleQueue[tuple[str, Job] | None] = queue.SimpleQueue()
        self._running = ""
        self._ending = False
        self._settings: Settings | None = None
        self._told: ClassModel | None = None
        """The input that the window knows of: places are told of that alone."""
        self.session = Workspace(self.emit, keeps_checks=True)
        self.desk = WindowQueries(self.session)
        self._worker = threading.Thread(target=self._work, name="worker", daemon=True)
        self._worker.start()
        self.emit(events.Versions())

    def emit(self, event: events.Event) -> None:
        """Writes an event; a reader that is gone ends the run."""
        if isinstance(event, _LAST.get(self._running, ())):
            self._running = ""  # before the event is out: whoever hears of the end may begin anew
        if isinstance(event, events.Checked) and not event.failures and self._settings is not None:
            event = self.desk.named(event, self._settings)
        line = events.to_line(event)
        with self._lock:
            if isinstance(event, events.Opened):
                self._told = self.session.model
            self._write(line)

    def _emit_places(self, model: ClassModel, places: events.Layout | events.Matrix) -> None:
        """The same for places of an input, unless the window knows of another one, or not of this one yet."""
        line = events.to_line(places)
        with self._lock:
            if self._told is model:
                self._write(line)

    def _write(self, line: str) -> None:
        try:
            self._output.write(line + "\n")
            self._output.flush()
        except (OSError, ValueError):
            self.session.control.stop()

    def obey(self, line: str) -> bool:
        """Carries out one command line, or queues it. False = the engine should end."""
        name = "?"
        try:
            name, values = wire.parse_command(line)
            return self._obey(wire.command_from(name, values))
        except JarletError as error:
            self.emit(events.Failed(name, str(error)))
        except Exception as error:
            self.emit(events.Failed(name, record(error)))
        return True

    def _obey(self, command: wire.Command) -> bool:
        control = self.session.control
        match command:
            case commands.Quit():
                return False
            case commands.Pause():
                control.pause()
            case commands.Resume():
                control.resume()
            case commands.Stop():
                control.stop()
            case commands.ListAlgorithms():
                self.desk.algorithms()
            case commands.Open(paths):
                self._enqueue(command, lambda: self._open(lambda: self.desk.open(list(paths))))
            case commands.OpenSession(path):
                self._enqueue(command, lambda: self._open(lambda: self.desk.open_session(Path(path))))
            case commands.SaveSession(path):
                self._enqueue(command, lambda: self.desk.save_session(Path(path)))
            case commands.KeepSettings(settings):
                self.desk.keep_settings(settings)
            case commands.Check(settings):
                understood(settings)
                self._enqueue(command, lambda: self._check(settings))
            case commands.WatchRun(settings):
                understood(settings)
                self._enqueue(command, lambda: self._watch(settings))
            case commands.Reduce(settings, start):
                understood(settings)
                self._enqueue(command, lambda: self._reduce(settings, start))
            case _:
                self._aside(command.name, self._question(command))
        return True

    def _question(self, command: wire.Command) -> Job:
        """What is done beside a run."""
        session, desk = self.session, self.desk
        match command:
            case commands.LayOut():
                model = session.opened
                return lambda: self._lay_out(model, command)
            case commands.Export(what, path):
                return lambda: export(session, what, Path(path))
            case commands.ExportView(what, path, view):
                return lambda: export_view(session, what, Path(path), view)
            case commands.ExportStep(path, step):
                return lambda: desk.export_step(step, Path(path))
            case commands.ListSessions():
                return lambda: self.emit(retention.left_open())
            case commands.DiscardSession(path):
                return lambda: retention.discard(Path(path))
            case commands.ListPresets():
                return desk.presets
            case commands.Fetch(preset):
                return lambda: desk.fetch(preset)
            case commands.Configure(variables):
                return lambda: desk.configure(variables)
            case commands.ListMembers(classes, request):
                return lambda: desk.members(classes, request)
            case commands.ListUsed(request):
                return lambda: desk.used(request)
            case commands.Inspect(item, class_path, request):
                return lambda: desk.inspect(item, class_path, request)
            case commands.FindConflicts(keep, drop_first, class_path, granularity, request):
                return lambda: desk.conflicts(keep, drop_first, class_path, granularity == "class", request)
            case commands.ShowListing(item, kind, tool, request):
                return lambda: desk.listing(item, kind, tool, request)
            case bug_commands.ShowBug():
                return lambda: desk.bug(command)
            case bug_commands.RunTools():
                return lambda: desk.run_tools(command)
            case bug_commands.StopTools():
                return desk.stop_tools
            case bug_commands.ShowReport(request):
                return lambda: desk.report(request)
            case bug_commands.FindMembers(text, request):
                return lambda: desk.find_members(text, request)
            case bug_commands.ListLeft(request):
                return lambda: desk.left(request)
            case bug_commands.ExplainEdge(sources, targets, class_path, request):
                return lambda: desk.explain_edge(sources, targets, class_path, request)
            case commands.Compare(before, after, request):
                return lambda: desk.compare(before, after, request)
        raise UsageError(f"The engine cannot carry out the command {command.name!r}.")

    def end(self) -> None:
        """Stops what is running, kills its processes and removes the temporary files."""
        self._ending = True
        self._jobs.put(None)
        deadline = time.monotonic() + _GOODBYE
        while self._worker.is_alive() and time.monotonic() < deadline:
            # again and again: a job that was about to begin has a control of its own
            self.session.control.stop()
            self._worker.join(0.05)
        self.desk.close()
        self.session.close()

    def _enqueue(self, command: wire.Command, job: Job) -> None:
        if self._running:
            raise UsageError(f"A {self._running.replace('_', ' ')} is running: stop it first.")
        if command.name in _LAST:
            self._running = command.name
            self.session.begin()
        self._jobs.put((command.name, job))

    def _work(self) -> None:
        while (item := self._jobs.get()) is not None:
            if self._ending:
                return
            self._guarded(*item)

    def _aside(self, name: str, job: Job) -> None:
        """Runs a job beside the reduction."""
        threading.Thread(target=self._guarded, args=(name, job), daemon=True).start()

    def _guarded(self, name: str, job: Job) -> None:
        """No job ends without an event: a user's mistake is told as such, a bug of ours with its trace in the log."""
        try:
            job()
        except JarletError as error:
            self._fail(name, str(error))
        except Exception as error:
            self._fail(name, record(error))

    def _fail(self, name: str, message: str) -> None:
        if name == self._running:
            self._running = ""
        self.emit(events.Failed(name, message))

    def _open(self, job: Job) -> None:
        job()
        model = self.session.opened
        for placed in first_layouts(model):
            self._emit_places(model, placed)
        self._aside("lay_out", lambda: self._refine(model))

    def _refine(self, model: ClassModel) -> None:
        placed = refined_layout(model)
        if placed is not None:
            self._emit_places(model, placed)

    def _lay_out(self, model: ClassModel, wish: commands.LayOut) -> None:
        for placed in granted(model, wish):
            self._emit_places(model, placed)

    def _check(self, settings: Settings) -> None:
        self._settings = None
        self.desk.check(settings)

    def _watch(self, settings: Settings) -> None:
        self.session.watch(settings)
        self.emit(events.Watched())

    def _reduce(self, settings: Settings, start: commands.StepKey) -> None:
        self._settings = settings
        earlier = self.desk.earlier(start)
        with self.desk.session_folder(settings) as folder:
            begin = start if earlier is not None else None
            self.session.reduce(settings, None, folder, begin, earlier)
            if folder is not None and self._ending:
                retention.begun(folder.path)  # it did not come to its end: it may go on


def _end_gently(number: int, frame: object) -> None:
    """Closes the input; the second time everything that runs is killed."""
    try:
        os.close(0)
    except OSError:
        die(number)


def run() -> int:
    """Reads commands from standard input until it closes or ``quit`` comes."""
    # the folder of an opened session must not be searched for modules
    sys.path[:] = [part for part in sys.path if os.path.isabs(part)]
    # whatever a library prints must not get between the events
    try:
        output = os.fdopen(os.dup(1), "w", encoding="utf-8")
    except OSError:
        print("jarlet: the engine's standard output is closed, so its client cannot read events.", file=sys.stderr)
        return 2
    with suppress(OSError):  # who closed standard error does not want to hear it
        os.dup2(2, 1)
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(encoding="utf-8", errors="replace")
    background.go()
    engine = Engine(output)
    signal.signal(signal.SIGTERM, _end_gently)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C in the window's terminal is the window's affair
    try:
        for line in sys.stdin:
            if line.strip() and not engine.obey(line):
                break
    except OSError:
        pass  # SIGTERM closed the input
    engine.end()
    return 0
