"""What phases find out of their chunks: what hangs, what was needed, what went and what that freed."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from functools import partial
from typing import Any

_HANG = 6.0
"""Probes that a hanging candidate costs: its limit is five times the slowest good run, and it must be ended."""

_HANG_SHARE = 0.05
"""Share of the time that hanging candidates may take: above it they are reckoned dearer in proportion."""

_DEAREST = 3.0
"""The most that they are reckoned dearer: a search that hardly asks about anything learns nothing either."""

_STRENGTH = 3.0
"""Candidates that hung or not, of other places, that the risk of one counts for."""

_FADED = 0.5
"""What counts of earlier phases are worth in the next one of their kind: meanwhile others have changed the input."""

_TYPICAL = 2.0
"""Chunks that the weights are believed for, against what those that went have freed."""

Kind = tuple[str, int, int]
"""Chunks that are taken to be alike: of what they are, their level, and the power of four that they weigh."""


@dataclass
class Hangs:
    """What is known of candidates that hang, by all phases of a search."""

    probes: int = 0
    hung: int = 0
    places: defaultdict[str, float] = field(default_factory=partial(defaultdict, float))
    """Candidates that hung without a chunk of a place, by its name; parts of one where several may be the reason."""
    tried: defaultdict[str, float] = field(default_factory=partial(defaultdict, float))
    """The same and other chunks that were tried alone, or went."""

    def note(self, *, hung: bool) -> None:
        """A candidate was asked about."""
        self.probes += 1
        self.hung += hung

    def blame(self, places: set[str]) -> None:
        """A candidate hung that lacked chunks of these places: each is as likely as the others to be the reason."""
        for place in places:
            self.places[place] += 1 / len(places)
            self.tried[place] += 1 / len(places)

    def risk(self, place: str) -> float:
        """The chance that a candidate hangs that lacks a part of that place."""
        return self.places[place] / (_STRENGTH + self.tried[place]) if place and self.places.get(place) else 0.0

    @property
    def price(self) -> float:
        """Probes that the next one that hangs is reckoned to cost."""
        share = _HANG * self.hung / max(1.0, self.probes + (_HANG - 1) * self.hung)
        return _HANG * min(_DEAREST, max(1.0, share / _HANG_SHARE))


@dataclass
class History:
    """What is known of chunks that were tried, by all phases of a search."""

    hangs: Hangs = field(default_factory=Hangs)
    tried: defaultdict[tuple[str, int], float] = field(default_factory=partial(defaultdict, float))
    """Chunks of a level that were asked about alone, or went."""
    hung: defaultdict[tuple[str, int], float] = field(default_factory=partial(defaultdict, float))
    """Those of them without which the candidate hung."""
    needed: defaultdict[Kind, float] = field(default_factory=partial(defaultdict, float))
    gone: defaultdict[Kind, float] = field(default_factory=partial(defaultdict, float))
    _went: Counter[tuple[str, int]] = field(default_factory=Counter)
    _weights: defaultdict[tuple[str, int], float] = field(default_factory=partial(defaultdict, float))
    _freed: defaultdict[tuple[str, int], float] = field(default_factory=partial(defaultdict, float))

    def fade(self, what: str) -> None:
        """A phase begins on these: what earlier ones found counts for less."""
        of_all: tuple[dict[Any, float], ...] = (self.tried, self.hung, self.needed, self.gone)
        for counts in of_all:
            for kind in counts:
                if kind[0] == what:
                    counts[kind] *= _FADED

    def freed(self, what: str, level: int, weight: float, bytes_: float) -> None:
        """A chunk of that weight went, and with it so many bytes."""
        self._went[what, level] += 1
        self._weights[what, level] += weight
        self._freed[what, level] += bytes_

    def factor(self, what: str, level: int) -> float:
        """What a chunk of that level frees for each byte that it weighs."""
        went, weights = self._went[what, level], self._weights[what, level]
        if not went:
            return 1.0
        believed = _TYPICAL * weights / went
        return (believed + max(0.0, self._freed[what, level])) / (believed + weights)
