"""Decompile and compile in a resident Java process; verdicts equal those of cold runs, or cold runs are made."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Event as Flag

from core.archive.packer import Packer
from core.errors import PredicateError
from core.predicate.condition import Reference
from core.predicate.jvm.host import HostAnswer, HostCancelledError, HostCommand, HostError, HostPool, HostTimeoutError
from core.predicate.predicate import Entries
from core.predicate.process import ProcessResult, Stream
from core.predicate.tool_chain import StepsPredicate
from core.predicate.verdict import Outcome

_MOST_FIRST = 600.0
"""Seconds that the comparison with a cold run may take where no limit is set."""


@dataclass
class _Hosts:
    """What the predicates made of one another share: the pool, or why there is none."""

    pool: HostPool | None = None
    note: str = ""


class WarmPredicate:
    """Asks a pool of hosts; what they cannot answer is run cold.

    The full input is run both ways when calibrating. Where the names of failures differ, the next of
    ``commands()`` is tried (they go from fast to faithful), and without any left everything is run cold.
    """

    def __init__(
        self,
        cold: StepsPredicate,
        commands: Callable[[], tuple[HostCommand, ...]],
        hosts: _Hosts | None = None,
    ) -> None:
        self.cold = cold
        self.commands = commands
        self._hosts = hosts or _Hosts()

    @property
    def timeout(self) -> float | None:
        return self.cold.timeout

    @property
    def reference(self) -> Reference | None:
        return self.cold.reference

    @property
    def warm(self) -> bool:
        """Whether hosts answer."""
        return self.pool is not None

    @property
    def pool(self) -> HostPool | None:
        """The hosts, once they have shown that they find what a cold run finds."""
        return self._hosts.pool

    def calibrated(self, entries: Entries, work: Path, cancel: Flag | None = None) -> tuple[WarmPredicate, Outcome]:
        """As the cold predicate; the hosts must find the same failures."""
        cold, outcome = self.cold.calibrated(entries, work, cancel)
        if outcome.interesting:
            self._choose(cold, entries, work, cancel)
        return WarmPredicate(cold, self.commands, self._hosts), outcome

    def limited(self, timeout: float | None) -> WarmPredicate:
        return WarmPredicate(self.cold.limited(timeout), self.commands, self._hosts)

    @property
    def packer(self) -> Packer:
        return self.cold.packer

    def repacked(self, packer: Packer) -> StepsPredicate:
        return self.cold.repacked(packer)

    def observed(self, environment: Mapping[str, str]) -> StepsPredicate:
        return self.cold.observed(environment)

    def portable(self) -> StepsPredicate:
        return self.cold.portable()

    def probe(self, entries: Entries, work: Path, cancel: Flag | None = None, seconds: float | None = None) -> Outcome:
        pool = self.pool
        if pool is None:
            return self.cold.probe(entries, work, cancel, seconds)
        limits = [limit for limit in (self.cold.timeout, seconds) if limit is not None]
        start = time.monotonic()
        try:
            result = _result(pool.ask(self._packed(entries), min(limits, default=None), cancel), start)
        except (HostTimeoutError, HostCancelledError) as error:
            late = isinstance(error, HostTimeoutError)
            spent = time.monotonic() - start
            result = ProcessResult(-9, spent, Stream(), Stream(), timed_out=late, cancelled=not late)
        except HostError:
            return self.cold.probe(entries, work, cancel, seconds)
        return self.cold.condition.judge(result, self.cold.reference, str(work))

    def confirm(self, entries: Entries, work: Path, cancel: Flag | None = None) -> Outcome:
        return self.cold.probe(entries, work, cancel)

    def describe(self) -> str:
        how = "in a resident Java process" if self.warm else self._hosts.note or "each time in processes of its own"
        return f"{self.cold.describe()} ({how})"

    def shell_line(self, work: Path) -> str:
        return self.cold.shell_line(work)

    def versions(self) -> dict[str, str]:
        return self.cold.versions()

    def close(self) -> None:
        if self.pool is not None:
            self.pool.close()
            self._hosts.pool = None

    def _packed(self, entries: Entries) -> bytes:
        return b"".join(self.cold.packer.pack(entries))

    def _choose(self, cold: StepsPredicate, entries: Entries, work: Path, cancel: Flag | None) -> None:
        """Takes the first pool that finds what the cold run found."""
        assert cold.reference is not None
        self.close()
        hosts = self._hosts
        try:
            commands = self.commands()
        except PredicateError as error:
            hosts.note = f"cold, since {error}"
            return
        for command in commands:
            pool = HostPool(command, work.parent)  # beside the probes: removed and swept with them
            try:
                start = time.monotonic()
                result = _result(pool.ask(self._packed(entries), cold.timeout or _MOST_FIRST, cancel), start)
                if cold.condition.reference(result, str(work)).failures == cold.reference.failures:
                    hosts.pool, hosts.note = pool, ""
                    return
                hosts.note = "cold, since a resident Java process finds other failures"
            except HostError as error:
                hosts.note = f"cold, since a resident Java process cannot be used: {error}"
            pool.close()


def _result(answer: HostAnswer, start: float) -> ProcessResult:
    stderr = Stream()
    stderr.add(answer.javac.encode("utf-8", "surrogateescape"))
    result = ProcessResult(0, time.monotonic() - start, Stream(), stderr)
    return replace(result, exit=1) if "error:" in answer.javac else result
