"""A call in a thread of its own."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import Generic, TypeVar

T = TypeVar("T")


class ThreadCall(Generic[T]):
    """A call in a thread of its own, which keeps no program from its end. ``name`` is that of the thread."""

    def __init__(self, name: str, call: Callable[[], T]) -> None:
        self._future: Future[T] = Future()
        self._thread = threading.Thread(target=self._run, args=(call,), name=name, daemon=True)
        self._thread.start()

    @property
    def over(self) -> bool:
        """True if the call has ended."""
        return not self._thread.is_alive()

    def wait(self, seconds: float | None = None) -> None:
        """Wait until the call has ended, or for so many seconds."""
        self._thread.join(seconds)

    def result(self) -> T:
        """Wait for the result of the call and return it. Raise an error of the call."""
        self._thread.join()
        return self._future.result()

    def _run(self, call: Callable[[], T]) -> None:
        try:
            self._future.set_result(call())
        except BaseException as error:  # raised in the thread that asks
            self._future.set_exception(error)
