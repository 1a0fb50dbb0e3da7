"""The inputs of a program that the search does not see: their runs on its results, and the estimate for others."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from threading import Event as Flag
from typing import Any

from core.entries import Entries
from core.predicate.predicate import Predicate, discard
from core.predicate.several.every import EveryPredicate
from core.predicate.verdict import Outcome, Verdict, interval
from core.protocol import events
from core.reduction.driver import Driver
from core.reduction.records import SubInput

_LESS = 0.5
"""Share of its bytes at the last look that the best may have at most to be looked at again. See
decisions/002-watching-again.md."""
_THROWN = re.compile(r"^.*?\b\w+(?:Error|Exception)\b.*$", re.MULTILINE)


class Unseen:
    """The unseen inputs of a calibrated predicate, in two shares. The first is run on the best from time to time, and
    both on the result. If one of a share fails, the search sees this share from then on; ``emit`` gets a warning.

    ``full``: the entries of the input; ``work``: folder of the runs; ``spent`` gets the number of runs and their
    seconds. ``early``: both shares are run at the first look.
    """

    def __init__(
        self,
        predicate: Predicate,
        full: Entries,
        work: Path,
        cancel: Flag,
        emit: events.Listener,
        spent: Callable[[int, float], None],
        *,
        early: bool,
    ) -> None:
        assert isinstance(predicate, EveryPredicate)
        self._predicate, self._full, self._work = predicate, full, work / "unseen"
        self._cancel, self._emit, self._spent, self._early = cancel, emit, spent, early
        held = [number for number in range(len(predicate.names)) if number not in predicate.searched]
        half = (len(held) + 1) // 2
        self._shares = [share for share in (held[:half], held[half:]) if share]
        self.runs = len(predicate.names) / len(predicate.searched)
        """Number of inputs, as a multiple of those that the search sees."""
        self._good: Entries | None = None
        """The entries at the last look, if all inputs run then passed."""
        self._due = 0
        """Bytes that the best may have at most to be looked at."""
        self._judged: dict[int, Outcome] = {}
        """Outcomes of the shares at the last look. For a share that the search has seen since, the last outcome before
        that."""
        self._back: dict[int, Outcome] = {}
        self.missed: dict[int, Outcome] = {}
        """Outcomes of the failing inputs at the last look: the search is to see their share."""

    def look(self, entries: Entries, size: int, *, last: bool = False) -> None:
        """Run the first share on the best of ``size`` bytes if that is the first smaller one, or much smaller than at
        the last look; with ``last`` all shares in any case."""
        if self.missed or not (last or size <= self._due):
            self._due = self._due or size - 1
            return
        first, self._due = self._good is None and self._early, int(_LESS * size)
        for share in self._shares if last or first else self._shares[:1]:
            found = self._tried(share, entries)
            self._judged |= found
            self.missed = {number: found[number] for number in self._failing(found)}
            if self.missed:
                return
        self._good = entries

    def last_passing(self, driver: Driver) -> Entries | None:
        """Let the search see the share that failed. Return the entries of its last step on which the failing inputs
        pass, past the time limit those of a look at which they passed; None for the full input."""
        self._emit(events.Warned(f"These unseen inputs fail, so the search sees them from now on: {self.told}."))
        failing = list(self.missed)
        (share,) = (each for each in self._shares if failing[0] in each)
        self._predicate.searched.update(share)
        self.joined = replace(self._predicate, searched={*share})
        """The predicate of the share that joined the search last."""
        self._shares.remove(share)
        if self._shares:  # the estimate is of those that had no say
            self._judged = {number: each for number, each in self._judged.items() if number not in share}
        self._back |= self.missed
        self.missed, self._due = {}, 0
        good, self._good = self._good, None
        if driver.late:
            return good

        def passes(step: SubInput) -> bool:
            return all(outcome.interesting for outcome in self._tried(failing, step.entries).values())

        step = driver.last_with(passes)
        return step.entries if step is not None else None

    @property
    def told(self) -> str:
        """The failing inputs of the last look, with their reasons."""
        names = self._predicate.names
        return ", ".join(f"{names[number]!r} ({reason(outcome)})" for number, outcome in self.missed.items())

    def report(self) -> dict[str, Any]:
        """Return the estimate as the report has it."""
        count, names = len(self._judged), self._predicate.names
        passed = sum(outcome.interesting for outcome in self._judged.values())
        low, high = interval(passed, count)
        failed = {number: each for number, each in self._judged.items() if not each.interesting} | self._back
        return {
            "inputs": len(names),
            "unseen": count,
            "passed": passed,
            "spent": not self._shares,
            "low": round(low, 3),
            "high": round(high, 3),
            "failed": [
                {"input": names[number], "why": reason(outcome), "kept": number in self._predicate.searched}
                for number, outcome in failed.items()
            ],
        }

    def _tried(self, numbers: list[int], entries: Entries) -> dict[int, Outcome]:
        try:
            found = self._predicate.tried(numbers, entries, self._work, self._cancel)
        finally:
            discard(self._work)
        self._spent(len(found), sum(outcome.seconds for outcome in found.values()))
        return found

    def _failing(self, found: dict[int, Outcome]) -> list[int]:
        """Return the inputs that fail on the candidate and still pass on the full input. Others judge no more."""
        failing = [number for number, outcome in found.items() if not outcome.interesting]
        again = self._tried(failing, self._full) if failing else {}
        for number, outcome in again.items():
            if outcome.verdict is Verdict.NOT_INTERESTING:
                name = self._predicate.names[number]
                self._emit(
                    events.Warned(
                        f"The input {name!r} does not do the same each time ({outcome.detail}): it judges nothing."
                    )
                )
                self._judged.pop(number)
                for share in self._shares:
                    share[:] = [each for each in share if each != number]
        return [number for number in failing if number in self._judged]


def reason(outcome: Outcome) -> str:
    """Return the reason why an input fails: what was thrown, else the difference."""
    thrown = _THROWN.search(f"{outcome.stderr}\n{outcome.stdout}")
    return f"{outcome.detail}: {thrown[0].strip()}" if thrown else outcome.detail
