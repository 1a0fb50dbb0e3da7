"""Whether the predicate says the same again: the result of a reduction is run once more before it is believed."""

from __future__ import annotations

from collections.abc import Callable

from core.predicate.verdict import Outcome
from core.protocol import events
from core.reduction.prober import Prober
from core.reduction.records import SubInput, packed
from core.reduction.state import ReductionState


def confirm(
    ledger: ReductionState,
    prober: Prober,
    times: int,
    interesting: Callable[[Outcome], bool],
    listener: events.Listener,
) -> tuple[int, int, Outcome]:
    """Runs the best ``times`` times, and the last neighbour that is not interesting once; how often the best ran and
    was interesting, and what it showed the last time.

    Where the best is not interesting each time, the last accepted step that is becomes the best; if there is none,
    what the reduction started from. Past the time limit the best is run once and nothing else, so it stays the best
    whatever it shows. Changed answers are told and counted. Raises Stop when stopped.
    """

    def changed(finding: SubInput, before: str, outcome: Outcome) -> None:
        prober.counts.flaky += 1
        after = "interesting" if interesting(outcome) else outcome.verdict.value
        told = events.Flaky(prober.counts.probes, packed(finding), finding.classes, finding.bytes, before, after)
        listener(told)

    neighbours = [] if ledger.neighbour is None else [ledger.neighbour]
    earlier = [finding for finding in reversed(ledger.history) if finding is not ledger.best]
    for finding in [ledger.best, *earlier, ledger.start]:
        outcomes, *others = prober.again([(finding, times), *((neighbour, 1) for neighbour in neighbours)])
        for neighbour, said in zip(neighbours, others, strict=True):
            if said and interesting(said[0]):
                changed(neighbour, "not interesting", said[0])
        neighbours = []
        no = [outcome for outcome in outcomes if not interesting(outcome)]
        if not no or finding is ledger.start:
            if finding is not ledger.best:
                ledger.accept(finding)
            break
        changed(finding, "interesting", no[0])
        if prober.late:
            break
    return len(outcomes), len(outcomes) - len(no), outcomes[-1]
