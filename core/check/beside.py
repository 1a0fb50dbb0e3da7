"""The rest of a check, beside the search: are the first run of the full input and the verdicts right?

One interesting run of the full input lets the search begin. The other runs follow in a thread, if runs may overlap;
else between two probes, once the search has taken as long as one run of the full input. Until these runs are over,
nothing is written and no verdict is kept.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial

from core.check.check_state import CheckState
from core.check.diagnosis import diagnosis, times_text
from core.check.objections import Doubt, Objection
from core.check.runs import BESIDE_SEARCH, TWO_AT_ONCE, perform, repeatable
from core.protocol import events
from core.reduction.records import Spent
from core.system.thread_call import ThreadCall

_REMIND_EVERY = 1.0
"""Seconds between two notices to the user that the check goes on. See decisions/028-check-beside-the-search.md."""


class RestOfCheck:
    """The runs of the full input that follow the first, interesting one.

    ``parallel``: True if runs may overlap; ``certain``: True if it is known that runs of the command do not disturb
    each other, False if this is only assumed.
    """

    def __init__(self, state: CheckState, *, parallel: bool, certain: bool) -> None:
        self._state = state
        state.may_disturb = parallel and not certain
        state.warnings, state.notes = [], []  # those of the first run are told
        self._before = len(state.seconds)
        self._due = time.monotonic() + state.outcomes[0].seconds
        self.serial = not parallel
        """True if only one run may go on at a time."""
        self.over = False
        """True if no run is left."""
        self.objection: Objection | None = None
        """The objection that the runs made, if any."""
        self.vouched = False
        """True if all runs were made without an objection."""
        self._waited = 0.0
        """Seconds in which only the check went on."""
        self._running: ThreadCall[Objection | None] | None = None
        """The thread that makes the runs; None if they are made between two probes."""
        if parallel and not self._nothing_to_do:
            self._running = ThreadCall("beside", partial(perform, BESIDE_SEARCH, state))

    @property
    def spent(self) -> Spent:
        """Number of runs, and their seconds."""
        made = self._state.seconds[self._before :]
        return Spent(len(made), sum(made, 0.0), self._waited)

    @property
    def hurried(self) -> bool:
        """True if verdicts may be wrong though the predicate is stable.

        They may come from resident processes that no cold run has confirmed, or from overlapping runs.
        """
        return not self.over and (self._state.predicate.expected or not self.serial)

    def between(self) -> None:
        """Make the runs now if they are due."""
        due = time.monotonic() >= self._due or self._nothing_to_do
        if self._running.over if self._running is not None else due:
            self.finish()

    def finish(self, meanwhile: Callable[[], None] = lambda: None) -> None:
        """Make or await all remaining runs. ``meanwhile`` is called from time to time during the wait."""
        if self.over:
            return
        state = self._state

        def tell(event: events.Checking) -> None:
            state.context.emit(events.Working(f"checking whether {event.proves}"))

        with self._alone():
            while self._running is not None and not self._running.over:
                self._running.wait(_REMIND_EVERY)
                meanwhile()
            objection = self._running.result() if self._running is not None else perform(BESIDE_SEARCH, state, tell)
        self.over = True
        if not self._state.cancelled:
            self.objection, self.vouched = objection, objection is None
        if self.vouched:
            self._tell()

    def settle(self) -> Objection | None:
        """Return the objection, once it has ended the search; from now on, the check has none.

        After a doubt, run the full input twice while nothing else runs. If both runs are interesting, the command fails
        only beside other runs: then only one run may go on at a time.
        """
        state, objection, self.objection = self._state, self.objection, None
        if not isinstance(objection, Doubt) or state.cancelled:
            return objection
        with self._alone():
            alone = [state.probe(state.next_folder()) for _ in range(2)]
        if not state.cancelled and not all(outcome.interesting for outcome in alone):
            return repeatable(state, diagnosis(state))
        self.serial = True
        return objection

    def close(self) -> None:
        """Wait until nothing of the check goes on. Call this method once the check is cancelled or over."""
        if self._running is not None:
            self._running.wait()

    @property
    def _nothing_to_do(self) -> bool:
        return not any(run.when(self._state) for run in BESIDE_SEARCH if run is not TWO_AT_ONCE)

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """Count the time within as time in which only the check goes on."""
        start = time.monotonic()
        with self._state.context.watch.during("check"):
            yield
        self._waited += time.monotonic() - start

    def _tell(self) -> None:
        """Emit the events of a passed check: warnings, and one for all else."""
        state = self._state
        for warning in state.warnings:
            state.context.emit(events.Warned(warning, doubt=True))
        text = " ".join([times_text(state.good, state), *state.notes])
        state.context.emit(events.Vouched(text, state.good, self.spent.probes, self.spent.predicate_seconds))
