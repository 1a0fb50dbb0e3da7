"""The marks on a field of :class:`core.protocol.settings.Settings`: what the setting decides, its option, its
box in the window, its algorithms.

A field is declared as ``Annotated[TYPE, RANGE, Decides.SEARCH, ActsOn("auto"), Option("--thorough", "help")]``. The
command line, the window and the comparisons of two runs read these marks through :func:`declarations_of`.
"""

from __future__ import annotations

import typing
from dataclasses import dataclass, fields
from enum import Flag, auto
from fnmatch import fnmatchcase
from functools import cache
from typing import Any, TypeVar

from core.values import OneOf, hints_of, required

Mark = TypeVar("Mark")


class Decides(Flag):
    """The part of a reduction that a setting decides."""

    CHECK = auto()
    """The outcome of the check. ``jarlet check`` has the option too; a change makes another check necessary."""
    SEARCH = auto()
    """The questions of the search. Two runs of a session are one run if they agree in all such settings."""
    IF_SET = auto()
    """A session notes the setting only where it differs from its default. Sessions that were made before the setting
    existed stay valid, so a new setting of the search has this mark too."""
    RUN = auto()
    """The length of the search and its processors. ``jarlet reduce --resume`` takes the option too."""


@dataclass(frozen=True, slots=True)
class Option:
    """The option of the command line: ``--NAME`` for a value, a list or a flag, as the type of the field is.

    ``help`` is empty where the command writes the help itself. ``metavar`` is the value's name in the help.
    ``separator`` stands between the words of a list. Such an option, and that of a list without one, may be repeated.
    """

    flag: str
    help: str = ""
    metavar: str | None = None
    separator: str = ""


@dataclass(frozen=True, slots=True)
class NoOption:
    """The reason why ``jarlet reduce`` has no option for the setting."""

    reason: str


@dataclass(frozen=True, slots=True)
class NoField:
    """The reason why the window has no field for the setting."""

    reason: str


@dataclass(frozen=True, slots=True)
class Switch:
    """The check box of the window for a setting that is True or False: its label, with ``&`` before the letter of its
    key, and its tool tip.
    """

    label: str
    tip: str


@dataclass(frozen=True, slots=True)
class Number:
    """The box of the window for a number that may be unset: its label, its tool tip, the word in the box for an unset
    number, and the number's unit.
    """

    label: str
    tip: str
    unset: str = "None"
    unit: str = ""


@dataclass(frozen=True, slots=True)
class Words:
    """The line of the window for a setting of several words: its label and its tool tip."""

    label: str
    tip: str


class ActsOn:
    """The algorithms that read the setting, as patterns of their names; without a declaration all algorithms."""

    def __init__(self, *algorithms: str) -> None:
        self.algorithms = algorithms

    def __contains__(self, algorithm: str) -> bool:
        return any(fnmatchcase(algorithm, pattern) for pattern in self.algorithms)


@dataclass(frozen=True)
class DeclaredSetting:
    """One setting: its name, its type without ``| None``, and its marks."""

    name: str
    kind: Any
    marks: tuple[Any, ...]

    @property
    def decides(self) -> Decides:
        """The part of a reduction that the setting decides."""
        return self.mark(Decides) or Decides(0)

    @property
    def option(self) -> Option | None:
        """The option of the command line; None where the setting has none."""
        return self.mark(Option)

    @property
    def choices(self) -> tuple[str, ...] | None:
        """The texts to choose from; None where any text is allowed."""
        among = self.mark(OneOf)
        return among.choices if among is not None else None

    def mark(self, kind: type[Mark]) -> Mark | None:
        """Return the mark of that class; None where there is none."""
        return next((mark for mark in self.marks if isinstance(mark, kind)), None)

    def acts_on(self, algorithm: str) -> bool:
        """Return whether the algorithm reads the setting."""
        among = self.mark(ActsOn)
        return among is None or algorithm in among


@cache
def declarations_of(cls: Any) -> dict[str, DeclaredSetting]:
    """Return the declaration of each field of a dataclass of settings, by name, in the order of the fields."""
    found: dict[str, DeclaredSetting] = {}
    for part in fields(cls):
        hint = hints_of(cls)[part.name]
        annotated = typing.get_origin(hint) is typing.Annotated
        kind, *marks = typing.get_args(hint) if annotated else (hint,)
        found[part.name] = DeclaredSetting(part.name, required(kind), tuple(marks))
    return found
