"""What the run panel's fields mean, as plain data. No Qt."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any

_CHOSEN, _NO_NEW = "chosen ", ", no new kinds"


@dataclass(frozen=True, slots=True)
class RunSettings:
    """Predicate, what counts, algorithm, limits. ``None`` and empty texts mean: not set.

    The fields are those of :class:`core.protocol.settings.Settings`, which explains them.
    """

    predicate: str = ""
    preset: str = ""
    options: Mapping[str, str] = field(default_factory=dict)
    preserve: list[str] = field(default_factory=list)
    """Of ``exit``, ``out``, ``err``: what must be as for the whole jar."""
    expect_exit: int | None = None
    match: str = ""
    no_match: str = ""
    failures_as: str = ""
    failures: str = ""
    also_interesting: int | None = None
    timeout: float | None = None
    memory: int | None = None
    classpath: list[str] = field(default_factory=list)
    keep: list[str] = field(default_factory=list)
    drop_first: list[str] = field(default_factory=list)
    algorithm: str = ""
    granularity: str = ""
    validity: str = ""
    jobs: int = 1
    thorough: bool = False
    time_limit: float | None = None
    max_probes: int | None = None
    classic: bool = False

    def to_engine(self) -> dict[str, Any]:
        """The ``settings`` object of the engine's protocol."""
        settings: dict[str, Any] = {
            "predicate": "" if self.preset else self.predicate.strip(),
            "preset": self.preset or None,
            "options": {name: value for name, value in self.options.items() if value} if self.preset else {},
            "failures": self.failures or None,
            "timeout": self.timeout,
            "memory": self.memory,
            "classpath": list(self.classpath),
            "keep": list(self.keep),
            "drop_first": list(self.drop_first),
            "jobs": self.jobs,
            "thorough": self.thorough,
            "time_limit": self.time_limit,
            "max_probes": self.max_probes,
            "classic": self.classic,
        }
        if not self.preset:
            settings |= {
                "preserve": list(self.preserve),
                "expect_exit": self.expect_exit,
                "match": self.match or None,
                "no_match": self.no_match or None,
                "failures_as": self.failures_as or None,
                "also_interesting": self.also_interesting,
            }
            if not self.failures_as:
                settings["failures"] = None
        for name in ("algorithm", "granularity", "validity"):
            if getattr(self, name):
                settings[name] = getattr(self, name)
        return settings

    @classmethod
    def from_engine(cls, values: Mapping[str, Any]) -> RunSettings:
        """The fields from the settings of a session; what this window has no field for is left out."""
        known = {part.name for part in fields(cls)}
        lists = ("preserve", "classpath", "keep", "drop_first")
        given: dict[str, Any] = {name: value for name, value in values.items() if name in known and value is not None}
        given |= {name: list(given[name]) for name in lists if name in given}
        return cls(**given)

    def problem(self) -> str:
        """A sentence on what is missing before this can run; empty = nothing."""
        if not self.preset and not self.predicate.strip():
            return "Write the command that shows the failure, for instance: ./check.sh {jar}"
        if self.failures.startswith(_CHOSEN) and not chosen_of(self.failures):
            return "Choose the failure that is to stay: run the check, which lists them, or type its name."
        return ""


def wanted_text(statement: str, chosen: str, no_new: bool) -> str:
    """What the failures must be, as the engine reads it; ``statement``: empty, ``same``, ``at least``, ``chosen``."""
    if not statement:
        return ""
    words = f"{_CHOSEN}{chosen}" if statement == "chosen" else statement
    return words + (_NO_NEW if no_new and statement != "same" else "")


def wanted_parts(text: str) -> tuple[str, str, bool]:
    """The inverse of :func:`wanted_text`."""
    no_new = text.endswith(_NO_NEW)
    body = text.removesuffix(_NO_NEW)
    if body.startswith(_CHOSEN):
        return "chosen", body.removeprefix(_CHOSEN), no_new
    return body, "", no_new


def chosen_of(text: str) -> str:
    """The failure that is chosen, empty if none is."""
    return wanted_parts(text)[1].strip()
