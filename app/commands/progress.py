"""A run's progress on a terminal: one overwritten line, or plain lines, or JSON.

This is our own code and not rich because rich would replace only the 15 lines for the bar: the others choose the words
for each event. Importing ``rich.progress`` (15.0) would add 44 ms of CPU time to the 83 of a start (least of 15 times
``python -c "import app.cli, rich.progress"``).
"""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Iterator, Sequence

from app.commands.summary import evidence_text, lacking, outputs, stalled_text
from app.terminal import never_silent, tell_running
from app.text import classes, counted, sentences, time_left
from app.text import seconds as duration
from app.text import size as size_text
from core.protocol import events
from core.protocol.run_words import phase_title, phase_words

_EVERY = 0.1
_WIDTH = 16


def json_lines(event: events.Event) -> None:
    """Print an event as a line of JSON."""
    print(events.to_line(event), flush=True)


def check_progress(event: events.Event) -> None:
    """Tell the present run of a check, and print warnings about the input. The command prints the result."""
    if isinstance(event, events.Checking):
        tell_running(_running(event))
    elif isinstance(event, (events.Warned, events.Opened)):
        for sentence in _sentences(event):
            print(sentence, file=sys.stderr)


def _running(event: events.Checking) -> str:
    return f"Checking whether {event.proves}."


def _sentences(event: events.Event) -> Sequence[str]:
    """Return the lines about an event that stay on the screen. For a failed check these are the outputs alone: an error
    with the rest follows."""
    match event:
        case events.Warned():
            return [f"warning: {event.message}"]
        case events.Opened():
            return [f"warning: {warning}" for warning in event.warnings]
        case events.Evidence():
            return [evidence_text(event)]
        case events.Stalled():
            return [stalled_text(event)]
        case events.Checked():
            said = [*sentences(event.message), f"A probe takes {duration(event.seconds)}."]
            return [*said, *lacking(event)] if event.interesting else outputs(event)
        case events.Vouched() | events.Finished():
            return [event.message]
    return ()


class Lines:
    """Progress as plain lines, one for each accepted step, for logs."""

    def __init__(self) -> None:
        self._total = 1
        self._left = 0
        self._phase = (0, "")

    def __call__(self, event: events.Event) -> None:
        for line in (*_sentences(event), *self._step(event)):
            print(line, file=sys.stderr, flush=True)

    def _step(self, event: events.Event) -> Iterator[str]:
        """Yield a line on a beginning activity, or on an accepted step."""
        match event:
            case events.Checking():
                yield _running(event)
            case events.Searching() if (event.round, event.phase) != self._phase:
                self._phase = event.round, event.phase
                yield f"round {event.round}, {phase_words(event.phase, event.level, event.elements)}"
            case events.Started():
                self._total = max(1, event.bytes)
                yield f"Algorithm {event.algorithm}, from {classes(event.classes)}, {size_text(event.bytes)}:"
            case events.Accepted() if event.bytes != self._left:
                self._left = event.bytes
                yield (
                    f"{duration(event.at):>8}  probe {event.probe:4}  {classes(event.classes):>14}  "
                    f"{size_text(event.bytes):>9}  {event.bytes / self._total:6.1%}"
                )


class Bar:
    """Progress as one line: size left, probes, their rate, the largest number of probes of the present search, the
    time left."""

    def __init__(self) -> None:
        self._total = 1
        self._left = 1
        self._classes = 0
        self._probes = 0
        self._bound = 0
        self._phase = ""
        self._rest, self._told = (-1.0, -1.0), 0.0
        self._started = time.monotonic()
        self._drawn = 0.0

    def __call__(self, event: events.Event) -> None:
        for sentence in _sentences(event):
            print(sentence, file=sys.stderr)
        match event:
            case events.Checking():
                tell_running(_running(event))
            case events.Loading():
                tell_running(f"reading class {event.done} of {event.total}")
            case events.Paused():
                tell_running("paused")
            case events.Searching():
                self._phase = phase_title(event.phase)
            case events.Started():
                self._total = self._left = max(1, event.bytes)
                self._classes = event.classes
                self._started = time.monotonic()
                self._show()
            case events.Asked():
                self._bound = max(0, event.left)
            case events.Counted():
                self._rest, self._told = (event.least_left, event.most_left), time.monotonic()
                if event.searched:
                    self._show()
            case events.Trying():
                self._probes = event.probe
                self._show()
            case events.Accepted():
                self._left, self._classes = event.bytes, event.classes
                self._show()

    def _show(self) -> None:
        now = time.monotonic()
        if now - self._drawn < _EVERY:
            return
        self._drawn = now
        share = self._left / self._total
        filled = round(share * _WIDTH)
        rate = self._probes / max(now - self._started, 0.001)
        left = time_left(*self._rest, now - self._told)
        rest = f", {left}" if left else ""
        bound = f", at most {counted(self._bound, 'probe')}" if self._bound else ""
        tell_running(
            f"[{'█' * filled}{'·' * (_WIDTH - filled)}] {share:6.1%}  {classes(self._classes)}  "
            f"{size_text(self._left)}  {self._probes} probes, {rate:.1f}/s{rest}  {self._phase}{bound}"
        )


class Heartbeat:
    """A listener that hands events on to ``told``. After some seconds of silence it tells the current activity. Ends
    with its context."""

    def __init__(self, told: events.Listener) -> None:
        self._told, self._lock = told, threading.Lock()
        self._doing, self._since = "reading the input", time.monotonic()
        self._running: dict[int, tuple[str, float]] = {}
        self._last = ""
        self._beating = never_silent(self._beat)

    def __enter__(self) -> Heartbeat:
        self._beating.__enter__()
        return self

    def __exit__(self, *_: object) -> None:
        self._beating.__exit__(None, None, None)

    def __call__(self, event: events.Event) -> None:
        with self._lock:
            self._note(event)
            self._told(event)

    def _note(self, event: events.Event) -> None:
        """Take note of begun work, and of the last ended probe."""
        match event:
            case events.Trying():
                what = f"running probe {event.probe} ({classes(event.classes)}, {size_text(event.bytes)})"
                self._running[event.probe] = what, time.monotonic()
            case events.Ended():
                self._running.pop(event.probe, None)
                if event.verdict:
                    self._last = f". Last: probe {event.probe}, {event.verdict} after {duration(event.seconds)}"
            case _ if doing := _begun(event):
                self._doing, self._since = doing, time.monotonic()
                if isinstance(event, events.Checking):  # probes before a check that begins anew are of no search
                    self._last = ""

    def _beat(self) -> None:
        with self._lock:
            doing, since = next(iter(self._running.values()), (self._doing, self._since))
            tell_running(f"Still {doing}, for {duration(time.monotonic() - since)}{self._last}.")


def _begun(event: events.Event) -> str:
    """Return the activity that an event begins; an empty text for other events."""
    match event:
        case events.Working():
            return event.message
        case events.Opened() | events.Checked():
            return "preparing the search"
        case events.Checking():
            return f"checking whether {event.proves}"
        case events.Started():
            return "looking for evidence"
        case events.Searching():
            return f"searching, {phase_title(event.phase)}"
        case events.Finished():
            return "writing the results"
    return ""
