"""Whether the predicate says the same again: the result of a reduction is run once more before it is believed."""

from __future__ import annotations

from collections.abc import Callable

from core.predicate.verdict import Outcome
from core.protocol import events
from core.reduction.probing.prober import Prober
from core.reduction.records import SubInput, packed
from core.reduction.state import ReductionState


def confirm(
    state: ReductionState,
    prober: Prober,
    times: int,
    interesting: Callable[[Outcome], bool],
    listener: events.Listener,
) -> tuple[int, int, Outcome]:
    """Runs the best ``times`` times, and the last neighbour that was not interesting once; how often the best ran and
    was interesting, and what it showed the last time.

    Where the best is not interesting each time, the last accepted step that is becomes the best; if there is none,
    what the reduction started from. Past the time limit the best is run once and nothing else, so it stays the best
    whatever it shows. Changed answers are emitted and counted. Raises Stop when stopped.
    """

    def changed(sub_input: SubInput, before: str, outcome: Outcome) -> None:
        prober.counts.flaky += 1
        after = "interesting" if interesting(outcome) else outcome.verdict.value
        event = events.Flaky(prober.counts.probes, packed(sub_input), sub_input.classes, sub_input.bytes, before, after)
        listener(event)

    neighbours = [] if state.neighbour is None else [state.neighbour]
    earlier = [sub_input for sub_input in reversed(state.history) if sub_input is not state.best]
    for sub_input in [state.best, *earlier, state.start]:
        outcomes, *others = prober.again([(sub_input, times), *((neighbour, 1) for neighbour in neighbours)])
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
