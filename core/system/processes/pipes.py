"""Reading several outputs of a command at once: by ``select`` where that knows pipes, else by a thread for each."""

from __future__ import annotations

import os
import selectors
import threading
import time
from collections.abc import Callable, Sequence
from types import TracebackType
from typing import IO, Protocol

Sink = Callable[[bytes], None]
_CHUNK = 1 << 16


class Pipes(Protocol):
    """Pipes with what takes their bytes. Within a ``with`` statement; the pipes are closed at its end."""

    @property
    def open(self) -> bool:
        """Return True if at least one of the pipes has not reached its end."""

    def wait(self, seconds: float) -> bool:
        """Wait at most ``seconds`` for bytes and hand over those that came. Return True if any came."""

    def __enter__(self) -> Pipes: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...


def pipes(outputs: Sequence[tuple[IO[bytes], Sink]]) -> Pipes:
    """Return the reader of pipes for this system."""
    return SelectedPipes(outputs) if os.name == "posix" else ThreadedPipes(outputs)


class SelectedPipes:
    """One thread, which the system tells where bytes are."""

    def __init__(self, outputs: Sequence[tuple[IO[bytes], Sink]]) -> None:
        self._pipes = [pipe for pipe, _ in outputs]
        self._selector = selectors.DefaultSelector()
        for pipe, sink in outputs:
            os.set_blocking(pipe.fileno(), False)
            self._selector.register(pipe, selectors.EVENT_READ, sink)

    @property
    def open(self) -> bool:
        return bool(self._selector.get_map())

    def wait(self, seconds: float) -> bool:
        ready = self._selector.select(seconds)
        for key, _ in ready:
            try:
                chunk = os.read(key.fd, _CHUNK)
            except BlockingIOError:
                continue
            if chunk:
                key.data(chunk)
            else:
                self._selector.unregister(key.fileobj)
        return bool(ready)

    def __enter__(self) -> SelectedPipes:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._selector.close()
        for pipe in self._pipes:
            pipe.close()


class ThreadedPipes:
    """A thread for each pipe, which waits for its bytes. A pipe that somebody holds open is left to its thread."""

    def __init__(self, outputs: Sequence[tuple[IO[bytes], Sink]]) -> None:
        self._lock = threading.Condition()
        self._came = 0
        self._left = False
        self._threads = [threading.Thread(target=self._read, args=output, daemon=True) for output in outputs]
        self._running = len(self._threads)
        for thread in self._threads:
            thread.start()

    @property
    def open(self) -> bool:
        with self._lock:
            return self._running > 0

    def wait(self, seconds: float) -> bool:
        end = time.monotonic() + seconds
        with self._lock:
            while not self._came and self._running and (left := end - time.monotonic()) > 0:
                self._lock.wait(left)
            came, self._came = self._came, 0
            return came > 0

    def _read(self, pipe: IO[bytes], sink: Sink) -> None:
        try:
            with pipe:
                while chunk := os.read(pipe.fileno(), _CHUNK):
                    with self._lock:
                        if self._left:
                            return
                        sink(chunk)
                        self._came += 1
                        self._lock.notify()
        except (OSError, ValueError):
            pass
        finally:
            with self._lock:
                self._running -= 1
                self._came += 1  # the end is news too
                self._lock.notify()

    def __enter__(self) -> ThreadedPipes:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with self._lock:
            self._left = True
