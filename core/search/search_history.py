"""Results of earlier phases about their chunks: hangs, needed chunks, and the bytes that removed chunks freed."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Any

HANG = 6.0
"""Cost of a hang, in probes: the time limit is five times the slowest interesting run, and the processes must be
ended. See decisions/014-hanging-candidates.md.
"""

_STRENGTH = 3.0
"""Pseudo-count of the prior that a place does not hang, in candidates. See decisions/014-hanging-candidates.md."""

_FADED = 0.5
"""Decay of earlier phases' counts, per phase of their kind: other phases have changed the input meanwhile.
See decisions/013-learned-chances.md.
"""

_TYPICAL = 2.0
"""Prior weight of estimated over measured bytes, in chunks. See decisions/013-learned-chances.md."""

Kind = tuple[str, int, int]
"""A class of similar chunks: their kind, their level, and the power of four in their weight."""


_counts: Callable[[], defaultdict[Any, float]] = partial(defaultdict, float)


@dataclass
class Hangs:
    """Counts of candidates that hung, over all phases of a search."""

    hung: int = 0
    places: defaultdict[str, float] = field(default_factory=_counts)
    """Number of candidates that hung without a chunk, by the name of the chunk's place. If several places may be the
    reason, each gets a fraction.
    """
    tried: defaultdict[str, float] = field(default_factory=_counts)
    """Number of chunks that hung, were tried alone, or went, by the name of their place."""

    def blame(self, places: set[str]) -> None:
        """Count a candidate that hung without chunks of ``places``. Each place gets an equal share of the blame."""
        for place in places:
            self.places[place] += 1 / len(places)
            self.tried[place] += 1 / len(places)

    def risk(self, place: str) -> float:
        """Return the chance that a candidate without a part of the place hangs."""
        return self.places[place] / (_STRENGTH + self.tried[place]) if place and self.places.get(place) else 0.0


@dataclass
class History:
    """Results of tried chunks, over all phases of a search."""

    hangs: Hangs = field(default_factory=Hangs)
    tried: defaultdict[tuple[str, int], float] = field(default_factory=_counts)
    """Number of chunks that were tried alone or went, by kind and level."""
    hung: defaultdict[tuple[str, int], float] = field(default_factory=_counts)
    """Number of tried chunks without which the candidate hung, by kind and level."""
    needed: defaultdict[Kind, float] = field(default_factory=_counts)
    gone: defaultdict[Kind, float] = field(default_factory=_counts)
    _went: Counter[tuple[str, int]] = field(default_factory=Counter)
    _weights: defaultdict[tuple[str, int], float] = field(default_factory=_counts)
    _freed: defaultdict[tuple[str, int], float] = field(default_factory=_counts)

    def fade(self, what: str) -> None:
        """Begin a phase on chunks of the kind ``what``: earlier counts of the kind decay."""
        of_all: tuple[dict[Any, float], ...] = (self.tried, self.hung, self.needed, self.gone)
        for counts in of_all:
            for kind in counts:
                if kind[0] == what:
                    counts[kind] *= _FADED

    def freed(self, what: str, level: int, weight: float, bytes_: float) -> None:
        """Count a chunk that went, with all freed bytes."""
        self._went[what, level] += 1
        self._weights[what, level] += weight
        self._freed[what, level] += bytes_

    def factor(self, what: str, level: int) -> float:
        """Return the mean freed bytes per byte of weight, for chunks of the level."""
        went, weights = self._went[what, level], self._weights[what, level]
        if not went:
            return 1.0
        believed = _TYPICAL * weights / went
        return (believed + max(0.0, self._freed[what, level])) / (believed + weights)
