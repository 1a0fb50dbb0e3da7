"""What listeners hear of a reduction's answers: those of probes each, those without a probe now and then."""

from __future__ import annotations

import time

from core.predicate.verdict import Verdict
from core.protocol import events
from core.reduction.control import Control, ReductionStopped
from core.reduction.probing.prober import Prober
from core.reduction.records import Answer, PreparedCandidate

_EMITTED_PER_SECOND = 20
"""Answers without a probe that listeners hear of; the rest is only counted."""


class Announcer:
    """Emits events to ``listener``, on the driver's thread."""

    def __init__(self, prober: Prober, listener: events.Listener, control: Control) -> None:
        self._prober = prober
        self._emit = listener
        self._control = control
        self._last_emitted = 0.0

    def answer(self, answer: Answer, prepared: PreparedCandidate) -> None:
        """An answer that the algorithm got; one without a probe only now and then."""
        ran = answer.outcome if answer.source == "run" else None
        if ran is None and not self._may_emit():
            return
        verdict = Verdict.INTERESTING if answer.interesting else Verdict.NOT_INTERESTING
        self._emit(
            events.Probed(
                probe=answer.probe,
                verdict=(answer.outcome.verdict if answer.outcome else verdict).value,
                source=answer.source,
                seconds=ran.seconds if ran else 0.0,
                at=self._prober.clock.waited(),
                classes=prepared.sub_input.classes,
                bytes=prepared.sub_input.bytes,
                exit=ran.exit if ran else None,
                detail=ran.detail if ran else "",
                stdout=ran.stdout if ran else "",
                stderr=ran.stderr if ran else "",
                lane=answer.lane,
                failures=len(answer.outcome.failures) if answer.outcome else 0,
                processor=ran.processor if ran else 0.0,
                busiest=ran.busiest if ran else 0.0,
            )
        )
        self.count()

    def rarely(self, event: events.Event) -> None:
        """An event of which not each is worth the time."""
        if self._may_emit():
            self._emit(event)

    def _may_emit(self) -> bool:
        """Whether enough time has passed. Raises Stop."""
        now = time.monotonic()
        if now - self._last_emitted < 1 / _EMITTED_PER_SECOND:
            return False
        self._last_emitted = now
        # a long row of answers without a probe must still be stoppable
        if self._control.cancel.is_set():
            raise ReductionStopped("stopped")
        return True

    def count(self, *, searched: bool = False) -> None:
        """The counts so far. ``searched``: the search is over."""
        counts = self._prober.counts
        at = self._prober.clock.waited()
        self._emit(
            events.Counted(counts.probes, counts.cached, counts.invalid, at, counts.speculated, searched=searched)
        )
