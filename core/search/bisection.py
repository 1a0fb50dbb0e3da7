"""Strategies for the question ``Least``: the next point of an interval to ask about.

The points ``low .. high`` have no answer yet. Nothing below ``low`` is interesting, and ``high + 1`` is interesting. At
the beginning ``low = 0``, and ``high`` is the last prefix: the interval of J-Reduce (GBR21, artefact), in which the
last prefix may be asked about too. The answer is one of ``low .. high + 1``.

A strategy is a decision tree: for each interval, one point to ask about next. Several workers run the tree ahead
(:mod:`core.reduction.probing.speculation`). Answers are used in the order of the tree, so the result is equal for any
number of workers and for any predicate, monotone or not.

The choices use ``c(i)``, the expected cost of a probe of prefix *i*, and ``F(i)``, the prior chance that the
answer is at most *i*. Both follow from sizes alone, so the choice is the same on any machine and under any load
(:class:`core.reduction.probing.question_tree.Interval` has the costs):

* ``bisection``: ``(low + high) // 2``.
* ``greedy``: the point with the least cost per bit, ``c(i) / H(F(i))`` with ``H(p) = -p log2 p - (1-p) log2 (1-p)``.
* instead of ``bisection``, for a question with likely late and heavy answers: the point whose ``F`` is nearest to 1/2
  (:class:`Likely`).
* ``dynamic``: the least expected cost of the whole rest, by dynamic programming over at most 31 points g of the
  interval: ``U(i, j) = min over m of c(g_m) * M(i, j) + U(i, m) + U(m + 1, j)``, where ``M(i, j)`` is the prior mass of
  the cells i .. j between the points, and ``U(i, i) = M(i, i) * h(w) * c(cell i)`` with the mean number of probes
  h(w) of a bisection among the w answers of the cell: ``floor(log2 w) + 2 - 2^(floor(log2 w) + 1) / w``.

Priors: ``uniform`` over the answers; ``bytes``, nine tenths uniform in cost and so in bytes, one tenth uniform.

Each of these strategies was the best in some rows of a simulation (``tests/bench/decisions/023-where-to-halve.md``).
Galloping and other priors were the best in none.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable

from core.search.questions import Distances

Cost = Callable[[int], float]
Prior = Callable[[int, int, int, Cost], float]
"""Chance that the answer, one of low .. high + 1, is at most ``point``: ``prior(low, point, high, cost)``."""

_GRID = 31
"""Points of the grid of :class:`LeastExpectedCost`. See decisions/023-where-to-halve.md."""
_STRENGTH = 16
"""Pseudo-counts, in rounds, of the prior of a late answer. See decisions/023-where-to-halve.md."""
_FINE_GRID = 127
"""Points of the grid of :class:`Greedy`. See decisions/023-where-to-halve.md."""


def uniform(low: int, point: int, high: int, cost: Cost) -> float:
    """Return the chance of a yes where every answer is equally likely."""
    return (point - low + 1) / (high - low + 2)


def in_bytes(low: int, point: int, high: int, cost: Cost) -> float:
    """Return the chance of a yes if nine tenths of the chance are proportional to added bytes, one tenth uniform."""
    even = uniform(low, point, high, cost)
    whole = cost(high) - cost(low)
    if whole <= 0:
        return even
    points = high - low + 1
    return 0.1 * even + 0.9 * (cost(point) - cost(low)) / whole * points / (points + 1)


class Strategy:
    """A choice of points in an interval."""

    weighs = True
    """True for a strategy that uses the costs of probes."""

    def pick(self, low: int, high: int, cost: Cost) -> int:
        """Return the point of ``low .. high`` to ask about. ``cost`` returns the expected cost of a probe."""
        raise NotImplementedError

    def bound(self, low: int, high: int) -> int | None:
        """Return the largest number of probes of a serial search of the interval; None if only the number of points
        bounds it.
        """
        return None


class Bisection(Strategy):
    """A strategy that halves the interval: J-Reduce's search (JR19, section 4.2)."""

    weighs = False

    def pick(self, low: int, high: int, cost: Cost) -> int:
        return (low + high) // 2

    def bound(self, low: int, high: int) -> int:
        return max(0, high - low + 1).bit_length()


