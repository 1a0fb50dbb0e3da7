"""Resident processes by their start commands, for successive predicates."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event as Flag

from core.predicate.jvm.tool_process import (
    HostError,
    HostInterruptedError,
    ToolCall,
    ToolCommand,
    ToolEnd,
    ToolProcess,
)

_MOST_COMMANDS = 3
"""Expected commands whose processes stay: each may hold its limit of memory."""

_MOST_FAILURES = 3
"""Failures, or ends of the process, one after another after which none is tried for a while."""

_FIRST_REST, _LONGEST_REST = 16, 1024
"""Calls that are turned down then; twice as many each time, until a process stays."""


@dataclass
class _Line:
    """The processes of one command."""

    free: list[ToolProcess] = field(default_factory=list)
    all: set[ToolProcess] = field(default_factory=set)
    failures: int = 0
    turned_down: int = 0
    rest: int = _FIRST_REST


class ProcessPool:
    """Processes for as many threads as ask; a free one is reused, else one is started. Their folders are made in
    ``work``.

    After successive failures of a command's processes, some calls are turned down before one more process is tried. The
    pause is counted in calls and not in seconds, so that every run makes the same tries.
    """

    def __init__(self, work: Path | None = None) -> None:
        self.work = work
        self._lock = threading.Lock()
        self._lines: dict[ToolCommand, _Line] = {}
        self._expected: dict[ToolCommand, None] = {}
        self._closed = False

    def ask(
        self, command: ToolCommand, call: ToolCall, seconds: float | None = None, cancel: Flag | None = None
    ) -> ToolEnd:
        """Return the end of a run. Raise HostError; its sub-classes tell what happened."""
        line = self._line(command)
        process = self._taken(line, command, seconds, cancel)
        try:
            end = process.run(call, seconds, cancel)
        except BaseException as error:
            with self._lock:
                line.all.discard(process)
            self._note(line, error)
            raise
        self._put_back(command, line, process)
        return end

    def expect(self, command: ToolCommand) -> None:
        """Take note that a command is wanted. Only processes of the few last noted commands stay."""
        with self._lock:
            self._expected.pop(command, None)
            self._expected[command] = None
            old = list(self._expected)[:-_MOST_COMMANDS]
        for each in old:
            self.drop(each)

    def prepare(self, command: ToolCommand) -> None:
        """Start a process that waits, unless there is one. A failure to start shows at the next call."""
        with contextlib.suppress(HostError):
            line = self._line(command)
            if not line.all:
                self._put_back(command, line, self._taken(line, command))

    def pids(self, command: ToolCommand) -> Sequence[int]:
        """Return the process numbers of the living processes of a command."""
        with self._lock:
            return sorted(process.pid for process in self._lines.get(command, _Line()).all)

    def drop(self, command: ToolCommand) -> None:
        """End the processes of a command that wait. Those at work end with their runs."""
        with self._lock:
            self._expected.pop(command, None)
            line = self._lines.pop(command, _Line())
        for process in line.free:
            process.kill()

    def close(self) -> None:
        """End all processes; those at work end their runs with HostError."""
        with self._lock:
            self._closed = True
            lines, self._lines = list(self._lines.values()), {}
        for line in lines:
            for process in line.free:
                process.kill()
            for process in line.all.difference(line.free):  # their own threads clean up after them
                process.end()

    def _line(self, command: ToolCommand) -> _Line:
        with self._lock:
            if self._closed:
                raise HostError("closed")
            return self._lines.setdefault(command, _Line())

    def _taken(
        self, line: _Line, command: ToolCommand, seconds: float | None = None, cancel: Flag | None = None
    ) -> ToolProcess:
        with self._lock:
            if line.failures >= _MOST_FAILURES:
                line.turned_down += 1
                if line.turned_down <= line.rest:
                    raise HostError("the processes of this program fail one after another")
                line.failures -= 1
                line.turned_down, line.rest = 0, min(2 * line.rest, _LONGEST_REST)
            if line.free:
                return line.free.pop()
        try:
            process = ToolProcess(command, self.work, seconds, cancel)
        except HostError as error:
            self._note(line, error)
            raise
        with self._lock:
            line.all.add(process)
            if not self._closed:
                return process
        process.kill()
        raise HostError("closed")

    def _note(self, line: _Line, error: BaseException) -> None:
        """Count a failure that is the process's own."""
        if isinstance(error, HostError) and not isinstance(error, HostInterruptedError):
            with self._lock:
                line.failures += 1

    def _put_back(self, command: ToolCommand, line: _Line, process: ToolProcess) -> None:
        with self._lock:
            line.failures = 0 if process.usable else line.failures + 1
            stays = process.usable and self._lines.get(command) is line and not self._closed
            if stays:
                line.turned_down, line.rest = 0, _FIRST_REST
                line.free.append(process)
            else:
                line.all.discard(process)
        if not stays:
            process.kill()
