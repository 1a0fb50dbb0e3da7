"""The background thread that drives the engine process.

:class:`EngineClient` starts ``python -m core.command_loop``, writes commands to it as JSON
lines and hands its events to the window. A :class:`Reader` thread reads and parses; the
window's thread sees batches, at most :data:`UPDATES_A_SECOND` of them, so that a flood
of events costs no more than a trickle.
"""

from __future__ import annotations

import contextlib
import logging
import subprocess
import tempfile
import time
from collections import deque
from collections.abc import Sequence
from typing import IO

from PySide6.QtCore import QObject, QThread, QTimer, Signal, Slot

from app.engine import event_decoder
from app.engine.opened_jar import OpenedJar
from core.protocol.commands import Quit
from core.protocol.wire import Command, Progress, to_line
from core.system.processes.python_child import python_child

UPDATES_A_SECOND = 30
_BATCH_MS = 1000 // UPDATES_A_SECOND
_SLICE_S = 0.008
"""Longest time one hand-over may take of the window's thread, before the next tick goes on."""

_BATCH_MOST = 1000

log = logging.getLogger("jarlet.engine")


class Reader(QThread):
    """A reader of one process's output, to its end; ``ready`` says that :attr:`queue` is no longer empty."""

    ready = Signal()
    ended = Signal(int)

    def __init__(self, process: subprocess.Popen[bytes], parent: QObject | None) -> None:
        super().__init__(parent)
        self.queue: deque[event_decoder.Message] = deque()
        self.announced = False
        self._process = process

    def run(self) -> None:
        assert self._process.stdout is not None
        jar: OpenedJar | None = None
        with contextlib.suppress(ValueError, OSError):
            for line in self._process.stdout:
                message = event_decoder.decode(line, jar)
                if isinstance(message, OpenedJar):
                    jar = message
                self.queue.append(message)
                if not self.announced:
                    self.announced = True
                    self.ready.emit()
        self.ended.emit(self._process.wait())


class EngineClient(QObject):
    """One engine process: takes commands, hands on its messages (:data:`app.engine.event_decoder.Message`) in order."""

    live = Signal(list)
    """Messages of a run under way (:class:`core.protocol.wire.Progress`), in batches."""
    told = Signal(object)
    """Any other message."""
    crashed = Signal(str)
    """A sentence: the engine ended though nobody asked it to."""
    starter: type[subprocess.Popen[bytes]] = subprocess.Popen
    """Function that starts the command."""

    def __init__(self, command: Sequence[str] | None = None, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._command = list(command) if command else python_child("core.command_loop")
        self._process: subprocess.Popen[bytes] | None = None
        self._reader: Reader | None = None
        self._errors: IO[bytes] | None = None
        self._quitting = False
        self._last = 0.0
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._hand_over)

    @property
    def running(self) -> bool:
        """Return True if there is a running engine."""
        return self._process is not None and self._process.poll() is None

    @property
    def pid(self) -> int | None:
        """Process number of the engine."""
        return self._process.pid if self._process else None

    def start(self) -> None:
        """Start the engine, unless there is one: the end of one that has died is told by ``crashed`` first."""
        if self._process is not None:
            return
        self._release()
        self._quitting = False
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115 - lives as long as the process
        try:
            self._process = self.starter(
                self._command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._errors,
                start_new_session=True,
            )
        except OSError as error:
            self.crashed.emit(f"The engine cannot be started: {error}.")
            return
        self._reader = Reader(self._process, self)
        self._reader.ready.connect(self._schedule)
        self._reader.ended.connect(self._ended)
        self._reader.start()

    def send(self, command: Command) -> None:
        """Write one command; a dead engine is reported by ``crashed``, not here."""
        self.start()
        if self._process is None or self._process.stdin is None:
            return
        with contextlib.suppress(OSError, ValueError):
            self._process.stdin.write(f"{to_line(command)}\n".encode())
            self._process.stdin.flush()

    def stop(self, patience: float = 3.0) -> None:
        """End the engine: ask, then close its input, then insist. It kills the predicate's processes."""
        self._quitting = True
        if self._process is not None and self._process.poll() is None:
            self.send(Quit())
            for insist in (None, self._process.terminate, self._process.kill):
                if insist:
                    insist()
                with contextlib.suppress(OSError):
                    if self._process.stdin is not None:
                        self._process.stdin.close()
                try:
                    self._process.wait(patience)
                    break
                except subprocess.TimeoutExpired:
                    continue
        self._release()

    def errors(self) -> str:
        """Return the end of the engine's standard error."""
        if self._errors is None or self._errors.closed:
            return ""
        end = self._errors.seek(0, 2)
        self._errors.seek(max(0, end - 8000))
        return self._errors.read().decode("utf-8", "replace").strip()

    def _release(self) -> None:
        self._timer.stop()
        if self._reader is not None:
            self._reader.ready.disconnect(self._schedule)
            self._reader.ended.disconnect(self._ended)
            self._reader.wait()
            self._reader.deleteLater()
            self._reader = None
        if self._process is not None:
            for pipe in (self._process.stdin, self._process.stdout):
                with contextlib.suppress(OSError):
                    if pipe is not None:
                        pipe.close()
            self._process = None
        if self._errors is not None:
            self._errors.close()
            self._errors = None

    @Slot()
    def _schedule(self) -> None:
        if not self._timer.isActive():
            passed = (time.monotonic() - self._last) * 1000
            self._timer.start(max(0, round(_BATCH_MS - passed)))

    @Slot()
    def _hand_over(self) -> None:
        reader = self._reader
        if reader is None:
            return
        reader.announced = False
        self._last = time.monotonic()
        batch: list[event_decoder.Message] = []
        while reader.queue:
            message = reader.queue.popleft()
            if isinstance(message, Progress):
                batch.append(message)
            elif isinstance(message, event_decoder.Unreadable):
                log.warning("line of the engine not understood (%s): %s", message.problem, message.line)
            else:
                if batch:
                    self.live.emit(batch)
                    batch = []
                self.told.emit(message)
                if self._reader is not reader:  # a slot stopped or restarted the engine
                    return
            if len(batch) >= _BATCH_MOST or time.monotonic() - self._last > _SLICE_S:
                break
        if batch:
            self.live.emit(batch)
        if reader.queue and self._reader is reader:
            self._timer.start(1)

    @Slot(int)
    def _ended(self, code: int) -> None:
        if self.sender() is not self._reader:
            return
        self._timer.stop()
        while self._reader is not None and self._reader.queue:
            self._hand_over()
        if self._quitting:
            return
        detail = self.errors()
        if detail:
            log.error("the engine's last words:\n%s", detail)
        how = f"was killed by signal {-code}" if code < 0 else f"ended with exit code {code}"
        last = detail.splitlines()[-1][:200] if detail else ""
        sentence = f"The engine, the part that reads jars and runs your command, {how}."
        self._release()
        self.crashed.emit(f"{sentence} {last}".strip())
