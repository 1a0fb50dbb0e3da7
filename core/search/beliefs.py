"""Beliefs about chunks: for each chunk, the chance of being needed and the chance of making candidates hang."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from core.search.chunks import Chunk
from core.search.logic import BytesOf
from core.search.priors import COLUMNS, ChunkRows, Priors
from core.search.search_history import HANG
from core.sets import ItemSet

_SURE = 1 - 1e-9
"""Chance above which a chunk counts as certainly needed. Without this limit, the failure of a group could raise a
chance by less than a double can hold. See decisions/032-equal-and-certain.md.
"""

_Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class ChunkGroup:
    """A group of chunks that one probe drops; ``places`` are their indices in the beliefs."""

    places: NDArray[np.intp]
    gone: ItemSet
    gain: float
    """Expected freed bytes per probe."""


@dataclass(frozen=True)
class Beliefs:
    """The beliefs about the chunks that may still go. Chunks and rows are parallel.

    The evidence from failed groups (the column ``doubt``) is kept apart from the evidence from other chunks
    (``priors``). So the chance of a chunk in a failed group still rises later, when other chunks of its level and place
    turn out to be needed.
    """

    chunks: tuple[Chunk, ...]
    rows: ChunkRows
    wheres: dict[str, int] = field(repr=False)
    """Number of the name of each place. It grows with new chunks, and derived beliefs share it."""
    priors: Priors
    weigh: BytesOf = field(repr=False)

    @classmethod
    def of(cls, chunks: Sequence[Chunk], kept: ItemSet, priors: Priors, weigh: BytesOf) -> Beliefs:
        """Return the beliefs about untried chunks."""
        return cls((), np.zeros(0, COLUMNS), {}, priors, weigh)._with(chunks, kept)

    def if_all_fail(self, worth: float) -> Iterator[ChunkGroup]:
        """Yield the best group, then the best group after a failure of the first, and so on, as long as a group
        promises ``worth`` bytes per probe.
        """
        beliefs = self
        while (group := beliefs._best()) is not None and group.gain >= worth:
            yield group
            if group.places.size == 1:
                return  # what comes in its place is not known yet
            if beliefs is self:
                beliefs = replace(self, priors=self.priors.copy())
            beliefs, _ = beliefs.failed(group, hung=False)

    def _best(self) -> ChunkGroup | None:
        """Return the group with the greatest expected gain per probe."""
        risks = self._risks()
        p = 1 - (1 - self._chances()) * (1 - risks)  # what hangs cannot go: decisions/014-hanging-candidates.md
        if not (p < 1).any():
            return None
        weights = self._expected_bytes()
        order = np.argsort(-weights * (1 - p) / (1 + HANG * risks), kind="stable")  # the most promising first
        order = order[p[order] < 1]
        goes = np.cumprod(1 - p[order])
        hung = 1 - np.cumprod(1 - risks[order])
        worths = np.cumsum(weights[order]) * goes
        gain = worths / (1 + HANG * hung)
        size = int(np.argmax(gain >= gain.max() * (1 - 1e-12))) + 1
        places = np.sort(order[:size])
        gone = 0
        for place in places:
            gone |= self.chunks[place].gone
        return ChunkGroup(places, gone, float(gain[size - 1]))

    def _chances(self) -> _Floats:
        """Return the posterior chance, for each chunk, that the chunk is needed."""
        before, p = self.priors.of(self.rows), np.ones(len(self.chunks))
        open_ = np.isfinite(self.rows["doubt"])
        odds = before[open_] / np.maximum(1e-12, 1 - before[open_]) * self.rows["doubt"][open_]
        p[open_] = np.minimum(odds / (1 + odds), _SURE)
        return p

    def _expected_bytes(self) -> _Floats:
        """Return the expected freed bytes of each chunk: its bytes times the factor of its level."""
        factors = np.ones(len(self.chunks))
        for level in np.unique(self.rows["level"]).tolist():
            factors[self.rows["level"] == level] = self.priors.factor(level)
        expected: _Floats = self.rows["weight"] * factors
        return expected

    def _risks(self) -> _Floats:
        """Return, for each chunk, the chance that a candidate without the chunk hangs."""
        risks: _Floats = np.maximum(self.rows["hang"], self.priors.hangs(self.rows, self.wheres))
        return risks

    def failed(self, group: ChunkGroup, *, hung: bool) -> tuple[Beliefs, Chunk | None]:
        """Return the beliefs after a group could not go. Return the chunk too if the group has only one."""
        places = group.places
        rows, weights = self.rows.copy(), self.rows["weight"]
        doubts, hangs = rows["doubt"], rows["hang"]
        if hung:
            hangs[places] = raised(np.maximum(hangs[places], 1e-3))
        if places.size == 1:
            doubts[places] = np.inf
            alone = self.chunks[int(places[0])]
            self.priors.needed(alone, float(weights[places[0]]))
            if hung:
                self.priors.hung(alone)
        else:
            before = self._chances()[places]
            doubts[places] *= _doubts(before)
            for place, p in zip(places.tolist(), raised(before).tolist(), strict=True):
                self.priors.doubted(self.chunks[place], float(weights[place]), p)
            alone = None
            if hung:
                self.priors.of_hanging.blame({self.chunks[place].where for place in places})
        return replace(self, rows=rows), alone

    def settled(self, needed: ItemSet, kept: ItemSet) -> Beliefs:
        """Return the beliefs in which each needed chunk is replaced by its parts."""
        beliefs = self
        while True:
            sure = np.isinf(beliefs.rows["doubt"]) | beliefs._rooted_in(needed)
            out = np.flatnonzero(sure).tolist()
            if not out:
                return beliefs
            fresh = [part for place in out for part in beliefs.chunks[place].if_needed()]
            beliefs = beliefs._without(out)._with(fresh, kept)

    def dropped(self, group: ChunkGroup, kept: ItemSet, freed: int) -> Beliefs:
        """Return the beliefs after a group went and freed ``freed`` bytes. A chunk of the group that is still there
        cannot go.
        """
        self.priors.freed([self.chunks[place] for place in group.places], self.rows["weight"][group.places], freed)
        fresh: list[Chunk] = []
        out: list[int] = []
        rows = self.rows.copy()
        chosen = set(group.places.tolist())
        for place, chunk in enumerate(self.chunks):
            left = chunk.gone & kept
            if not left:
                out.append(place)
                if place in chosen:  # a chunk that fell with others says nothing of independent ones
                    self.priors.gone(chunk, float(rows["weight"][place]))
                    fresh += chunk.if_gone()
            elif place in chosen:
                out.append(place)
                self.priors.needed(chunk, float(rows["weight"][place]))
                fresh += chunk.if_needed()
            elif left != chunk.gone and not chunk.bytes:
                rows["weight"][place] = max(1, self.weigh(left))
        return replace(self, rows=rows)._without(out)._with(fresh, kept)

    def _rooted_in(self, needed: ItemSet) -> NDArray[np.bool_]:
        """Return, for each chunk, a flag: is one of its roots in ``needed``?"""
        only = self.rows["root"]
        packed = np.frombuffer(needed.to_bytes(needed.bit_length() // 8 + 1, "little"), dtype=np.uint8)
        flags = np.unpackbits(packed, bitorder="little").astype(bool)
        known = (only >= 0) & (only < len(flags))
        found = np.zeros(len(only), dtype=bool)
        found[known] = flags[only[known]]
        for place in np.flatnonzero(only < 0).tolist():
            found[place] = bool(self.chunks[place].roots & needed)
        return found

    def _without(self, places: Sequence[int]) -> Beliefs:
        gone = set(places)
        chunks = tuple(chunk for place, chunk in enumerate(self.chunks) if place not in gone)
        return replace(self, chunks=chunks, rows=np.delete(self.rows, places))

    def _unknown(self, chunks: Sequence[Chunk]) -> Iterator[Chunk]:
        """Yield the chunks. A chunk known to be needed is replaced by its parts."""
        for chunk in chunks:
            if chunk.key in self.priors.known:
                yield from self._unknown(chunk.if_needed())
            else:
                yield chunk

    def _with(self, chunks: Sequence[Chunk], kept: ItemSet) -> Beliefs:
        fresh = [chunk for chunk in self._unknown(chunks) if chunk.gone & kept]
        if not fresh:
            return self
        new = np.array([self._row(chunk, kept) for chunk in fresh], COLUMNS)
        return replace(self, chunks=(*self.chunks, *fresh), rows=np.concatenate((self.rows, new)))

    def _row(self, chunk: Chunk, kept: ItemSet) -> tuple[float, ...]:
        root = chunk.roots.bit_length() - 1 if chunk.roots.bit_count() == 1 else -1
        where = self.wheres.setdefault(chunk.where, len(self.wheres))
        weight = chunk.bytes or max(1, self.weigh(chunk.gone & kept))
        return chunk.level, chunk.place, chunk.rivals, where, root, weight, 1, 0


def raised(p: _Floats) -> _Floats:
    """Return the posterior chances (Bayes) of the members of a group, given that at least one member is needed."""
    if p.size == 1:
        return np.ones(1)  # p / (1 - (1 - p)) is below 1 for many doubles, and would never get there
    after: _Floats = p / (1 - np.prod(1 - p))
    after[after > _SURE] = 1.0
    return after


def _doubts(p: _Floats) -> _Floats:
    """Return the posterior odds of :func:`raised`, as factors of the prior odds."""
    after = raised(p)
    factors: _Floats = np.full(p.size, np.inf)
    open_ = after < 1
    factors[open_] = after[open_] / (1 - after[open_]) * (1 - p[open_]) / np.maximum(1e-12, p[open_])
    return factors
