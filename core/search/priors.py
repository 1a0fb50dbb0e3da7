"""Prior chances of chunks to be needed, and to hang, learned from the results of other chunks."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from core.search.chunks import Chunk
from core.search.search_history import Hangs, History, Kind

_Floats = NDArray[np.float64]
ChunkRows = NDArray[np.void]
"""Numbers of chunks, for vector arithmetic: one row a chunk, with the columns of :data:`COLUMNS`."""
_Share = TypeVar("_Share", float, _Floats)

COLUMNS = np.dtype(
    [
        ("level", np.int64),
        ("place", np.int64),
        ("rivals", np.int64),
        ("where", np.int64),  # number of the name
        ("root", np.int64),  # the only one; -1 for several
        ("weight", np.float64),  # bytes
        ("doubt", np.float64),  # factor of the odds of being needed, from failed groups; infinite if it cannot go
        ("hang", np.float64),
    ]
)

_STRENGTH = 3.0
"""Pseudo-count of the initial expectation, in tried chunks. See decisions/013-learned-chances.md."""

_HANG_STRENGTH = 12.0
"""Pseudo-count of the prior that nothing hangs, in tried chunks. A few hanging candidates say little about chunks
elsewhere. See decisions/014-hanging-candidates.md.
"""


class Priors:
    """The prior chances of untried chunks to be needed and to hang, from the results of tried chunks.

    There are two counts. One is by level and size, over all phases with chunks of one kind (``what``). The other is by
    level and place, because the chunks of a class say most about the other chunks of the class.
    """

    def __init__(
        self,
        expected: Sequence[float] = (0.5,),
        known: set[str] | None = None,
        history: History | None = None,
        what: str = "",
    ) -> None:
        self._expected = expected
        self._what = what
        self.history = History() if history is None else history
        self.history.fade(what)
        self.known = set() if known is None else known
        """Keys of chunks that could not go alone."""
        self._needed: defaultdict[tuple[int, int], float] = defaultdict(float)
        self._gone: Counter[tuple[int, int]] = Counter()
        self._alone: Counter[tuple[int, int]] = Counter()
        self._hung: Counter[tuple[int, int]] = Counter()

    @property
    def of_hanging(self) -> Hangs:
        """Counts of candidates that hung."""
        return self.history.hangs

    def copy(self) -> Priors:
        """Return a copy, for a forecast of an answer's consequences."""
        return deepcopy(self)

    def needed(self, chunk: Chunk, weight: float) -> None:
        """Count a chunk that cannot go."""
        share = 1 / chunk.rivals  # that one of many rivals cannot go was to be expected
        self._needed[chunk.level, chunk.place] += share
        self.history.needed[self._kind(chunk, weight)] += share
        self._tried(chunk)
        if chunk.key:
            self.known.add(chunk.key)

    def doubted(self, chunk: Chunk, weight: float, p: float) -> None:
        """Count a chunk of a group that cannot go. ``p``: the chunk's chance to be needed."""
        kind = self._kind(chunk, weight)
        self.history.needed[kind] += p
        self.history.gone[kind] += 1 - p

    def gone(self, chunk: Chunk, weight: float) -> None:
        """Count a chunk that went."""
        self._gone[chunk.level, chunk.place] += 1
        self.history.gone[self._kind(chunk, weight)] += 1
        self._tried(chunk)

    def hung(self, chunk: Chunk) -> None:
        """Count a chunk without which the candidate hung."""
        self._hung[chunk.level, chunk.place] += 1
        self.history.hung[self._what, chunk.level] += 1
        self.of_hanging.places[chunk.where] += 1

    def freed(self, chunks: Sequence[Chunk], weights: _Floats, bytes_: int) -> None:
        """Count the bytes that went with a group of chunks, in proportion to the chunks' ``weights``."""
        for chunk, weight in zip(chunks, weights.tolist(), strict=True):
            self.history.freed(self._what, chunk.level, weight, bytes_ * weight / float(weights.sum()))

    def factor(self, level: int) -> float:
        """Return the mean freed bytes per byte of weight, for chunks of the level."""
        return self.history.factor(self._what, level)

    def of(self, rows: ChunkRows) -> _Floats:
        """Return the prior chance of each chunk to be needed."""
        found, priors = self.history, np.empty(len(rows))
        kinds = rows["level"] << 8 | magnitudes(rows["weight"])
        for kind in np.unique(kinds).tolist():
            level, size = kind >> 8, kind & 255
            share, known = self._expected[min(level, len(self._expected) - 1)], (self._what, level, size)
            blended = _blended(share, _STRENGTH, found.needed.get(known, 0.0), found.gone.get(known, 0.0))
            priors[kinds == kind] = blended
        for (level, place), there in self._known_of(rows):
            needed, gone = self._needed[level, place], self._gone[level, place]
            priors[there] = _blended(priors[there], _STRENGTH, needed, gone)
        chances: _Floats = 1 - (1 - priors) / rows["rivals"]
        return chances

    def hangs(self, rows: ChunkRows, wheres: Mapping[str, int]) -> _Floats:
        """Return, for each chunk, the prior chance that a candidate without the chunk hangs. ``wheres``: the numbers of
        the names of places."""
        known, risks = self.history, np.zeros(len(rows))
        for level in np.unique(rows["level"]).tolist():
            kind = self._what, level
            hung, tried = known.hung.get(kind, 0.0), known.tried.get(kind, 0.0)
            risks[rows["level"] == level] = _blended(0.0, _HANG_STRENGTH, hung, tried - hung)
        for (level, place), there in self._known_of(rows):
            hung, tried = self._hung[level, place], self._alone[level, place]
            risks[there] = _blended(risks[there], _STRENGTH, hung, tried - hung)
        for where in list(known.hangs.places):
            if where in wheres:
                there = rows["where"] == wheres[where]
                risks[there] = np.maximum(risks[there], known.hangs.risk(where))
        return risks

    def _known_of(self, rows: ChunkRows) -> Iterator[tuple[tuple[int, int], NDArray[np.bool_]]]:
        """Yield each level and place that has results, with a flag per chunk for membership."""
        for level, place in self._alone:
            there = (rows["place"] == place) & (rows["level"] == level)
            if there.any():
                yield (level, place), there

    def _tried(self, chunk: Chunk) -> None:
        """Count a chunk that was tried alone or has gone."""
        self._alone[chunk.level, chunk.place] += 1
        self.history.tried[self._what, chunk.level] += 1
        self.of_hanging.tried[chunk.where] += 1

    def _kind(self, chunk: Chunk, weight: float) -> Kind:
        return self._what, chunk.level, magnitude(weight)


def _blended(share: _Share, strength: float, yes: float, no: float) -> _Share:
    """Return the mean of a Beta prior with ``strength`` pseudo-counts after ``yes`` and ``no`` answers."""
    return (share * strength + yes) / (strength + yes + no)


def magnitude(weight: float) -> int:
    """Return the exponent of the power of four in the weight of a chunk."""
    return int(weight).bit_length() // 2


def magnitudes(weights: _Floats) -> NDArray[np.int64]:
    """Return the exponent of the power of four in each weight."""
    return np.frexp(np.floor(weights))[1].astype(np.int64) // 2
