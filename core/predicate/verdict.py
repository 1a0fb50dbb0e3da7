"""The verdict on one candidate, and the outcome it was read off."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class Verdict(Enum):
    """What a probe said. Only ``INTERESTING`` counts as yes."""

    INTERESTING = "interesting"
    BORING = "boring"
    UNRESOLVED = "unresolved"
    TIMED_OUT = "timed out"
    BROKEN = "broken"


ANSWERS = (Verdict.INTERESTING, Verdict.BORING)
"""Verdicts that say something about the candidate; the others say that the predicate could not."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """A verdict with its evidence: seconds, exit code (None if killed), reason, the ends of both outputs.

    ``failures`` are the names of what failed, sorted, one occurrence each; empty where the predicate names none.
    """

    verdict: Verdict
    seconds: float
    exit: int | None
    detail: str
    stdout: str = ""
    stderr: str = ""
    failures: tuple[str, ...] = ()

    @property
    def interesting(self) -> bool:
        return self.verdict is Verdict.INTERESTING
