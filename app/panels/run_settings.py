"""What the run panel's fields mean, as plain data. No Qt."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class RunSettings:
    """Predicate, what counts, algorithm, limits. ``None`` and empty texts mean: not set."""

    predicate: str = ""
    preserve: list[str] = field(default_factory=list)
    """Of ``exit``, ``out``, ``err``: what must be as for the whole jar."""
    expect_exit: int | None = None
    match: str = ""
    no_match: str = ""
    timeout: float | None = None
    algorithm: str = ""
    time_limit: float | None = None
    max_probes: int | None = None
    classic: bool = False

    def to_engine(self) -> dict[str, Any]:
        """The ``settings`` object of the engine's protocol."""
        settings: dict[str, Any] = {
            "predicate": self.predicate.strip(),
            "preserve": list(self.preserve),
            "expect_exit": self.expect_exit,
            "match": self.match or None,
            "no_match": self.no_match or None,
            "timeout": self.timeout,
            "time_limit": self.time_limit,
            "max_probes": self.max_probes,
            "classic": self.classic,
        }
        if self.algorithm:
            settings["algorithm"] = self.algorithm
        return settings

    def problem(self) -> str:
        """A sentence on what is missing before this can run; empty = nothing."""
        if not self.predicate.strip():
            return "Write the command that shows the failure, for instance: ./check.sh {jar}"
        return ""
