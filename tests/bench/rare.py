"""Rare failures: the rates of results, and the runs that they take, beside k of n runs without memory.

``python -m tests.bench.rare`` makes 20 reductions for each rate and way. Then it makes 20 of races
in which a candidate without a helper has 0.7 of the rate: the best is run again during the search, or at the end alone.
"""

from __future__ import annotations

from pathlib import Path

from core.predicate.predicate import AroundPredicate
from core.predicate.several.rare import RarePredicate
from tests.support.races import ITEMS, Race, entries_of, reduced

REDUCTIONS = 20


class KOfN(AroundPredicate):
    """At least ``least`` of ``runs`` runs of a candidate must show the failure."""

    def __init__(self, inner: Race, least: int, runs: int) -> None:
        super().__init__(inner)
        self._least, self._runs = least, runs

    def probe(self, entries, work, cancel=None, seconds=None):
        outcomes = [self.inner.probe(entries, work) for _ in range(self._runs)]
        good = sum(outcome.interesting for outcome in outcomes) >= self._least
        kinds = {outcome.interesting: outcome for outcome in outcomes}
        if good:
            return kinds[True]
        return kinds[False]

    confirm = probe

    def limited(self, timeout):
        return self


def ways(rate: float) -> dict[str, object]:
    """The ways to judge a candidate, by name: functions from a race to a predicate."""
    few, many = round(3 / rate), round(30 / rate)
    return {
        "`--rare`": lambda race: RarePredicate(race).calibrated(entries_of((1 << ITEMS) - 1), Path("nowhere"))[0],
        f"1 of {few}": lambda race: KOfN(race, 1, few),
        f"{round(0.75 * 30)} of {many}": lambda race: KOfN(race, round(0.75 * 30), many),
    }


def main() -> None:
    """Print both tables."""
    print("| rate | way | rate no lower | items left, mean | runs, mean |\n|---|---|---|---|---|")
    for rate in (0.9, 0.3, 0.1):
        for name, made in ways(rate).items():
            print(row(rate, name, lambda race, made=made: reduced(made(race)), 0.5))
    for rate in (0.9, 0.3):
        for name, measured in (("on the way too", True), ("at the end alone", False)):
            made = ways(rate)["`--rare`"]
            print(row(rate, name, lambda race, made=made, measured=measured: reduced(made(race), measured), 0.7))


def row(rate, name, reduce, loss):
    """Return the row of 20 reductions of races."""
    held = left = runs = 0
    for seed in range(REDUCTIONS):
        race = Race(rate, seed, loss)
        found = reduce(race)
        held += race.rate(found) >= rate
        left, runs = left + len(found), runs + race.draws.total()
    return f"| {rate} | {name} | {held} of {REDUCTIONS} | {left / REDUCTIONS:.1f} | {runs / REDUCTIONS:,.0f} |"


if __name__ == "__main__":
    main()
