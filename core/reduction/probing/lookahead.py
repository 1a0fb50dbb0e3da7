"""Work that is done ahead while probes run. No result depends on this work.

* Free workers run probes that may come next (:mod:`core.reduction.probing.speculation`).
* The driver's thread makes further candidates while waiting for a probe, and then does the work that the phase has for
  idle time (:class:`Background`).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass

from core.reduction.probing.workers import WorkerPool
from core.reduction.records import PreparedCandidate
from core.sets import ItemSet
from core.system.processors import cores

_WORTH_PREPARING = 0.5
"""Shortest duration of a probe, in seconds, for which the end of a search is prepared before the end is sure.
See decisions/030-prepared-while-probes-run.md."""

_MOST_MADE = 2
"""Least limit of the candidates made during one probe, besides those that workers begin: one for a yes and one for a
no. The limit is the number of workers if that is more. See decisions/030-prepared-while-probes-run.md."""

Upcoming = Callable[[], Iterable[PreparedCandidate]]
"""Function that returns the possible next candidates, likeliest first."""


@dataclass(frozen=True, slots=True)
class Background:
    """Work for idle time that the present phase and later phases need."""

    step: Callable[[], bool] = lambda: False
    """Function that does a piece of work of some milliseconds (a tenth of a second for 40,000 items). Returns False if
    there is nothing to do at present."""
    expect: Callable[[ItemSet], None] = lambda items: None
    """Function that gets the items of a possible end of the search. Returns at once."""


class Lookahead:
    """The work for the time in which the driver's thread waits, if a processor is free and for as long as probes
    usually last.
    """

    def __init__(self, pool: WorkerPool) -> None:
        self.background = Background()
        self._pool = pool
        self._spare = pool.remote or pool.workers < cores()
        self._most = max(_MOST_MADE, pool.workers)
        self._begun = self._lasting = self._making = 0.0

    def begun(self) -> None:
        """Note that a probe begins."""
        self._begun = time.monotonic()

    def ended(self, seconds: float) -> None:
        """Note the duration of a probe: the next one is expected to last as long."""
        self._lasting = seconds

    def use(self, others: Iterator[PreparedCandidate], live: Collection[bytes | None], end: ItemSet | None) -> None:
        """Make the next of ``others`` with a key outside ``live``, then do background work. ``end``: the items with
        which the search ends if the running probe's answer is yes."""
        if not self._spare:
            return
        if end is not None and self._lasting >= _WORTH_PREPARING:
            self.background.expect(end)
        until, made = self._begun + self._lasting, 0
        while made < self._most and not self._pool.waiting and (start := time.monotonic()) + self._making < until:
            if (prepared := next(others, None)) is None:
                break
            if prepared.key is not None and prepared.key not in live:
                prepared.tester.pack(prepared.items)
                made += 1
                self._making = max(time.monotonic() - start, self._making / 2)
        while not self._pool.waiting and time.monotonic() < until and self.background.step():
            pass
