"""Times of the logic: ``python -m tests.bench.progression [--random VARIABLES CLAUSES] [JAR...]`` (CPU, best of five).

Columns: variable order and adjacency lists (once for an input), then whole progressions in the variable order, in it
with weights and in random order, in the order within half of the input, the largest valid subset without one of a
hundred items, and one way out of a small sub-input (:meth:`core.model.model_logic.ModelLogic.without`).
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Callable
from pathlib import Path

from core.model.formula import Builder, Formula
from core.model.model_logic import ModelLogic
from core.sets import mask_of, members
from tests.bench.simulator_inputs import load


def ms(run: Callable[[], object], times: int = 5) -> float:
    """CPU milliseconds of the quickest of some runs."""
    best = float("inf")
    for _ in range(times):
        start = time.process_time()
        run()
        best = min(best, time.process_time() - start)
    return 1000 * best


def measure(title: str, formula: Formula, sizes: list[int]) -> None:
    """Prints a row."""
    logic = ModelLogic(formula)
    plain = ms(lambda: ModelLogic(formula).order(), 2)
    logic.order()
    weighted = logic.order(sizes)
    shuffled = list(range(formula.items))
    random.Random(1).shuffle(shuffled)
    rows = [ms(lambda order=order: logic.progression(order)) for order in (logic.order(), weighted, shuffled)]
    parts = logic.progression(weighted)
    half = mask_of(tuple(i for part in parts[: len(parts) // 2] for i in part), formula.items)
    rows.append(ms(lambda: logic.progression(weighted, (), half)))
    dropped = shuffled[:: max(1, formula.items // 100)]
    full = (1 << formula.items) - 1
    rows.append(ms(lambda: [logic.largest(full & ~(1 << item)) for item in dropped], 2) / len(dropped))
    kept = logic.least(shuffled[:5])
    ways = members(kept)[:200]
    logic.without(kept, ways[0], 16)
    rows.append(ms(lambda: [logic.without(kept, item, 16) for item in ways], 2) / len(ways))
    print(
        f"| {title} | {formula.items:,} | {formula.clause_count:,} | {plain:.0f} | "
        f"{' | '.join(f'{one:.1f}' for one in rows[:-1])} | {rows[-1]:.2f} |"
    )


def drawn(variables: int, clauses: int, seed: int = 7) -> Formula:
    """A random formula of the shape of real ones: items in classes of forty, nine of ten clauses edges."""
    dice = random.Random(seed)
    builder = Builder(variables)

    def need(item: int) -> int:
        kind = dice.random()
        own = item - item % 40
        if kind < 0.5:
            return own
        return dice.randrange(own, item + 1) if kind < 0.8 else dice.randrange(0, variables, 40)

    for _ in range(clauses):
        item = dice.randrange(variables)
        if dice.random() < 0.9:
            builder.edge(item, need(item), "r")
        else:
            builder.add((item, need(item)), {need(item) for _ in range(dice.choice((1, 1, 1, 2)))}, "r")
    return builder.formula()


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("jars", nargs="*", type=Path)
    parser.add_argument("--random", nargs=2, type=int, action="append", default=[], metavar=("VARIABLES", "CLAUSES"))
    options = parser.parse_args()
    print(
        "| input | items | clauses | order and lists ms | progression ms | with weights | random order | within half | "
        "largest ms | a way out ms |\n|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|"
    )
    for variables, clauses in options.random:
        measure("random", drawn(variables, clauses), [1] * variables)
    for path in options.jars:
        inp = load(path)
        measure(inp.title, inp.stored.formula, inp.sizes)


if __name__ == "__main__":
    main()
