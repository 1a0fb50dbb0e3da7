"""The costs of reductions of one input: seconds by part, and runs beside their searches."""

from __future__ import annotations

from dataclasses import dataclass

from core.check.beside import RestOfCheck
from core.reduction.records import Spent
from core.system.stopwatch import Stopwatch


@dataclass(eq=False)
class Accounts:
    """The costs of several reductions: each is charged with its own costs and with the common costs before all of
    them.

    ``watch`` has counted since the user began to wait. Its ``free`` seconds do not count towards the time limit, but
    the ``used`` seconds of earlier parts of the session do. ``check``: the costs of the check; ``rest``: its remaining
    runs.
    """

    watch: Stopwatch
    check: Spent
    rest: RestOfCheck | None
    used: float
    free: float

    def __post_init__(self) -> None:
        self._before = self._began = self.watch.spent
        self._evidence = Spent()

    def end_reduction(self) -> None:
        """End a reduction: all later costs are charged to the next one."""
        self._began = self.watch.spent

    def waited(self) -> dict[str, float]:
        """Return the seconds of each part of the user's wait for this reduction until now."""
        now = self.watch.spent
        return {name: self._before.get(name, 0.0) + now[name] - self._began.get(name, 0.0) for name in now}

    def left(self, limit: float | None, after: float) -> float | None:
        """Return the remaining seconds of a time limit for the search, if a run of ``after`` seconds is to confirm its
        result; at least half of all remaining ones. None if there is no limit."""
        if limit is None:
            return None
        left = limit - self.used - (sum(self.waited().values()) - self.free)
        return left - min(after, max(0.0, left / 2))

    def gathered(self, runs: int, seconds: float) -> None:
        """Add the costs of watched runs."""
        self._evidence += Spent(runs, seconds, seconds)

    def beside(self) -> Spent:
        """Return the costs of the check, its rest, and the watched runs."""
        rest = self.rest.spent if self.rest is not None else Spent()
        return self.check + rest + self._evidence
