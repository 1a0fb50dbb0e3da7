"""The settings that a session keeps, read back: whoever edited the file by hand is told what is wrong in it."""

from __future__ import annotations

import types
import typing
from collections.abc import Mapping
from pathlib import Path
from typing import Any, get_args, get_origin

from core.errors import InputError, UsageError
from core.service.settings import Settings

MOST_JOBS = 1024
"""Runs at a time: each takes a thread and a folder."""

_MOST = 1 << 53
_OPTION = str | tuple[str, ...]
"""What a preset's option may be."""

_NAMES = {str: "a text", bool: "true or false", int: "a whole number", float: "a number", types.NoneType: "null"}


def stored_settings(values: Mapping[str, Any], path: Path) -> Settings:
    """The settings of the session at ``path``. Raises InputError that names the file and the setting."""
    hints = typing.get_type_hints(Settings)
    try:
        for name, value in values.items():
            if name in hints and not _fits(value, hints[name]):
                raise UsageError(f"{name!r} must be {_described(hints[name])}, but it is {repr(value)[:80]}.")
        settings = Settings.from_json(values)
        if settings.jobs > MOST_JOBS:
            raise UsageError(f"'jobs' must be {MOST_JOBS} at most, but it is {settings.jobs}.")
        return settings
    except UsageError as error:
        raise InputError(f"{path}: its settings cannot be used: {error} Mend the file, or begin a new session.") from (
            error
        )


def _fits(value: object, hint: Any) -> bool:
    """Whether a value of JSON can be the field of that type; lists stand for sets and tuples."""
    origin, inner = get_origin(hint), get_args(hint)
    if origin in (types.UnionType, typing.Union):
        return any(_fits(value, part) for part in inner)
    if origin in (tuple, frozenset):
        return isinstance(value, (list, tuple)) and all(_fits(one, inner[0]) for one in value)
    if origin is not None and issubclass(origin, Mapping):
        return isinstance(value, Mapping) and all(
            _fits(name, str) and _fits(one, _OPTION) for name, one in value.items()
        )
    if hint in (int, float):
        kinds = (int, float) if hint is float else (int,)
        number = isinstance(value, kinds) and not isinstance(value, bool)
        return number and abs(typing.cast(float, value)) < _MOST  # which NaN is not either
    if hint is str:
        return isinstance(value, str) and "\0" not in value and _encodable(value)
    return isinstance(value, hint)


def _encodable(text: str) -> bool:
    try:
        text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return False
    return True


def _described(hint: Any) -> str:
    origin, inner = get_origin(hint), get_args(hint)
    if origin in (types.UnionType, typing.Union):
        return " or ".join(_described(part) for part in inner)
    if origin in (tuple, frozenset):
        return "a list of texts"
    if origin is not None and issubclass(origin, Mapping):
        return "an object of texts"
    return _NAMES.get(hint, "something else")
