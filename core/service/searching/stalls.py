"""Stalls of a search: the moment when the best stops falling, the failure that holds it, and the user's choices."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from core.evidence.failure import FailureReport
from core.predicate.failures import Statement, Wanted
from core.predicate.output.traces import is_exception
from core.predicate.verdict import ANSWERS, Outcome, Verdict
from core.protocol import events
from core.protocol.run_words import AnswerOrigin
from core.reduction.records import SubInput

_LEAST = 20
"""Fewest probes without a gain that are a stall, however early the last gain came.
See decisions/046-when-a-search-stalls.md."""

_SECONDS = 30.0
"""Seconds without a gain that are a stall, however few their probes. See decisions/046-when-a-search-stalls.md."""

_MUCH = 0.5
"""Largest size, as a share of the best's bytes, of a candidate that proves a failure to hold the best. See
decisions/046-when-a-search-stalls.md."""


@dataclass(frozen=True)
class Held:
    """A failure that holds the best: much less was enough for all other kinds."""

    failure: str
    bytes: int
    """Bytes of the smallest candidate with all other kinds; or, over the other kinds, the largest size of a kind's
    smallest candidate."""
    together: bool
    """True if all other kinds were seen in one candidate, False if each was seen in one of its own."""


class Stalls:
    """A watch over the gains of one reduction. ``wanted`` is the demand on the failures of ``report``; None where one
    failure alone is wanted, or failures have no names. ``best`` has the bytes of the start.

    A stall begins where the best has not fallen for as many probes as it fell before, or for :data:`_SECONDS`. It is
    told once a phase at most, and again only after twice the wait.
    """

    def __init__(self, report: FailureReport, wanted: Wanted | None, best: int, emit: events.Listener) -> None:
        self._report, self._wanted, self._emit = report, wanted, emit
        self._without: dict[str, int] = {}
        """Bytes of the smallest candidate that lacked the kind of a failure, and no other kind."""
        self._seen: dict[str, int] = {}
        """Bytes of the smallest candidate that had the kind of a failure."""
        self._best = best
        self._gained, self._at = 0, -1.0
        """Number of probes, and seconds, at the last gain; below 0: no event has told the time."""
        self._timed_out = 0
        self._wait = 1
        self._phase: events.Searching | None = None
        self._told = False
        """True if the stall of the present phase was told."""

    def answered(self, candidate: SubInput, outcome: Outcome) -> None:
        """Take in the first answer about a candidate."""
        if outcome.verdict not in ANSWERS or not self._by_kind or not outcome.failures:
            return
        lost, size = self._report.lost(outcome.failures), candidate.bytes
        for failure in set(self._report.failures).difference(lost):
            self._seen[failure] = min(size, self._seen.get(failure, size))
        if len(lost) == 1 and not self._report.new(outcome.failures):
            self._without[lost[0]] = min(size, self._without.get(lost[0], size))

    def note(self, event: events.Event) -> None:
        """Take in an event of the reduction."""
        match event:
            case events.Searching():
                self._phase, self._told = event, False
            case events.Accepted():
                self._best, self._gained, self._at = event.bytes, event.probe, event.at
                self._timed_out, self._wait = 0, 1
            case events.Probed(origin=AnswerOrigin.RUN):
                self._at = event.at - event.seconds if self._at < 0 else self._at
                self._timed_out += event.verdict == Verdict.TIMED_OUT.value
                if not self._told and self._stalled(event):
                    self._tell(event.probe - self._gained, event.at - self._at)

    def held(self) -> list[Held]:
        """Return the failures without which a much smaller candidate was enough, the smallest first. If no candidate
        proves that, return the only failure never seen in a small candidate, if each of the others was.
        """
        most = _MUCH * self._best
        found = [Held(failure, size, together=True) for failure, size in self._without.items() if size <= most]
        if found:
            return sorted(found, key=lambda held: (held.bytes, held.failure))
        sizes = {failure: self._seen.get(failure, self._best) for failure in set(self._report.failures)}
        large = [failure for failure, size in sizes.items() if size > most]
        if not self._by_kind or len(large) != 1:
            return []
        return [Held(large[0], max(size for failure, size in sizes.items() if failure not in large), together=False)]

    def without(self, failure: str) -> str:
        """Return the demand that the kind of ``failure`` may go too, as the settings have it."""
        wanted = self._wanted or Wanted()
        if wanted.exceptions and is_exception(failure):
            return "chosen " + "\n".join(name for name in self._report.failures if name != failure)
        return f"{wanted.statement.value} but " + "\n".join([*wanted.chosen, failure])

    def report(self) -> list[dict[str, Any]]:
        """Return the failures that hold the result, as the report has them."""
        return [{**asdict(held), "demand": self.without(held.failure)} for held in self.held()]

    @property
    def _by_kind(self) -> bool:
        return self._wanted is not None and self._wanted.by_kind and len(self._report.failures) > 1

    def _stalled(self, event: events.Probed) -> bool:
        probes = event.probe - self._gained
        return probes >= self._wait * max(_LEAST, self._gained) or event.at - self._at >= self._wait * _SECONDS

    def _tell(self, probes: int, seconds: float) -> None:
        self._told = True
        self._wait *= 2
        holds = next(iter(self.held()), None)
        wanted = self._wanted.statement if self._wanted is not None else None
        several = len(set(self._report.failures)) if self._by_kind or wanted is Statement.SAME else 0
        self._emit(
            events.Stalled(
                probes=probes,
                seconds=seconds,
                bytes=self._best,
                phase=self._phase.phase if self._phase is not None else "",
                timed_out=self._timed_out,
                failures=several,
                strict=wanted is Statement.SAME,
                holds=holds.failure if holds is not None else "",
                enough=holds.bytes if holds is not None else 0,
                together=holds is not None and holds.together,
                demand=self.without(holds.failure) if holds is not None else "",
            )
        )
