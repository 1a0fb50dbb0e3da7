"""From a line of the engine's output to an object the window can use at once.

Runs in the reader's thread: JSON is parsed, lists become numpy arrays and packed
bits become boolean arrays there, so that the window's thread only has to look at them.
"""

from __future__ import annotations

import base64
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from app.engine.opened_jar import OpenedJar, jar_from
from app.graph.scene.cells import Cells, cells_from
from app.graph.scene.scene import Scene, scene_from
from core.errors import UsageError
from core.protocol import events
from core.protocol.wire import event_from, known

Bits = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Kept:
    """An event that carries an item set, with the set unpacked: ``bits`` may be longer
    than the number of items (it is a multiple of 8)."""

    event: events.Event
    bits: Bits


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A line that is no event: kept for the log, never shown as a failure."""

    line: str
    problem: str = field(default="")


Message = events.Event | Kept | OpenedJar | Scene | Cells | Unreadable

_CLASSES = known(events.Event)


class EventDecoder:
    """A decoder of one engine's lines. The decoder remembers the engine's jar, so that layouts arrive with their
    scenes."""

    def __init__(self) -> None:
        self._jar: OpenedJar | None = None

    def decode(self, line: bytes) -> Message:
        """Return the message on one line."""
        message = decode(line, self._jar)
        if isinstance(message, OpenedJar):
            self._jar = message
        return message


def decode(line: str | bytes, jar: OpenedJar | None = None) -> Message:
    """Return the message on one line, a layout of ``jar`` as its scene; fields that this version does not know are
    ignored."""
    try:
        return _prepare(event_from(line, _CLASSES), jar)
    except (ValueError, KeyError, TypeError, AttributeError, UsageError) as error:
        text = line.decode("utf-8", "replace") if isinstance(line, bytes) else line
        return Unreadable(text[:500], f"{type(error).__name__}: {error}")


def _prepare(event: events.Event, jar: OpenedJar | None) -> Message:
    if isinstance(event, events.Opened):
        return jar_from(event)
    if isinstance(event, events.Layout) and jar is not None:
        return scene_from(jar, event)
    if isinstance(event, events.Matrix):
        return cells_from(event)
    if isinstance(event, events.Trying | events.Accepted | events.Needed | events.Finished):
        return Kept(event, unpack(event.kept))
    return event


def unpack(text: str, count: int | None = None) -> Bits:
    """Return the Boolean array of the packed little-endian bits in ``text``: the first ``count``, False where there are
    fewer; None = all, up to the end of the last byte."""
    packed = np.frombuffer(base64.b64decode(text), np.uint8)
    return np.unpackbits(packed, count=count, bitorder="little").astype(np.bool_)
