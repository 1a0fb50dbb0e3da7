"""Types and ranges of values from outside: options, batch files, commands of a window, files edited by hand.

Each function returns the value in its proper type, or raises a UsageError with the field's name, the demand and the
value. ``name`` is the user's name of the field.

This is our own code for the sentence above and for the start. msgspec 0.22 says "Expected `int` >= 1 - at `$.jobs`",
without the value, and ignores unknown fields of dataclasses. cattrs 26.2 takes the text "7" for a whole number.
pydantic 2.14 tells the value, in four lines, which a table of our own would have to turn into a sentence. The command
line starts in 83 ms of CPU time; it would start in 101 with msgspec, 113 with cattrs, 174 with pydantic (least of 15
times ``python -c "import app.cli, msgspec"``, with ``pydantic.dataclasses``).
"""

from __future__ import annotations

import json
import math
import stat
import types
import typing
from collections.abc import Callable, Mapping
from dataclasses import MISSING, dataclass, fields, is_dataclass
from pathlib import Path
from typing import Annotated, Any

from core.errors import UsageError
from core.words import cut, did_you_mean, in_line

LARGEST = 1 << 53
"""Whole numbers that every reader of JSON keeps."""

_SHOWN_CHARS = 60


@dataclass(frozen=True, slots=True)
class Whole:
    """Least and most of a whole number, as ``Annotated[int, Whole(1, 9)]``."""

    least: int
    most: int


@dataclass(frozen=True, slots=True)
class Seconds:
    """A number of seconds above 0, as ``Annotated[float, Seconds(60)]``."""

    most: float


@dataclass(frozen=True, slots=True)
class OneOf:
    """A text among some, as ``Annotated[str, OneOf(("jvm", "src"))]``."""

    choices: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Filled:
    """A text that is not empty, as ``Annotated[str, Filled()]``."""


_RANGES = (Whole, Seconds, OneOf, Filled)


def text(name: str, value: object) -> str:
    """Return a text that a path or a command can hold: without NUL characters and halves of surrogate pairs."""
    if not isinstance(value, str):
        raise _wrong(name, "a text", value)
    if "\0" in value:
        raise _wrong(name, "a text without NUL characters", value)
    try:
        value.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError as error:
        raise _wrong(name, "a text that a file can be named by", value) from error
    return value


def texts(name: str, value: object) -> tuple[str, ...]:
    """Return a list of texts; of a set, in order."""
    if isinstance(value, (set, frozenset)):
        value = sorted(value, key=str)
    if not isinstance(value, (list, tuple)) or not all(isinstance(part, str) for part in value):
        raise _wrong(name, "a list of texts", value)
    return tuple(text(name, part) for part in value)


def flag(name: str, value: object) -> bool:
    """Return True or False; no number or text stands for them."""
    if not isinstance(value, bool):
        raise _wrong(name, "true or false", value)
    return value


def whole(name: str, value: object, least: int, most: int) -> int:
    """Return a whole number from ``least`` to ``most``."""
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise _wrong(name, f"a whole number from {least} to {most}", value)
    return value


def seconds(name: str, value: object, most: float) -> float:
    """Return a number of seconds, more than 0 and at most ``most``."""
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 < value <= most or math.isnan(value):
        raise _wrong(name, f"a number of seconds, more than 0 and at most {most:.0f}", value)
    return value


def table(name: str, value: object) -> dict[str, Any]:
    """Return an object with texts as keys."""
    if not isinstance(value, Mapping) or not all(isinstance(key, str) for key in value):
        raise _wrong(name, "an object (names and values)", value)
    return dict(value)


def text_table(name: str, value: object) -> dict[str, str]:
    """Return an object with texts as values."""
    return {key: text(f"{name}.{key}", inner) for key, inner in table(name, value).items()}


