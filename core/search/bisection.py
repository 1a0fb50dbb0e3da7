"""Strategies for the question ``Least``: the next point of an interval to ask about.

The points ``low .. high`` have no answer yet. Nothing below ``low`` is interesting, and ``high + 1`` is interesting. At
the beginning ``low = 0``, and ``high`` is the last prefix: the interval of J-Reduce (GBR21, artefact), in which the
last prefix may be asked about too. The answer is one of ``low .. high + 1``.

A strategy is a decision tree: for each interval, one point to ask about next. Several workers run the tree ahead
(:mod:`core.reduction.probing.speculation`). Answers are used in the order of the tree, so the result is equal for any
number of workers and for any predicate, monotone or not.

:class:`Bisection` takes the middle. Where late and heavy answers are likely, :class:`Likely` takes the point whose
prior chance of an answer is nearest to one half. The chance follows from sizes alone, so the choice is the same on any
machine and under any load (:class:`core.reduction.probing.question_tree.Interval` has the costs).

Points of the least cost per bit, and of the least expected cost, were no better in a simulation
(``tests/bench/decisions/023-where-to-halve.md``).
"""

from __future__ import annotations

import math
from collections.abc import Callable

from core.search.questions import Distances

Cost = Callable[[int], float]

_STRENGTH = 16
"""Pseudo-counts, in rounds, of the prior of a late answer. See decisions/023-where-to-halve.md."""


class Bisection:
    """The strategy that halves the interval: J-Reduce's search (JR19, section 4.2)."""

    def pick(self, low: int, high: int, cost: Cost) -> int:
        """Return the point of ``low .. high`` to ask about. ``cost`` returns the expected cost of a probe."""
        return (low + high) // 2

    def bound(self, low: int, high: int) -> int:
        """Return the largest number of probes of a serial search of the interval."""
        return max(0, high - low + 1).bit_length()


class Likely(Bisection):
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

    def bound(self, low: int, high: int) -> int:
        return high - low + 1

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
