"""The engine process: commands in, events out, one JSON object a line (``python -m core.engine``).

Commands are objects with a key ``command``:

* the run: ``open`` (``paths``), ``check`` and ``reduce`` (``settings``), ``pause``, ``resume``, ``stop``, ``quit``;
* files: ``export`` (``what``, ``path``, for ``step`` also ``step``, for one view ``wish``), ``open_session``,
  ``save_session`` and ``discard_session`` (``path``), ``sessions``, which tells what was interrupted;
* choices: ``algorithms``, ``presets``, ``fetch`` (``preset``), ``configure`` (``variables``);
* looking: ``layout`` (``view``, see :class:`core.service.queries.layouts.LayoutRequest`), ``members`` (``classes``),
``inspect``
  (``name``, ``classpath``), ``conflicts`` (``keep``, ``drop_first``, ``classpath``, ``granularity``), ``listing``
  (``name``, ``kind``, ``tool``), ``compare`` (``before``, ``after``); what carries a number ``request`` is answered
  with it.

Events are those of :mod:`core.protocol.events`. When the input closes, the engine kills the predicate's processes and
ends; what a reduction had found so far stays in its session (:mod:`core.store.retention`).
"""

from __future__ import annotations

import io
import json
import os
import queue
import signal
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import IO, Any

from core import values as check
from core.crash import record
from core.errors import JarletError, UsageError
from core.model.class_model import ClassModel
from core.protocol import events
from core.protocol.settings import Settings
from core.search.catalogue import CATALOGUE, DEFAULT, Level
from core.service.export import export, export_view
from core.service.queries.layouts import LayoutRequest, component_layout, granted, package_layout, refined_layout
from core.service.queries.window_queries import WindowQueries
from core.service.workspace import Workspace
from core.store import retention
from core.system.families import die

_GOODBYE = 5.0
"""Seconds that a run has to end once it was told to."""

_STEP = ("probe", "bytes", "items")
_LARGEST = 1 << 53
"""Whole numbers that every reader of JSON keeps."""

_PINS = ("keep", "drop_first", "classpath")

_LAST: dict[str, type[events.Event]] = {"check": events.Checked, "reduce": events.Finished}
"""The event that ends each of the commands that only one of may run."""


