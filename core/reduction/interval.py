"""The points of a question ``Least``: what each would try, what it costs, and how likely it is a yes."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from core.reduction.records import PreparedCandidate
from core.search.bisection import Strategy
from core.search.questions import Candidate


class Interval:
    """The candidates ``prefixes``, each made once. ``size`` gives the bytes of one. What a probe costs is not measured
    but taken to be half fixed, half growing with the size, in units of what one of ``whole`` bytes costs: points that
    were chosen by measured times would depend on the machine's load."""

    def __init__(
        self,
        prefixes: Sequence[Candidate],
        prepare: Callable[[Candidate], PreparedCandidate],
        size: Callable[[Candidate], int],
        whole: int,
        strategy: Strategy,
    ) -> None:
        self.prefixes = prefixes
        self._prepare = prepare
        self._size = size
        self._strategy = strategy
        self._prepared: dict[int, PreparedCandidate] = {}
        self._sizes: dict[int, int] = {}
        self._whole = max(1, whole)

    @property
    def last(self) -> int:
        """The last point."""
        return len(self.prefixes) - 1

    def at(self, point: int) -> PreparedCandidate:
        """The candidate there."""
        if point not in self._prepared:
            self._prepared[point] = self._prepare(self.prefixes[point])
        return self._prepared[point]

    def next(self, low: int, high: int) -> int:
        """The point of low .. high that a serial search asks about."""
        return next(self._strategy.walk(low, high, self._cost))

    def left(self, low: int, high: int) -> int:
        """Probes that are left at most."""
        bound = self._strategy.bound(low, high)
        return high - low + 1 if bound is None else bound

    def chance(self, low: int, point: int, high: int) -> float:
        """How likely that point of low .. high is a yes."""
        return min(1.0, max(0.0, self._strategy.chance(low, point, high, self._cost)))

    def _cost(self, point: int) -> float:
        if not self._strategy.weighs:
            return 1.0
        if point not in self._sizes:
            candidate = self._prepared[point].candidate if point in self._prepared else self.prefixes[point]
            self._sizes[point] = self._size(candidate)
        return (1 + self._sizes[point] / self._whole) / 2
