"""Searches for planted failures in the models of real jars, by a simulated clock: no JVM runs.

``python -m tests.bench.simulator [--tables orders ...] [--needed 1 5 50] [--seeds N] JAR...`` prints Markdown tables.
A failure needs so many items, drawn from the classes and their parts; a probe takes ``fixed + per_byte * bytes``
seconds. Every row is the geometric mean over jars and seeds. The list minimisers of the table ``lists`` take
thousands of probes: give it small jars.
"""

from __future__ import annotations

import argparse
import math
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from tests.bench.simulator_algorithms import CLASSES, LISTS, ORDERS, PASSES, VALID, Trial, entry, gbr_in, weighted
from tests.bench.simulator_clock import Bill, Clock, Price
from tests.bench.simulator_inputs import Input, load
from tests.bench.strategies import ALL

PRICES = {"1 s + 10 s/MB": Price(1.0, 1e-5), "5 s + 1 s/MB": Price(5.0, 1e-6)}
_UNTIMED = Price(0.0, 1.0)
"""Price of probes whose seconds do not count: their bytes, by which strategies weigh them."""
_Row = tuple[str, ...]


def simulate(inp: Input, trial: Trial, needed: int, seed: int, price: Price, least: str, workers: int) -> Bill:
    """One run."""
    start = trial(inp)
    needs = inp.plant(needed, seed)
    clock = Clock(start.space, start.kept, needs, inp.size, inp.weights, price, ALL[least](), workers, start.works)
    clock.run(start.algorithm, (1 << inp.count) - 1)
    return clock.bill


class Bench:
    """Inputs and planted failures, the same for every row."""

    def __init__(self, inputs: Sequence[Input], seeds: int) -> None:
        self.inputs = inputs
        self._seeds = seeds

    def bills(
        self, trial: Trial, needed: int, price: Price, least: str = "bisection", workers: int = 1
    ) -> list[tuple[Input, Bill]]:
        """One run for each jar and seed."""
        return [
            (inp, simulate(inp, trial, needed, seed, price, least, workers))
            for inp in self.inputs
            for seed in range(self._seeds)
        ]


def mean(values: Iterator[float]) -> float:
    """Geometric mean."""
    logs = [math.log(max(value, 1e-9)) for value in values]
    return math.exp(sum(logs) / len(logs))


def seconds(bills: list[tuple[Input, Bill]]) -> str:
    return f"{mean(bill.seconds for _, bill in bills):,.0f}"


def priced(bills: list[tuple[Input, Bill]], price: Price) -> str:
    """Seconds of one worker whose probes do not depend on what they cost."""
    return f"{mean(bill.probes * price.fixed + bill.probed * price.per_byte for _, bill in bills):,.0f}"


def probes(bills: list[tuple[Input, Bill]]) -> str:
    return f"{mean(bill.probes for _, bill in bills):,.1f}"


def left(bills: list[tuple[Input, Bill]]) -> tuple[str, str]:
    """Items and bytes left."""
    return (
        f"{mean(bill.items for _, bill in bills):,.1f}",
        f"{100 * mean(bill.bytes / inp.bytes for inp, bill in bills):.2f} %",
    )


def compared(bench: Bench, needed: Sequence[int], trials: dict[str, Trial]) -> Iterator[_Row]:
    """Probes, seconds and what is left, for each algorithm."""
    yield ("needed", "algorithm", "probes", *(f"s at {name}" for name in PRICES), "items left", "bytes left")
    for number in needed:
        for name, trial in trials.items():
            bills = bench.bills(trial, number, _UNTIMED)
            yield str(number), name, probes(bills), *(priced(bills, price) for price in PRICES.values()), *left(bills)


def strategies(bench: Bench, needed: Sequence[int]) -> Iterator[_Row]:
    """GBR with each strategy of ``Least``, by 1 to 8 workers."""
    counts = (1, 2, 4, 8)
    heads = [f"{what}, {workers} w." for what in ("probes", "s") for workers in counts]
    yield ("needed", "strategy", "price of a probe", *heads)
    for number in needed:
        for title, price in PRICES.items():
            for name in ALL:
                runs = [bench.bills(gbr_in(weighted), number, price, name, workers) for workers in counts]
                yield str(number), f"`{name}`", title, *map(probes, runs), *map(seconds, runs)


def several(bench: Bench, needed: Sequence[int]) -> Iterator[_Row]:
    """GBR by bisection with 1 to 8 workers."""
    counts = range(1, 9)
    yield ("needed", "price of a probe", *(f"{count} w." for count in counts))
    for number in needed:
        for name, price in PRICES.items():
            runs = [bench.bills(gbr_in(weighted), number, price, workers=count) for count in counts]
            yield str(number), f"s at {name}", *map(seconds, runs)


_NEEDED: dict[str, Trial] = {"gbr": entry("gbr"), "as published": ORDERS["dependencies first"]}

TABLES: dict[str, Callable[[Bench, Sequence[int]], Iterator[_Row]]] = {
    "orders": lambda bench, needed: compared(bench, needed, ORDERS),
    "strategies": strategies,
    "workers": several,
    "needed": lambda bench, needed: compared(bench, needed, _NEEDED),
    "valid": lambda bench, needed: compared(bench, needed, {name: entry(name) for name in VALID} | PASSES),
    "classes": lambda bench, needed: compared(bench, needed, {name: entry(name) for name in CLASSES}),
    "lists": lambda bench, needed: compared(bench, needed, {name: entry(name) for name in ("gbr", *LISTS)}),
}


def main() -> None:
    """Prints the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("jars", nargs="+", type=Path)
    parser.add_argument("--tables", nargs="+", choices=TABLES, default=list(TABLES))
    parser.add_argument("--needed", nargs="+", type=int, default=[1, 5, 50])
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--fresh", action="store_true", help="build the models anew")
    options = parser.parse_args()
    bench = Bench([load(path, fresh=options.fresh) for path in options.jars], options.seeds)
    for name in options.tables:
        start = time.process_time()
        rows = TABLES[name](bench, options.needed)
        head = next(rows)
        print(f"\n{name}, {len(bench.inputs)} jars, {options.seeds} seeds:\n", flush=True)
        print(f"| {' | '.join(head)} |\n|---|---|{'---:|' * (len(head) - 2)}", flush=True)
        for row in rows:
            print(f"| {' | '.join(row)} |", flush=True)
        print(f"{name}: {time.process_time() - start:.0f} s of CPU", file=sys.stderr)


if __name__ == "__main__":
    main()
