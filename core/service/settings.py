"""What the user chose, in one object that is passed down whole."""

from __future__ import annotations

import fnmatch
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from core import values as check
from core.errors import UsageError
from core.predicate.condition import Condition
from core.predicate.failures import KINDS, FailureNaming, Wanted
from core.predicate.limits import ProbeLimits
from core.reduction.bisection import DEFAULT as DEFAULT_LEAST
from core.reduction.bisection import strategy
from core.rewrite.parts import GRANULARITIES
from core.search.catalogue import DEFAULT, Level, find

VALIDITIES = ("jvm", "src")
_MEGA = 1 << 20

_LONGEST = 1e8
"""Seconds of a limit at most: three years, which every clock and every lock can wait."""

_NUMBERS = {
    "expect_exit": (-64, 255),
    "also_interesting": (0, 255),
    "memory": (1, 1 << 30),
    "jobs": (1, 1024),
    "max_probes": (1, 10**12),
    "check_runs": (1, 1000),
}
"""Least and most of whole numbers. An exit code below 0 is a signal; each job holds a candidate in memory."""
_SECONDS = ("timeout", "time_limit")
_FLAGS = ("warm", "classic", "thorough")
_TEXTS = ("predicate", "algorithm", "granularity", "validity", "least")
_OPTIONAL_TEXTS = ("preset", "match", "no_match", "failures_as", "failures")
_LISTS = ("preserve", "classpath", "keep", "drop_first")
_NEEDED_NUMBERS = ("jobs", "check_runs")


