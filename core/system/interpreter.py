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

    Meant for batches of some thousand classes, since garbage stays until the end. ``lasting``: what is made is there
    to stay. If that is much, all objects there are leave the collector's sight for good: they go when nobody refers to
    them any more, but for cycles, of which a model has few. Otherwise the collector would look through all of it as
    soon as it runs again (h2: 0.4 s).
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

    It would start one a processor, each of which first waits in a loop: half of the CPU time of the import on two
    processors. Nothing here multiplies matrices that are worth a second thread. What the user has set holds, and
    what is started afterwards finds the environment as it was.
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

    To be called before anything else is registered for the end: what is registered first is called last. Python would
    take all objects apart, one by one: a fifth of the processor time of an idle engine, more where a model is large.
    """
    code = [1]
    atexit.register(_leave, code)
    return code


def _leave(code: list[int]) -> None:
    for stream in (sys.stdout, sys.stderr):
        with suppress(AttributeError, OSError, ValueError):  # there is none, it was closed, or nobody reads
            stream.flush()
    os._exit(code[0])