class Engine:
    """Runs commands one after another on a worker thread; pause, resume, stop and exports at once."""

    def __init__(self, output: IO[str]) -> None:
        self._output = output
        self._lock = threading.Lock()
        self._jobs: queue.SimpleQueue[tuple[str, Callable[[], None]] | None] = queue.SimpleQueue()
        self._running = ""
        self._ending = False
        self._settings: Settings | None = None
        self.session = Workspace(self.emit)
        self.desk = WindowQueries(self.session)
        self._worker = threading.Thread(target=self._work, name="worker", daemon=True)
        self._worker.start()

    def emit(self, event: events.Event) -> None:
        """Writes an event; a reader that is gone ends the run."""
        if isinstance(event, _LAST.get(self._running, ())):
            self._running = ""  # before the event is out: whoever hears of the end may begin anew
        if isinstance(event, events.Checked) and not event.failures and self._settings is not None:
            event = self.desk.named(event, self._settings)
        line = events.to_line(event)
        try:
            with self._lock:
                self._output.write(line + "\n")
                self._output.flush()
        except (OSError, ValueError):
            self.session.control.stop()

    def obey(self, line: str) -> bool:
        """Carries out one command line, or queues it. False = the engine should end."""
        name = "?"
        try:
            try:
                command = json.loads(line)
            except (ValueError, RecursionError) as error:
                raise UsageError(f"This line is no JSON object: {error}.") from error
            if not isinstance(command, dict) or not isinstance(command.get("command"), str):
                raise UsageError("A command is an object with a key 'command'.")
            name = command["command"]
            return self._obey(name, command)
        except JarletError as error:
            self.emit(events.Failed(name, str(error)))
        except Exception as error:
            self.emit(events.Failed(name, record(error)))
        return True

    def _obey(self, name: str, command: dict[str, Any]) -> bool:
        match name:
            case "quit":
                return False
            case "pause":
                self.session.control.pause()
            case "resume":
                self.session.control.resume()
            case "stop":
                self.session.control.stop()
            case "algorithms":
                self._algorithms()
            case "open":
                paths = list(check.texts("field 'paths'", command.get("paths")))
                self._enqueue(name, lambda: self._open(lambda: self.desk.open(paths)))
            case "open_session":
                place = Path(_text(command, "path"))
                self._enqueue("open", lambda: self._open(lambda: self.desk.open_session(place)))
            case "save_session":
                if self._running:
                    raise UsageError(f"A {self._running} is running: stop it before you save the session elsewhere.")
                target = Path(_text(command, "path"))
                self._enqueue(name, lambda: self.desk.save_session(target))
            case "check" | "reduce":
                settings = Settings.from_json(check.table("settings", command.get("settings", {})))
                run = self._check if name == "check" else self._reduce
                self._enqueue(name, lambda: run(settings))
            case _:
                self._aside(name, self._look(name, command))
        return True

    def _look(self, name: str, command: dict[str, Any]) -> Callable[[], None]:
        """What is done beside a run."""
        desk, request = self.desk, check.whole("field 'request'", command.get("request", 0), 0, _LARGEST)
        match name:
            case "export" if command.get("what") == "step":
                path, step = Path(_text(command, "path")), _step(command, "step")
                return lambda: desk.export_step(step, path)
            case "export" if command.get("wish") is not None:
                what, path = _text(command, "what"), Path(_text(command, "path"))
                seen = LayoutRequest.from_json(check.table("field 'wish'", command["wish"]))
                return lambda: export_view(self.session, what, path, seen)
            case "export":
                what, path = _text(command, "what"), Path(_text(command, "path"))
                return lambda: export(self.session, what, path)
            case "layout":
                model, wish = self.session.opened, LayoutRequest.from_json(command)
                return lambda: self._lay_out(model, wish)
            case "presets":
                return desk.presets
            case "fetch":
                preset = _text(command, "preset")
                return lambda: desk.fetch(preset)
            case "configure":
                variables = check.text_table("field 'variables'", command.get("variables", {}))
                return lambda: desk.configure(variables)
            case "members":
                classes = _texts(command, "classes")
                return lambda: desk.members(classes, request)
            case "inspect":
                item, class_path = _text(command, "name"), _texts(command, "classpath")
                return lambda: desk.inspect(item, class_path, request)
            case "conflicts":
                kept, unwanted, paths = (_texts(command, key) for key in _PINS)
                by_class = check.text("field 'granularity'", command.get("granularity", "")) == "class"
                return lambda: desk.conflicts(kept, unwanted, paths, by_class, request)
            case "listing":
                item, kind, tool = (
                    check.text(f"field {key!r}", command.get(key, "")) for key in ("name", "kind", "tool")
                )
                return lambda: desk.listing(item, kind, tool, request)
            case "compare":
                before, after = _step(command, "before"), _step(command, "after")
                return lambda: desk.compare(before, after, request)
            case "sessions":
                return lambda: self.emit(retention.left_open())
            case "discard_session":
                path = Path(_text(command, "path"))
                return lambda: retention.discard(path)
        raise UsageError(f"There is no command {name!r}.")

    def _algorithms(self) -> None:
        entries = list(CATALOGUE.values())
        self.emit(
            events.Algorithms(
                [entry.name for entry in entries],
                [entry.title for entry in entries],
                [entry.explanation for entry in entries],
                DEFAULT,
                [any(phase.level is Level.CLASSES for phase in entry.phases) for entry in entries],
            )
        )

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

    def _enqueue(self, name: str, job: Callable[[], None]) -> None:
        if self._running:
            raise UsageError(f"A {self._running} is running: stop it first.")
        if name in _LAST:
            self._running = name
            self.session.begin()
        self._jobs.put((name, job))

    def _work(self) -> None:
        while (item := self._jobs.get()) is not None:
            if self._ending:
                return
            name, job = item
            self._guarded(name, job)

    def _aside(self, name: str, job: Callable[[], None]) -> None:
        """Runs a job beside the reduction."""
        threading.Thread(target=self._guarded, args=(name, job), daemon=True).start()

    def _guarded(self, name: str, job: Callable[[], None]) -> None:
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

    def _open(self, job: Callable[[], None]) -> None:
        job()
        model = self.session.opened
        self.emit(package_layout(model))
        self.emit(component_layout(model))
        self._aside("layout", lambda: self._refine(model))

    def _refine(self, model: ClassModel) -> None:
        placed = refined_layout(model)
        if placed is not None and self.session.model is model:
            self.emit(placed)

    def _lay_out(self, model: ClassModel, wish: LayoutRequest) -> None:
        for placed in granted(model, wish):
            if self.session.model is model:
                self.emit(placed)

    def _check(self, settings: Settings) -> None:
        self._settings = None
        self.desk.check(settings)

    def _reduce(self, settings: Settings) -> None:
        self._settings = settings
        with self.desk.session_folder(settings) as folder:
            self.session.reduce(settings, None, folder)
            if folder is not None and self._ending:
                retention.begun(folder.path)  # it did not come to its end: it may go on


def _text(command: dict[str, Any], key: str) -> str:
    value = command.get(key)
    if not isinstance(value, str) or not value:
        raise UsageError(f"{command['command']!r} needs {key!r}, a text.")
    return check.text(f"field {key!r}", value)


def _texts(command: dict[str, Any], key: str) -> list[str]:
    return list(check.texts(f"field {key!r}", command.get(key, ())))


def _step(command: dict[str, Any], key: str) -> dict[str, int]:
    """An accepted step, or the input (probe 0), by what tells it apart from others."""
    step = check.table(f"field {key!r}", command.get(key, {}))
    return {part: check.whole(f"field '{key}.{part}'", step[part], 0, _LARGEST) for part in _STEP if part in step}


def _end_gently(number: int, frame: object) -> None:
    """Closes the input; the second time everything that runs is killed."""
    try:
        os.close(0)
    except OSError:
        die(number)


def main() -> int:
    """Reads commands from standard input until it closes or ``quit`` comes."""
    # the folder of an opened session must not be searched for modules
    sys.path[:] = [part for part in sys.path if os.path.isabs(part)]
    # whatever a library prints must not get between the events
    try:
        output = os.fdopen(os.dup(1), "w", encoding="utf-8")
    except OSError:
        print("jarlet: the engine's standard output is closed, so nobody can hear it.", file=sys.stderr)
        return 2
    with suppress(OSError):  # who closed standard error does not want to hear it
        os.dup2(2, 1)
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(encoding="utf-8", errors="replace")
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


if __name__ == "__main__":
    sys.exit(main())
