"""Answers questions by a planted failure and a clock that is not real: what a run with several workers would take."""

from __future__ import annotations

import heapq
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.search.bisection import Strategy, for_likely
from core.search.progression import Progression
from core.search.questions import Algorithm, Candidate, Enough, First, HungUp, Least, Test
from core.search.spaces.class_spaces import Space
from core.sets import ItemSet
from tests.bench.strategies import choose


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
        self._later: _Points | None = None
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
                    answer = self._test(candidate)
                case First(candidates):
                    answer = self._first(candidates)
                case Least(prefixes):
                    answer = self._least(prefixes, self._likely(question, question.first))
                case Enough(candidate, prefixes):
                    strategy = self._likely(question)
                    enough = self._test(candidate, prefixes, strategy) or not prefixes
                    answer = None if enough else self._least(prefixes, strategy)
                case HungUp():
                    answer = False

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
        if not isinstance(prefixes, Progression):
            return None
        return np.cumsum(self._weights[list(prefixes.items)])[np.asarray(prefixes.ends[-len(prefixes) :]) - 1]

    def _likely(self, question: Least | Enough, first: float | None = None) -> Strategy:
        """The strategy for a question, which may say which answers are likely."""
        if question.late is None:
            return self._strategy
        return for_likely(self._strategy, len(question.prefixes) - 1, question.late, first)

    def _test(
        self, candidate: Candidate, otherwise: Sequence[Candidate] = (), strategy: Strategy | None = None
    ) -> bool:
        """One worker tests the candidate; the others try what follows by a strategy if the answer is no."""
        kept = self._kept(candidate)
        answer = self._answer(candidate, kept)
        if answer is not None:
            return answer
        end = self.bill.seconds + self._seconds(kept)
        if self._workers > 1 and otherwise and strategy is not None:
            self._later = points = _Points(self, otherwise, strategy)
            while points.start(0, len(otherwise) - 1, self._workers - 1) < end:
                points.finish()
        self.bill.seconds = end
        return self._ended(kept)

    def _least(self, prefixes: Sequence[Candidate], strategy: Strategy) -> int:
        """Walks the strategy's tree; the workers run ahead of it as it says."""
        points = self._later
        if points is None or points.prefixes is not prefixes:
            points = _Points(self, prefixes, strategy)
        low, high = 0, len(prefixes) - 1
        while low <= high:
            point = next(strategy.walk(low, high, points.cost))
            answer = points.known(point)
            if answer is True:
                high = point - 1
            elif answer is False:
                low = point + 1
            else:
                points.start(low, high, self._workers)
                points.finish()
        # the last prefix is known to be interesting
        return min(low, len(prefixes) - 1)


class _Points:
    """The candidates of a question ``Least``, and which of them workers try at present."""

    def __init__(self, clock: Clock, prefixes: Sequence[Candidate], strategy: Strategy) -> None:
        self.prefixes = prefixes
        self._strategy = strategy
        self._clock = clock
        self._sums = clock._sums(prefixes)
        self._answers: dict[int, bool] = {}
        self._sets: dict[int, ItemSet] = {}
        self._running: dict[int, float] = {}

    def known(self, point: int) -> bool | None:
        """The answer, if no probe is needed for it."""
        if point not in self._answers:
            answer = self._clock._answer(self.prefixes[point], self._set(point))
            if answer is None:
                return None
            self._answers[point] = answer
        return self._answers[point]

    def cost(self, point: int) -> float:
        """Seconds of a probe."""
        if self._sums is not None:
            return self._clock._price.of(int(self._sums[point]))
        return self._clock._seconds(self._set(point))

    def start(self, low: int, high: int, workers: int) -> float:
        """So many workers try what the strategy wants of low .. high; when the first of them ends."""
        strategy, now = self._strategy, self._clock.bill.seconds
        if self._clock._workers == 1:
            wanted = choose(strategy, low, high, 1, self.cost)
        else:
            wanted = choose(strategy, low, high, workers, self.cost, self.known)
        self._running = {place: self._running.get(place, now + self.cost(place)) for place in wanted}
        return min(self._running.values(), default=math.inf)

    def finish(self) -> None:
        """The first one ends."""
        self._clock.bill.seconds, place = min((end, place) for place, end in self._running.items())
        del self._running[place]
        self._answers[place] = self._clock._ended(self._set(place))

    def _set(self, point: int) -> ItemSet:
        if point not in self._sets:
            self._sets[point] = self._clock._kept(self.prefixes[point])
        return self._sets[point]
