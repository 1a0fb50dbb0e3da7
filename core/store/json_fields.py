"""JSON that somebody may have edited or a disk may have damaged: each field is asked for with its type."""

from __future__ import annotations

import json
import math
import stat
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

LARGEST = 16 << 20
"""Bytes of a file that is read; ours have a few thousand."""

_MOST = 1 << 53
"""Largest number that JSON holds exactly everywhere."""


class FieldError(Exception):
    """What is wrong, as a part of a sentence: it names the field."""


@dataclass(frozen=True)
class Fields:
    """An object of JSON; its methods raise FieldError for what lacks or is of another type than asked for."""

    values: Mapping[str, Any]
    name: str = "the file"

    def text(self, name: str, default: str | None = None) -> str:
        """A text that files can be named by."""
        return _text(self._get(name, default), name)

    def texts(self, name: str) -> tuple[str, ...]:
        """A list of texts."""
        found = self._get(name, None)
        if not isinstance(found, list):
            raise FieldError(f"{name!r} must be a list of texts")
        return tuple(_text(text, name) for text in found)

    def number(self, name: str) -> int:
        """A whole number that is not negative."""
        found = self._get(name, None)
        if not isinstance(found, int) or isinstance(found, bool) or not 0 <= found <= _MOST:
            raise FieldError(f"{name!r} must be a whole number that is not negative")
        return found

    def object(self, name: str, default: Mapping[str, Any] | None = None) -> Fields:
        """An object in this one."""
        found = self._get(name, default)
        if not isinstance(found, Mapping):
            raise FieldError(f"{name!r} must be an object")
        return Fields(found, name)

    def _get(self, name: str, default: Any) -> Any:
        if name in self.values:
            return self.values[name]
        if default is None:
            raise FieldError(f"{self.name} has no {name!r}")
        return default


def read_json(path: Path) -> Fields:
    """The object in a file. Raises OSError, FieldError when it is none."""
    facts = path.stat()
    if not stat.S_ISREG(facts.st_mode):
        raise FieldError("it is no ordinary file")
    if facts.st_size > LARGEST:
        raise FieldError(f"it has {facts.st_size} bytes")
    try:
        values = json.loads(path.read_bytes(), parse_constant=_refuse)
    except UnicodeDecodeError as error:
        raise FieldError(f"byte {error.start} is no text") from error
    except (ValueError, RecursionError) as error:
        raise FieldError(f"it is no JSON: {str(error)[:200]}") from error
    if not isinstance(values, dict):
        raise FieldError("it holds no object")
    return Fields(values)


def finite(value: object) -> float:
    """A number as a float, 0 for all that is no number of seconds."""
    if isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value):
        return max(0.0, float(value))
    return 0.0


def _text(value: object, name: str) -> str:
    if not isinstance(value, str):
        raise FieldError(f"{name!r} must be a text")
    try:
        value.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError as error:
        raise FieldError(f"{name!r} is a text that no file can have") from error
    if "\0" in value:
        raise FieldError(f"{name!r} has a character that no file can have")
    return value


def _refuse(name: str) -> float:
    raise ValueError(f"{name} is no number")
