"""Candidates that were killed for their time are asked once more before the result rests on that."""

from __future__ import annotations

from collections.abc import Callable

from core.predicate.verdict import Outcome, Verdict
from core.reduction.probing.prober import Prober
from core.reduction.records import SubInput
from core.reduction.state import ReductionState

MOST = 3
"""Probes at the end that may be spent on it: most of what is killed hangs for good."""


class Late:
    """What was killed for its time, in the order in which the algorithm asked."""

    def __init__(self) -> None:
        self._found: dict[bytes, SubInput] = {}

    def note(self, key: bytes | None, candidate: Callable[[], SubInput], outcome: Outcome | None) -> None:
        """An answer."""
        if key is not None and outcome is not None and outcome.verdict is Verdict.TIMED_OUT:
            self._found.setdefault(key, candidate())

    def ask_again(self, state: ReductionState, prober: Prober, interesting: Callable[[Outcome], bool]) -> bool:
        """Runs the largest of those that are smaller than the best, under the limit of a confirmation; the first that
        is interesting becomes the best. Whether there is one. Each is asked once. Raises Stop when stopped."""
        left = [(key, each) for key, each in self._found.items() if each.bytes < state.best.bytes]
        left.sort(key=lambda pair: -pair[1].bytes)
        for key, candidate in left[:MOST]:
            del self._found[key]
            if prober.late:
                return False
            (outcomes,) = prober.again([(candidate, 1)])
            if outcomes and interesting(outcomes[0]):
                state.accept(candidate)
                return True
        return False
