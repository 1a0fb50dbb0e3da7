"""The process of tasks: ``python -m core.batch.worker``, which :mod:`core.batch.tasks` starts.

Each line of its input is a pickled function of its workspace; each line that it prints is a result as JSON. Resident
processes of one task serve the next. When the input closes, or at SIGTERM or SIGINT, a reduction ends with the best so
far.
"""

from __future__ import annotations

import base64
import json
import os
import pickle
import queue
import signal
import sys
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING

from core.batch.tasks import Done
from core.crash import explained
from core.errors import JarletError
from core.protocol import events
from core.system.interpreter import short_turns
from core.system.processes.families import die
from core.system.processes.measures import own_peak

if TYPE_CHECKING:
    from core.service.workspace import Workspace

WORN = 1 << 30
"""Bytes of memory after which the process makes way for another one, since Python gives little of it back."""


def main() -> None:
    """Carry out the tasks that the input names."""
    short_turns()
    try:
        from core.service.workspace import Workspace  # only here: who starts jobs needs no engine

        workspace = Workspace(_listen)
    except JarletError as error:
        return _tell(Done("?", *explained(error)))
    try:
        lines = _TaskLines(workspace.stop)
        while line := lines.next():
            _tell(_ended(line, workspace))
            if lines.over or own_peak() > WORN:
                break
            workspace.emit = _listen
            workspace.forget()
            workspace.begin()
            if lines.over:  # it may have been told to the run that is over
                workspace.stop()
    finally:
        left = workspace.close()
        if left:
            print(left, file=sys.stderr)


def _ended(line: str, workspace: Workspace) -> Done:
    """Carry out a task and return its result, whatever goes wrong."""
    name = "?"
    try:
        name, work = pickle.loads(base64.b64decode(line))
        done: Done = work(workspace)
        return done
    except Exception as error:
        return Done(name, *explained(error, name))


def _tell(done: Done) -> None:
    values = dict(vars(done))
    del values["name"]
    print(json.dumps(values), flush=True)


def _listen(event: events.Event) -> None:
    """Pass warnings on to the process that started this one. Progress is in the session."""
    if isinstance(event, events.Warned):
        print(event.message, file=sys.stderr)


class _TaskLines:
    """The lines of the input, read in a thread of its own. The end of the input, or a signal, ends the present task."""

    def __init__(self, stop: Callable[[], None]) -> None:
        self._stop = stop
        self._lines: queue.SimpleQueue[str] = queue.SimpleQueue()
        self._came: list[int] = []
        self.over = False
        """True if no more jobs are to begin."""
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, self._signalled)
        threading.Thread(target=self._read, daemon=True).start()

    def next(self) -> str:
        """Return the next line; empty at the end."""
        return self._lines.get()

    def _read(self) -> None:
        while line := sys.stdin.readline():
            self._lines.put(line)
        self._end()

    def _signalled(self, number: int, frame: object) -> None:
        self._came.append(number)
        if self._came.count(number) > 1:
            die(number)
        self._end()

    def _end(self) -> None:
        self.over = True
        self._stop()
        self._lines.put("")


if __name__ == "__main__":
    main()
    sys.stdout.flush()
    os._exit(0)  # the thread that reads the input must not be waited for