@dataclass(frozen=True)
class Settings:
    """Predicate, algorithm and limits of one reduction; times are seconds, memory MiB, None = unset."""

    predicate: str = ""
    """The command; empty with a preset."""
    preset: str | None = None
    options: Mapping[str, str] = field(default_factory=dict)
    """What the preset asks for, by name."""
    warm: bool = True
    """Run presets in a resident JVM where they can be."""
    preserve: frozenset[str] = frozenset()
    expect_exit: int | None = None
    match: str | None = None
    no_match: str | None = None
    failures_as: str | None = None
    """How a command's failures are named: ``javac``, ``traces``, or a regular expression."""
    failures: str | None = None
    """What they must be: ``same``, ``at least`` or ``chosen NAME``, each perhaps with ``, no new kinds``."""
    also_interesting: int | None = None
    """The exit code of candidates that are not interesting, but show another failure and are kept for that."""
    timeout: float | None = None
    memory: int | None = None
    algorithm: str = DEFAULT
    granularity: str = "full"
    validity: str = "src"
    classpath: tuple[str, ...] = ()
    keep: tuple[str, ...] = ()
    """Patterns (``*`` and ``?``) of the names of items that stay, with slashes or, as Java writes them, dots."""
    drop_first: tuple[str, ...] = ()
    """Patterns of the names of items that are tried without before anything else."""
    classic: bool = False
    """Delta debugging exactly as the papers run it: subsets first, start over after each success."""
    thorough: bool = False
    """``auto`` goes on while anything can go, not only while it pays; its result is then 1-minimal."""
    least: str = DEFAULT_LEAST
    jobs: int = 1
    time_limit: float | None = None
    max_probes: int | None = None
    check_runs: int = 2

    def __post_init__(self) -> None:
        self._check_types()
        try:
            entry = find(self.algorithm)
        except LookupError as error:
            raise UsageError(str(error)) from error
        strategy(self.least)
        for name, choices in (("granularity", GRANULARITIES), ("validity", VALIDITIES)):
            if getattr(self, name) not in choices:
                raise UsageError(f"There is no {name} {getattr(self, name)!r}: choose among {', '.join(choices)}.")
        if self.granularity == "class" and all(phase.level is not Level.CLASSES for phase in entry.phases):
            raise UsageError(
                f"The algorithm {self.algorithm} works on the members of classes: choose granularity member or full."
            )
        if bool(self.predicate) == bool(self.preset):
            raise UsageError(
                "Say what the failure is, by a command or by a preset"
                + (", not both." if self.predicate else ": --predicate 'COMMAND {jar}', or --preset NAME.")
            )
        self.condition()

    def _check_types(self) -> None:
        """The one place where types and ranges are checked, wherever the settings come from."""
        for name in (*_TEXTS, *_OPTIONAL_TEXTS):
            if (value := getattr(self, name)) is not None or name in _TEXTS:
                check.text(_spoken(name), value)
        for name in _LISTS:
            check.texts(_spoken(name), getattr(self, name))
        for name in _FLAGS:
            check.flag(_spoken(name), getattr(self, name))
        for name, (least, most) in _NUMBERS.items():
            if (value := getattr(self, name)) is not None or name in _NEEDED_NUMBERS:
                check.whole(_spoken(name), value, least, most)
        for name in _SECONDS:
            if (value := getattr(self, name)) is not None:
                check.seconds(_spoken(name), value, _LONGEST)
        check.text_table("options", self.options)

    def condition(self) -> Condition:
        """What makes a run of the command interesting."""
        reading = None
        if self.failures_as is not None:
            known = self.failures_as in KINDS
            reading = FailureNaming((self.failures_as,)) if known else FailureNaming(pattern=self.failures_as)
        wanted = self.wanted if reading is not None else None
        if self.also_interesting is not None and self.failures is not None and not (reading or self.preset):
            raise UsageError(
                f"The failures cannot be {self.failures!r}, since nothing names them: say how with --failures-as. To "
                "reduce for a failure of --also-interesting, take the jar that was kept for it, with --expect-exit."
            )
        return Condition(
            self.preserve,
            self.expect_exit,
            self.match or None,
            self.no_match or None,
            reading,
            wanted,
            self.also_interesting,
        )

    @property
    def wanted(self) -> Wanted | None:
        """What the names of the failures must be; None = what the preset says, or the same."""
        if self.failures is not None:
            return Wanted.parse(self.failures)
        return Wanted() if self.failures_as is not None else None

    @property
    def limits(self) -> ProbeLimits:
        """What a probe may use besides time."""
        return ProbeLimits(memory=self.memory * _MEGA if self.memory is not None else None)

    @property
    def class_path(self) -> list[Path]:
        """The libraries of the input."""
        return [Path(path) for path in self.classpath]

    @property
    def search(self) -> dict[str, Any]:
        """What decides which questions are asked: two runs that agree here are the same run."""
        names = ("algorithm", "granularity", "validity", "classpath", "keep", "classic", "thorough", "least")
        found = {name: getattr(self, name) for name in names}
        return found | ({"drop_first": self.drop_first} if self.drop_first else {})

    def pinned(self) -> Callable[[str], bool]:
        """Whether ``keep`` names an item. Raises UsageError for patterns without a sense."""
        return _matching(self.keep)

    def unwanted(self) -> Callable[[str], bool]:
        """Whether ``drop_first`` names an item, and ``keep`` does not. Raises UsageError as :meth:`pinned`."""
        first, kept = _matching(self.drop_first), self.pinned()
        return lambda name: first(name) and not kept(name)

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> Settings:
        """Settings from a decoded JSON object. Raises UsageError on unknown names and wrong types."""
        arguments = check.table("settings", values)
        unknown = sorted(set(arguments) - {field.name for field in fields(cls)})
        if unknown:
            raise UsageError(f"Unknown settings: {', '.join(unknown)}.")
        for name in _LISTS:
            given = arguments.get(name)
            arguments[name] = check.texts(_spoken(name), () if given is None else given)
        arguments["preserve"] = frozenset(arguments["preserve"])
        return cls(**arguments)

    def to_json(self) -> dict[str, Any]:
        """The inverse of :meth:`from_json`."""
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        lists = {name: list(values[name]) for name in ("classpath", "keep", "drop_first")}
        return {**values, **lists, "preserve": sorted(self.preserve), "options": dict(self.options)}


def _spoken(name: str) -> str:
    """A field's name in a sentence."""
    return name.replace("_", " ")


def _matching(patterns: Sequence[str]) -> Callable[[str], bool]:
    if not patterns:
        return lambda name: False
    # as Java writes it: dots for slashes in the class's name; what follows the class is the same in both
    matches = re.compile("|".join(fnmatch.translate(text) for text in patterns)).match
    return lambda name: bool(matches(name) or matches(name.replace("/", ".")))