def conform(name: str, value: object, hint: Any) -> Any:
    """Return the value as the type annotation ``hint`` wants it: lists become tuples and sets, objects dataclasses.

    Hints are the plain types, their ``Annotated`` forms, ``| None``, a text or a tuple, tuples and sets of one type,
    mappings to texts or to anything, dataclasses, and classes with a ``from_json`` of their own. Of the metadata of an
    ``Annotated`` form, the ranges of this module count.
    """
    origin, inner = typing.get_origin(hint), typing.get_args(hint)
    if origin is Annotated:
        limit = next((mark for mark in inner[1:] if isinstance(mark, _RANGES)), None)
        return None if value is None and _optional(inner[0]) else _ranged(name, value, inner[0], limit)
    if origin in (types.UnionType, typing.Union):
        kinds = [part for part in inner if part is not type(None)]
        return None if value is None else conform(name, value, kinds[-1 if isinstance(value, list) else 0])
    if origin in (tuple, frozenset) and inner[0] is str:
        return origin(texts(name, value))
    if origin is tuple:
        if not isinstance(value, (list, tuple)):
            raise _wrong(name, "a list", value)
        return tuple(conform(f"number in the {name}", part, inner[0]) for part in value)
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return text_table(name, value) if inner[1] is str else table(name, value)
    if isinstance(value, hint) and is_dataclass(hint):
        return value
    if hasattr(hint, "from_json"):
        return hint.from_json(value)
    if is_dataclass(hint):
        return record(hint, table(name, value), lambda part: f"{name}.{part}")
    if hint is int:
        return whole(name, value, -LARGEST, LARGEST)
    return {str: text, bool: flag}[hint](name, value)


def record(cls: Any, values: Mapping[str, Any], named: Callable[[str], str]) -> Any:
    """Return the dataclass ``cls`` with these values, each as its annotation wants it; ``named`` tells how the user
    calls a field. Raise UsageError for a field that is missing, unknown or of another type."""
    hints = hints_of(cls)
    unknown = sorted(values.keys() - hints.keys())
    if unknown:
        raise UsageError(f"Unknown {'field' if len(unknown) == 1 else 'fields'}: {', '.join(unknown)}.")
    needed = [part.name for part in fields(cls) if part.default is part.default_factory is MISSING]
    given = {name: values.get(name) for name in (*needed, *values)}
    return cls(**{name: conform(named(name), value, hints[name]) for name, value in given.items()})


def as_json(value: Any) -> Any:
    """Return a value of :func:`conform` as JSON has it. Sets are written in order."""
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, frozenset):
        return sorted(value)
    return list(value) if isinstance(value, tuple) else value


def required(hint: Any) -> Any:
    """Return a type without the ``| None`` that may follow it."""
    return next(part for part in typing.get_args(hint) if part is not type(None)) if _optional(hint) else hint


def _optional(hint: Any) -> bool:
    return typing.get_origin(hint) in (types.UnionType, typing.Union) and type(None) in typing.get_args(hint)


_HINTS: dict[Any, dict[str, Any]] = {}


def hints_of(cls: Any) -> dict[str, Any]:
    """Return the types of a dataclass's fields, by name."""
    if cls not in _HINTS:
        hints = typing.get_type_hints(cls, include_extras=True)
        _HINTS[cls] = {part.name: hints[part.name] for part in fields(cls)}
    return _HINTS[cls]


def _ranged(name: str, value: object, kind: type, limit: object) -> Any:
    match limit:
        case Whole(least, most):
            return whole(name, value, least, most)
        case Seconds(most):
            return seconds(name, value, most)
        case OneOf(choices):
            if text(name, value) not in choices:
                wrong = _wrong(name, f"one of {', '.join(choices)}", value)
                raise UsageError(f"{wrong}{did_you_mean(str(value), choices)}")
        case Filled():
            if not text(name, value):
                raise _wrong(name, "a text that is not empty", value)
    return conform(name, value, kind)


def _wrong(name: str, wanted: str, value: object) -> UsageError:
    try:
        found = "missing" if value is None else cut(in_line(repr(value)), _SHOWN_CHARS)
    except (ValueError, RecursionError):  # Python does not write numbers of thousands of digits
        found = "too large to be shown"
    return UsageError(f"The {name} must be {wanted}, but it is {found}.")


_LARGEST_FILE = 16 << 20
"""Bytes of a file that is read; ours have a few thousand."""


def read_json(path: Path) -> dict[str, Any]:
    """Return the object in a file. Raise OSError, UsageError when it is none."""
    facts = path.stat()
    if not stat.S_ISREG(facts.st_mode):
        raise UsageError("It is not an ordinary file.")
    if facts.st_size > _LARGEST_FILE:
        raise UsageError(f"It has {facts.st_size} bytes, too many for such a file.")
    try:
        values = json.loads(path.read_bytes(), parse_constant=_refuse)
    except UnicodeDecodeError as error:
        raise UsageError(f"Byte {error.start} is not UTF-8 text.") from error
    except (ValueError, RecursionError) as error:
        raise UsageError(f"It is not JSON: {str(error)[:200]}.") from error
    if not isinstance(values, dict):
        raise UsageError("It does not hold a JSON object.")
    return values


def _refuse(name: str) -> float:
    raise ValueError(f"{name} is no number")
