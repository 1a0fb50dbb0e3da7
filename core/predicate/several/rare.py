"""A failure that does not show each time: the share of a candidate's runs with the failure decides.

The full input is run until that share, its *rate*, is known. A candidate is run until a sequential test decides: it is
rejected once its runs are unlikely for the rate of the full input, and kept once they are very unlikely for half of it.
What is known of a candidate stays, so a later test goes on from there. The result was chosen for its lucky runs too:
new ones must show 0.8 of the rate. The runs of the full input end with a lucky one as well, so it is run again before a
result is refuted. If the failure comes in bursts, a run says less: the order of the full input's runs tells how much.
If a time limit leaves fewer runs of the full input, the rate that they make certain counts. If it leaves fewer runs of
the result, these few decide."""

from __future__ import annotations

import math
import time
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from threading import Event as Flag
from typing import Any

from core.archive.packer import Packer
from core.entries import Entries
from core.predicate.predicate import AroundPredicate, CommandPredicate, Predicate, discard
from core.predicate.tool_chain import StepsPredicate
from core.predicate.verdict import ANSWERS, Outcome, Verdict, interval

_FIRST, _FULL = 60, 300
"""Most runs of the full input until the failure shows, and for its rate. See decisions/056-rare-failures.md."""
_LOW, _KEPT, _REJECTED = 0.5, math.log(1000), math.log(20)
"""The rate of a worse candidate as a share of the full input's, and the likelihood ratios, as logarithms, at which a
candidate is kept and rejected. See decisions/056-rare-failures.md."""
_HELD, _SURE, _MOST, _MOST_RARE = 0.8, 0.9, 400, 150
"""Least rate of the result as a share of the full input's; the least share once some runs have not decided; and their
number, or how many of them would show the failure. The rate of the full input is known once the low end of its interval
is the first share of it. See decisions/056-rare-failures.md."""
_AGAIN = 2
"""Least number of runs of the full input, as a multiple of those of a result, before the result is refuted.
See decisions/056-rare-failures.md."""
_SHARE, _TOLD = 0.25, 10
"""Share of a time limit for the runs of the full input; number of runs after which their rate is first reported, then
at each doubling. See decisions/056-rare-failures.md."""
_LIMIT, _SLACK = 0.5, 5.0
"""Least seconds of a run, and its limit as a multiple of a run of the full input.
See decisions/056-rare-failures.md."""


@dataclass
class Rate:
    """The runs of one candidate: the number with the failure, of all, and of those unlike the one before; the last run
    with and without the failure, the later one last. The texts of a run are dropped once they are reported."""

    shown: int = 0
    runs: int = 0
    turns: int = 0
    last: dict[bool, Outcome] = field(default_factory=dict)

    def add(self, outcome: Outcome) -> None:
        self.turns += self.last != {} and next(reversed(self.last)) is not outcome.interesting
        self.last.pop(outcome.interesting, None)
        self.shown += outcome.interesting
        self.runs += 1
        self.last[outcome.interesting] = outcome

    @property
    def share(self) -> float:
        return self.shown / max(1, self.runs)

    @property
    def certain(self) -> float:
        """The rate for comparison with a candidate's: lower than the share if there are fewer runs than wanted."""
        return self.share if self.runs >= _FULL else min(self.share, self.bounds[0] / _HELD)

    @property
    def bounds(self) -> tuple[float, float]:
        """The 95 % interval of the rate."""
        return interval(self.shown, self.runs)

    @property
    def text(self) -> str:
        """The rate in words."""
        low, high = self.bounds
        return f"shown by {self.shown} of {self.runs} runs, a rate of {low:.0%} to {high:.0%}"

    @property
    def fresh(self) -> float:
        """The share of the runs that count if a run is often like the one before: (1 - r) / (1 + r), with the least
        correlation r that so many changes leave likely."""
        expected = 2 * self.share * (self.runs - self.shown)
        turns = min(expected, self.turns + 2 * expected**0.5)
        return turns / (2 * expected - turns) if expected else 1

    def against(self, full: Rate, share: float) -> float:
        """Return the log-likelihood ratio of the runs to a ``share`` of the ``full`` input's rate."""
        rate = share * full.certain
        pairs = ((self.share, rate), (1 - self.share, 1 - rate))
        return full.fresh * self.runs * sum(own * math.log(own / max(other, 0.02)) for own, other in pairs if own)

    def kept(self, full: Rate) -> bool | None:
        """Return True if the candidate is to be kept under the ``full`` input's rate, False if not, None for now."""
        if self.share > _LOW * full.certain and self.against(full, _LOW) > _KEPT:
            return True
        return False if self.share < full.certain and self.against(full, 1) > _REJECTED else None

    def held(self, full: Rate) -> bool | None:
        """Return True if the result holds the ``full`` input's rate, False if not, None for now."""
        rate = full.certain
        good = self.share >= _HELD * rate
        if self.against(full, _HELD) > (_KEPT if good else _REJECTED):
            return good
        return self.share >= _SURE * rate if full.fresh * self.runs >= max(_MOST, _MOST_RARE / rate) else None


