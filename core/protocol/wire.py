"""What an event is, and how it travels: one JSON object a line.

On the wire an event is an object whose key ``event`` names its class in lower case
(``{"event": "probed", "probe": 7, ...}``). Item sets travel as base64 of little-endian packed bits, bit *i* of the
stream is item *i* (``numpy.unpackbits(..., bitorder="little")`` reads it back).
"""

from __future__ import annotations

import base64
import json
from collections.abc import Callable
from dataclasses import dataclass, fields


@dataclass(frozen=True, slots=True)
class Event:
    """Base of all events; ``name`` is the word that stands in the JSON."""

    @property
    def name(self) -> str:
        return type(self).__name__.lower()


Listener = Callable[[Event], None]


def pack(items: int, count: int) -> str:
    """Base64 of the packed bits of ``items`` among ``count`` items."""
    return base64.b64encode(items.to_bytes((count + 7) // 8, "little")).decode("ascii")


def unpack(text: str) -> int:
    """The item set that :func:`pack` wrote."""
    return int.from_bytes(base64.b64decode(text), "little")


def to_line(event: Event) -> str:
    """One line of JSON, without the line end; ASCII only."""
    data = {field.name: getattr(event, field.name) for field in fields(event)}
    return json.dumps({"event": event.name, **data}, separators=(",", ":"))
