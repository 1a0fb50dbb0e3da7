"""A run of the full input that begins while the first one still goes on, once that has taken long: what is compared
with it would else take as long again.

For the first seconds a virtual machine keeps all processors busy with compiling, and a second one beside it would only
make both of them slower; after that much of the work is done by one thread.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from threading import Event as Flag
from typing import Generic, TypeVar

from core.reduction.control import Cancel

T = TypeVar("T")

AFTER = 4.0
"""Seconds that the first run takes alone."""


class EarlyRun(Generic[T]):
    """``run``, in a thread of its own, unless the first one is over within ``after`` seconds. It is given what ends it:
    that is set by :meth:`end`, and by ``cancel``. Whoever makes one ends it."""

    def __init__(self, run: Callable[[Flag], T], cancel: Flag, after: float | None = None) -> None:
        self._run, self._cancel = run, Cancel(cancel)
        self._after = AFTER if after is None else after
        self._first_over = threading.Event()
        self._found: list[T] = []
        self._error: BaseException | None = None
        self._thread = threading.Thread(target=self._go, name="early", daemon=True)
        self._thread.start()

    def first_is_over(self) -> None:
        """The first run has ended: what has not begun until now does not."""
        self._first_over.set()

    def result(self) -> list[T]:
        """What the run gave, once it is over; nothing if it did not begin. Raises what it raised."""
        self._first_over.set()
        self._thread.join()
        if self._error is not None:
            raise self._error
        return self._found

    def end(self) -> None:
        """Ends it, and waits until nothing of it runs."""
        self._cancel.set()
        self._first_over.set()
        self._thread.join()

    def _go(self) -> None:
        if self._first_over.wait(self._after) or self._cancel.is_set():
            return
        try:
            self._found.append(self._run(self._cancel))
        except BaseException as error:  # told by the thread that asks
            self._error = error
