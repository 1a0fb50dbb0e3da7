"""Runs at the end of a reduction: candidates that timed out, and the result once more before it is believed."""

from __future__ import annotations

from core.predicate.verdict import Outcome
from core.protocol import events
from core.reduction.probing.prober import Prober
from core.reduction.records import SubInput, packed
from core.reduction.state import ReductionState
from core.reduction.wiring import Judge

_MOST_RETRIED = 3
"""Most probes for candidates that timed out: most of what is killed hangs for good.
See decisions/026-asked-again-at-the-end.md."""


def ask_timed_out_again(state: ReductionState, prober: Prober, judge: Judge) -> bool:
    """Run the largest candidates that timed out and are smaller than the best, under the limit of a confirmation.

    Returns True if one is interesting; the first such candidate becomes the best. Each candidate is run only once.
    Raises ReductionStopped.
    """
    for candidate in state.timed_out.smaller_than(state.best, _MOST_RETRIED):
        state.timed_out.drop(candidate)
        if prober.late:
            return False
        (outcomes,) = prober.again([(candidate, 1)])
        if outcomes and judge.interesting(outcomes[0]):
            state.accept(candidate)
            return True
    return False


def confirm(state: ReductionState, prober: Prober, judge: Judge, emit: events.Listener) -> tuple[int, int, Outcome]:
    """Run the best ``judge.confirm`` times, and its neighbour once.

    Returns the number of runs of the best, the number of interesting ones, and the last outcome. If a run of the best
    is not interesting, the last accepted step whose runs are all interesting becomes the best; if there is none, the
    start of the reduction does. Past the time limit only the best is run, once, and the best stays. Changed answers are
    emitted and counted. Raises ReductionStopped.
    """
    interesting = judge.interesting

    def changed(sub_input: SubInput, before: str, outcome: Outcome) -> None:
        prober.counts.flaky += 1
        after = "interesting" if interesting(outcome) else outcome.verdict.value
        probes, size = prober.counts.probes, (sub_input.classes, sub_input.bytes)
        emit(events.Flaky(probes, packed(sub_input), *size, before, after))

    neighbours = [] if state.neighbour is None else [state.neighbour]
    earlier = [sub_input for sub_input in reversed(state.history) if sub_input is not state.best]
    for sub_input in [state.best, *earlier, state.start]:
        runs = [(sub_input, judge.confirm), *((neighbour, 1) for neighbour in neighbours)]
        outcomes, *others = prober.again(runs)
        for neighbour, said in zip(neighbours, others, strict=True):
            if said and interesting(said[0]):
                changed(neighbour, "not interesting", said[0])
        neighbours = []
        no = [outcome for outcome in outcomes if not interesting(outcome)]
        if not no or sub_input is state.start:
            if sub_input is not state.best:
                state.accept(sub_input)
            break
        changed(sub_input, "interesting", no[0])
        if prober.late:
            break
    return len(outcomes), len(outcomes) - len(no), outcomes[-1]
