"""Which workers of a cluster judge as this machine does: before its first probe each is put to runs with a known
outcome. A worker with another JDK or without a tool finds other failures, and would lead the search astray."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from threading import Event as Flag
from typing import Any

from core.predicate.verdict import Outcome
from core.system.stopwatch import AwakeClock

_LOOK = 0.05
"""Seconds between two looks at the first answers."""


@dataclass(frozen=True)
class KnownRun:
    """A candidate, as a jar, and the outcome that it has on this machine."""

    packed: bytes
    outcome: Outcome

    def agrees(self, other: Outcome) -> bool:
        """Return True if another machine's outcome says the same."""
        mine = self.outcome
        return mine.verdict is other.verdict and set(mine.failures) == set(other.failures)


class Vetting:
    """The workers that agree on all ``runs``. ``ask(address, packed)`` makes a worker run a candidate and returns
    the task; ``tell`` is told of each worker that disagrees."""

    def __init__(self, ask: Callable[[str, bytes], Any], runs: Sequence[KnownRun], tell: Callable[[str], None]) -> None:
        self._ask, self._runs, self._tell = ask, runs, tell
        self._asked: dict[str, list[Any]] = {}
        self._agree: dict[str, bool] = {}
        self._lock = threading.Lock()

    def look(self, addresses: Iterable[str]) -> list[str]:
        """Return the present workers that agree; ask new ones, and take in their answers."""
        with self._lock:
            return self._look(set(addresses))

    def _look(self, there: set[str]) -> list[str]:
        for address in sorted(there - self._asked.keys()):
            self._asked[address] = [self._ask(address, known.packed) for known in self._runs]
        for address in sorted(there - self._agree.keys()):
            if all(task.done() for task in self._asked[address]):
                self._agree[address] = self._judged(address)
        return sorted(address for address in there if self._agree.get(address))

    def exclude(self, address: str) -> None:
        """Count a worker that agreed as one in disagreement."""
        with self._lock:
            self._agree[address] = False

    def settle(self, addresses: Callable[[], Iterable[str]], cancel: Flag, seconds: float) -> list[str]:
        """Wait until every worker that is there has answered, or for so long: one may hang. Return those that agree."""
        clock = AwakeClock()
        while True:
            found = set(addresses())
            agree = self.look(found)
            if found <= self._agree.keys() or clock.elapsed() > seconds or cancel.wait(_LOOK):
                return agree

    def _judged(self, address: str) -> bool:
        for task, known in zip(self._asked[address], self._runs, strict=True):
            try:
                outcome = task.result()
            except Exception as error:  # whatever the worker, its Python or the network had to say
                self._tell(
                    f"The worker {address} cannot run the predicate ({type(error).__name__}: {str(error)[:200]})."
                )
                return False
            if not known.agrees(outcome):
                self._tell(
                    f"The worker {address} gets no probes: a run that is {_said(known.outcome)} here is "
                    f"{_said(outcome)} there. Does it have the same tools, JDK and files?"
                )
                return False
        return True


def _said(outcome: Outcome) -> str:
    count = len(set(outcome.failures))
    return outcome.verdict.value + (f" (with {count} failures)" if count else "")
