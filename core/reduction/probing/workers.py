"""Workers: each runs one job at a time, in its own lane.

A job mostly waits for a process of the predicate, so a thread is enough. A job must not prepare a candidate: models
remember their output and are not thread-safe. So jobs are handed over ready to run.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from queue import Empty, SimpleQueue
from threading import Event as Flag

from core.errors import PredicateError
from core.predicate.process import NO_MORE
from core.predicate.verdict import Outcome

Job = Callable[[Flag, float | None], Outcome]
"""``job(cancel, seconds)``: runs the predicate on one candidate until the predicate ends, ``cancel`` is set, or
``seconds`` pass if the predicate's own limit is longer."""


@dataclass(eq=False, slots=True)
class ProbeRun:
    """One job in its lane. Once the job has ended, ``outcome`` or ``error`` is set."""

    number: int
    lane: int
    cancel: Flag
    seconds: float | None
    """Seconds that are left of the reduction's time limit."""
    outcome: Outcome | None = None
    error: BaseException | None = None
    begun: float = 0.0
    ended: float = 0.0
    """Begin and end by the monotonic clock. A job that repeats an earlier outcome takes less time than the outcome
    tells."""
    thread: threading.Thread | None = field(default=None, repr=False)


class WorkerPool:
    """``workers`` lanes of threads. Used by one thread; only the jobs run in others, with ``remote`` on other
    machines."""

    def __init__(self, workers: int, *, remote: bool = False) -> None:
        if workers < 1:
            raise ValueError("a pool needs a worker")
        self.workers = workers
        self.remote = remote
        self._free = list(range(workers))
        self._runs: set[ProbeRun] = set()
        self._ended: SimpleQueue[ProbeRun] = SimpleQueue()

    @property
    def free(self) -> int:
        """Number of lanes in which a job can start."""
        return len(self._free)

    @property
    def busy(self) -> bool:
        """True if a job is under way."""
        return bool(self._runs)

    def start(self, number: int, job: Job, cancel: Flag, seconds: float | None) -> ProbeRun:
        """Start a job in the first free lane. ``cancel`` is the flag of this job alone. Raise PredicateError if the
        system gives no thread."""
        self._free.sort()
        run = ProbeRun(number, self._free.pop(0), cancel, seconds, begun=time.monotonic())
        # a daemon: a program that dies of an error must not wait for a predicate
        run.thread = threading.Thread(target=self._work, args=(run, job), name=f"probe {number}", daemon=True)
        try:
            run.thread.start()
        except RuntimeError as error:
            self._free.append(run.lane)
            raise PredicateError(f"A probe cannot be started: {error}. {NO_MORE}") from error
        self._runs.add(run)
        return run

    def wait(self) -> list[ProbeRun]:
        """Block until a job ends; return all that have ended, or none if none is under way. Their lanes are free
        again."""
        return [self._leave(self._ended.get()), *self.ended()] if self._runs else []

    def ended(self) -> list[ProbeRun]:
        """Return the jobs that have ended since the last call, without waiting."""
        runs = []
        while True:
            try:
                runs.append(self._leave(self._ended.get_nowait()))
            except Empty:
                return runs

    @property
    def waiting(self) -> bool:
        """True if a job has ended and is not collected yet."""
        return not self._ended.empty()

    def _leave(self, run: ProbeRun) -> ProbeRun:
        assert run.thread is not None
        run.thread.join()
        self._runs.remove(run)
        self._free.append(run.lane)
        return run

    def _work(self, run: ProbeRun, job: Job) -> None:
        try:
            run.outcome = job(run.cancel, run.seconds)
        except BaseException as error:  # whatever it was, the thread that waits must hear of it
            run.error = error
        run.ended = time.monotonic()
        self._ended.put(run)
