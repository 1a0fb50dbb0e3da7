"""The runs that confirm a result, made beside the end of the search: of the best so far, as soon as it stays the best.

A confirmation shares no process with any probe, so it says the same whenever it is made. One of a candidate that is
beaten is ended, and what it took is wasted: so it begins only where no gain was waited for as long before.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from threading import Event as Flag

from core.cluster.cluster_predicate import ClusterPredicate
from core.entries import Entries
from core.predicate.from_settings import runs_input
from core.predicate.predicate import Predicate, discard
from core.predicate.verdict import Outcome, Verdict
from core.protocol.settings import Settings
from core.reduction.control import Cancel
from core.reduction.driver import Driver
from core.reduction.records import entries_of
from core.system.processors import cores

_PATIENCE = 3
"""Probes without a gain, at least, after which the best so far may be the result.
See decisions/027-confirmations-beside.md."""

_BOTH = 2
"""The best so far, and its neighbour. See decisions/027-confirmations-beside.md."""

_POLL = 0.02
"""See decisions/027-confirmations-beside.md."""


class Confirmation:
    """One confirmation, in a thread of its own."""

    def __init__(self, predicate: Predicate, entries: Entries, work: Path, cancel: Flag) -> None:
        self.entries = entries
        self.cancel = Cancel(cancel)
        self.outcome: Outcome | None = None
        self._thread = threading.Thread(target=self._go, args=(predicate, work), name="confirmation", daemon=True)
        self._thread.start()

    def _go(self, predicate: Predicate, work: Path) -> None:
        try:
            with suppress(Exception):  # it is run again when it is asked for, and told then
                self.outcome = predicate.confirm(self.entries, work, self.cancel)
        finally:
            discard(work)

    @property
    def over(self) -> bool:
        return not self._thread.is_alive()

    def wait(self, cancel: Flag) -> None:
        """Until it is over; ``cancel`` ends it."""
        while self._thread.is_alive():
            if cancel.is_set():
                self.cancel.set()
            self._thread.join(_POLL)


class Confirmations:
    """Makes them ahead. ``candidates`` gives the entries of what would be confirmed now, the best so far first;
    ``predicate`` who runs them. Used by the driver's thread, but for :meth:`take`."""

    def __init__(
        self,
        candidates: Callable[[], Sequence[Entries]],
        predicate: Callable[[], Predicate],
        work: Path,
        cancel: Flag,
    ) -> None:
        self._candidates, self._predicate = candidates, predicate
        self._work, self._cancel = work, cancel
        self._runs: list[Confirmation] = []
        self._lock = threading.Lock()
        self._size = -1
        self._since = self._started = 0
        self._longest = _PATIENCE

    def gained(self, size: int) -> None:
        """There is another best, of so many bytes; what ran for a larger one is ended."""
        if size == self._size:
            return
        self._longest = max(self._longest, self._since)
        self._size, self._since = size, 0
        self._drop()

    def probed(self) -> None:
        """One probe more is answered."""
        self._since += 1
        runs = self._runs
        if not runs and self._since > self._longest:
            self._begin(*self._candidates()[:1])
        elif len(runs) == 1 and runs[0].over:
            self._begin(*self._candidates()[1:])

    def idle(self, neighbour: Callable[[], Entries]) -> None:
        """There is nothing to be tried ahead: the best so far may be the result, and that its neighbour."""
        if len(self._runs) < _BOTH:
            self._begin(*self._candidates()[:1], neighbour())

    def at_the_end(self, *, late: bool) -> None:
        """The search is over: what is not yet run begins, both at the same time. ``late``: the best alone is run."""
        self._begin(*self._candidates()[: 1 if late else None])

    def take(self, entries: Entries, cancel: Flag) -> Outcome | None:
        """What was found of that content, once; None where it is to be run (again)."""
        with self._lock:
            run = next((run for run in self._runs if run.entries == entries), None)
            if run is None:
                return None
            self._runs.remove(run)
        run.wait(cancel)
        return None if run.outcome is None or run.outcome.verdict is Verdict.TIMED_OUT else run.outcome

    def close(self) -> None:
        """Ends what runs."""
        self._drop()

    def _begin(self, *wanted: Entries) -> None:
        for entries in wanted:
            if any(run.entries == entries for run in self._runs):
                continue
            self._started += 1
            work = self._work / f"confirmation-{self._started}"
            discard(work)
            with self._lock:
                self._runs.append(Confirmation(self._predicate(), entries, work, self._cancel))

    def _drop(self) -> None:
        with self._lock:
            runs, self._runs = self._runs, []
        for run in runs:
            run.cancel.set()
        for run in runs:
            run.wait(run.cancel)


def may_go_beside(settings: Settings, predicate: Predicate, jobs: int) -> bool:
    """Return True if a confirmation takes no processor from a search by ``predicate`` with ``jobs`` probes at a time,
    and disturbs no probe."""
    if isinstance(predicate, ClusterPredicate):
        return jobs > 1  # confirmations are run on this machine, where nothing else runs
    return predicate.residency.warm and cores() > 1 and settings.jobs != 1 and not runs_input(settings)


def to_be_confirmed(driver: Driver) -> list[Entries]:
    """Return the entries of the best so far and of its neighbour."""
    return [entries_of(each) for each in (driver.best, driver.neighbour) if each is not None]
