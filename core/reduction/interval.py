"""The points of a question ``Least``: what each would try, what it costs, and which may be tried before their turn."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from core.reduction.bisection import Strategy
from core.reduction.records import PreparedCandidate
from core.search.questions import Candidate


class Interval:
    """The candidates ``prefixes``, each made once. ``known`` tells what is known of one without a probe; ``size`` gives
    its bytes. What a probe costs is not measured but taken to be half fixed, half growing with the size, in units of
    what one of ``whole`` bytes costs: points that were chosen by measured times would depend on the machine's load."""

    def __init__(
        self,
        prefixes: Sequence[Candidate],
        prepare: Callable[[Candidate], PreparedCandidate],
        known: Callable[[PreparedCandidate], bool | None],
        size: Callable[[Candidate], int],
        whole: int,
        strategy: Strategy,
    ) -> None:
        self.prefixes = prefixes
        self._prepare = prepare
        self._known = known
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

    def ahead(self, low: int, high: int) -> Iterator[PreparedCandidate]:
        """The points of low .. high that need a probe, the one that is next first, then those that may follow it."""
        return map(self.at, self._strategy.walk(low, high, self._cost, lambda point: self._known(self.at(point))))

    def _cost(self, point: int) -> float:
        if not self._strategy.weighs:
            return 1.0
        if point not in self._sizes:
            candidate = self._prepared[point].candidate if point in self._prepared else self.prefixes[point]
            self._sizes[point] = self._size(candidate)
        return (1 + self._sizes[point] / self._whole) / 2
