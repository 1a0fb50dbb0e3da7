"""What reductions of one input took: seconds by part, and what was run beside their searches."""

from __future__ import annotations

from core.check.beside import RestOfCheck
from core.reduction.records import Spent
from core.system.stopwatch import Stopwatch


class Accounts:
    """Each reduction is charged with what went by before all of them, and with its own.

    ``watch`` has counted since the user began to wait; ``free`` seconds of that do not count towards the time limit,
    but ``used`` ones of earlier parts of the session do. ``check``: what the check took, ``rest``: what is left of it.
    """

    def __init__(
        self, watch: Stopwatch, check: Spent, rest: RestOfCheck | None = None, used: float = 0.0, free: float = 0.0
    ) -> None:
        self.watch = watch
        self.used, self.free = used, free
        self._check, self._rest = check, rest
        self._before = self._began = watch.spent
        self._evidence = Spent()

    def end_reduction(self) -> None:
        """Charge what comes from here on to the next reduction."""
        self._began = self.watch.spent

    def waited(self) -> dict[str, float]:
        """Seconds of each part of what the user waited for this reduction until now."""
        now = self.watch.spent
        return {name: self._before.get(name, 0.0) + now[name] - self._began.get(name, 0.0) for name in now}

    def left(self, limit: float | None) -> float | None:
        """Seconds that are left of a time limit; None where there is none."""
        return None if limit is None else limit - self.used - (sum(self.waited().values()) - self.free)

    def gathered(self, runs: int, seconds: float) -> None:
        """So many watched runs were made to gather evidence."""
        self._evidence += Spent(runs, predicate_seconds=seconds, predicate_alone=seconds)

    def beside(self) -> Spent:
        """What the check took with its rest, and the watched runs."""
        rest = self._rest.spent if self._rest is not None else Spent()
        return self._check + rest + self._evidence
