"""numpy without threads of its own."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager

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
