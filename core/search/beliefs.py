"""What a search by complements believes of the chunks that it may drop: how likely each is to be needed, or to hang."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass, field, replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from core.search.item_sets import ItemSet

_SURE = 1 - 1e-9
"""Above this a chance counts as 1."""

_STRENGTH = 3.0
"""Chunks that the expectation at the start counts for, against those that were tried."""

_HANG_STRENGTH = 12.0
"""The same for hanging: a few candidates that hang say little of chunks elsewhere."""

_INHERITED = 0.5
"""The chance that a chunk makes candidates hang where all that it is a chunk of did."""

_HANG = 6.0
"""Probes that a hanging candidate costs: its limit is five times the slowest good run, and it must be ended."""

_HANG_SHARE = 0.05
"""Share of the time that hanging candidates may take: above it they are reckoned dearer in proportion."""

_DEAREST = 3.0
"""The most that they are reckoned dearer: a search that hardly asks about anything learns nothing either."""

_Floats = NDArray[np.float64]


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

    @property
    def price(self) -> float:
        """Probes that the next one that hangs is reckoned to cost."""
        share = _HANG * self.hung / max(1.0, self.probes + (_HANG - 1) * self.hung)
        return _HANG * min(_DEAREST, max(1.0, share / _HANG_SHARE))


@dataclass(frozen=True, slots=True)
class Chunk:
    """Elements that go together. It cannot go where one of its ``roots`` is needed; where it cannot go on its own,
    ``own`` is needed."""

    gone: ItemSet
    roots: ItemSet
    own: ItemSet
    level: int = 0
    """Chunks of one level are taken to be as likely to be needed as each other."""
    place: int = 0
    """What it is a chunk of: its class or method."""
    if_needed: Callable[[], Sequence[Chunk]] = tuple
    """What is tried in its place when it cannot go."""
    if_gone: Callable[[], Sequence[Chunk]] = tuple
    """What is tried next when it went."""
    bytes: int = 0
    """What it frees; 0: the bytes of its elements."""
    key: str = ""
    """A name by which later phases know it."""
    where: str = ""
    """The name of its place, by which later phases know what hung."""


class Shares:
    """How likely chunks that were not tried are to be needed, and to hang, by what was found of those that were.

    Counted by level, and by level and place: what is true of the chunks of a class says most about its other chunks.
    """

    def __init__(
        self, expected: Sequence[float] = (0.3,), known: set[str] | None = None, hangs: Hangs | None = None
    ) -> None:
        self._expected = expected
        self.of_hanging = Hangs() if hangs is None else hangs
        self.known = set() if known is None else known
        """Keys of chunks that could not go on their own."""
        self._needed: Counter[tuple[int, ...]] = Counter()
        self._gone: Counter[tuple[int, ...]] = Counter()
        self._hung: Counter[tuple[int, ...]] = Counter()

    def copy(self) -> Shares:
        """The same, to find out what would follow from something."""
        return deepcopy(self)

    def needed(self, chunk: Chunk) -> None:
        """That chunk cannot go."""
        self._needed.update(((chunk.level,), (chunk.level, chunk.place)))
        self.of_hanging.tried[chunk.where] += 1
        if chunk.key:
            self.known.add(chunk.key)

    def gone(self, chunk: Chunk) -> None:
        """That chunk went."""
        self.of_hanging.tried[chunk.where] += 1
        self._gone.update(((chunk.level,), (chunk.level, chunk.place)))

    def hung(self, chunk: Chunk) -> None:
        """The candidate without that chunk alone hung."""
        self._hung.update(((chunk.level,), (chunk.level, chunk.place)))
        self.of_hanging.places[chunk.where] += 1

    def of(self, chunk: Chunk) -> float:
        """The chance that a chunk is needed."""
        first = self._expected[min(chunk.level, len(self._expected) - 1)]
        return self._blended(self._needed, chunk, first, _STRENGTH)

    def hangs(self, chunk: Chunk) -> float:
        """The chance that the candidate without it hangs."""
        found = self._blended(self._hung, chunk, 0.0, _HANG_STRENGTH)
        memory = self.of_hanging
        if not chunk.where or not memory.places[chunk.where]:
            return found
        return max(found, memory.places[chunk.where] / (_STRENGTH + memory.tried[chunk.where]))

    def _blended(self, counts: Counter[tuple[int, ...]], chunk: Chunk, share: float, strength: float) -> float:
        for key in ((chunk.level,), (chunk.level, chunk.place)):
            tried = self._needed[key] + self._gone[key]
            share = (share * strength + counts[key]) / (strength + tried)
            strength = _STRENGTH
        return share


def class_of(name: str) -> str:
    """The class in an item's or an edit's name, the place by which what hung is remembered."""
    return name.split(".", 1)[0].split("!", 1)[0]


@dataclass(frozen=True, slots=True)
class Bundle:
    """Chunks that a probe drops, by their places."""

    places: NDArray[np.intp]
    gone: ItemSet
    gain: float
    """Bytes that are expected to go, for each probe that it costs."""


@dataclass(frozen=True)
class Beliefs:
    """The chunks that may still go. The arrays run parallel; ``p`` is nan for chunks that were not tried."""

    chunks: tuple[Chunk, ...]
    weights: _Floats
    p: _Floats
    hangs: _Floats
    shares: Shares
    weigh: Callable[[ItemSet], int] = field(repr=False)

    @classmethod
    def of(cls, chunks: Sequence[Chunk], kept: ItemSet, shares: Shares, weigh: Callable[[ItemSet], int]) -> Beliefs:
        """Of chunks that were not tried."""
        empty = np.zeros(0)
        return cls((), empty, empty, empty, shares, weigh)._with(chunks, kept)

    def if_all_fail(self, worth: float) -> Iterator[Bundle]:
        """The best group, then the best if that cannot go, and so on; as long as they promise ``worth`` bytes."""
        beliefs = self
        while (group := beliefs._best()) is not None and group.gain >= worth:
            yield group
            if group.places.size == 1:
                return  # what comes in its place is not known yet
            beliefs, _ = beliefs.failed(group, hung=False)

    def _best(self) -> Bundle | None:
        """The group with the greatest expected gain a probe, where those that hang are as dear as they were so far."""
        p, risks, hang = self._chances(), self._risks(), self.shares.of_hanging.price
        if not (p < 1).any():
            return None
        order = np.argsort(-self.weights * (1 - p) / (1 + hang * risks), kind="stable")
        order = order[p[order] < 1]
        goes = np.cumprod(1 - p[order])
        hung = 1 - np.cumprod(1 - risks[order])
        worths = np.cumsum(self.weights[order]) * goes
        gain = worths / (1 + hang * hung)
        size = int(np.argmax(gain >= gain.max() * (1 - 1e-12))) + 1
        places = np.sort(order[:size])
        gone = 0
        for place in places:
            gone |= self.chunks[place].gone
        return Bundle(places, gone, float(gain[size - 1]))

    def _chances(self) -> _Floats:
        untried = np.isnan(self.p)
        p = self.p.copy()
        for place in np.flatnonzero(untried):
            p[place] = self.shares.of(self.chunks[place])
        return p

    def _risks(self) -> _Floats:
        """The chance of each chunk to make a candidate hang that lacks it."""
        known = np.array([self.shares.hangs(chunk) for chunk in self.chunks])
        risks: _Floats = np.maximum(self.hangs, known)
        return risks

    def failed(self, group: Bundle, *, hung: bool) -> tuple[Beliefs, Chunk | None]:
        """What is believed when a group cannot go; and the chunk, if it was that alone."""
        places = group.places
        before, p, hangs = self._chances()[places], self.p.copy(), self.hangs.copy()
        if hung:
            hangs[places] = _raised(np.maximum(hangs[places], 1e-3))
        if places.size == 1:
            p[places] = 1.0
            alone = self.chunks[int(places[0])]
            self.shares.needed(alone)
            if hung:
                self.shares.hung(alone)
        else:
            p[places] = _raised(before)
            alone = None
            if hung:
                self.shares.of_hanging.blame({self.chunks[place].where for place in places})
        return replace(self, p=p, hangs=hangs), alone

    def settled(self, needed: ItemSet, kept: ItemSet) -> Beliefs:
        """The chunks that are needed give way to those below them."""
        beliefs = self
        while True:
            out = [place for place, chunk in enumerate(beliefs.chunks) if chunk.roots & needed or beliefs.p[place] >= 1]
            if not out:
                return beliefs
            fresh: list[Chunk] = []
            suspect: list[Chunk] = []
            for place in out:
                (suspect if beliefs.hangs[place] >= _INHERITED else fresh).extend(beliefs.chunks[place].if_needed())
            beliefs = beliefs._without(out)._with(fresh, kept)._with(suspect, kept, _INHERITED)

    def dropped(self, group: Bundle, kept: ItemSet) -> Beliefs:
        """What is left when a group has gone. A chunk of it that is still there cannot go."""
        fresh: list[Chunk] = []
        out: list[int] = []
        weights = self.weights.copy()
        chosen = set(group.places.tolist())
        for place, chunk in enumerate(self.chunks):
            left = chunk.gone & kept
            if not left:
                out.append(place)
                if place in chosen:  # what fell with others says nothing of those that stand on their own
                    self.shares.gone(chunk)
                    fresh += chunk.if_gone()
            elif place in chosen:
                out.append(place)
                self.shares.needed(chunk)
                fresh += chunk.if_needed()
            elif left != chunk.gone and not chunk.bytes:
                weights[place] = max(1, self.weigh(left))
        return replace(self, weights=weights)._without(out)._with(fresh, kept)

    def _without(self, places: Sequence[int]) -> Beliefs:
        gone = set(places)
        return replace(
            self,
            chunks=tuple(chunk for place, chunk in enumerate(self.chunks) if place not in gone),
            weights=np.delete(self.weights, places),
            p=np.delete(self.p, places),
            hangs=np.delete(self.hangs, places),
        )

    def _unknown(self, chunks: Sequence[Chunk]) -> Iterator[Chunk]:
        """The chunks, of those that are known to be needed the ones below them."""
        for chunk in chunks:
            if chunk.key in self.shares.known:
                yield from self._unknown(chunk.if_needed())
            else:
                yield chunk

    def _with(self, chunks: Sequence[Chunk], kept: ItemSet, hangs: float = 0.0) -> Beliefs:
        fresh = [chunk for chunk in self._unknown(chunks) if chunk.gone & kept]
        if not fresh:
            return self
        count = len(fresh)
        weights = [chunk.bytes or max(1, self.weigh(chunk.gone & kept)) for chunk in fresh]
        return replace(
            self,
            chunks=(*self.chunks, *fresh),
            weights=np.concatenate((self.weights, weights)),
            p=np.concatenate((self.p, np.full(count, np.nan))),
            hangs=np.concatenate((self.hangs, np.full(count, hangs))),
        )


def _raised(p: _Floats) -> _Floats:
    """Chances of the chunks of a group, given that one of them was the reason, by those before (Bayes)."""
    if p.size == 1:
        return np.ones(1)
    after: _Floats = p / (1 - np.prod(1 - p))
    after[after > _SURE] = 1.0
    return after
