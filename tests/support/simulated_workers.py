"""Workers by a clock that is not real: the program's own driver runs, and no process."""

from __future__ import annotations

import random
from threading import Event as Flag

from core.predicate.verdict import Outcome, Verdict
from core.reduction.probing.workers import Job, ProbeRun


class SimulatedWorkers:
    """Lanes whose jobs are answered at once and end by a clock of their own, as :class:`WorkerPool` has them."""

    waiting = False
    remote = False

    def __init__(self, workers: int, seconds: float, uneven: float = 0.0) -> None:
        self.workers = workers
        self.now = 0.0
        self._seconds, self._uneven = seconds, uneven
        self._dice = random.Random(1)
        self._free = list(range(workers))
        self._runs: list[ProbeRun] = []

    @property
    def free(self) -> int:
        return len(self._free)

    @property
    def busy(self) -> bool:
        return bool(self._runs)

    def start(self, number: int, job: Job, cancel: Flag, seconds: float | None) -> ProbeRun:
        self._free.sort()
        run = ProbeRun(number, self._free.pop(0), cancel, seconds)
        run.outcome = job(cancel, seconds)
        run.ended = self.now + self._seconds * (1 + self._uneven * self._dice.random())
        self._runs.append(run)
        return run

    def wait(self) -> list[ProbeRun]:
        if not self._runs:
            return []
        gone = [run for run in self._runs if run.cancel.is_set()]
        if not gone:
            self.now = min(run.ended for run in self._runs)
            gone = [run for run in self._runs if run.ended <= self.now]
        for run in gone:
            if run.cancel.is_set():
                run.ended = self.now
                run.outcome = Outcome(Verdict.UNRESOLVED, 0.0, None, "cancelled")
            self._runs.remove(run)
            self._free.append(run.lane)
        return gone
