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

SILENT = 4.0
"""Seconds without a text until the current work is told."""


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
        """Print a text with its invisible characters escaped."""
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
    """Tell the current work on standard error: on a terminal in a line that the next text replaces and an empty text
    clears; elsewhere in a line of its own.
    """
    if sys.stderr.isatty():
        draw(f"\r\x1b[K{in_line(text)[: shutil.get_terminal_size().columns - 1]}")
    elif text:
        print(text, file=sys.stderr, flush=True)


@contextlib.contextmanager
def never_silent(tell: Callable[[], None]) -> Iterator[None]:
    """Call ``tell``, in a thread of its own, each time that standard error was silent for some seconds in the
    context."""
    over = threading.Event()

    def beat() -> None:
        while not over.wait(SILENT / 8):
            if isinstance(stream := sys.stderr, Sink) and time.monotonic() - stream.told >= SILENT:
                tell()

    thread = threading.Thread(target=beat, name="heartbeat", daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


@contextlib.contextmanager
def told_while(doing: str, *, quiet: bool = False) -> Iterator[None]:
    """Tell within the context, unless ``quiet``, that some work still goes on."""
    if quiet:
        yield
        return
    begun = time.monotonic()
    with never_silent(lambda: tell_running(f"Still {doing}, for {time.monotonic() - begun:.0f} s.")):
        yield


@contextlib.contextmanager
def guarded_streams() -> Iterator[tuple[Sink, Sink]]:
    """Replace ``sys.stdout`` and ``sys.stderr`` by sinks within the context, and yield the sinks."""
    before = sys.stdout, sys.stderr
    sinks = Sink(before[0]), Sink(before[1])
    sys.stdout, sys.stderr = sinks
    try:
        yield sinks
    finally:
        for sink in sinks:
            sink.flush()
        sys.stdout, sys.stderr = before
