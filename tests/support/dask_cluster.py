"""A real Dask cluster on this machine: a scheduler and workers, all processes of their own."""

from __future__ import annotations

import importlib.util
import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import pytest

from core.cluster.connection import connected, threads_of
from core.errors import UsageError
from tests.support.patience import patience

needs_dask = pytest.mark.skipif(
    importlib.util.find_spec("distributed") is None,
    reason="dask.distributed is not installed (packaging/requirements-dask.txt)",
)


@dataclass(frozen=True)
class LoopbackCluster:
    """The scheduler's address, and the workers' processes."""

    address: str
    workers: tuple[subprocess.Popen[str], ...]
    join: Callable[..., subprocess.Popen[str]]
    """Starts one worker more, with these variables in its environment."""

    def lose(self, number: int) -> None:
        """Kills a worker."""
        os.killpg(self.workers[number].pid, signal.SIGKILL)


@contextmanager
def loopback_cluster(workers: int, path: str = "", preload: str = "") -> Iterator[LoopbackCluster]:
    """A cluster of so many workers of one thread each; ``path``: where they find more modules; ``preload``: one that
    they load first."""
    environment = {**os.environ, "PYTHONPATH": path}
    processes: list[subprocess.Popen[str]] = []

    def start(*words: str, **variables: str) -> subprocess.Popen[str]:
        process = subprocess.Popen(
            [sys.executable, "-m", "distributed.cli." + words[0], *words[1:]],
            env={**environment, **variables},
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        processes.append(process)
        return process

    try:
        scheduler = start("dask_scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard")
        assert scheduler.stderr is not None
        found = None
        while found is None:
            line = scheduler.stderr.readline()
            assert line, "the scheduler has ended"
            found = re.search(r"tcp://127\.0\.0\.1:\d+", line)
        _drain(scheduler)
        address = found[0]

        def join(**variables: str) -> subprocess.Popen[str]:
            options = ("--nthreads", "1", "--no-nanny", "--no-dashboard", "--host", "127.0.0.1")
            worker = start("dask_worker", address, *options, *(("--preload", preload) if preload else ()), **variables)
            _drain(worker)
            return worker

        for _ in range(workers):
            join()
        yield LoopbackCluster(address, tuple(processes[1:]), join)
    finally:
        for process in reversed(processes):
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            assert process.stderr is not None


def wait_for_workers(address: str, wanted: int) -> None:
    """Until so many workers have come to a scheduler."""
    end = time.monotonic() + patience()
    while True:
        assert time.monotonic() < end, "the workers did not come"
        try:
            client = connected(address)
        except UsageError:
            time.sleep(0.2)
            continue
        came = threads_of(client)
        client.close()
        if came >= wanted:
            return
        time.sleep(0.2)


def _drain(process: subprocess.Popen[str]) -> None:
    assert process.stderr is not None
    stream = process.stderr

    def read() -> None:
        with stream:
            for _ in stream:
                pass

    threading.Thread(target=read, daemon=True).start()
