"""Tasks in processes of their own, which stay for the next task.

A process is given its task as a line of its input and ends gently, with the best so far, when its input closes. A stop
is just that, and so is the end of whoever started it, however it came.
"""

from __future__ import annotations

import base64
import json
import os
import pickle
import selectors
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterable, Mapping
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from core.crash import CRASHED
from core.protocol.run_words import EndReason
from core.system.processes.python_child import python_child

if TYPE_CHECKING:
    from core.service.workspace import Workspace

DONE, NOT_INTERESTING, FAILED, LIMIT, INTERRUPTED = 0, 1, 2, 3, 130
"""Exit codes of tasks, as of ``jarlet reduce``; CRASHED besides. INTERRUPTED is also the code of a task that a stop
kept from beginning."""

STATES = {
    DONE: "done",
    NOT_INTERESTING: "not interesting",
    FAILED: "failed",
    LIMIT: "limit",
    CRASHED: "crashed",
    INTERRUPTED: "stopped",
}

_SEVERITY = (INTERRUPTED, CRASHED, FAILED, NOT_INTERESTING, LIMIT, DONE)
"""Exit codes, worst first."""


def worst(codes: Iterable[int]) -> int:
    """Return the worst of some exit codes; a task that died counts as failed."""
    return min((code if code in _SEVERITY else FAILED for code in codes), key=_SEVERITY.index, default=DONE)


def exit_of(reason: EndReason) -> int:
    """Return the exit code of a reduction that ended for this reason."""
    return {EndReason.DONE: DONE, EndReason.STOPPED: INTERRUPTED}.get(reason, LIMIT)


_GRACE = 60.0
"""Seconds that a process has to end gently."""
_SIGNALS, _BETWEEN = 3, 2.0
"""Number of signals to a task after its time to end gently, and seconds between the signals."""
LOOK = 0.1
"""Seconds between two looks at whether to stop."""

_CHUNK = 1 << 16


@dataclass(frozen=True)
class Task:
    """A line of input for a Python module that runs in ``folder`` and answers each line with a :class:`Done` as JSON,
    without its name."""

    name: str
    line: str
    folder: Path
    module: str = "core.batch.worker"


@dataclass(frozen=True)
class Done:
    """The result of a task. ``report`` is None if there was none. ``before`` is True if the report is from an earlier
    run and nothing was run now."""

    name: str
    exit: int
    message: str = ""
    report: Mapping[str, Any] | None = None
    before: bool = False

    @property
    def state(self) -> str:
        """The exit code in words."""
        return STATES.get(self.exit, f"died ({self.exit})")


def task_of(name: str, folder: Path, work: Callable[[Workspace], Done]) -> Task:
    """Return the task that calls ``work`` with the workspace of a process of :mod:`core.batch.worker`."""
    return Task(name, base64.b64encode(pickle.dumps((name, work))).decode("ascii"), folder)


class TaskLane:
    """A process that runs one task after another: programs started for one task serve the next.

    It is replaced after its end, and for a task of another module or folder. For one thread at a time.
    """

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._place: tuple[str, Path] | None = None
        self._error: IO[bytes] | None = None

    def run(self, task: Task, stopped: Callable[[], bool], every: float = LOOK) -> Done:
        """Run a task and return its result; ``stopped`` is asked every so many seconds. A process without an answer has
        crashed, even if its exit code is the one for an input that is not interesting: Python crashes with that
        code."""
        if stopped():
            return Done(task.name, INTERRUPTED)
        kept = self._ready(task)
        if not kept:
            self.close()
            try:
                self._start(task)
            except OSError as problem:
                return Done(task.name, FAILED, f"It cannot be run in {task.folder}: {problem.strerror or problem}.")
        process, error = self._process, self._error
        assert process is not None
        assert error is not None
        before = error.seek(0, os.SEEK_END)
        output = _ask(process, task.line, stopped, every)
        with suppress(ValueError, TypeError):
            return Done(task.name, **json.loads(output))
        _end(process, _BETWEEN)
        code = process.returncode
        if kept and not output and code == 0:  # it had ended before it read the task
            return self.run(task, stopped, every)
        error.seek(before)
        last = (error.read().decode("utf-8", "replace").strip().splitlines() or [f"It ended with exit code {code}."])[
            -1
        ]
        return Done(task.name, CRASHED if code in (DONE, NOT_INTERESTING, LIMIT) else code, last)

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
            python_child(task.module),
            cwd=task.folder,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._error,
            # not the terminal's business: a Ctrl+C there is for whoever started us
            start_new_session=True,
        )
        self._place = task.module, task.folder


def run_task(task: Task, stopped: Callable[[], bool], every: float) -> Done:
    """Run a task in a process of its own and return its result; ``stopped`` is asked every so many seconds."""
    with closing(TaskLane()) as lane:
        return lane.run(task, stopped, every)


def _ask(process: subprocess.Popen[bytes], line: str, stopped: Callable[[], bool], every: float) -> bytes:
    """Return the answer of a process to a line, or its output until its end. A stopped task is read until its grace is
    over."""
    assert process.stdin is not None
    assert process.stdout is not None
    output, deadline = bytearray(), None
    try:
        with suppress(BrokenPipeError):  # it has ended already; its exit code tells why
            process.stdin.write(line.encode() + b"\n")
            process.stdin.flush()
        with selectors.DefaultSelector() as selector:
            selector.register(process.stdout, selectors.EVENT_READ)
            while not output.endswith(b"\n") and (deadline is None or time.monotonic() < deadline):
                if selector.select(every):
                    chunk = os.read(process.stdout.fileno(), _CHUNK)
                    if not chunk:
                        break
                    output += chunk
                if deadline is None and stopped():
                    _close_input(process)
                    deadline = time.monotonic() + _GRACE
    except BaseException:
        _end(process, _BETWEEN)
        raise
    return bytes(output)


def _close_input(process: subprocess.Popen[bytes]) -> None:
    assert process.stdin is not None
    with suppress(BrokenPipeError):
        process.stdin.close()


def _end(process: subprocess.Popen[bytes], patience: float) -> None:
    """Wait some seconds for the process's own end; then tell the process to end, and at last kill it."""
    with suppress(subprocess.TimeoutExpired):
        process.wait(patience)
    for _ in range(_SIGNALS):  # at the second one it kills its present run
        if process.poll() is not None:
            return
        with suppress(subprocess.TimeoutExpired):
            process.terminate()
            process.wait(_BETWEEN)
    process.kill()
    process.wait()
