"""Decompile and compile in a resident Java process; verdicts equal those of cold runs, or cold runs are made."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Event as Flag
from typing import Any

from core.archive.packer import Packer
from core.entries import Entries, renaming_of
from core.errors import PredicateError
from core.predicate.condition import Reference
from core.predicate.jvm.host import (
    HostAnswer,
    HostCancelledError,
    HostCommand,
    HostError,
    HostPool,
    HostTimeoutError,
)
from core.predicate.jvm.shelf import HostShelf
from core.predicate.predicate import Calibration, Predicate
from core.predicate.process import ProcessResult, Stream
from core.predicate.tool_chain import StepsPredicate
from core.predicate.verdict import Outcome

_DIFFERS, _UNUSABLE = "a resident Java process finds other failures", "a resident Java process cannot be used: {}"

_MOST_FIRST = 600.0
"""Seconds that the comparison with a cold run may take where no limit is set."""


@dataclass
class _Hosts:
    """The shared state of a predicate and the predicates made from it: the pool of hosts, or the reason why there is
    none."""

    shelf: HostShelf
    own: bool = True
    """True if the hosts end with the predicate."""
    commands: tuple[HostCommand, ...] = ()
    """Commands that start hosts, from fast to faithful; found on first use."""
    using: int = 0
    pool: HostPool | None = None
    note: str = ""
    starting: threading.Thread | None = None
    work: Path | None = None
    """Folder of the hosts' own folders: the one that was named first."""

    def adopt(
        self, commands: Callable[[], tuple[HostCommand, ...]], work: Path | None, using: int = 0
    ) -> HostPool | None:
        """Return the pool of the command ``using``; nothing, with a note, where there is none left."""
        self.using, self.pool = using, None
        self.work = self.work or work
        try:
            self.commands = self.commands or commands()
        except PredicateError as error:
            self.note = f"cold, since {error}"
            return None
        if using < len(self.commands):
            self.pool = self.shelf.pool(
                self.commands[using], self.work
            )  # beside the probes: removed and swept with them
        return self.pool


