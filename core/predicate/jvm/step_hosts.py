"""The steps of a preset in resident Java processes, where their programs only read the candidate."""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from threading import Event as Flag

from core.predicate.jvm.tool_calls import COMPILER
from core.predicate.jvm.tool_hosts import ToolHosts, lasting
from core.predicate.jvm.tool_process import HostCancelledError, HostError, HostTimeoutError, ToolCall, ToolCommand
from core.predicate.process import Launch, ProcessResult, Stream

_PROOFS = 2
"""Candidates with failures about which resident processes must answer as new ones before they are believed."""


class StepHosts:
    """The resident processes of a predicate's steps.

    Until they are :attr:`proved` whoever asks runs each candidate in new processes too, and tells by :meth:`compare`.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._hosts = ToolHosts()
        self._alike = 0

    @property
    def warm(self) -> bool:
        """Return True if resident processes may answer."""
        return self._hosts.warm

    @property
    def proved(self) -> bool:
        """Return True if the answers of resident processes are believed."""
        return self._alike >= _PROOFS

    def compare(self, *, alike: bool, failed: bool) -> None:
        """Record if an answer equalled that of new processes. Only an answer with failures proves anything."""
        with self._lock:
            if alike:
                self._alike += failed
                return
            self._alike = 0
        self._hosts.demote()

    def run(self, launch: Launch, seconds: float | None, cancel: Flag | None) -> ProcessResult | None:
        """Return the end of a program in a resident process; None where it must run in one of its own."""
        found = _parted(launch.argv, launch.environment)
        if found is None or not self.warm:
            return None
        command, words = found
        self._hosts.prepare(launch.folder.parent)
        call = ToolCall(words, str(launch.folder), launch.environment)
        start = time.monotonic()
        try:
            end = self._hosts.called(command, call, seconds, cancel)
        except (HostTimeoutError, HostCancelledError) as error:
            late = isinstance(error, HostTimeoutError)
            spent = time.monotonic() - start
            return ProcessResult(-9, spent, Stream(), Stream(), timed_out=late, cancelled=not late)
        except HostError:
            return None
        stdout, stderr = Stream(), Stream()
        stdout.add(end.out)
        stderr.add(end.err)
        return ProcessResult(end.code, time.monotonic() - start, stdout, stderr)

    def close(self) -> None:
        """End the processes."""
        self._hosts.close()


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
