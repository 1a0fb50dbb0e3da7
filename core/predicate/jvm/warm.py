"""Decompile and compile in a resident Java process; verdicts equal those of cold runs, or cold runs are made."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Event as Flag
from typing import Any

from core.entries import Entries, renaming_of
from core.errors import PredicateError
from core.predicate.condition import Reference
from core.predicate.jvm.process_pool import ProcessPool
from core.predicate.jvm.tool_process import HostError, HostInterruptedError, ToolCall, ToolCommand
from core.predicate.output.no_source import said
from core.predicate.places import JAR, ONE_JAR
from core.predicate.predicate import AroundPredicate, Calibration, Predicate, discard
from core.predicate.process import ProcessResult, Stream
from core.predicate.tool_chain import StepsPredicate
from core.predicate.verdict import Outcome

_DIFFERS, _UNUSABLE = "a resident Java process finds other failures", "a resident Java process cannot be used: {}"

_SOURCES = "sources"
"""Folder of a run with the decompiled sources, as javac's output names it."""

_SHOWN = 200
"""Bytes of a failed host's output in a message."""

_MOST_FIRST = 600.0
"""Seconds for the comparison with a cold run if no limit is set."""


@dataclass
class _Hosts:
    """The shared state of a predicate and the predicates made from it: the command of the hosts that answer, or the
    reason why there is none."""

    shelf: ProcessPool
    own: bool = True
    """True if the hosts end with the predicate."""
    commands: tuple[ToolCommand, ...] = ()
    """Commands that start hosts, from fast to faithful; found on first use."""
    using: int = 0
    command: ToolCommand | None = None
    note: str = ""
    starting: threading.Thread | None = None

    def adopt(
        self, commands: Callable[[], tuple[ToolCommand, ...]], work: Path | None, using: int = 0
    ) -> ToolCommand | None:
        """Return the command ``using``; nothing, with a note, where there is none left."""
        self.using, self.command = using, None
        self.shelf.work = self.shelf.work or work  # beside the probes: removed and swept with them
        try:
            self.commands = self.commands or commands()
        except PredicateError as error:
            self.note = f"cold, since {error}"
            return None
        if using < len(self.commands):
            self.command = self.commands[using]
            self.shelf.expect(self.command)
        return self.command


