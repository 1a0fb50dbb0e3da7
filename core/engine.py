"""The engine process: commands in, events out, one JSON object a line (``python -m core.engine``).

Commands are objects with a key ``command``: ``open`` (``paths``), ``check`` and ``reduce``
(``settings``), ``pause``, ``resume``, ``stop``, ``export`` (``what``, ``path``), ``algorithms``,
``quit``. Events are those of :mod:`core.run.events`. When the input closes, the engine kills the
predicate's processes and ends; what it had found so far stays (:mod:`core.session.rescue`).
"""

from __future__ import annotations

import contextlib
import json
import os
import queue
import signal
import sys
import threading
import time
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import IO, Any

from core.errors import JarletError, UsageError
from core.model.items import Model
from core.run import events
from core.search.catalogue import CATALOGUE, DEFAULT
from core.session import rescue
from core.session.export import export
from core.session.layouts import component_layout, package_layout, refined_layout
from core.session.session import Session
from core.session.settings import Settings

_GOODBYE = 5.0
"""Seconds that a run has to end once it was told to."""

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
        self._rescued: Path | None = None
        self.session = Session(self.tell)
        self._worker = threading.Thread(target=self._work, name="worker", daemon=True)
        self._worker.start()

    def tell(self, event: events.Event) -> None:
        """Writes an event; a reader that is gone ends the run."""
        if isinstance(event, _LAST.get(self._running, ())):
            self._running = ""  # before the event is out: whoever hears of the end may begin anew
        line = events.to_line(event)
        try:
            with self._lock:
                self._output.write(line + "\n")
                self._output.flush()
        except (BrokenPipeError, ValueError):
            self.session.control.stop()

    def obey(self, line: str) -> bool:
        """Carries out one command line, or queues it. False = the engine should end."""
        name = "?"
        try:
            command = json.loads(line)
            if not isinstance(command, dict) or not isinstance(command.get("command"), str):
                raise UsageError("A command is an object with a key 'command'.")
            name = command["command"]
            return self._obey(name, command)
        except json.JSONDecodeError as error:
            self.tell(events.Failed(name, f"This line is no JSON object: {error}."))
        except JarletError as error:
            self.tell(events.Failed(name, str(error)))
        return True

    def _obey(self, name: str, command: dict[str, Any]) -> bool:
        match name:
            case "quit":
                self.forget_rescued()
                return False
            case "pause":
                self.session.control.pause()
            case "resume":
                self.session.control.resume()
            case "stop":
                self.session.control.stop()
            case "algorithms":
                entries = list(CATALOGUE.values())
                self.tell(
                    events.Algorithms(
                        [entry.name for entry in entries],
                        [entry.title for entry in entries],
                        [entry.explanation for entry in entries],
                        DEFAULT,
                    )
                )
            case "export":
                what, path = str(command.get("what")), Path(str(command.get("path")))
                self._aside(name, lambda: export(self.session, what, path))
            case "open":
                paths = command.get("paths")
                if not isinstance(paths, list) or not all(isinstance(path, str) for path in paths):
                    raise UsageError("'open' needs 'paths', a list of file names.")
                self._enqueue(name, lambda: self._open(paths))
            case "check" | "reduce":
                settings = Settings.from_json(command.get("settings") or {})
                run = self._check if name == "check" else self._reduce
                self._enqueue(name, lambda: run(settings))
            case _:
                raise UsageError(f"There is no command {name!r}.")
        return True

    def end(self) -> None:
        """Stops what is running, kills its processes and removes the temporary files."""
        self._ending = True
        self._jobs.put(None)
        deadline = time.monotonic() + _GOODBYE
        while self._worker.is_alive() and time.monotonic() < deadline:
            # again and again: a job that was about to begin has a control of its own
            self.session.control.stop()
            self._worker.join(0.05)
        self.session.close()

    def forget_rescued(self) -> None:
        """Removes the file with the best so far: the window says that it is not wanted."""
        if self._rescued is not None:
            self._rescued.unlink(missing_ok=True)
            self._rescued = None

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
            traceback.print_exc()
            self._fail(name, f"Jarlet itself failed ({type(error).__name__}: {error}). The log has the details.")

    def _fail(self, name: str, message: str) -> None:
        if name == self._running:
            self._running = ""
        self.tell(events.Failed(name, message))

    def _open(self, paths: list[str]) -> None:
        notes = [f"A run that was cut short left its best result in {path}." for path in rescue.left_behind()]
        model = self.session.open(paths, notes)
        self.tell(package_layout(model))
        self.tell(component_layout(model))
        self._aside("layout", lambda: self._refine(model))

    def _refine(self, model: Model) -> None:
        placed = refined_layout(model)
        if placed is not None and self.session.model is model:
            self.tell(placed)

    def _check(self, settings: Settings) -> None:
        self.session.check(settings)

    def _reduce(self, settings: Settings) -> None:
        self.forget_rescued()
        with contextlib.suppress(OSError):  # no such folder can be made: then there is nothing to rescue to
            self._rescued = rescue.place(self.session.model.jar.title if self.session.model else "")
        self.session.reduce(settings, self._rescued)


def main() -> int:
    """Reads commands from standard input until it closes or ``quit`` comes."""
    # whatever a library prints must not get between the events
    output = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    engine = Engine(output)
    signal.signal(signal.SIGTERM, lambda *_: os.close(0))
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
