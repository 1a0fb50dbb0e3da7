"""What is worth doing while probes run: making the candidates that may come next."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterator

from core.reduction.candidate_tester import CandidateTester
from core.reduction.prepared import PreparedCandidate
from core.search.spaces.class_spaces import ItemSet
from core.system.processors import cores

_WORTH = 0.5
"""Seconds that probes must last for a search's end to be prepared before it is sure."""

_MOST = 2
"""Candidates that are made while a probe runs, besides those that workers begin: a yes and a no lead to one each."""


class Lookahead:
    """Fills the time in which the driver's thread waits, as far as a processor is free and probes usually last.

    What it does is remembered by judges and changes no result. ``waiting()`` tells whether a probe has ended.
    """

    def __init__(self, workers: int, waiting: Callable[[], bool]) -> None:
        self._spare = workers < cores()
        self._waiting = waiting
        self._begun = self._lasting = self._making = 0.0

    def begun(self) -> None:
        """A probe begins."""
        self._begun = time.monotonic()

    def ended(self, seconds: float) -> None:
        """A probe took so long: the next one is expected to take as long."""
        self._lasting = seconds

    def use(
        self,
        others: Iterator[PreparedCandidate],
        live: Collection[bytes | None],
        tester: CandidateTester,
        end: ItemSet | None = None,
    ) -> None:
        """Makes the next of ``others``, but for those with a key in ``live``; then has ``judge`` get ready for more.
        ``end``: what the search ends with if the probe's answer is yes."""
        if not self._spare:
            return
        if end is not None and self._lasting >= _WORTH:
            tester.expect(end)
        until, made = self._begun + self._lasting, 0
        while made < _MOST and not self._waiting() and (start := time.monotonic()) + self._making < until:
            if (look := next(others, None)) is None:
                break
            if look.key is not None and look.key not in live:
                look.tester.pack(look.items)
                made += 1
                self._making = max(time.monotonic() - start, self._making / 2)
        while not self._waiting() and time.monotonic() < until and tester.get_ready():
            pass
