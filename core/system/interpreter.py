"""Settings of the interpreter in this process: its garbage collector, its threads and those of numpy, and its end."""

from __future__ import annotations

import atexit
import gc
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress

_MUCH = 50_000
"""New objects from which on a search through all of them is worth being spared (some ten milliseconds)."""


@contextmanager
def collector_paused(*, lasting: bool = False) -> Iterator[None]:
    """Keep the cyclic garbage collector from running: halves the time to load a thousand classes.

    Meant for batches of some thousand classes, since garbage stays until the end. ``lasting``: the new objects are
    there to stay. If they are many, all present objects leave the collector's sight for good. They are still freed with
    their last reference, except for cycles, of which a model has few. Otherwise the collector would look through all of
    them in its next run (h2: 0.4 s).
    """
    running = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if running:
            # while it is off the first count grows by each object made and falls by each that went
            if lasting and gc.get_count()[0] > _MUCH:
                gc.freeze()
            gc.enable()


_TURN = 0.0005
"""Length of a thread's turn in seconds, instead of Python's 0.005. The threads that start and watch the predicate want
a turn hundreds of times in a run, while the main thread is busy with the next candidate.
See decisions/030-prepared-while-probes-run.md."""


def short_turns() -> None:
    """Make turns short in this process. A program calls the function once, at its entry."""
    sys.setswitchinterval(_TURN)


_VARIABLE = "OPENBLAS_NUM_THREADS"


@contextmanager
def one_numpy_thread() -> Iterator[None]:
    """Let the linear algebra of a numpy that is imported within start no threads.

    It would start one thread per processor, each with a waiting loop first: half of the CPU time of the import on two
    processors. No matrix product here is worth a second thread. A value of the user's holds, and later processes find
    the environment as it was.
    """
    if _VARIABLE in os.environ:
        yield
        return
    os.environ[_VARIABLE] = "1"
    try:
        yield
    finally:
        del os.environ[_VARIABLE]


def end_quickly() -> list[int]:
    """End this process, once everything is closed, with the exit code that the returned list will hold.

    To be called before anything else is registered for the end: the first registered function is called last. Python
    would take all objects apart, one by one: a fifth of the processor time of an idle engine, more where a model is
    large.
    """
    code = [1]
    atexit.register(_leave, code)
    return code


def _leave(code: list[int]) -> None:
    for stream in (sys.stdout, sys.stderr):
        with suppress(AttributeError, OSError, ValueError):  # there is none, it was closed, or nobody reads
            stream.flush()
    os._exit(code[0])
