"""How often the time left that a run tells holds the truth, and the table that it tells it from.

``python -m tests.bench.time_left LOG...`` reads events of whole runs (``jarlet reduce ... --json > LOG``). For each run
it makes the table from those of all other jars and asks it at moments after the first tenth of the run's search; then
it prints the table of all runs together, which :mod:`core.reduction.time_left` holds.
"""

from __future__ import annotations

import argparse
import json
import math
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path
from statistics import mean, median

from core.protocol import events, wire
from core.reduction.time_left import SHARE, Key, RunMoment, Table, TimeLeft

_MOMENTS = 36
"""Moments of a run, at equal distances from the end of the first tenth on."""
_RUNS = 6
"""Runs below which a key has no line of its own."""
_LEAST = 0.02
"""A rest that is smaller, as a multiple of the unit, is as good as none."""

Run = list[tuple[RunMoment | None, float]]
"""Moments, each with the seconds that were left."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("logs", nargs="+", type=Path)
    parser.add_argument("--fewest", type=int, default=10, help="runs of fewer probes are left out (default: 10)")
    options = parser.parse_args()
    runs = {log: run for log in options.logs if (run := _read(log, options.fewest))[1]}
    jars = {jar for jar, _ in runs.values()}
    print(f"{len(runs)} runs of {len(jars)} jars, {sum(len(run) for _, run in runs.values())} moments")
    for depth in range(3):
        held, widths = [], []
        for log, (_, run) in runs.items():
            table = fitted((other for name, (jar, other) in runs.items() if jar != runs[log][0]), depth)
            found = [_held(moment, left, table) for moment, left in run]
            held.append(mean(yes for yes, _ in found))
            widths += [width for _, width in found]
        print(
            f"keys of {depth}: holds the truth in {10 * mean(held):.1f} of 10 moments;"
            f" most / least {median(widths):.1f}"
        )
    table = fitted((run for _, run in runs.values()), 2)
    for key in sorted(table):
        low, high = table[key]
        print(f"    {key}: ({low:.3g}, {high:.3g}),")


def fitted(runs: Iterable[Run], depth: int) -> Table:
    """The quantiles of what was left for each key of at most that length, and the runs there are enough of."""
    found: defaultdict[Key, list[float]] = defaultdict(list)
    seen: defaultdict[Key, int] = defaultdict(int)
    for run in runs:
        keys = set()
        for moment, left in run:
            if moment is not None and moment.unit > 0:
                for length in range(depth + 1):
                    key = moment.key[:length]
                    found[key].append(math.log(max(_LEAST, left / moment.unit)))
                    keys.add(key)
        for key in keys:
            seen[key] += 1
    means = {key: mean(values) for key, values in found.items() if seen[key] >= _RUNS or not key}
    table = {}
    for key, centre in means.items():
        # stages differ in how much is left, and are too few runs each to tell how widely that is spread
        alike = [other for other in means if len(other) == len(key) > 1 and other[0] == key[0]] or [key]
        low, high = _narrowest([value - means[other] for other in alike for value in found[other]])
        table[key] = math.exp(centre + low), math.exp(centre + high)
    return table


def _narrowest(values: Iterable[float]) -> tuple[float, float]:
    """The narrowest range that holds the share."""
    ranked = sorted(values)
    count = math.ceil(SHARE * len(ranked))
    return min(zip(ranked, ranked[count - 1 :], strict=False), key=lambda ends: ends[1] - ends[0])


def _held(moment: RunMoment | None, left: float, table: Table) -> tuple[bool, float]:
    if moment is None:
        return False, math.inf  # nothing was said, and something should have been
    low, high = moment.left(table)
    return (low <= left or low <= _LEAST * moment.unit) and left <= high, high / low if low else math.inf


def _read(log: Path, fewest: int) -> tuple[str, Run]:
    """The jar and the moments of a run that went to its end; none of another."""
    known = wire.known(events.Event)
    told: list[tuple[float, RunMoment | None]] = []
    start, probes, ended, jar = -1.0, 0, False, ""
    watch = TimeLeft(lambda event: None)
    for line in log.read_text(encoding="utf-8").splitlines():
        if json.loads(line).get("event") not in known:
            continue
        event = wire.event_from(line, known)
        watch(event)
        if isinstance(event, events.Opened):
            jar = event.title
        if isinstance(event, events.Started) and start >= 0:
            return jar, []  # several reductions, one after the other
        if isinstance(event, events.Probed) and event.source == "run":
            probes += 1
            start = event.at - event.seconds if start < 0 else start
        if isinstance(event, events.Counted):
            told.append((event.at, watch.moment))
        ended = ended or (isinstance(event, events.Finished) and event.reason == "done")
    if not ended or probes < fewest:
        return jar, []
    end = told[-1][0]
    run: Run = []
    for number in range(_MOMENTS):
        at = start + (end - start) * (0.1 + 0.9 * (number + 0.5) / _MOMENTS)
        moment = next((moment for time, moment in reversed(told) if time <= at), None)
        run.append((moment, end - at))
    return jar, run


if __name__ == "__main__":
    main()
