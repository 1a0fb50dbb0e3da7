"""A reduction or check under way in a thread: its events as an iterator, its end as an object."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from queue import SimpleQueue
from typing import Generic, TypeVar

from core.protocol.wire import Event

T = TypeVar("T")
_LOOK = 0.2
"""Seconds between two chances for Ctrl+C while the end is waited for."""


class Run(Generic[T]):
    """A run that starts when its events or its result are first asked for.

    ``for event in run`` yields events (:mod:`jarlet.events`) as they happen; :meth:`result` waits for the end. To leave
    the loop early does not end the run: :meth:`stop` does. Ctrl+C does so too, and keeps the best so far.
    """

    def __init__(self, work: Callable[[Callable[[Event], None]], T], stop: Callable[[], None]) -> None:
        self._work = work
        self._halt = stop
        self._queue: SimpleQueue[Event | None] = SimpleQueue()
        self._heard = False
        self._thread: threading.Thread | None = None
        self._found: T | None = None
        self._error: BaseException | None = None

    @property
    def running(self) -> bool:
        """Return True if the run has begun and not ended."""
        return self._thread is not None and self._thread.is_alive()

    def __iter__(self) -> Iterator[Event]:
        """Yield the events from the beginning on: once, to one reader. At the end, raises the error of the run."""
        self._heard = True
        self._start()
        try:
            while (event := self._next()) is not None:
                yield event
        finally:
            self._heard = False
        self.result()

    def result(self) -> T:
        """Wait for the end and return the result. Raises JarletError for an error that the user can mend, and every
        error of a predicate in the form of a function.
        """
        self._start()
        assert self._thread is not None
        try:
            while self._thread.is_alive():
                self._thread.join(_LOOK)
        except KeyboardInterrupt:
            self._end()
            raise
        if self._error is not None:
            raise self._error
        return self._found  # type: ignore[return-value]

    def stop(self) -> None:
        """End the run gently, from any thread: the present probe is killed, and the best so far is the result."""
        if self.running:
            self._halt()

    def join(self) -> None:
        """Wait for the end of the run, for whatever reason it ends."""
        if self._thread is not None:
            self._thread.join()

    def _end(self) -> None:
        self.stop()
        self.join()

    def _start(self) -> None:
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name="jarlet run", daemon=True)
            self._thread.start()

    def _run(self) -> None:
        try:
            self._found = self._work(self._hear)
        except BaseException as error:
            self._error = error
        finally:
            self._queue.put(None)

    def _hear(self, event: Event) -> None:
        if self._heard:
            self._queue.put(event)

    def _next(self) -> Event | None:
        """Return the next event, or None at the end. Raises KeyboardInterrupt once the run has ended."""
        try:
            return self._queue.get()
        except KeyboardInterrupt:
            self._end()
            raise
