"""What the user chose, in one object that is passed down whole."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

from core.errors import UsageError
from core.predicate.condition import Condition
from core.search.catalogue import CATALOGUE, DEFAULT


@dataclass(frozen=True)
class Settings:
    """Predicate, algorithm and limits of one reduction; times are seconds, None = unset."""

    predicate: str
    preserve: frozenset[str] = frozenset()
    expect_exit: int | None = None
    match: str | None = None
    no_match: str | None = None
    timeout: float | None = None
    algorithm: str = DEFAULT
    classic: bool = False
    """Delta debugging exactly as the papers run it: subsets first, start over after each success."""
    time_limit: float | None = None
    max_probes: int | None = None
    check_runs: int = 2

    def __post_init__(self) -> None:
        if self.algorithm not in CATALOGUE:
            raise UsageError(f"There is no algorithm {self.algorithm!r}: choose among {', '.join(CATALOGUE)}.")
        for name in ("timeout", "time_limit", "max_probes", "check_runs"):
            value = getattr(self, name)
            if value is not None and value <= 0:
                raise UsageError(f"The {name.replace('_', ' ')} must be more than 0, but it is {value}.")
        self.condition()

    def condition(self) -> Condition:
        """What makes a run interesting."""
        return Condition(self.preserve, self.expect_exit, self.match or None, self.no_match or None)

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> Settings:
        """Settings from a decoded JSON object. Raises UsageError on unknown names and wrong types."""
        known = {field.name for field in fields(cls)}
        unknown = sorted(set(values) - known)
        if unknown:
            raise UsageError(f"Unknown settings: {', '.join(unknown)}.")
        if not isinstance(values.get("predicate"), str):
            raise UsageError("The settings lack the predicate command.")
        arguments = dict(values)
        arguments["preserve"] = frozenset(arguments.get("preserve") or ())
        try:
            return cls(**arguments)
        except TypeError as error:
            raise UsageError(f"The settings cannot be used: {error}.") from error

    def to_json(self) -> dict[str, Any]:
        """The inverse of :meth:`from_json`."""
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        return {**values, "preserve": sorted(self.preserve)}
