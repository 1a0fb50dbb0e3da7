"""What a case is, and what its end must be."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

MEMORY = 1 << 30
"""Most resident bytes that a case may take."""

ALLOWED = {
    "inspect": {0, 2},
    "graph": {0, 2},
    "why": {0, 2},
    "around": {0, 1, 2},
    "rules": {0, 2},
    "sample": {0, 2},
    "presets": {0, 2},
    "check": {0, 1, 2},
    "reduce": {0, 1, 2, 3},
    "batch": {0, 1, 2, 3},
    "engine": {0},
}
"""Command -> the exit codes that it may end with. 70 (Jarlet itself failed) is never one of them."""

NEVER = ("Traceback (most recent call last)", "Jarlet itself failed")
"""What must not be read in any output."""


@dataclass(frozen=True)
class Case:
    """A command and its arguments, which name files in the case's folder. ``lines`` are an engine's input."""

    command: str
    arguments: tuple[str, ...] = ()
    lines: tuple[str, ...] = ()


@dataclass(frozen=True)
class Ended:
    """How a case ended: exit code (negative: the signal), seconds, resident bytes at most, what it printed."""

    code: int
    seconds: float
    resident: int
    output: str
    late: bool = False


Maker = Callable[[random.Random, Path], Case]
"""Writes the files of a case into a folder and gives the case; the same dice give the same case."""


def fault(case: Case, ended: Ended) -> str:
    """What is wrong with the end of a case, in words; nothing if all is well."""
    if ended.late:
        return f"it did not end within {ended.seconds:.0f} s"
    if ended.code not in ALLOWED[case.command]:
        return f"exit code {ended.code}"
    for words in NEVER:
        if words in ended.output:
            return f"it printed {words!r}"
    if ended.resident > MEMORY:
        return f"it took {ended.resident >> 20} MiB of memory"
    return ""
