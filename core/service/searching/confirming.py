"""Confirmation runs of a result beside the end of the search: the best so far is run as soon as it stays the best.

A confirmation shares no process with any probe, so its outcome does not depend on its time. A confirmation of a beaten
candidate is ended, and its cost is wasted. So a confirmation begins only after the longest wait for a gain so far.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Event as Flag

from core.cluster.cluster_predicate import ClusterPredicate
from core.entries import Entries
from core.predicate.aim import Aim
from core.predicate.predicate import Predicate, discard
from core.predicate.verdict import ANSWERS, Outcome
from core.reduction.control import Cancel
from core.reduction.driver import Driver
from core.system.processors import cores

_PATIENCE = 3
"""Least number of probes without a gain before the best so far counts as a likely result.
See decisions/027-confirmations-beside.md.
"""

_POLL = 0.02
"""Seconds between two looks at the flag that cancels. See decisions/027-confirmations-beside.md."""


class Confirmation:
    """A confirmation run in a thread of its own."""

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
        """Wait until the run is over; ``cancel`` ends it."""
        while self._thread.is_alive():
            if cancel.is_set():
                self.cancel.set()
            self._thread.join(_POLL)


@dataclass(eq=False)
class Confirmations:
    """The confirmation runs of a search. ``candidates`` returns the entries to confirm now, the best so far first;
    ``predicate`` returns the predicate for them. Only the driver's thread may use this object, except for
    :meth:`take`.
    """

    candidates: Callable[[], Sequence[Entries]]
    predicate: Callable[[], Predicate]
    work: Path
    cancel: Flag

    def __post_init__(self) -> None:
        self._runs: list[Confirmation] = []
        self._lock = threading.Lock()
        self._size = -1
        self._since = self._started = 0
        self._longest = _PATIENCE

    def gained(self, size: int) -> None:
        """Record a new best of ``size`` bytes. Runs of a larger best are ended."""
        if size == self._size:
            return
        self._longest = max(self._longest, self._since)
        self._size, self._since = size, 0
        self._drop()

    def probed(self) -> None:
        """Record one more answered probe. Begin a confirmation if it is due."""
        self._since += 1
        runs = self._runs
        if not runs and self._since > self._longest:
            self._begin(*self.candidates()[:1])
        elif len(runs) == 1 and runs[0].over:
            self._begin(*self.candidates()[1:])

    def at_the_end(self, *, late: bool) -> None:
        """Begin the missing confirmations at the end of the search, all at once. ``late``: only that of the best."""
        self._begin(*self.candidates()[: 1 if late else None])

    def take(self, entries: Entries, cancel: Flag) -> Outcome | None:
        """Return the outcome of a confirmation, once; None if the entries must be run (again): a run that timed out or
        was cancelled says nothing."""
        with self._lock:
            run = next((run for run in self._runs if run.entries == entries), None)
            if run is None:
                return None
            self._runs.remove(run)
        run.wait(cancel)
        return run.outcome if run.outcome is not None and run.outcome.verdict in ANSWERS else None

    def close(self) -> None:
        """End all runs."""
        self._drop()

    def _begin(self, *wanted: Entries) -> None:
        for entries in wanted:
            if any(run.entries == entries for run in self._runs):
                continue
            self._started += 1
            work = self.work / f"confirmation-{self._started}"
            discard(work)
            with self._lock:
                self._runs.append(Confirmation(self.predicate(), entries, work, self.cancel))

    def _drop(self) -> None:
        with self._lock:
            runs, self._runs = self._runs, []
        for run in runs:
            run.cancel.set()
        for run in runs:
            run.wait(run.cancel)


def may_go_beside(aim: Aim, predicate: Predicate, jobs: int) -> bool:
    """Return True if a confirmation takes no processor from a search by ``predicate`` with ``jobs`` probes at a
    time, and disturbs no probe.
    """
    if isinstance(predicate, ClusterPredicate):
        return jobs > 1  # confirmations are run on this machine, where nothing else runs
    # commands, and presets that run the input, may not bear a run beside them
    return predicate.warm and cores() > 1 and aim.search.jobs != 1 and not aim.runs_input


def to_be_confirmed(driver: Driver) -> list[Entries]:
    """Return the entries of the best so far and of its neighbour."""
    return [each.entries for each in (driver.best, driver.neighbour) if each is not None]