class WarmPredicate:
    """A predicate that asks a pool of hosts. Candidates that hosts cannot answer are run cold.

    The full input is run both ways when calibrating. Where the names of failures differ, the next of
    ``commands()`` is tried (they go from fast to faithful), and without any left everything is run cold.
    With :meth:`trusting` a host's answer is enough, and the caller makes the cold run while hosts go on answering.
    Hosts from a ``shelf`` stay there when the predicate is closed.
    """

    def __init__(
        self,
        cold: StepsPredicate,
        commands: Callable[[], tuple[HostCommand, ...]],
        hosts: _Hosts | None = None,
        shelf: HostShelf | None = None,
        *,
        unproven: bool = False,
    ) -> None:
        self.cold = cold
        self.commands = commands
        self.unproven = unproven
        """True if the reference is a host's answer that no cold run has confirmed yet."""
        self._hosts = hosts or _Hosts(shelf or HostShelf(), own=shelf is None)

    @property
    def timeout(self) -> float | None:
        return self.cold.timeout

    @property
    def reference(self) -> Reference | None:
        return self.cold.reference

    @property
    def residency(self) -> WarmPredicate:
        return self

    @property
    def expected(self) -> bool:
        return True

    @property
    def warm(self) -> bool:
        """Return True if hosts answer."""
        return self.pool is not None

    @property
    def pool(self) -> HostPool | None:
        """The hosts, once they have shown that they find what a cold run finds."""
        return self._hosts.pool

    def residents(self) -> Sequence[int]:
        """Return the process numbers of the living hosts."""
        return self.pool.pids() if self.pool is not None else ()

    def calibrated(self, entries: Entries, work: Path, cancel: Flag | None = None) -> tuple[WarmPredicate, Outcome]:
        """Judge as the cold predicate does; the hosts must find the same failures."""
        cold, outcome = self.cold.calibrated(entries, work, cancel)
        if outcome.interesting:
            self._choose(cold, entries, work, cancel)
        return WarmPredicate(cold, self.commands, self._hosts), outcome

    def proved(self, known: Calibration, entries: Entries, work: Path, cancel: Flag | None = None) -> WarmPredicate:
        """Do as :meth:`calibrated`, where a cold run of ``entries`` was made before and was interesting."""
        cold, _ = known
        assert isinstance(cold, StepsPredicate)
        self._choose(cold, entries, work, cancel)
        return WarmPredicate(cold, self.commands, self._hosts)

    def start(self, work: Path) -> None:
        """Start a host, in ``work``, while something else is done."""
        hosts = self._hosts

        def begin() -> None:
            with suppress(Exception):  # what keeps a host from starting is told when one is asked
                pool = hosts.adopt(self.commands, work)
                if pool is not None:
                    pool.prepare()

        hosts.starting = threading.Thread(target=begin, name="host", daemon=True)
        hosts.starting.start()

    def started(self) -> bool:
        """Wait for :meth:`start`. Return True if there are hosts."""
        if self._hosts.starting is not None:
            self._hosts.starting.join()
            self._hosts.starting = None
        return self.pool is not None

    def trusting(self, entries: Entries, work: Path, cancel: Flag | None = None) -> tuple[WarmPredicate, Outcome]:
        """Judge by what a host finds, if that is interesting: then it is :attr:`unproven`, and :meth:`agrees` tells by
        a cold run whether hosts find what they should. Else, and where outputs are compared, as :meth:`calibrated`."""
        condition = self.cold.condition
        found = self.ask(self._packed(entries), cancel) if not condition.preserve and self.started() else ""
        if isinstance(found, ProcessResult):
            outcome = condition.judge(found, None, str(work))
            if outcome.interesting:
                cold = replace(self.cold, reference=condition.reference(found, str(work), entries))
                return WarmPredicate(cold, self.commands, self._hosts, unproven=True), outcome
        return self.calibrated(entries, work, cancel)

    def ask(self, jar: bytes, cancel: Flag | None = None) -> ProcessResult | str:
        """Return the result of a host for a jar, or in words why there is no result."""
        pool = self.pool
        try:
            if pool is None:
                raise HostError(self._hosts.note)
            return _result(pool.ask(jar, self.cold.timeout or _MOST_FIRST, cancel))
        except HostError as error:
            return str(error)

    def agrees(self, other: Predicate) -> bool:
        """Return whether ``other`` compares with a run of the full input that showed the failures of ours."""
        return _same_failures(self.reference, other.reference)

    def _demote(self, work: Path, why: str) -> bool:
        """End hosts that do not answer as they should, and take more faithful ones. Return True if there are any."""
        hosts = self._hosts
        if hosts.pool is not None:
            hosts.shelf.drop(hosts.commands[hosts.using])
        hosts.note = f"cold, since {why}"
        return hosts.adopt(self.commands, work, hosts.using + 1) is not None

    def limited(self, timeout: float | None) -> WarmPredicate:
        return WarmPredicate(self.cold.limited(timeout), self.commands, self._hosts, unproven=self.unproven)

    def relative_to(self, reference: Reference) -> WarmPredicate:
        cold = self.cold.relative_to(reference)
        return WarmPredicate(cold, self.commands, self._hosts, unproven=self.unproven)

    @property
    def packer(self) -> Packer:
        return self.cold.packer

    def repacked(self, packer: Packer) -> StepsPredicate:
        return self.cold.repacked(packer)

    def observed(self, environment: Mapping[str, str]) -> StepsPredicate:
        return self.cold.observed(environment)

    def portable(self) -> WarmPredicate | StepsPredicate:
        return self if self.warm else self.cold.portable()

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle without the hosts: others of the same kind start where the predicate is sent."""
        return _arrived, (self.cold.portable(), self._hosts.commands, self._hosts.using)

    def probe(self, entries: Entries, work: Path, cancel: Flag | None = None, seconds: float | None = None) -> Outcome:
        pool = self.pool
        if pool is None:
            return self.cold.probe(entries, work, cancel, seconds)
        limits = [limit for limit in (self.cold.timeout, seconds) if limit is not None]
        start = time.monotonic()
        try:
            result = _result(pool.ask(self._packed(entries), min(limits, default=None), cancel))
        except (HostTimeoutError, HostCancelledError) as error:
            late = isinstance(error, HostTimeoutError)
            spent = time.monotonic() - start
            result = ProcessResult(-9, spent, Stream(), Stream(), timed_out=late, cancelled=not late)
        except HostError:
            return self.cold.probe(entries, work, cancel, seconds)
        return self.cold.condition.judge(result, self.cold.reference, str(work), renaming_of(entries))

    def confirm(self, entries: Entries, work: Path, cancel: Flag | None = None) -> Outcome:
        return self.cold.confirm(entries, work, cancel)

    def describe(self) -> str:
        how = "in a resident Java process" if self.warm else self._hosts.note or "each time in processes of its own"
        return f"{self.cold.describe()} ({how})"

    def shell_line(self, work: Path) -> str:
        return self.cold.shell_line(work)

    def versions(self) -> dict[str, str]:
        return self.cold.versions()

    def close(self) -> None:
        self.cold.close()
        self.started()
        self._hosts.pool = None
        if self._hosts.own:
            self._hosts.shelf.close()

    def _packed(self, entries: Entries) -> bytes:
        return b"".join(self.cold.packer.pack(self.cold.given(entries)))

    def _choose(self, cold: StepsPredicate, entries: Entries, work: Path, cancel: Flag | None) -> None:
        """Take the first pool that finds what the cold run found."""
        one = WarmPredicate(cold, self.commands, self._hosts)
        if not one.started():
            self._hosts.adopt(self.commands, work.parent)
        while one.warm:
            found = one.ask(self._packed(entries), cancel)
            if isinstance(found, ProcessResult) and _same_failures(
                one.reference, cold.condition.reference(found, str(work))
            ):
                return
            one._demote(work.parent, _DIFFERS if isinstance(found, ProcessResult) else _UNUSABLE.format(found))


def _same_failures(one: Reference | None, other: Reference | None) -> bool:
    return one is not None and other is not None and one.failures == other.failures


def _arrived(cold: StepsPredicate, commands: tuple[HostCommand, ...], using: int) -> WarmPredicate:
    hosts = _Hosts(HostShelf(), commands=commands)
    hosts.adopt(lambda: commands, None, using)
    return WarmPredicate(cold, lambda: commands, hosts)


def _result(answer: HostAnswer) -> ProcessResult:
    stderr = Stream()
    stderr.add(answer.javac.encode("utf-8", "surrogateescape"))
    result = ProcessResult(0, answer.seconds, Stream(), stderr, sources=answer.failing)
    return replace(result, exit=1) if "error:" in answer.javac else result
