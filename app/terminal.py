"""The streams of a command: all output is fit for a terminal, and no stream ends a command.

A reader that has seen enough (``| head``), a closed stream (``>&-``) and a full device (``/dev/full``) are no reason to
lose a result. Text that cannot be written is dropped, and reported at the end, unless the reader left.
"""

from __future__ import annotations

import contextlib
import io
import os
import shutil
import sys
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any, TextIO

from core.words import in_line, visible

SILENT = 3.0
"""Seconds without a text until the current work is told."""

_CLEAR = "\r\x1b[K"
_shown = threading.Event()
"""Set while the line on the current work is on the terminal."""
_tells: list[Callable[[], None]] = []
"""Functions that tell the current work, the innermost last."""
_turn = threading.Lock()
"""Held while the list changes, and while one of its functions runs."""


class Sink(io.TextIOBase):
    """A stream in the place of ``sys.stdout`` or ``sys.stderr``, which escapes invisible characters and never raises
    OSError."""

    def __init__(self, stream: TextIO | None) -> None:
        self._stream = stream
        self._open = stream is not None
        self.told = time.monotonic()
        """Moment of the last text, by the monotonic clock."""
        self.lost = ""
        """Why something that was printed is lost, in words; empty as long as nothing is."""
        self.buffer = Bytes(self)
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # a terminal may know fewer characters than we print

    def write(self, text: str) -> int:
        """Print a text with its invisible characters escaped, in the place of the line on the current work."""
        _clear()
        self.draw(visible(text))
        return len(text)

    def draw(self, text: str) -> None:
        """Print our own text as it is, with its control codes."""
        self._try(lambda stream: stream.write(text))

    def write_bytes(self, data: bytes) -> None:
        """Write a file's content, as it is."""

        def write(stream: TextIO) -> None:
            stream.flush()
            stream.buffer.write(data)

        _clear()
        self._try(write)

    def flush(self) -> None:
        if self._open:
            self._try(lambda stream: stream.flush())

    def isatty(self) -> bool:
        """Return True if a person may be looking."""
        return self._open and self._stream is not None and self._stream.isatty()

    def fileno(self) -> int:
        """Return the stream's number. Raise OSError if it has none."""
        if self._stream is None:
            raise io.UnsupportedOperation("fileno")
        return self._stream.fileno()

    def writable(self) -> bool:
        """Return True: the sink takes everything."""
        return True

    @property
    def encoding(self) -> str:  # type: ignore[override]
        """The stream's own."""
        return getattr(self._stream, "encoding", None) or "utf-8"

    def _try(self, action: Callable[[TextIO], Any]) -> None:
        self.told = time.monotonic()
        if self._stream is None:
            self.lost = "it is closed"
        if not self._open or self._stream is None:
            return
        try:
            action(self._stream)
        except BrokenPipeError:
            self._give_up("")
        except (OSError, ValueError) as error:
            self._give_up((error.strerror if isinstance(error, OSError) else None) or str(error))

    def _give_up(self, reason: str) -> None:
        """Discard the rest of the stream's content, or Python would complain about the content at the end."""
        self._open, self.lost = False, reason
        with contextlib.suppress(OSError, ValueError):
            number = self.fileno()
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, number)
            os.close(nowhere)


class Bytes:
    """The binary side of a sink."""

    def __init__(self, sink: Sink) -> None:
        self._sink = sink

    def write(self, data: bytes) -> int:
        """Write a file's content, as it is."""
        self._sink.write_bytes(data)
        return len(data)

    def flush(self) -> None:
        self._sink.flush()


def draw(text: str) -> None:
    """Print our own text on standard error as it is, with its control codes, and at once."""
    stream = sys.stderr
    if isinstance(stream, Sink):
        stream.draw(text)
    else:
        stream.write(text)
    stream.flush()


def tell_running(text: str) -> None:
    """Tell the current work on standard error: on a terminal in a line that the next text replaces, elsewhere in a line
    of its own.
    """
    if sys.stderr.isatty():
        draw(f"{_CLEAR}{in_line(text)[: shutil.get_terminal_size().columns - 1]}")
        _shown.set()
    else:
        print(text, file=sys.stderr, flush=True)


def _clear() -> None:
    """Remove the line on the current work from the terminal."""
    if _shown.is_set():
        _shown.clear()
        draw(_CLEAR)


@contextlib.contextmanager
def never_silent(tell: Callable[[], None]) -> Iterator[None]:
    """Have :func:`guarded_streams` call ``tell`` each time that standard error was silent for some seconds in the
    context; within an inner context its ``tell`` alone."""
    with _turn:
        _tells.append(tell)
    try:
        yield
    finally:
        with _turn:
            _tells.remove(tell)


@contextlib.contextmanager
def told_while(doing: str, *, quiet: bool = False, began: float | None = None) -> Iterator[None]:
    """Tell within the context, unless ``quiet``, that some work still goes on; ``began``: its start by the monotonic
    clock, by default now."""
    begun = time.monotonic() if began is None else began

    def tell() -> None:
        if not quiet:
            tell_running(f"Still {doing}, for {time.monotonic() - begun:.0f} s.")

    with never_silent(tell):
        yield


@contextlib.contextmanager
def guarded_streams(began: float | None = None) -> Iterator[tuple[Sink, Sink]]:
    """Replace ``sys.stdout`` and ``sys.stderr`` by sinks within the context, and yield the sinks. Silence counts from
    ``began``, by the monotonic clock, or from now."""
    before = sys.stdout, sys.stderr
    sinks = out, err = Sink(before[0]), Sink(before[1])
    err.told = began if began is not None else err.told
    sys.stdout, sys.stderr = sinks
    over = threading.Event()

    def beat() -> None:
        while not over.wait(SILENT / 8):
            with _turn:
                if _tells and time.monotonic() - err.told >= SILENT:
                    _tells[-1]()

    thread = threading.Thread(target=beat, name="heartbeat", daemon=True)
    thread.start()
    try:
        yield sinks
    finally:
        over.set()
        thread.join()
        out.flush()
        err.flush()
        sys.stdout, sys.stderr = before
