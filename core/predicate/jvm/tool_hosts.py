"""Resident Java processes for any program: a script asks for them by ``jarlet host`` in place of ``java -jar``,
a preset's steps by :meth:`ToolHosts.called`.

The script finds them by a variable of its environment: a socket in the folder of the runs. They begin with the first
call of a reduction and end with it. Where a call cannot be answered, whoever asks runs the program by itself.
"""

from __future__ import annotations

import contextlib
import json
import os
import selectors
import socket
import tempfile
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event as Flag
from typing import Any

from core.predicate.jvm.host import MOST_REQUESTS, HostCancelledError, HostError, HostTimeoutError
from core.predicate.jvm.tool_calls import COLD, COMPILER, VARIABLE, received, send
from core.predicate.jvm.tool_process import ToolCall, ToolCommand, ToolEnd, ToolProcess
from core.system.removal import remove

_MOST_FAILURES = 3
"""Failures, or ends of the process, one after another after which a program is run by itself."""
_OF_A_RUN = ("JARLET_", "TMPDIR", "TMP", "TEMP", "PWD", "OLDPWD", "SHLVL", "_")
"""Beginnings and names of variables that differ from run to run."""
_POLL = 0.05
_POSSIBLE = hasattr(socket, "AF_UNIX") and hasattr(os, "mkfifo")


@dataclass
class _Pool:
    """The processes of one command."""

    free: list[ToolProcess] = field(default_factory=list)
    failures: int = 0


class ToolHosts:
    """The resident processes of one predicate, and the socket at which they are asked for.

    At first a program keeps its classes from call to call. :meth:`demote` makes it load them anew for each call, and
    after that turns every call down.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._pools: dict[ToolCommand, _Pool] = {}
        self._asked: dict[ToolProcess, int] = {}
        self._folder: Path | None = None
        self._listener: socket.socket | None = None
        self._closed = Flag()
        self._modes = [True, False]
        self.used = False
        """True once a run has asked for a process, whether it got one or not."""

    @property
    def warm(self) -> bool:
        """True if calls may be answered."""
        return bool(self._modes) and not self._closed.is_set()

    def environment(self, work: Path, *, cold: bool) -> dict[str, str]:
        """Return the variable for a run whose folder is in ``work``; nothing where there can be no socket."""
        if self.prepare(work):
            self._open()
        with self._lock:
            listens = self._listener is not None
        return {VARIABLE: f"{self._folder}/s{COLD if cold else ''}"} if listens else {}

    def prepare(self, work: Path) -> bool:
        """Make the folder of the processes in ``work``. Return False where it was made before, or cannot be of use."""
        with self._lock:
            if self._folder is not None or self._closed.is_set() or not _POSSIBLE:
                return False
            self._folder = Path(tempfile.mkdtemp(prefix="jarlet-hosts-", dir=work))
            return True

    def called(self, command: ToolCommand, call: ToolCall, gone: Flag, seconds: float | None = None) -> ToolEnd:
        """Return the end of a run of a program, of at most ``seconds``, unless whoever asks is ``gone`` before. Raise
        HostError where no process can run it. There must be a folder."""
        with self._lock:
            pool = self._pools.setdefault(command, _Pool())
            if pool.failures >= _MOST_FAILURES:
                raise HostError("the processes of this program fail one after another")
            process = pool.free.pop() if pool.free else None
            kept = self._modes[0] if self._modes else False
            assert self._folder is not None
        try:
            if process is None:
                process = ToolProcess(command, kept, self._folder, gone)
                with self._lock:
                    self._asked[process] = 0
            end = process.run(call, gone, seconds)
        except HostError as error:
            with self._lock:
                pool.failures += not isinstance(error, HostCancelledError | HostTimeoutError)
                if process is not None:
                    self._asked.pop(process, None)
            raise
        self._put_back(pool, process, kept)
        return end

    def demote(self) -> None:
        """End the processes, since they do not answer as they should."""
        with self._lock:
            self._modes = self._modes[1:]
        self._end()

    def close(self) -> None:
        """End the processes and the socket."""
        self._closed.set()
        with self._lock:
            if self._listener is not None:
                with contextlib.suppress(OSError):
                    self._listener.shutdown(socket.SHUT_RDWR)
                self._listener.close()
                self._listener = None
        self._end()
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
            return self.called(command, ToolCall(tuple(asked["words"]), asked["folder"], asked["environment"]), gone)
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

    def _put_back(self, pool: _Pool, process: ToolProcess, kept: bool) -> None:
        with self._lock:
            pool.failures = 0 if process.usable else pool.failures + 1
            self._asked[process] = self._asked.get(process, 0) + 1
            same = bool(self._modes) and self._modes[0] == kept and not self._closed.is_set()
            stays = process.usable and same and self._asked[process] < MOST_REQUESTS
            if stays:
                pool.free.append(process)
            else:
                self._asked.pop(process, None)
        if not stays:
            process.kill()

    def _end(self) -> None:
        """End the processes that wait. Those at work are ended by the threads that wait for them."""
        with self._lock:
            waiting = [process for pool in self._pools.values() for process in pool.free]
            self._pools = {}
            self._asked = {process: count for process, count in self._asked.items() if process not in waiting}
        for process in waiting:
            process.kill()


def lasting(environment: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    """Return the variables that do not differ from run to run, sorted."""
    names = [name for name in sorted(environment) if name not in _OF_A_RUN and not name.startswith(_OF_A_RUN[0])]
    return tuple((name, environment[name]) for name in names)


def _command(asked: dict[str, Any]) -> ToolCommand:
    stamp = (0, 0)
    if asked["program"] != COMPILER:
        facts = os.stat(asked["program"])
        stamp = (facts.st_size, facts.st_mtime_ns)
    variables = lasting(asked["environment"])
    return ToolCommand(
        asked["java"], tuple(asked["options"]), asked["program"], variables, bool(asked["merged"]), stamp
    )
