"""Lanes of threads in which probes run."""

from __future__ import annotations

import threading
from threading import Event as Flag

import pytest

from core.errors import PredicateError
from core.predicate.verdict import Outcome, Verdict
from core.reduction.probing.workers import WorkerPool

TOO_LARGE = 1 << 46
"""Bytes of a stack that no system gives."""


def job(cancel: Flag, seconds: float | None) -> Outcome:
    return Outcome(Verdict.INTERESTING, 0.0, 0, "")


def test_where_the_system_gives_no_thread_nobody_waits_for_one() -> None:
    pool = WorkerPool(1)
    before = threading.stack_size(TOO_LARGE)
    try:
        with pytest.raises(PredicateError, match="cannot be started: can't start new thread"):
            pool.start(1, job, Flag(), None)
    finally:
        threading.stack_size(before)
    assert not pool.busy
    assert pool.wait() == []
    pool.start(2, job, Flag(), None)
    assert [run.number for run in pool.wait()] == [2]
