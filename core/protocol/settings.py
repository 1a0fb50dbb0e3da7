"""What the user chose, as plain data: each setting once, with its type, its range and its default.

Engine, command line, batch files, sessions and the window share this one class. A setting is one line here; command
line, JSON and sessions take it from here. What the settings mean is said by :mod:`core.service.meaning`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Annotated, Any

from core import values as check
from core.errors import UsageError
from core.values import OneOf, Seconds, Whole

GRANULARITIES = ("class", "member", "full")
"""What may go: whole classes, members too, parts of method bodies too."""

VALIDITIES = ("jvm", "linked", "src")
"""What a candidate must be good for, each more than the one before: the JVM alone, what loads each class that is named
(reflection, shrinkers, analysers), decompilers and compilers."""

AUTOMATIC = "auto"
"""The validity that follows from the predicate and what it said of the full input: see
:mod:`core.check.validity`."""

_LONGEST = 1e8
"""Seconds of a limit at most: three years, which every clock and every lock can wait."""


@dataclass(frozen=True)
class Settings:
    """Predicate, algorithm and limits of one reduction; times are seconds, memory MiB, None = unset.

    Raises UsageError for values of another type or out of their range.
    """

    predicate: str = ""
    """The command; empty with a preset."""
    preset: str | None = None
    options: Mapping[str, str] = field(default_factory=dict)
    """What the preset asks for, by name."""
    warm: bool = True
    """Run presets in a resident JVM where they can be."""
    preserve: frozenset[str] = frozenset()
    """Of ``exit``, ``out``, ``err``: what must be as on the full input."""
    expect_exit: Annotated[int, Whole(-64, 255)] | None = None
    """The exit code that counts; below 0 a signal."""
    match: str | None = None
    no_match: str | None = None
    failures_as: str | None = None
    """How a command's failures are named: ``javac``, ``traces``, or a regular expression."""
    failures: str | None = None
    """What they must be: ``same``, ``at least`` or ``chosen NAME``, each perhaps with ``, no new kinds``."""
    also_interesting: Annotated[int, Whole(0, 255)] | None = None
    """The exit code of candidates that are not interesting, but show another failure and are kept for that."""
    timeout: Annotated[float, Seconds(_LONGEST)] | None = None
    memory: Annotated[int, Whole(1, 1 << 30)] | None = None
    algorithm: str = "auto"
    granularity: Annotated[str, OneOf(GRANULARITIES)] = "full"
    validity: Annotated[str, OneOf((AUTOMATIC, *VALIDITIES))] = AUTOMATIC
    classpath: tuple[str, ...] = ()
    keep: tuple[str, ...] = ()
    """Patterns (``*`` and ``?``) of the names of items that stay, with slashes or, as Java writes them, dots."""
    drop_first: tuple[str, ...] = ()
    """Patterns of the names of items that are tried without before anything else."""
    classic: bool = False
    """Delta debugging exactly as the papers run it: subsets first, start over after each success."""
    thorough: bool = False
    """``auto`` goes on while anything can go, not only while it pays; its result is then 1-minimal."""
    evidence: bool = True
    """``auto`` begins with what the failure names and with what ran."""
    least: str = "bisection"
    """How an interval is searched."""
    jobs: Annotated[int, Whole(1, 1024)] | None = None
    """Probes at a time: each takes a thread, a folder, and a candidate in memory. None: as many as the check finds this
    machine good for."""
    cluster: str = ""
    """Address of the Dask scheduler whose workers run the probes; empty: they run on this machine."""
    time_limit: Annotated[float, Seconds(_LONGEST)] | None = None
    max_probes: Annotated[int, Whole(1, 10**12)] | None = None
    check_runs: Annotated[int, Whole(1, 1000)] = 2

    def __post_init__(self) -> None:
        for name, hint in check.hints_of(Settings).items():
            object.__setattr__(self, name, check.conform(_spoken(name), getattr(self, name), hint))

    @classmethod
    def from_json(cls, values: Any) -> Settings:
        """Settings from a decoded JSON object. Raises UsageError on unknown names and wrong types."""
        arguments = check.table("settings", values)
        unknown = sorted(arguments.keys() - check.hints_of(cls).keys())
        if unknown:
            raise UsageError(f"Unknown settings: {', '.join(unknown)}.")
        for name, value in arguments.items():
            if value is None and getattr(cls, name, None) in ((), frozenset()):
                arguments[name] = getattr(cls, name)
        return cls(**arguments)

    def to_json(self) -> dict[str, Any]:
        """The inverse of :meth:`from_json`."""
        return {part.name: _plain(getattr(self, part.name)) for part in fields(self)}


def _spoken(name: str) -> str:
    """A field's name in a sentence."""
    return name.replace("_", " ")


def _plain(value: Any) -> Any:
    """As JSON has it: sets in order."""
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, frozenset):
        return sorted(value)
    return list(value) if isinstance(value, tuple) else value
