"""Executors of whole reductions: processes of this machine, or the workers of an existing Dask cluster.

A reduction is a task (:mod:`core.batch.tasks`) wherever it runs, so its result does not depend on the place.
"""

from __future__ import annotations

import queue
import threading
import uuid
from collections.abc import Iterable, Iterator
from concurrent import futures
from typing import Any, Self

from core import values as check
from core.batch.tasks import FAILED, Done, Task, TaskLane, run_task
from core.cluster.connection import connected, threads_of

_LOOK_FAR = 1.0
"""Seconds between two looks at whether to stop on a worker, which must ask the scheduler."""

_MOST_TASKS = 1024
"""Tasks at a time at most: each is a process."""


class Executor:
    """A runner of tasks, ``lanes`` at a time. Used by one thread; ``stop`` may be called from anywhere."""

    lanes: int

    def run(self, tasks: Iterable[Task]) -> Iterator[Done]:
        """Yield the tasks' ends, as they come. The next task is asked for when a lane is free, not earlier."""
        waiting = iter(tasks)
        running: dict[futures.Future[Done], str] = {}
        while True:
            while len(running) < self.lanes and (task := next(waiting, None)) is not None:
                running[self._start(task)] = task.name
            if not running:
                return
            for future in sorted(
                futures.wait(running, return_when=futures.FIRST_COMPLETED).done, key=running.__getitem__
            ):
                yield _result(future, running.pop(future))

    def stop(self) -> None:
        """End all tasks gently. Tasks that have not begun end at once with INTERRUPTED."""
        raise NotImplementedError

    def close(self) -> None:
        """Stop, wait for the ends, and release processes and connections."""
        raise NotImplementedError

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def _start(self, task: Task) -> futures.Future[Done]:
        raise NotImplementedError


def executor_of(cluster: str | None, lanes: int | None) -> Executor:
    """Return an executor here, or on the cluster of a scheduler's address. Raise UsageError."""
    check.whole("number of runs at a time", 1 if lanes is None else lanes, 1, _MOST_TASKS)
    return Cluster(cluster, lanes) if cluster else Local(lanes or 1)


def _result(future: futures.Future[Done], name: str) -> Done:
    try:
        return future.result()
    except Exception as error:  # whatever a worker, its Python or the network had to say
        return Done(name, FAILED, f"It could not be run: {type(error).__name__}: {error}")


class Local(Executor):
    """Processes of this machine: one for each lane, as long as it lives."""

    def __init__(self, lanes: int) -> None:
        self.lanes = lanes
        self._stop = threading.Event()
        self._pool = futures.ThreadPoolExecutor(lanes)
        self._free: queue.LifoQueue[TaskLane] = queue.LifoQueue()
        for _ in range(lanes):
            self._free.put(TaskLane())

    def stop(self) -> None:
        self._stop.set()

    def close(self) -> None:
        self.stop()
        self._pool.shutdown()
        while not self._free.empty():
            self._free.get().close()

    def _start(self, task: Task) -> futures.Future[Done]:
        return self._pool.submit(self._run, task)

    def _run(self, task: Task) -> Done:
        lane = self._free.get()
        try:
            return lane.run(task, self._stop.is_set)
        finally:
            self._free.put(lane)


class Cluster(Executor):
    """The workers of a Dask cluster, found by its scheduler's address (``tcp://host:8786``).

    They must have the same Jarlet installed and see the same files under the same paths. ``lanes``: by default as
    many as the workers have threads. Raises UsageError when ``dask.distributed`` is not installed or nobody answers.
    """

    def __init__(self, address: str, lanes: int | None) -> None:
        self._client: Any = connected(address)
        import distributed

        self.lanes = lanes or threads_of(self._client)
        self._flag = f"jarlet-stop-{uuid.uuid4().hex}"
        self._event: Any = distributed.Event(self._flag, client=self._client)
        self._pool: futures.Executor = self._client.get_executor(pure=False)

    def stop(self) -> None:
        self._event.set()

    def close(self) -> None:
        self._pool.shutdown(wait=True)
        self._client.close()

    def _start(self, task: Task) -> futures.Future[Done]:
        return self._pool.submit(run_on_worker, task, self._flag)


def run_on_worker(task: Task, flag: str) -> Done:
    """Run a task within a Dask worker, until the end of the task or of its client."""
    import distributed

    worker = distributed.get_worker()
    key = worker.get_current_task()
    event = distributed.Event(flag)

    def stopped() -> bool:
        state = worker.state.tasks.get(key)
        if state is None or state.state in ("cancelled", "released", "forgotten"):
            return True  # nobody waits for it any more
        return bool(event.is_set())

    return run_task(task, stopped, _LOOK_FAR)
