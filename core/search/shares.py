"""How likely chunks are to be needed, or to hang, by what was found of others."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from copy import deepcopy

import numpy as np
from numpy.typing import NDArray

from core.search.chunks import Chunk
from core.search.experience import Experience, Hangs, Kind

_STRENGTH = 3.0
"""Chunks that the expectation at the start counts for, against those that were tried."""

_HANG_STRENGTH = 12.0
"""The same for hanging: a few candidates that hang say little of chunks elsewhere."""


class Shares:
    """How likely chunks that were not tried are to be needed, and to hang, by what was found of those that were.

    Counted by level and size, by all phases that have chunks of the same kind (``what``); and by level and place: what
    is true of the chunks of a class says most about its other chunks.
    """

    def __init__(
        self,
        expected: Sequence[float] = (0.3,),
        known: set[str] | None = None,
        experience: Experience | None = None,
        what: str = "",
    ) -> None:
        self._expected = expected
        self._what = what
        self.experience = Experience() if experience is None else experience
        self.experience.fade(what)
        self.known = set() if known is None else known
        """Keys of chunks that could not go on their own."""
        self._needed: defaultdict[tuple[int, int], float] = defaultdict(float)
        self._gone: Counter[tuple[int, int]] = Counter()
        self._hung: Counter[tuple[int, int]] = Counter()

    @property
    def of_hanging(self) -> Hangs:
        """What is known of candidates that hang."""
        return self.experience.hangs

    def copy(self) -> Shares:
        """The same, to find out what would follow from something."""
        return deepcopy(self)

    def needed(self, chunk: Chunk, weight: float, blame: float = 1.0) -> None:
        """That chunk cannot go; ``blame``: how likely it is the reason, and not what falls with it."""
        told = blame / chunk.rivals  # that one of many rivals cannot go was to be expected
        self._needed[chunk.level, chunk.place] += told
        for kind in self._kinds(chunk, weight):
            self.experience.needed[kind] += told
        self.of_hanging.tried[chunk.where] += 1
        if chunk.key:
            self.known.add(chunk.key)

    def doubted(self, chunk: Chunk, weight: float, p: float) -> None:
        """That chunk was in a group that cannot go, and is needed with that chance."""
        kind = self._kinds(chunk, weight)[0]
        self.experience.needed[kind] += p
        self.experience.gone[kind] += 1 - p

    def gone(self, chunk: Chunk, weight: float) -> None:
        """That chunk went."""
        self.of_hanging.tried[chunk.where] += 1
        for kind in self._kinds(chunk, weight):
            self.experience.gone[kind] += 1
        self._gone[chunk.level, chunk.place] += 1

    def hung(self, chunk: Chunk) -> None:
        """The candidate without that chunk alone hung."""
        self._hung[chunk.level, chunk.place] += 1
        self.experience.hung[self._what, chunk.level, -1] += 1
        self.of_hanging.places[chunk.where] += 1

    def freed(self, chunks: Sequence[Chunk], weights: NDArray[np.float64], bytes_: int) -> None:
        """These went together, and so many bytes with them."""
        for chunk, weight in zip(chunks, weights.tolist(), strict=True):
            self.experience.freed(self._what, chunk.level, weight, bytes_ * weight / float(weights.sum()))

    def factor(self, level: int) -> float:
        """What a chunk of that level frees for each byte that it weighs."""
        return self.experience.factor(self._what, level)

    def of(self, chunk: Chunk, weight: float) -> float:
        """The chance that a chunk of that weight is needed."""
        share = self._expected[min(chunk.level, len(self._expected) - 1)]
        found, kind = self.experience, self._kinds(chunk, weight)[0]
        share = _blended(share, _STRENGTH, found.needed.get(kind, 0.0), found.gone.get(kind, 0.0))
        place = chunk.level, chunk.place
        share = _blended(share, _STRENGTH, self._needed[place], self._gone[place])
        return 1 - (1 - share) / chunk.rivals

    def _kinds(self, chunk: Chunk, weight: float) -> tuple[Kind, Kind]:
        return (self._what, chunk.level, magnitude(weight)), (self._what, chunk.level, -1)

    def hangs(self, chunk: Chunk) -> float:
        """The chance that the candidate without it hangs."""
        known, kind, place = self.experience, (self._what, chunk.level, -1), (chunk.level, chunk.place)
        hung, tried = known.hung.get(kind, 0.0), known.needed.get(kind, 0.0) + known.gone.get(kind, 0.0)
        found = _blended(0.0, _HANG_STRENGTH, hung, tried - hung)
        hung, tried = self._hung[place], self._needed[place] + self._gone[place]
        found = _blended(found, _STRENGTH, hung, tried - hung)
        return max(found, known.hangs.risk(chunk.where))


def _blended(share: float, strength: float, yes: float, no: float) -> float:
    """A share that is expected as after so many answers (``strength``), and corrected by those that came."""
    return (share * strength + yes) / (strength + yes + no)


def magnitude(weight: float) -> int:
    """The power of four that a chunk weighs."""
    return int(weight).bit_length() // 2