class Likely(Strategy):
    """A strategy that halves the prior mass of the answers up to ``last``. Late and heavy answers are likely.

    A seventh of the chance is equal for all answers. The rest grows towards the end, with the logarithm of the
    distance from the end: an item that comes late in an order needs many others, and is heavy. Two sevenths count the
    distance in answers, four in bytes. See decisions/023-where-to-halve.md.

    Each answer of an earlier round then counts as one of the answers with a distance of about the same logarithm.
    ``distances``: how far from the end these answers were. ``first``: the chance of the answer 0; the other answers
    share the rest. None: the answer 0 has no chance of its own.
    """

    def __init__(self, last: int, distances: Distances = (), first: float | None = None) -> None:
        self._last = last
        self._first = first
        self._start = 0 if first is None else 1
        """The first of the answers that are likely to be late."""
        self._distances = [distance for distance in distances if distance <= last - self._start]

    def pick(self, low: int, high: int, cost: Cost) -> int:
        first, end = low, high
        while first < end:  # the chance grows from point to point
            middle = (first + end) // 2
            if self._share(low, middle, high, cost) < 0.5:
                first = middle + 1
            else:
                end = middle
        if first > low and self._share(low, first - 1, high, cost) + self._share(low, first, high, cost) >= 1:
            return first - 1
        return first

    def _share(self, low: int, point: int, high: int, cost: Cost) -> float:
        before = self._mass(low - 1, cost)
        left = self._mass(min(high + 1, self._last), cost) - before
        return (self._mass(point, cost) - before) / left if left > 0 else 1.0

    def _mass(self, upto: int, cost: Cost) -> float:
        """Return the chance of the answers up to a point."""
        first = self._first or 0.0
        if upto < self._start:
            return 0.0 if upto < 0 else first
        seen = sum(_share_up_to(upto, self._last, distance) for distance in self._distances)
        late = (_STRENGTH * self._prior_mass(upto, cost) + seen) / (_STRENGTH + len(self._distances))
        return first + (1 - first) * late

    def _prior_mass(self, upto: int, cost: Cost) -> float:
        """Return the chance of the answers up to a point in a first round."""
        answers, beyond = self._last + 1 - self._start, self._last - upto
        rest, whole = cost(self._last) - cost(upto), cost(self._last) - cost(self._start)
        in_answers = math.log(1 + beyond) / math.log(1 + answers)
        in_size = math.log(1 + answers * max(0.0, rest / whole)) / math.log(1 + answers) if whole > 0 else in_answers
        return ((answers - beyond) / answers + 2 * (1 - in_answers) + 4 * (1 - in_size)) / 7


def _share_up_to(upto: int, last: int, distance: int) -> float:
    """Return the share of the answers up to a point, of those whose distance from ``last`` has the logarithm of
    ``distance``.
    """
    nearest = (1 << (distance + 1).bit_length() - 1) - 1
    farthest = min(2 * nearest, last)
    return min(1.0, max(0.0, (farthest + 1 - (last - upto)) / (farthest + 1 - nearest)))


class _WithPrior(Strategy):
    """Base of the strategies with a prior of the answers."""

    def __init__(self, prior: Prior) -> None:
        self._prior = prior


class Greedy(_WithPrior):
    """A strategy that picks the point of the least cost per bit of information."""

    def pick(self, low: int, high: int, cost: Cost) -> int:
        middle = (low + high) // 2

        def rate(point: int) -> tuple[float, int]:
            bits = _entropy(self._prior(low, point, high, cost))
            return (cost(point) / bits if bits > 0 else math.inf, abs(point - middle))

        return min(_grid(low, high, _FINE_GRID), key=rate)


class LeastExpectedCost(_WithPrior):
    """A strategy that picks the point of the least expected cost of the whole search."""

    def pick(self, low: int, high: int, cost: Cost) -> int:
        points = _grid(low, high, _GRID)
        n = len(points)
        costs = [cost(point) for point in points]
        upto = [0.0, *(self._prior(low, point, high, cost) for point in points), 1.0]
        ends = [low - 1, *points, high + 1]
        near = [(a + b) / 2 for a, b in itertools.pairwise([cost(low), *costs, cost(high)])]
        # least[i][j]: mass times expected cost once the answer is known to be in one of the cells i .. j
        least = [[0.0] * (n + 1) for _ in range(n + 1)]
        best = 0
        for cell in range(n + 1):
            width = ends[cell + 1] - ends[cell]
            least[cell][cell] = (upto[cell + 1] - upto[cell]) * _halvings(width) * near[cell]
        for length in range(1, n + 1):
            for i in range(n + 1 - length):
                j = i + length
                mass = upto[j + 1] - upto[i]
                row = least[i]
                fewest, best = math.inf, i
                for m in range(i, j):
                    seconds = costs[m] * mass + row[m] + least[m + 1][j]
                    if seconds < fewest * (1 - 1e-12):
                        fewest, best = seconds, m
                row[j] = fewest
        return points[best]


def _halvings(answers: int) -> float:
    """Return the mean number of probes of a bisection among ``answers`` answers."""
    depth = answers.bit_length() - 1
    return depth + 2 - (2 << depth) / answers


def _entropy(chance: float) -> float:
    if not 0 < chance < 1:
        return 0.0
    return -chance * math.log2(chance) - (1 - chance) * math.log2(1 - chance)


def _grid(low: int, high: int, most: int) -> list[int]:
    """Return all points of the interval, or ``most`` evenly spread points."""
    size = high - low + 1
    if size <= most:
        return list(range(low, high + 1))
    return [low + (number + 1) * size // (most + 1) for number in range(most)]


STRATEGIES: dict[str, Callable[[], Strategy]] = {
    "bisection": Bisection,
    "greedy": lambda: Greedy(uniform),
    "greedy-bytes": lambda: Greedy(in_bytes),
    "dynamic": lambda: LeastExpectedCost(uniform),
}
DEFAULT = "bisection"


def for_likely(chosen: Strategy, last: int, distances: Distances = (), first: float | None = None) -> Strategy:
    """Return the strategy for a question with a late answer, up to ``last``, as :class:`Likely` describes it. A
    ``chosen`` strategy that weighs costs stays.
    """
    return chosen if chosen.weighs else Likely(last, distances, first)


def strategy(name: str) -> Strategy:
    """Return the strategy called ``name``. Raises LookupError with a sentence that lists the names."""
    if name not in STRATEGIES:
        raise LookupError(f"There is no search strategy {name!r}: choose among {', '.join(STRATEGIES)}.")
    return STRATEGIES[name]()
