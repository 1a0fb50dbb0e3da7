"""Tasks as processes of their own: one process for each, or one that stays for the next.

A process is given its task as a line of its input and ends gently, with the best so far, when its input closes. A stop
is just that, and so is the end of whoever started it, however it came.
"""

from __future__ import annotations

import json
import os
import selectors
import subprocess
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from core.system.processes.python_child import python_child

INTERRUPTED = 130
"""Exit code of what was stopped, and of what never began because of that."""

STAY = "stay"
"""The argument of a module that answers each line of its input with a line: an object as JSON, with its ``exit``."""

_GRACE = 60.0
"""Seconds that a process has to end gently."""
_SIGNALS, _BETWEEN = 3, 2.0
"""Number of signals to a task after its time to end gently, and seconds between the signals."""
LOOK = 0.1
"""Seconds between two looks at whether to stop."""

_CHUNK = 1 << 16


@dataclass(frozen=True)
class Task:
    """A Python module that is run with ``line`` as its first line of input, in ``folder``."""

    name: str
    module: str
    line: str
    folder: Path


@dataclass(frozen=True)
class TaskEnd:
    """The end of a task: exit code and output of its process, and seconds of wall time."""

    name: str
    exit: int
    output: str = ""
    error: str = ""
    seconds: float = 0.0


class TaskLane:
    """A process at a time, which is given one task after another: what it has started for one serves the next.

    It is replaced where it ended, and where a task is for another module or folder. ``stays``: whether modules know
    :data:`STAY`; else each task has a process of its own. For one thread at a time.
    """

    def __init__(self, *, stays: bool) -> None:
        self._stays = stays
        self._process: subprocess.Popen[bytes] | None = None
        self._place: tuple[str, Path] | None = None
        self._error: IO[bytes] | None = None

    def run(self, task: Task, stopped: Callable[[], bool], every: float = LOOK) -> TaskEnd:
        """Run a task and wait for its end; ``stopped`` is asked every so many seconds."""
        start = time.monotonic()
        if stopped():
            return TaskEnd(task.name, INTERRUPTED)
        kept = self._ready(task)
        if not kept:
            self.close()
            try:
                self._start(task)
            except OSError as problem:
                return TaskEnd(task.name, 2, error=f"It cannot be run in {task.folder}: {problem.strerror or problem}.")
        assert self._error is not None
        before = self._error.seek(0, os.SEEK_END)
        output, code = self._ask(task.line, stopped, every)
        if kept and not output and code == 0:  # it had ended before it read the task
            return self.run(task, stopped, every)
        assert self._error is not None
        self._error.seek(before)
        error = self._error.read().decode("utf-8", "replace")
        if not self._stays:
            self.close()
        return TaskEnd(task.name, code, output.decode("utf-8", "replace"), error, time.monotonic() - start)

    def close(self) -> None:
        """End the process."""
        if self._process is not None:
            _close_input(self._process)
            _end(self._process, _GRACE)
            assert self._process.stdout is not None
            self._process.stdout.close()
        if self._error is not None:
            self._error.close()
        self._process = self._place = self._error = None

    def _ready(self, task: Task) -> bool:
        process = self._process
        if process is None or self._place != (task.module, task.folder) or process.poll() is not None:
            return False
        assert process.stdin is not None
        return not process.stdin.closed  # it was told to end

    def _start(self, task: Task) -> None:
        self._error = tempfile.TemporaryFile()  # noqa: SIM115
        self._process = subprocess.Popen(
            python_child(task.module, *([STAY] if self._stays else [])),
            cwd=task.folder,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._error,
            # not the terminal's business: a Ctrl+C there is for whoever started us
            start_new_session=True,
        )
        self._place = task.module, task.folder

    def _ask(self, line: str, stopped: Callable[[], bool], every: float) -> tuple[bytes, int]:
        """Return the output of the process for a line, and the exit code that the process reports or ends with."""
        process = self._process
        assert process is not None
        assert process.stdin is not None
        try:
            with suppress(BrokenPipeError):  # it has ended already; its exit code tells why
                process.stdin.write(line.encode() + b"\n")
                process.stdin.flush()
            output = self._read(process, stopped, every)
        except BaseException:
            _end(process, _BETWEEN)
            raise
        if self._stays and output.endswith(b"\n"):
            with suppress(ValueError, KeyError, TypeError):
                return output, int(json.loads(output)["exit"])
        _end(process, _BETWEEN)
        return output, process.returncode

    def _read(self, process: subprocess.Popen[bytes], stopped: Callable[[], bool], every: float) -> bytes:
        """Return the output of the process until its end, or one line. A stopped task is read until its grace is
        over."""
        assert process.stdout is not None
        output, deadline = bytearray(), None
        with selectors.DefaultSelector() as selector:
            selector.register(process.stdout, selectors.EVENT_READ)
            while not (self._stays and output.endswith(b"\n")) and (deadline is None or time.monotonic() < deadline):
                if selector.select(every):
                    chunk = os.read(process.stdout.fileno(), _CHUNK)
                    if not chunk:
                        break
                    output += chunk
                if deadline is None and stopped():
                    _close_input(process)
                    deadline = time.monotonic() + _GRACE
        return bytes(output)


def run_task(task: Task, stopped: Callable[[], bool], every: float = LOOK) -> TaskEnd:
    """Run a task in a process of its own and wait for its end; ``stopped`` is asked every so many seconds."""
    return TaskLane(stays=False).run(task, stopped, every)


def _close_input(process: subprocess.Popen[bytes]) -> None:
    assert process.stdin is not None
    with suppress(BrokenPipeError):
        process.stdin.close()


def _end(process: subprocess.Popen[bytes], patience: float) -> None:
    """Wait some seconds for the process's own end; then tell the process to end, and at last kill it."""
    with suppress(subprocess.TimeoutExpired):
        process.wait(patience)
    for _ in range(_SIGNALS):  # at the second one it kills what it runs
        if process.poll() is not None:
            return
        with suppress(subprocess.TimeoutExpired):
            process.terminate()
            process.wait(_BETWEEN)
    process.kill()
    process.wait()
