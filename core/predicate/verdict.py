"""The verdict on one candidate, and the outcome it was read off."""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import Enum


class Verdict(Enum):
    """The verdict of a probe. Only ``INTERESTING`` counts as yes."""

    INTERESTING = "interesting"
    NOT_INTERESTING = "not interesting"
    UNRESOLVED = "unresolved"
    TIMED_OUT = "timed out"


_EARLIER = {"boring": Verdict.NOT_INTERESTING}
"""Words of version 1 of protocol and journal."""


def verdict_of(word: str) -> Verdict:
    """Return the verdict of that word, or of an earlier version's word. Raise ValueError."""
    return _EARLIER.get(word) or Verdict(word)


ANSWERS = (Verdict.INTERESTING, Verdict.NOT_INTERESTING)
"""Verdicts about the candidate; the others say that the predicate could not judge."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """A verdict with its evidence: seconds, exit code (None if killed), reason, the ends of both outputs.

    ``failures`` are the names of the failures, sorted, one occurrence each; empty if the predicate names none.
    """

    verdict: Verdict
    seconds: float
    exit: int | None
    detail: str
    stdout: str = ""
    stderr: str = ""
    failures: tuple[str, ...] = ()
    processor: float = 0.0
    """Seconds of processor time; 0 if not known."""
    busiest: float = 0.0
    """The most of them that one thread can have taken."""
    shown: tuple[str, ...] = ()
    """The failures by the names in the run's own output, which rewriting may have changed. Only a new run has them."""
    idle: float = 0.0
    """The most seconds in a row in which nothing may have run or waited for a processor."""

    @property
    def interesting(self) -> bool:
        return self.verdict is Verdict.INTERESTING

    def like(self, other: Outcome) -> bool:
        """Return True if both have the same verdict, exit code and failures."""
        return (self.verdict, self.exit, self.failures) == (other.verdict, other.exit, other.failures)


_NORMAL = 1.96
"""Quantile of the normal distribution for an interval of 95 %."""


def interval(shown: int, runs: int) -> tuple[float, float]:
    """Return the bounds, for 95 %, of a share of which ``shown`` of some ``runs`` were seen (Wilson's interval)."""
    if not runs:
        return 0.0, 1.0
    share, part = shown / runs, _NORMAL**2 / runs
    middle = (share + part / 2) / (1 + part)
    half = _NORMAL / (1 + part) * math.sqrt(share * (1 - share) / runs + part / runs / 4)
    return max(0.0, middle - half), min(1.0, middle + half)
