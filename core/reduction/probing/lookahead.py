"""All that is done before its turn, while probes run. It is remembered where it was made, and changes no result.

* Free workers run probes that may come next (:mod:`core.reduction.probing.speculation`).
* The driver's thread, which waits, makes further candidates, and then does what the phase has in store
  (:class:`Background`): :class:`Lookahead`.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass

from core.reduction.probing.workers import Workers
from core.reduction.records import PreparedCandidate
from core.sets import ItemSet
from core.system.processors import cores

_WORTH_PREPARING = 0.5
"""Seconds that probes must last for a search's end to be prepared before it is sure."""

_MOST_MADE = 2
"""Candidates that are made while a probe runs, besides those that workers begin, or as many as there are workers: a yes
and a no lead to one each."""

Upcoming = Callable[[], Iterable[PreparedCandidate]]
"""Gives the candidates that may come next, the likelier first, as far as is known when it is asked."""


def _nothing_to_do() -> bool:
    return False


def _no_end(items: ItemSet) -> None:
    pass


@dataclass(frozen=True, slots=True)
class Background:
    """What a phase and those after it will need, besides candidates."""

    step: Callable[[], bool] = _nothing_to_do
    """Does a little of it (some milliseconds, of 40,000 items a tenth of a second); False where there is nothing to do
    just now."""
    expect: Callable[[ItemSet], None] = _no_end
    """Is told that the search may end with these items. Returns at once."""


class Lookahead:
    """Fills the time in which the driver's thread waits, as far as a processor is free and probes usually last."""

    def __init__(self, pool: Workers) -> None:
        self.background = Background()
        self._pool = pool
        self._spare = pool.remote or pool.workers < cores()
        self._most = max(_MOST_MADE, pool.workers)
        self._begun = self._lasting = self._making = 0.0

    def begun(self) -> None:
        """A probe begins."""
        self._begun = time.monotonic()

    def ended(self, seconds: float) -> None:
        """A probe took so long: the next one is expected to take as long."""
        self._lasting = seconds

    def use(
        self, others: Iterator[PreparedCandidate], live: Collection[bytes | None], end: ItemSet | None = None
    ) -> None:
        """Makes the next of ``others``, but for those with a key in ``live``; then does what is in store. ``end``: what
        the search ends with if the probe's answer is yes."""
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
