"""Which candidates of a list other workers may try before their turn."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from core.reduction.prepared import PreparedCandidate
from core.reduction.prober import Prober

_FAR = 256
"""Candidates that are looked at before their turn, in search of some that need a probe."""


class Queue:
    """The ``n`` candidates of a question ``First``, walked in order; ``look`` makes one."""

    def __init__(self, n: int, look: Callable[[int], PreparedCandidate], prober: Prober) -> None:
        self._n = n
        self._look = look
        self._prober = prober
        self._looked: dict[int, PreparedCandidate] = {}
        self._index = self._next = 0
        self._open: list[int] = []

    def at(self, index: int) -> PreparedCandidate:
        """The candidate whose turn it is."""
        self._index = index
        self._next = max(self._next, index + 1)
        look = self._looked.pop(index, None)
        return self._look(index) if look is None else look

    def ahead(self) -> Iterator[PreparedCandidate]:
        """The next ones that need a probe; none behind one known to be a yes."""
        self._open = [place for place in self._open if place > self._index]
        for place in self._open:
            known = self._prober.known(self._looked[place])
            if known:
                return
            if known is None:
                yield self._looked[place]
        while self._next < min(self._n, self._index + _FAR):
            if self._prober.waiting:
                return  # an answer has come: it may make all this superfluous
            place = self._next
            self._next += 1
            look = self._looked[place] = self._look(place)
            known = self._prober.known(look)
            if known is not False:
                self._open.append(place)
            if known:
                return
            if known is None:
                yield look
