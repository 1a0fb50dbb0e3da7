"""A run's progress on a terminal: one line that is written over, or plain lines, or JSON.

This is our own code and not rich because rich would replace only the 15 lines that draw the bar: the others choose what
to say of each event. Importing ``rich.progress`` (15.0) would add 44 ms of CPU time to the 83 of a start (least of 15
times ``python -c "import app.cli, rich.progress"``).
"""

from __future__ import annotations

import sys
import time

from app.commands.summary import evidence_text, lacking, outputs, stalled_text
from app.terminal import draw, tell_running
from app.text import plural, time_left
from app.text import seconds as duration
from app.text import size as size_text
from core.protocol import events
from core.protocol.run_words import phase_title, phase_words
from core.words import visible

_EVERY = 0.1
_WIDTH = 16


def json_lines(event: events.Event) -> None:
    """Print an event as a line of JSON."""
    print(events.to_line(event), flush=True)


def check_progress(event: events.Event) -> None:
    """Tell what a check runs, and warn of what the input lacks. The result of the check is printed by the command."""
    match event:
        case events.Warned():
            tell_running("")
            print(f"warning: {event.message}", file=sys.stderr)
        case events.Opened():
            for warning in event.warnings:
                print(f"warning: {warning}", file=sys.stderr)
        case events.Checking():
            tell_running(f"Checking: {event.proves}.")
        case events.Checked():
            tell_running("")


def _checked(event: events.Checked) -> list[str]:
    """Return lines on a check that passed. For one that failed return the outputs alone: an error with the rest
    follows."""
    if event.interesting:
        return [f"{event.message} {duration(event.seconds)} per probe.", *lacking(event)]
    return outputs(event)


class Lines:
    """Progress as plain lines, one for each accepted step, for logs."""

    def __init__(self) -> None:
        self._total = 1
        self._left = 0
        self._phase = (0, "")

    def __call__(self, event: events.Event) -> None:
        match event:
            case events.Warned():
                print(f"warning: {event.message}", file=sys.stderr)
            case events.Evidence():
                print(evidence_text(event), file=sys.stderr)
            case events.Stalled():
                print(stalled_text(event), file=sys.stderr)
            case events.Searching() if (event.round, event.phase) != self._phase:
                self._phase = event.round, event.phase
                print(f"round {event.round}, {phase_words(event.phase, event.elements)}", file=sys.stderr)
            case events.Opened():
                for warning in event.warnings:
                    print(f"warning: {warning}", file=sys.stderr)
            case events.Checking():
                tell_running(f"Checking: {event.proves}.")
            case events.Checked():
                for line in _checked(event):
                    print(line, file=sys.stderr)
            case events.Vouched():
                print(event.message, file=sys.stderr)
            case events.Started():
                self._total = max(1, event.bytes)
                size = size_text(event.bytes)
                print(f"Algorithm {event.algorithm}, from {_classes(event.classes)}, {size}:", file=sys.stderr)
            case events.Accepted() if event.bytes != self._left:
                self._left = event.bytes
                print(
                    f"{duration(event.at):>8}  probe {event.probe:4}  {_classes(event.classes):>14}  "
                    f"{size_text(event.bytes):>9}  {event.bytes / self._total:6.1%}",
                    file=sys.stderr,
                )
            case events.Finished():
                print(event.message, file=sys.stderr)


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
        match event:
            case events.Warned():
                self._say(f"warning: {event.message}")
            case events.Evidence():
                self._say(evidence_text(event))
            case events.Stalled():
                self._say(stalled_text(event))
            case events.Searching():
                self._phase = phase_title(event.phase)
            case events.Opened():
                for warning in event.warnings:
                    self._say(f"warning: {warning}")
            case events.Checking():
                tell_running(f"Checking: {event.proves}.")
            case events.Loading():
                tell_running(f"reading class {event.done} of {event.total}")
            case events.Checked():
                for line in _checked(event):
                    self._say(line)
            case events.Vouched():
                self._say(event.message)
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
            case events.Paused():
                tell_running("paused")
            case events.Finished():
                self._say(event.message)

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
        bound = f", at most {plural(self._bound, 'probe')}" if self._bound else ""
        tell_running(
            f"[{'█' * filled}{'·' * (_WIDTH - filled)}] {share:6.1%}  {_classes(self._classes)}  "
            f"{size_text(self._left)}  {self._probes} probes, {rate:.1f}/s{rest}  {self._phase}{bound}"
        )

    def _say(self, text: str) -> None:
        draw(f"\r\x1b[K{visible(text)}\n")


def _classes(number: int) -> str:
    return plural(number, "class", "classes")
