"""How often the time left that a run tells holds the truth, and the table that it tells it from.

``python -m tests.bench.time_left LOG...`` reads events of whole runs (``jarlet reduce ... --json > LOG``). For each run
it makes the table from those of all other jars and asks it at moments after the first tenth of the run's search. What
was told last counts, and what is shown of it: nothing once its longest time is over. Then the table of all runs
together is printed, which :mod:`core.reduction.time_left` holds.
"""

from __future__ import annotations

import argparse
import json
import math
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from statistics import mean, median

from core.protocol import events, wire
from core.reduction.time_left import SHARE, TABLE, RunMoment, Table, TimeLeft, kind_of

_MOMENTS = 36
"""Moments of a run, at equal distances from the end of the first tenth on."""
_RUNS = 6
"""Runs below which a kind of search has the range of all."""
_LEAST = 0.02
"""A rest that is smaller, as a multiple of what was expected, is as good as none."""


@dataclass(frozen=True)
class Told:
    """What was told last before a moment; ``left`` is what was left then, ``ago`` how long ago that was."""

    moment: RunMoment | None
    left: float
    ago: float


@dataclass(frozen=True)
class Run:
    """One recorded run."""

    jar: str
    kind: str
    told: list[Told]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("logs", nargs="+", type=Path)
    parser.add_argument("--fewest", type=int, default=8, help="runs of fewer probes are left out (default: 8)")
    parser.add_argument("--each", action="store_true", help="print every run, the worst first")
    options = parser.parse_args()
    runs = {log: run for log in options.logs if (run := _read(log, options.fewest)) is not None}
    tables = {jar: fitted(run for run in runs.values() if run.jar != jar) for jar in {run.jar for run in runs.values()}}
    found = {log: [_held(told, tables[run.jar]) for told in run.told] for log, run in runs.items()}
    for kind in sorted({run.kind for run in runs.values()}):
        of = [log for log, run in runs.items() if run.kind == kind]
        held = mean(mean(yes for yes, _ in found[log]) for log in of)
        width = median(width for log in of for _, width in found[log])
        print(
            f"{kind}: {len(of)} runs of {len({runs[log].jar for log in of})} jars:"
            f" holds the truth in {10 * held:.1f} of 10 moments; most / least {width:.1f}"
        )
    if options.each:
        for log in sorted(runs, key=lambda log: mean(yes for yes, _ in found[log])):
            print(f"    {10 * mean(yes for yes, _ in found[log]):4.1f} {log.name}")
    table = fitted(runs.values())
    for kind, (low, high) in sorted(table.items()):
        print(f'    "{kind}": ({low:.3g}, {high:.3g}),')


def fitted(runs: Iterable[Run]) -> Table:
    """For each kind of search the narrowest range of what was left; that of all where there are too few runs of it."""
    found: defaultdict[str, list[float]] = defaultdict(list)
    seen: Counter[str] = Counter()
    for run in runs:
        seen[run.kind] += 1
        for told in run.told:
            if told.moment is not None:
                found[run.kind].append(math.log(max(_LEAST, told.left / told.moment.expected)))
    every = [value for values in found.values() for value in values]
    ranges = {kind: _narrowest(found[kind] if seen[kind] >= _RUNS else every) for kind in TABLE}
    return {kind: (math.exp(low), math.exp(high)) for kind, (low, high) in ranges.items()}


def _narrowest(values: Iterable[float]) -> tuple[float, float]:
    """The narrowest range that holds the share."""
    ranked = sorted(values)
    count = math.ceil(SHARE * len(ranked))
    return min(zip(ranked, ranked[count - 1 :], strict=False), key=lambda ends: ends[1] - ends[0])


def _held(told: Told, table: Table) -> tuple[bool, float]:
    if told.moment is None:
        return False, math.inf  # nothing was said, and something should have been
    low, high = told.moment.left(table)
    least = low <= told.left or low <= _LEAST * told.moment.expected
    return least and max(told.left, told.ago) <= high, high / low


def _read(log: Path, fewest: int) -> Run | None:
    """A run that went to its end."""
    known = wire.known(events.Event)
    counted: list[tuple[float, RunMoment | None]] = []
    start, probes, ended, jar, algorithm = -1.0, 0, False, "", ""
    watch = TimeLeft(lambda event: None)
    for line in log.read_text(encoding="utf-8").splitlines():
        if json.loads(line).get("event") not in known:
            continue
        event = wire.event_from(line, known)
        watch(event)
        match event:
            case events.Opened():
                jar = event.title
            case events.Started() if start >= 0:
                return None  # several reductions, one after the other
            case events.Started():
                algorithm = event.algorithm
            case events.Probed(origin="run"):
                probes += 1
                start = event.at - event.seconds if start < 0 else start
            case events.Counted():
                counted.append((event.at, watch.moment))
            case events.Finished():
                ended = event.reason == "done"
    if not ended or probes < fewest:
        return None
    end = counted[-1][0]
    told: list[Told] = []
    for number in range(_MOMENTS):
        at = start + (end - start) * (0.1 + 0.9 * (number + 0.5) / _MOMENTS)
        time, moment = next(((time, moment) for time, moment in reversed(counted) if time <= at), (at, None))
        told.append(Told(moment, end - time, at - time))
    return Run(jar, kind_of(algorithm), told)


if __name__ == "__main__":
    main()