class WarmPredicate(AroundPredicate[StepsPredicate]):
    """A predicate that asks a pool of hosts. Candidates that hosts cannot answer are run cold.

    The full input is run both ways when calibrating. If the names of failures differ, the next of ``commands()`` is
    tried (they go from fast to faithful), and without any left everything is run cold. With :meth:`trusting` a host's
    answer is enough, and the caller makes the cold run while hosts go on answering. Hosts from a ``shelf`` stay there
    when the predicate is closed.
    """

    def __init__(
        self,
        cold: StepsPredicate,
        commands: Callable[[], tuple[ToolCommand, ...]],
        hosts: _Hosts | None = None,
        shelf: ProcessPool | None = None,
        *,
        unproven: bool = False,
    ) -> None:
        super().__init__(cold)
        self.commands = commands
        self.unproven = unproven
        """True if the reference is a host's answer that no cold run has confirmed yet."""
        self._hosts = hosts or _Hosts(shelf or ProcessPool(), own=shelf is None)

    @property
    def cold(self) -> StepsPredicate:
        return self.inner

    expected = True

    @property
    def warm(self) -> bool:
        """Return True if hosts answer."""
        return self._hosts.command is not None

    def residents(self) -> Sequence[int]:
        """Return the process numbers of the living hosts."""
        command = self._hosts.command
        return self._hosts.shelf.pids(command) if command is not None else ()

    def calibrated(self, entries: Entries, work: Path, cancel: Flag | None = None) -> tuple[WarmPredicate, Outcome]:
        """Judge as the cold predicate does; the hosts must find the same failures."""
        known = cold, outcome = self.cold.calibrated(entries, work, cancel)
        if outcome.interesting:
            return self.proved(known, entries, work, cancel), outcome
        return WarmPredicate(cold, self.commands, self._hosts), outcome

    def proved(self, known: Calibration, entries: Entries, work: Path, cancel: Flag | None = None) -> WarmPredicate:
        """Take the first hosts with the failures of the interesting cold run ``known``."""
        cold, _ = known
        assert isinstance(cold, StepsPredicate)
        made, hosts = WarmPredicate(cold, self.commands, self._hosts), self._hosts
        if not made.started():
            hosts.adopt(self.commands, work.parent)
        while (command := hosts.command) is not None:
            place, why = _beside(work), _DIFFERS
            try:
                found = made.ask(entries, place, cold.timeout or _MOST_FIRST, cancel)
                if _same_failures(made.reference, cold.condition.reference(found, str(place))):
                    break
            except HostError as error:
                why = _UNUSABLE.format(error)
            finally:
                discard(place)
            hosts.shelf.drop(command)
            hosts.note = f"cold, since {why}"
            hosts.adopt(self.commands, work.parent, hosts.using + 1)
        return made

    def start(self, work: Path) -> None:
        """Start a host, in ``work``, while something else is done."""
        hosts = self._hosts

        def begin() -> None:
            with suppress(Exception):  # what keeps a host from starting is told when one is asked
                command = hosts.adopt(self.commands, work)
                if command is not None:
                    hosts.shelf.prepare(command)

        hosts.starting = threading.Thread(target=begin, name="host", daemon=True)
        hosts.starting.start()

    def started(self) -> bool:
        """Wait for :meth:`start`. Return True if there are hosts."""
        if self._hosts.starting is not None:
            self._hosts.starting.join()
            self._hosts.starting = None
        return self.warm

    def trusting(self, entries: Entries, work: Path, cancel: Flag | None = None) -> tuple[WarmPredicate, Outcome]:
        """Judge by the answer of a host if it is interesting. The predicate is then :attr:`unproven`, and
        :meth:`agrees` compares it with a cold run. Otherwise, and if outputs are compared, judge as :meth:`calibrated`
        does."""
        condition = self.cold.condition
        place = _beside(work)
        try:
            if not condition.preserve and self.started():
                found = self.ask(entries, place, self.cold.timeout or _MOST_FIRST, cancel)
                outcome = condition.judge(found, None, str(place))
                if outcome.interesting:
                    cold = replace(self.cold, reference=condition.reference(found, str(place), entries))
                    return WarmPredicate(cold, self.commands, self._hosts, unproven=True), outcome
        except HostError:
            pass
        finally:
            discard(place)
        return self.calibrated(entries, work, cancel)

    def ask(
        self, entries: Entries, work: Path, seconds: float | None = None, cancel: Flag | None = None
    ) -> ProcessResult:
        """Return the result of a host for a candidate. Raise HostError."""
        command = self._hosts.command
        if command is None:
            raise HostError(self._hosts.note)
        entries = self.cold.given(entries)
        ONE_JAR.write(entries, work, self.cold.packer)
        words = (*command.arguments, str(work / JAR), str(work / _SOURCES))
        end = self._hosts.shelf.ask(command, ToolCall(words, str(work), {}), seconds, cancel)
        if end.code:
            raise HostError(f"it ended with exit code {end.code}: {end.err[:_SHOWN].decode('utf-8', 'replace')}")
        stderr = Stream.of(said(entries, work / _SOURCES).encode("utf-8", "surrogateescape") + end.err)
        return ProcessResult(int(b"error:" in end.err), end.seconds, Stream(), stderr)

    def agrees(self, other: Predicate) -> bool:
        """Return whether ``other`` compares with a run of the full input that showed the failures of ours."""
        return _same_failures(self.reference, other.reference)

    def portable(self) -> WarmPredicate | StepsPredicate:
        return self if self.warm else self.cold.portable()

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle without the hosts: others of the same kind start where the predicate is sent."""
        return _arrived, (self.cold.portable(), self._hosts.commands, self._hosts.using)

    def probe(self, entries: Entries, work: Path, cancel: Flag | None = None, seconds: float | None = None) -> Outcome:
        if not self.warm:
            return self.cold.probe(entries, work, cancel, seconds)
        limits = [limit for limit in (self.cold.timeout, seconds) if limit is not None]
        try:
            result = self.ask(entries, work, min(limits, default=None), cancel)
        except HostInterruptedError as error:
            result = error.result
        except HostError:
            discard(work)
            return self.cold.probe(entries, work, cancel, seconds)
        return self.cold.condition.judge(result, self.cold.reference, str(work), renaming_of(entries))

    def describe(self) -> str:
        how = "in a resident Java process" if self.warm else self._hosts.note or "each time in processes of its own"
        return f"{self.cold.describe()} ({how})"

    def close(self) -> None:
        self.cold.close()
        self.started()
        self._hosts.command = None
        if self._hosts.own:
            self._hosts.shelf.close()

    def _around(self, inner: Any) -> WarmPredicate:
        return WarmPredicate(inner, self.commands, self._hosts, unproven=self.unproven)


def _beside(work: Path) -> Path:
    return work.with_name(f"{work.name}-hosted")


def _same_failures(one: Reference | None, other: Reference | None) -> bool:
    return one is not None and other is not None and one.failures == other.failures


def _arrived(cold: StepsPredicate, commands: tuple[ToolCommand, ...], using: int) -> WarmPredicate:
    hosts = _Hosts(ProcessPool(), commands=commands)
    hosts.adopt(lambda: commands, None, using)
    return WarmPredicate(cold, lambda: commands, hosts)
