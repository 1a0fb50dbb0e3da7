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
from core.check.diagnosis import times_text
from core.check.findings import Doubt, Finding, NotInteresting, Objection, Sure
from core.check.runs import BESIDE_SEARCH, TWO_AT_ONCE, perform, repeatable
from core.predicate.from_settings import wanted_text
from core.protocol import events
from core.protocol.wording import WARNING
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
        state.notes = []  # those of the first run are told
        self._before = len(state.seconds)
        self._due = time.monotonic() + state.outcomes[0].seconds
        self.serial = not parallel
        """True if only one run may go on at a time."""
        self.over = False
        """True if the finding was returned."""
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
        return Spent(len(made), predicate_seconds=sum(made, 0.0), predicate_alone=self._waited)

    @property
    def hurried(self) -> bool:
        """True if verdicts may be wrong though the predicate is stable.

        They may come from resident processes that no cold run has confirmed, or from overlapping runs.
        """
        return not self.over and (self._state.predicate.residency.expected or not self.serial)

    def between(self) -> Finding | None:
        """Return the finding once, as soon as there is one; make the runs now if they are due."""
        if self._running is not None:
            return self.finish() if self._running.over else None
        return self.finish() if time.monotonic() >= self._due or self._nothing_to_do else None

    def finish(self, meanwhile: Callable[[], None] = lambda: None) -> Finding | None:
        """Make or await all remaining runs. Return the finding, unless it was returned before.

        ``meanwhile`` is called from time to time during the wait.
        """
        if self.over:
            return None
        with self._alone():
            while self._running is not None and not self._running.over:
                self._running.wait(_REMIND_EVERY)
                meanwhile()
            objection = self._running.result() if self._running is not None else perform(BESIDE_SEARCH, self._state)
        return self._conclude(objection)

    def settle(self, doubt: Doubt) -> Doubt | NotInteresting:
        """Run the full input twice while nothing else runs, once the search is over. Return the doubt if both runs are
        interesting: then the command fails only beside other runs, and from now on only one run may go on at a time.
        """
        state = self._state
        if state.cancelled:
            return doubt
        with self._alone():
            alone = [state.probe(state.next_folder()) for _ in range(2)]
        if not state.cancelled and not all(outcome.interesting for outcome in alone):
            return repeatable(state, doubt.alone.message)
        self.serial = True
        return doubt

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

    def _conclude(self, objection: Objection | None) -> Finding:
        """Return the finding of the runs. Emit the events of a passed check: warnings, and one for all else."""
        state, self.over = self._state, True
        if state.cancelled:
            return Sure()
        if objection is not None:
            return objection
        self.vouched = True
        texts = [times_text(state.good, wanted_text(state.settings, state.predicate))]
        for note in state.notes:
            if note.startswith(WARNING):
                state.context.emit(events.Warned(note.removeprefix(WARNING), doubt=True))
            else:
                texts.append(note)
        spent = self.spent
        vouched = events.Vouched(" ".join(filter(None, texts)), state.good, spent.probes, spent.predicate_seconds)
        state.context.emit(vouched)
        return Sure()
