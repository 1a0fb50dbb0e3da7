"""Types and ranges of what comes from outside: options, batch files, commands of a window, files edited by hand.

Each function gives the value back as it was wished for, or raises a UsageError that names the field, what it must be
and what it is. ``name`` is how the user calls the field.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from core.errors import UsageError
from core.words import cut, in_line

_SHOWN = 60


def text(name: str, value: object) -> str:
    """A text without a NUL character, which no system takes in a path or a command."""
    if not isinstance(value, str):
        raise _wrong(name, "a text", value)
    if "\0" in value:
        raise _wrong(name, "a text without NUL characters", value)
    return value


def texts(name: str, value: object) -> tuple[str, ...]:
    """A list of texts; of a set, in order."""
    if isinstance(value, (set, frozenset)):
        value = sorted(value, key=str)
    if not isinstance(value, (list, tuple)) or not all(isinstance(part, str) for part in value):
        raise _wrong(name, "a list of texts", value)
    return tuple(text(name, part) for part in value)


def flag(name: str, value: object) -> bool:
    """True or false, no number or text that stands for it."""
    if not isinstance(value, bool):
        raise _wrong(name, "true or false", value)
    return value


def whole(name: str, value: object, least: int, most: int) -> int:
    """A whole number from ``least`` to ``most``."""
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise _wrong(name, f"a whole number from {least} to {most}", value)
    return value


def seconds(name: str, value: object, most: float) -> float:
    """A number of seconds, more than 0 and at most ``most``."""
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 < value <= most or math.isnan(value):
        raise _wrong(name, f"a number of seconds, more than 0 and at most {most:.0f}", value)
    return value


def table(name: str, value: object) -> dict[str, Any]:
    """An object with texts as keys."""
    if not isinstance(value, Mapping) or not all(isinstance(key, str) for key in value):
        raise _wrong(name, "an object (names and values)", value)
    return dict(value)


def text_table(name: str, value: object) -> dict[str, str]:
    """An object whose values are texts too."""
    return {key: text(f"{name}.{key}", inner) for key, inner in table(name, value).items()}


def _wrong(name: str, wanted: str, value: object) -> UsageError:
    try:
        found = "missing" if value is None else cut(in_line(repr(value)), _SHOWN)
    except (ValueError, RecursionError):  # Python does not write numbers of thousands of digits
        found = "too large to be shown"
    return UsageError(f"The {name} must be {wanted}, but it is {found}.")
