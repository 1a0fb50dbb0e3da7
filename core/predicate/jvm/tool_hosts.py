"""Resident Java processes for any program: a script asks for them by ``jarlet host`` in place of ``java -jar``,
a preset's steps by :meth:`ToolHosts.called`.

The script finds them by a variable of its environment: a socket in the folder of the runs. They begin with the first
call of a reduction and end with it. If a call cannot be answered, the caller runs the program by itself.
"""

from __future__ import annotations

import contextlib
import json
import os
import selectors
import socket
import tempfile
import threading
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from threading import Event as Flag
from typing import Any

from core.predicate.jvm.archives import files_of
from core.predicate.jvm.process_pool import ProcessPool
from core.predicate.jvm.tool_calls import COLD, COMPILER, VARIABLE, received, send
from core.predicate.jvm.tool_process import (
    KEPT,
    NEW,
    HostError,
    HostInterruptedError,
    ToolCall,
    ToolCommand,
    ToolEnd,
)
from core.predicate.process import Launch, ProcessResult, Stream
from core.predicate.verdict import Outcome
from core.system.removal import remove

_OF_A_RUN = ("JARLET_", "TMPDIR", "TMP", "TEMP", "PWD", "OLDPWD", "SHLVL", "_")
"""Beginnings and names of variables that differ from run to run."""
_POLL = 0.05
_PROOFS = 2
"""Answers in which resident processes must answer as new ones before they are believed: a first and a later one of one
process."""


