"""The settings and steps in the file of a preset, and their words, in which values take the places of names."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from core.errors import UsageError
from core.predicate.command import with_files
from core.predicate.tools import Words
from core.words import did_you_mean

PLACEHOLDER = re.compile(r"\{(:?)([a-z][\w.]*)(\*?)\}")
JDK_PROGRAMS = ("java", "javac", "jdeps")
_OF_SEVERAL = re.compile(r"\{(?:jar:[^{}]+|inputs|dir)\}")
"""Pattern of placeholders that only the jars of a class path have."""

BUILT_IN = {"jar", "classes", "out", "jdk", "level", "library", "jvm", "classpath", "programs", *JDK_PROGRAMS}

Values = Mapping[str, tuple[str, ...]]


def names_jars(values: object) -> bool:
    """Return True if settings, or words, name jars of a class path one by one. Else the tool gets them as one jar."""
    return bool(_OF_SEVERAL.search(repr(values)))


@dataclass(frozen=True)
class Setting:
    """A value to be filled in by the user. ``kind``: "text", "words" (split as a shell does), "line" (words with
    placeholders), "files", "pattern", "preset". The default of "files" names files that the preset makes."""

    name: str
    title: str
    kind: str = "text"
    required: bool = False
    default: tuple[str, ...] = ()
    hanging: str = ""
    """Value in place of an empty one if the failure is a hang. It makes a tool print each thing it works on."""


@dataclass(frozen=True)
class PresetLine:
    """A step as it is written."""

    run: Words
    reads: bool
    runs: bool
    """True if it may run code of the candidate; by default as its preset."""
    lists: str = ""
    makes: tuple[str, ...] = ()
    without: str = ""
    """A setting: the step is left out if the user gives it a value."""
    needed: bool = False
    """True if no later step runs where this one ends with another exit code than 0."""


def parts_of(
    preset: str, settings: Sequence[Setting], tools: Sequence[str], values: Mapping[str, Sequence[str] | str]
) -> Values:
    """Return the parts of each setting of a preset with tools of these names, the user's or the default's. Raise
    UsageError."""
    names = [*(setting.name for setting in settings), *tools]
    unknown = sorted(set(values) - {*names})
    if unknown:
        near = did_you_mean(unknown[0], names)
        known = ", ".join(names) or "none"
        raise UsageError(f"The preset {preset} has no setting {', '.join(unknown)}; it has: {known}.{near}")
    filled = {}
    for setting in settings:
        given = values.get(setting.name, setting.default)
        if isinstance(given, str):
            words = _split(setting.name, given) if setting.kind in ("words", "line") else [given]
            parts = tuple(given.split(os.pathsep) if setting.kind == "files" else words)
        else:
            parts = tuple(given)
        parts = tuple(part for part in parts if part) or (setting.default if setting.kind == "files" else ())
        if setting.required and not parts:
            raise UsageError(f"The preset {preset} needs a setting: {setting.name} ({setting.title}).")
        if setting.kind == "files" and parts != setting.default:
            parts = tuple(found for part in parts for found in _files(preset, setting, part))
        filled[setting.name] = parts
    return filled


def expanded(words: Words, known: Values) -> tuple[str, ...]:
    """Return the words with all values in their places."""
    found: list[str] = []
    for word in words:
        parts = word if isinstance(word, tuple) else (word,)
        used = [match for part in parts for match in PLACEHOLDER.finditer(part)]
        many = next((match[2] for match in used if match[3]), None)
        if many is None and parts is word and not all(known[match[2]] for match in used):
            continue
        for value in known[many] if many is not None else ("",):
            values = known if many is None else {**known, many: (value,)}
            found += [PLACEHOLDER.sub(partial(_joined, values), part) for part in parts]
    return tuple(found)


def _joined(values: Values, match: re.Match[str]) -> str:
    text = os.pathsep.join(values[match[2]])
    return f"{os.pathsep}{text}" if match[1] and text else text


def _split(setting: str, text: str) -> list[str]:
    try:
        return [with_files(word, Path.cwd()) for word in shlex.split(text)]
    except ValueError as error:
        raise UsageError(f"The setting {setting} cannot be read: {error} in {text!r}.") from error


def _files(preset: str, setting: Setting, text: str) -> list[str]:
    """Return a file, or the files in a folder that end as the setting's default."""
    path = Path(text).expanduser()
    if not path.exists():
        raise UsageError(f"The preset {preset} is given a {setting.name} that does not exist: {path}.")
    if not (path.is_dir() and setting.default):
        return [str(path.absolute())]
    return sorted(map(str, path.absolute().rglob(f"*{Path(setting.default[0]).suffix}")))
