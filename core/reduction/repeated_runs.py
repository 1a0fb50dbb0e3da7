"""Runs at the end of a reduction: the result once more before it is believed."""

from __future__ import annotations

from collections.abc import Callable

from core.predicate.verdict import ANSWERS, Outcome
from core.protocol import events
from core.reduction.probing.prober import Prober
from core.reduction.records import SubInput
from core.reduction.state import ReductionState
from core.reduction.wiring import Judge


def confirm(state: ReductionState, prober: Prober, judge: Judge, emit: events.Listener) -> Outcome:
    """Run the best and its neighbour once more. Return the outcome of the best.

    If the run of the best is not interesting, an accepted step whose run is becomes the best: the last such step if no
    step after it is interesting again. If there is none, the start of the reduction does. Past the time limit only the
    best is run, and the best stays; of a rare failure the last step that was run again takes its place. Changed answers
    are emitted and counted. Raises ReductionStopped.
    """
    earlier = [step for step in reversed(state.history) if step is not state.best and step is not state.start]
    steps = [state.best, *earlier, *([] if state.best is state.start else [state.start])]
    runs: dict[int, Outcome] = {}

    def changed(sub_input: SubInput, before: str, outcome: Outcome) -> None:
        if outcome.verdict in ANSWERS:
            prober.counts.flaky += 1
        else:
            prober.counts.ended = outcome.detail
        after = "interesting" if judge.interesting(outcome) else outcome.verdict.value
        probes, size = prober.counts.probes, (sub_input.classes, sub_input.bytes)
        emit(events.Flaky(probes, sub_input.packed, *size, before, after))

    def is_confirmed(place: int) -> bool:
        neighbours = [] if runs or state.neighbour is None else [state.neighbour]
        found, *others = prober.again([steps[place], *neighbours])
        assert found is not None
        runs[place] = found
        for neighbour, said in zip(neighbours, others, strict=True):
            if said is not None and judge.interesting(said):
                changed(neighbour, "not interesting", said)
        if not (yes := judge.interesting(found)) and steps[place] is not state.start:
            changed(steps[place], "interesting", found)
        return yes

    place = last_confirmed(is_confirmed, len(steps) - 1, lambda: prober.late)
    if judge.rare and not place and runs and not judge.interesting(runs[0]):
        place = steps.index(state.held)
    if place not in runs:
        is_confirmed(place)
    if place:
        state.accept(steps[place])
    return runs[place]


def last_confirmed(is_confirmed: Callable[[int], bool], start: int, late: Callable[[], bool]) -> int:
    """Return the number of the last confirmed step, counted back from 0, the best, to ``start``, which needs no
    confirmation; 0 if it is too late to find one.

    The steps back double in length until one is confirmed, and the last of them is halved: a reduction has hundreds of
    steps, and a run may take minutes.
    """
    changed, confirmed = -1, 0
    while confirmed != start and not is_confirmed(confirmed):
        if late():
            return 0
        changed, confirmed = confirmed, min(2 * confirmed + 1, start)
    while confirmed - changed > 1 and not late():
        middle = (changed + confirmed) // 2
        if is_confirmed(middle):
            confirmed = middle
        else:
            changed = middle
    return confirmed