class ToolHosts:
    """The resident processes of one predicate, and the socket at which they are asked for.

    At first a program keeps its classes from call to call. :meth:`demote` makes it load them anew for each call, and
    after that turns every call down. Until they are :attr:`proved` whoever asks runs each candidate in new processes
    too, and tells by :meth:`compare`. Processes of a ``shelf`` stay there when the predicate is closed.
    """

    def __init__(self, shelf: ProcessPool | None = None) -> None:
        self._lock = threading.Lock()
        self._shelf, self._pool = shelf, shelf or ProcessPool()
        self._asked: set[ToolCommand] = set()
        self._folder: Path | None = None
        self._listener: socket.socket | None = None
        self._closed = Flag()
        self._ways = [KEPT, NEW]
        self.used = False
        """True once a run has asked for a process, whether it got one or not."""
        self.alike = 0
        """Answers in a row that equalled those of new processes."""

    @property
    def warm(self) -> bool:
        """True if calls may be answered."""
        return bool(self._ways) and not self._closed.is_set()

    @property
    def proved(self) -> bool:
        """True if the answers are believed."""
        return self.alike >= _PROOFS

    def compared(self, hosted: Outcome, cold: Outcome) -> Outcome:
        """Record if an answer equalled that of new processes, and return the answer of these; once all are believed,
        with the times of the resident ones, as runs to come have them. Only an answer that shows a failure proves
        anything."""
        if not hosted.like(cold):
            self.demote()
            return cold
        with self._lock:
            self.alike += cold.interesting or bool(cold.failures)
        if not self.proved:
            return cold
        return replace(cold, processor=hosted.processor, busiest=hosted.busiest, idle=hosted.idle)

    def environment(self, work: Path, *, cold: bool) -> dict[str, str]:
        """Return the variable for a run whose folder is in ``work``; nothing if no socket is possible."""
        if self.prepare(work):
            self._open()
        with self._lock:
            listens = self._listener is not None
        return {VARIABLE: f"{self._folder}/s{COLD if cold else ''}"} if listens else {}

    def prepare(self, work: Path) -> bool:
        """Make the folder of the processes in ``work``. Return False where it was made before, or cannot be of use."""
        with self._lock:
            if self._folder is not None or self._closed.is_set():
                return False
            self._folder = Path(tempfile.mkdtemp(prefix="jarlet-hosts-", dir=work))
            self._pool.work = self._pool.work or self._folder
            return True

    def called(
        self, command: ToolCommand, call: ToolCall, seconds: float | None = None, cancel: Flag | None = None
    ) -> ToolEnd:
        """Return the end of a run of a program, of at most ``seconds``. Raise HostError where no process can run it."""
        with self._lock:
            pool, ways = self._pool, self._ways
        if not ways:
            raise HostError("resident processes answer otherwise")
        command = replace(command, way=ways[0])
        if pool is self._shelf:
            self._asked.add(command)
            pool.expect(command)
        return pool.ask(command, call, seconds, cancel)

    def run(self, launch: Launch, seconds: float | None, cancel: Flag | None) -> ProcessResult | None:
        """Return the end of a program in a resident process; None where it must run in one of its own."""
        found = _parted(launch.argv, launch.environment)
        if found is None or not self.warm:
            return None
        command, words = found
        self.prepare(launch.folder.parent)
        try:
            end = self.called(command, ToolCall(words, str(launch.folder), launch.environment), seconds, cancel)
        except HostInterruptedError as error:
            return error.result
        except HostError:
            return None
        return ProcessResult(end.code, end.seconds, Stream.of(end.out), Stream.of(end.err))

    def demote(self) -> None:
        """End the processes, since they do not answer as they should."""
        with self._lock:
            self._ways, self.alike = self._ways[1:], 0
            pool, self._pool = self._pool, ProcessPool(self._folder)
        if pool is not self._shelf:
            return pool.close()
        for command in self._asked:
            pool.drop(command)

    def close(self) -> None:
        """End the processes and the socket."""
        self._closed.set()
        with self._lock:
            if self._listener is not None:
                with contextlib.suppress(OSError):
                    self._listener.shutdown(socket.SHUT_RDWR)
                self._listener.close()
                self._listener = None
        if self._pool is not self._shelf:
            self._pool.close()
        if self._folder is not None:
            remove(self._folder)

    def _open(self) -> None:
        listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            listener.bind(f"{self._folder}/s")  # the folder is nobody else's to enter
            os.chmod(f"{self._folder}/s", 0o600)
            listener.listen()
        except OSError:  # the path is too long for a socket
            listener.close()
            return
        with self._lock:
            self._listener = listener
        threading.Thread(target=self._listen, args=(listener,), name="tool hosts", daemon=True).start()

    def _listen(self, listener: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while True:
                connection, _ = listener.accept()
                threading.Thread(target=self._answer, args=(connection,), name="tool call", daemon=True).start()

    def _answer(self, connection: socket.socket) -> None:
        with connection, contextlib.suppress(OSError, ValueError, KeyError, TypeError):
            asked = json.loads(received(connection))
            try:
                end = self._run(asked, connection)
            except HostError as error:
                send(connection, json.dumps({"plain": str(error)}).encode())
                return
            send(connection, json.dumps({"exit": end.code}).encode())
            send(connection, end.out)
            send(connection, end.err)

    def _run(self, asked: dict[str, Any], connection: socket.socket) -> ToolEnd:
        self.used = True
        if asked["cold"] or not self.warm:
            raise HostError("this run is to share nothing with others")
        command = _command(asked)
        gone = Flag()
        over = Flag()
        watch = threading.Thread(target=self._watch, args=(connection, gone, over), name="tool caller", daemon=True)
        watch.start()
        try:
            call = ToolCall(tuple(asked["words"]), asked["folder"], asked["environment"])
            return self.called(command, call, cancel=gone)
        finally:
            over.set()
            watch.join()

    def _watch(self, connection: socket.socket, gone: Flag, over: Flag) -> None:
        """Tell when whoever asks is gone, or everything ends."""
        with selectors.DefaultSelector() as selector:
            selector.register(connection, selectors.EVENT_READ)
            while not over.is_set():
                if selector.select(_POLL) or self._closed.is_set():
                    gone.set()
                    return


def lasting(environment: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    """Return the variables that do not differ from run to run, sorted."""
    names = [name for name in sorted(environment) if name not in _OF_A_RUN and not name.startswith(_OF_A_RUN[0])]
    return tuple((name, environment[name]) for name in names)


def _command(asked: dict[str, Any]) -> ToolCommand:
    variables, files = lasting(asked["environment"]), files_of([asked["program"]])
    return ToolCommand(
        asked["java"], tuple(asked["options"]), asked["program"], variables, bool(asked["merged"]), files
    )


def _parted(words: Sequence[str], environment: Mapping[str, str]) -> tuple[ToolCommand, tuple[str, ...]] | None:
    """Return the program that a command starts, and its arguments; None for a command that starts none of Java's."""
    launcher = Path(words[0])
    if launcher.name == "javac":
        options = tuple(word[2:] for word in words[1:] if word.startswith("-J"))
        rest = tuple(word for word in words[1:] if not word.startswith("-J"))
        return ToolCommand(str(launcher.with_name("java")), options, COMPILER, lasting(environment)), rest
    if launcher.name != "java" or "-cp" not in words:
        return None
    at = words.index("-cp")
    options, (path, main, *rest_) = tuple(words[1:at]), words[at + 1 :]
    return ToolCommand(words[0], options, main, lasting(environment), class_path=path), tuple(rest_)