class RarePredicate(AroundPredicate[CommandPredicate | StepsPredicate]):
    """A predicate whose outcomes are those of several runs of ``inner``, one after another. ``limit``: the seconds of
    the whole reduction; ``full``: the runs of the full input ``whole``; ``known``: those of each candidate."""

    def __init__(
        self,
        inner: CommandPredicate | StepsPredicate,
        limit: float | None = None,
        full: Rate | None = None,
        whole: Entries = (),
        known: defaultdict[int, Rate] | None = None,
    ) -> None:
        super().__init__(inner)
        self.tell: Callable[[str], None] = lambda rate: None
        """Hears the rate of the full input while this is run."""
        self._limit, self._full, self._whole = limit, full or Rate(), whole
        self._known = defaultdict(Rate) if known is None else known

    def calibrated(self, entries: Entries, work: Path, cancel: Flag | None = None) -> tuple[Predicate, Outcome]:
        if self._full.runs:
            return self, self.probe(entries, work, cancel)
        rate, predicate, begun = Rate(), self.inner, time.monotonic()
        most, told = math.inf if self._limit is None else _SHARE * self._limit, _TOLD
        while rate.runs < (_FULL if rate.shown else _FIRST) and (not rate.shown or rate.share > rate.certain):
            if rate.shown:
                place = work.with_name(f"{work.name}-rate")
                rate.add(predicate.probe(entries, place, cancel))
                discard(place)
            else:
                discard(work)
                predicate, outcome = self.inner.calibrated(entries, work, cancel)
                rate.add(outcome)
            if rate.runs == told:
                self.tell(rate.text)
                told *= 2
            if _over(cancel) or time.monotonic() - begun > most:
                break
        outcome = replace(outcome, seconds=time.monotonic() - begun)
        if not rate.shown:
            return self, replace(outcome, detail=f"{outcome.detail}, {rate.text}")
        found = RarePredicate(predicate, self._limit, rate, entries)
        found._known[hash((False, *entries))] = replace(rate)
        return found, replace(outcome, detail=rate.text)

    @property
    def wanted_words(self) -> str:
        """The condition in words, with the rate of the full input."""
        return self.inner.condition.describe() + (f", {self._full.text}" if self._full.runs else "")

    def limited(self, timeout: float | None) -> Predicate:
        """Return the predicate with a time limit for each of its runs, by the runs of the full input."""
        took = [each.seconds for each in self._full.last.values()]
        return self._around(self.inner.limited(max(_LIMIT, _SLACK * max(took)) if took else timeout))

    def repacked(self, packer: Packer) -> Predicate:
        return RarePredicate(self.inner.repacked(packer), self._limit, self._full, self._whole)

    def probe(self, entries: Entries, work: Path, cancel: Flag | None = None, seconds: float | None = None) -> Outcome:
        return self._tested(self._known[hash((False, *entries))], Rate.kept, entries, work, cancel, seconds)

    def confirm(
        self, entries: Entries, work: Path, cancel: Flag | None = None, seconds: float | None = None
    ) -> Outcome:
        """Return the outcome of new runs; if ``seconds`` are over before these decide, that of the runs so far."""
        known, new = (self._known[hash((held, *entries))] for held in (False, True))
        outcome = self._tested(new, Rate.held, entries, work, cancel, seconds)
        least = _AGAIN * new.runs
        if outcome.verdict is Verdict.NOT_INTERESTING and self._full.runs < least:
            left = seconds and seconds - outcome.seconds
            again = self._tested(
                self._full, lambda rate, _: rate.runs >= least or None, self._whole, work, cancel, left
            )
            if again.interesting:
                return self.confirm(entries, work, cancel, left and left - again.seconds)
        told = new if new.runs else known
        late = outcome.verdict is Verdict.TIMED_OUT and seconds is not None and outcome.seconds >= seconds
        return _told(told, True, outcome.seconds) if late and told.runs else outcome

    def _around(self, inner: Any) -> RarePredicate:
        return RarePredicate(inner, self._limit, self._full, self._whole, self._known)

    def _tested(
        self,
        rate: Rate,
        test: Callable[[Rate, Rate], bool | None],
        entries: Entries,
        work: Path,
        cancel: Flag | None,
        seconds: float | None,
    ) -> Outcome:
        """Run a candidate until ``test`` decides by its rate and that of the full input, for ``seconds`` at most."""
        begun = time.monotonic()
        while (good := test(rate, self._full)) is None:
            spent = time.monotonic() - begun
            if seconds is not None and spent >= seconds:
                return Outcome(Verdict.TIMED_OUT, spent, None, rate.text)
            discard(work)
            left = None if seconds is None else seconds - spent
            outcome = self.inner.probe(entries, work, cancel, left)
            if _over(cancel) or (outcome.verdict not in ANSWERS and not rate.runs):
                return replace(outcome, seconds=time.monotonic() - begun)
            if left is None or outcome.verdict in ANSWERS or outcome.seconds < left:
                rate.add(outcome)
        return _told(rate, good, time.monotonic() - begun)


def _told(rate: Rate, good: bool, seconds: float) -> Outcome:
    """Return the outcome of a candidate by its last run of that kind."""
    last = rate.last.get(good) or rate.last[not good]
    rate.last = {kind: replace(each, stdout="", stderr="") for kind, each in rate.last.items()}
    verdict = Verdict.INTERESTING if good else Verdict.NOT_INTERESTING
    return replace(last, verdict=verdict, seconds=seconds, detail=rate.text)


def _over(cancel: Flag | None) -> bool:
    return cancel is not None and cancel.is_set()
