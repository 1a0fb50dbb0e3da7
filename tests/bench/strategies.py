"""Strategies for the question ``Least`` that are the best in no row of our table (results/2026-11-22-simulator.md).

* ``galloping``: ``min(2 * low, (low + high) // 2)``: 0, 2, 6, 14, ... from the small end until a yes, then bisection.
* ``greedy-small``, ``dynamic-small``: with the prior ``small``, where the chance of an answer *i* is proportional to
  ``1 / (i + 1)``.
* ``dynamic-bytes``: with a prior by bytes; it draws level with others in two cells, and is behind in the rest.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable

from core.search import bisection
from core.search.bisection import Cost, DecisionTree, Greedy, Known, LeastExpectedCost, Strategy, in_bytes


def small(low: int, point: int, high: int, cost: Cost) -> float:
    """The chance of an answer *i* is proportional to 1 / (i + 1)."""
    return math.log((point + 2) / (low + 1)) / math.log((high + 3) / (low + 1))


class Galloping(DecisionTree):
    """Doubles its steps from the small end, then halves: good where the answer is near that end."""

    weighs = False

    def __init__(self) -> None:
        super().__init__(small)

    def _pick(self, low: int, high: int, cost: Cost) -> int:
        return min(2 * low, (low + high) // 2)

    def bound(self, low: int, high: int) -> int:
        return (1 if 2 * low >= (low + high) // 2 else 2) * max(0, high - low + 1).bit_length()


ALL: dict[str, Callable[[], Strategy]] = bisection.STRATEGIES | {
    "galloping": Galloping,
    "greedy-small": lambda: Greedy(small),
    "dynamic-bytes": lambda: LeastExpectedCost(in_bytes),
    "dynamic-small": lambda: LeastExpectedCost(small),
}
"""Those of the program and these."""


def choose(
    strategy: Strategy, low: int, high: int, workers: int, cost: Cost, known: Known = bisection.nothing_known
) -> list[int]:
    """The first points of a strategy's walk, one per worker."""
    return list(itertools.islice(strategy.walk(low, high, cost, known), workers))
