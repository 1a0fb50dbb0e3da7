"""Answers questions by a planted failure and a clock that is not real: what a run with several workers would take."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.run.least import Strategy
from core.search.gbr import Growing
from core.search.questions import Algorithm, Candidate, First, Least, Test
from core.search.spaces import ItemSet, Space


@dataclass(frozen=True)
class Price:
    """Seconds of a probe: ``fixed`` and ``per_byte`` of the candidate."""

    fixed: float
    per_byte: float

    def of(self, size: int) -> float:
        return self.fixed + self.per_byte * size


@dataclass
class Bill:
    """What a run took: probes that ended and their bytes together, seconds by the clock, and what is left."""

    probes: int = 0
    probed: int = 0
    seconds: float = 0.0
    items: int = 0
    bytes: int = 0


class Clock:
    """Runs algorithms. Probes under way whose answer is no longer wanted are killed; equal candidates run once.

    Interesting is what holds the items that are ``needed``, and ``works``.
    """

    def __init__(
        self,
        space: Space,
        kept: Callable[[Candidate], ItemSet],
        needed: ItemSet,
        size: Callable[[ItemSet], int],
        weights: NDArray[np.int64],
        price: Price,
        strategy: Strategy,
        workers: int = 1,
        works: Callable[[ItemSet], bool] = lambda kept: True,
    ) -> None:
        self._space = space
        self._kept = kept
        self._needed = needed
        self._size = size
        self._weights = weights
        self._price = price
        self._strategy = strategy
        self._workers = workers
        self._works = works
        self._known: dict[ItemSet, bool] = {}
        self._sizes: dict[ItemSet, int] = {}
        self.bill = Bill()

    def run(self, algorithm: Algorithm, full: ItemSet) -> Candidate:
        """Drives an algorithm to its end; ``full`` is known to be interesting. Its result is the bill's."""
        self._known[full] = True
        answer: bool | int | None = None
        while True:
            try:
                question = algorithm.send(answer)
            except StopIteration as end:
                result: Candidate = end.value
                kept = self._kept(result)
                assert not self._needed & ~kept, "the result is not interesting"
                self.bill.items, self.bill.bytes = kept.bit_count(), self._size(kept)
                return result
            match question:
                case Test(candidate):
                    answer = self._first([candidate]) == 0
                case First(candidates):
                    answer = self._first(candidates)
                case Least(prefixes):
                    answer = self._least(prefixes)

    def _bytes(self, kept: ItemSet) -> int:
        size = self._sizes.get(kept)
        if size is None:
            size = self._sizes[kept] = self._size(kept)
        return size

    def _seconds(self, kept: ItemSet) -> float:
        return self._price.of(self._bytes(kept))

    def _answer(self, candidate: Candidate, kept: ItemSet) -> bool | None:
        """The answer, if no probe is needed for it."""
        return self._known.get(kept) if self._space.admissible(candidate) else False

    def _ended(self, kept: ItemSet) -> bool:
        self.bill.probes += 1
        self.bill.probed += self._bytes(kept)
        yes = self._known[kept] = not self._needed & ~kept and self._works(kept)
        return yes

    def _first(self, candidates: Sequence[Candidate]) -> int | None:
        """Candidates start in order as workers come free; the answer is that of a serial walk."""
        answers: dict[int, bool] = {}
        running: list[tuple[float, int, ItemSet]] = []
        turn = following = 0
        end = len(candidates)
        while True:
            while turn in answers:
                if answers[turn]:
                    return turn
                turn += 1
            if turn == len(candidates):
                return None
            while len(running) < self._workers and following < end:
                kept = self._kept(candidates[following])
                answer = self._answer(candidates[following], kept)
                if answer is None:
                    heapq.heappush(running, (self.bill.seconds + self._seconds(kept), following, kept))
                else:
                    answers[following] = answer
                    end = following + 1 if answer else end
                following += 1
            if turn not in answers:
                self.bill.seconds, place, kept = heapq.heappop(running)
                answers[place] = self._ended(kept)
                if answers[place]:
                    end = min(end, place + 1)
                    running = [one for one in running if one[1] < place]
                    heapq.heapify(running)

    def _sums(self, prefixes: Sequence[Candidate]) -> NDArray[np.int64] | None:
        """Bytes of each prefix, where one pass can tell."""
        if not isinstance(prefixes, Growing):
            return None
        return np.cumsum(self._weights[list(prefixes.items)])[np.asarray(prefixes.ends[1:]) - 1]

    def _least(self, prefixes: Sequence[Candidate]) -> int:
        """Walks the strategy's tree; the workers run ahead of it as it says."""
        answers: dict[int, bool] = {}
        sets: dict[int, ItemSet] = {}
        running: dict[int, float] = {}
        low, high = 0, len(prefixes) - 1

        def known(point: int) -> bool | None:
            if point not in answers:
                if point not in sets:
                    sets[point] = self._kept(prefixes[point])
                answer = self._answer(prefixes[point], sets[point])
                if answer is None:
                    return None
                answers[point] = answer
            return answers[point]

        sums = self._sums(prefixes)

        def cost(point: int) -> float:
            if sums is not None:
                return self._price.of(int(sums[point]))
            if point not in sets:
                sets[point] = self._kept(prefixes[point])
            return self._seconds(sets[point])

        while low <= high:
            point = self._strategy.choose(low, high, 1, cost)[0]
            answer = known(point)
            if answer is True:
                high = point - 1
                continue
            if answer is False:
                low = point + 1
                continue
            wanted = self._strategy.choose(low, high, self._workers, cost, known) if self._workers > 1 else [point]
            running = {place: running.get(place, self.bill.seconds + cost(place)) for place in wanted[: self._workers]}
            self.bill.seconds, place = min((end, place) for place, end in running.items())
            del running[place]
            answers[place] = self._ended(sets[place])
        # the last prefix is known to be interesting
        return min(low, len(prefixes) - 1)
