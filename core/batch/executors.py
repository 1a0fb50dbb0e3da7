"""Where whole reductions run: in processes of this machine, or on the workers of a Dask cluster that is there already.

A reduction is a process of its own wherever it runs, so its result does not depend on the place: the process is given
its task as the first line of its input, and ends gently, with the best so far, when its input closes. A stop is just
that, and so is the end of whoever started it, however it came.
"""

from __future__ import annotations

import subprocess
import tempfile
import threading
import time
import uuid
from collections.abc import Callable, Iterable, Iterator
from concurrent import futures
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

from core import values as check
from core.cluster.connection import connected, threads_of
from core.system.processes.python_child import python_child

INTERRUPTED = 130
"""Exit code of what was stopped, and of what never began because of that."""

_GRACE = 60.0
"""Seconds that a process has to end gently."""
_SIGNALS, _BETWEEN = 3, 2.0
"""How often it is then told to end, and seconds between."""
_LOOK, _LOOK_FAR = 0.1, 1.0
"""Seconds between two looks at whether to stop: here, and on a worker, which must ask the scheduler."""

_MOST = 1024
"""Tasks at a time at most: each is a process."""


@dataclass(frozen=True)
class Task:
    """A Python module that is run with ``line`` as its first line of input, in ``folder``."""

    name: str
    module: str
    line: str
    folder: Path


@dataclass(frozen=True)
class TaskEnd:
    """How a task ended: exit code of its process and what that printed; seconds of wall time."""

    name: str
    exit: int
    output: str = ""
    error: str = ""
    seconds: float = 0.0


def run_task(task: Task, stopped: Callable[[], bool], every: float = _LOOK) -> TaskEnd:
    """Runs a task here and waits for its end; ``stopped`` is asked every so many seconds."""
    start = time.monotonic()
    if stopped():
        return TaskEnd(task.name, INTERRUPTED)
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as error:
        try:
            process = subprocess.Popen(
                python_child(task.module),
                cwd=task.folder,
                stdin=subprocess.PIPE,
                stdout=output,
                stderr=error,
                # not the terminal's business: a Ctrl+C there is for whoever started us
                start_new_session=True,
            )
        except OSError as problem:
            return TaskEnd(task.name, 2, error=f"It cannot be run in {task.folder}: {problem.strerror or problem}.")
        _wait(process, task.line, stopped, every)
        texts = []
        for file in (output, error):
            file.seek(0)
            texts.append(file.read().decode("utf-8", "replace"))
    return TaskEnd(task.name, process.returncode, texts[0], texts[1], time.monotonic() - start)


def _wait(process: subprocess.Popen[bytes], line: str, stopped: Callable[[], bool], every: float) -> None:
    assert process.stdin is not None
    try:
        with suppress(BrokenPipeError):  # it has ended already; its exit code tells why
            process.stdin.write(line.encode() + b"\n")
            process.stdin.flush()
        while process.poll() is None and not stopped():
            with suppress(subprocess.TimeoutExpired):
                process.wait(every)
        with suppress(BrokenPipeError):
            process.stdin.close()
        process.wait(_GRACE)
    except subprocess.TimeoutExpired:
        pass  # it does not listen
    finally:
        for _ in range(_SIGNALS):  # at the second one it kills what it runs
            with suppress(subprocess.TimeoutExpired):
                process.terminate()
                process.wait(_BETWEEN)
        if process.poll() is None:
            process.kill()
            process.wait()


class Executor:
    """Runs tasks, ``lanes`` at a time. Used by one thread; ``stop`` may be called from anywhere."""

    lanes: int

    def run(self, tasks: Iterable[Task]) -> Iterator[TaskEnd]:
        """The tasks' ends, as they come. The next task is asked for when a lane is free, not earlier."""
        waiting = iter(tasks)
        running: set[futures.Future[TaskEnd]] = set()
        names: dict[futures.Future[TaskEnd], str] = {}
        while True:
            while len(running) < self.lanes and (task := next(waiting, None)) is not None:
                future = self._start(task)
                names[future] = task.name
                running.add(future)
            if not running:
                return
            ended, running = futures.wait(running, return_when=futures.FIRST_COMPLETED)
            for future in sorted(ended, key=names.__getitem__):
                yield self._end(future, names.pop(future))

    def stop(self) -> None:
        """Ends all gently; what has not begun ends at once with INTERRUPTED."""
        raise NotImplementedError

    def close(self) -> None:
        """Stops, waits for the ends, and lets go of what it holds."""
        raise NotImplementedError

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def _start(self, task: Task) -> futures.Future[TaskEnd]:
        raise NotImplementedError

    def _end(self, future: futures.Future[TaskEnd], name: str) -> TaskEnd:
        return future.result()


class Local(Executor):
    """Processes of this machine."""

    def __init__(self, lanes: int = 1) -> None:
        check.whole("number of jobs at a time", lanes, 1, _MOST)
        self.lanes = lanes
        self._stop = threading.Event()
        self._pool = futures.ThreadPoolExecutor(lanes)

    def stop(self) -> None:
        self._stop.set()

    def close(self) -> None:
        self.stop()
        self._pool.shutdown()

    def _start(self, task: Task) -> futures.Future[TaskEnd]:
        return self._pool.submit(run_task, task, self._stop.is_set)


class Cluster(Executor):
    """The workers of a Dask cluster, found by its scheduler's address (``tcp://host:8786``).

    They must have the same Jarlet installed and see the same files under the same paths. ``lanes``: by default as
    many as the workers have threads. Raises UsageError when ``dask.distributed`` is not installed or nobody answers.
    """

    def __init__(self, address: str, lanes: int | None = None, patience: float = 10.0) -> None:
        self._client: Any = connected(address, patience)
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

    def _start(self, task: Task) -> futures.Future[TaskEnd]:
        return self._pool.submit(run_on_worker, task, self._flag)

    def _end(self, future: futures.Future[TaskEnd], name: str) -> TaskEnd:
        try:
            return future.result()
        except Exception as error:  # whatever the worker, its Python or the network had to say
            return TaskEnd(name, 2, error=f"The cluster could not run it: {type(error).__name__}: {error}")


def run_on_worker(task: Task, flag: str) -> TaskEnd:
    """Runs a task within a Dask worker, until its end or that of the client who wants it."""
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
