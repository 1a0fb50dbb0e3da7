"""From a jar to its formula: ``python -m tests.bench.model [--classes N ...] JAR...`` (CPU seconds, one run).

With ``--classes`` the jars are joined and cut to so many classes each time; else each jar is measured whole.
The progression is that of the natural order of items and of a random one.
"""

from __future__ import annotations

import argparse
import gc
import random
import resource
import time
from dataclasses import replace

from core.jar.archive import EntryKind, Jar, read_jar
from core.jar.library import open_library
from core.model import detailed


def measure(jar: Jar, title: str, granularity: str, validity: str) -> None:
    """Prints a row of the table."""
    gc.collect()
    library = open_library()
    start = time.process_time()
    model = detailed.build(jar, library.get, granularity, validity)
    built = time.process_time()
    propagator = model.propagator
    ready = time.process_time()
    propagator.progression(range(len(model.items)))
    natural = time.process_time()
    order = list(range(len(model.items)))
    random.Random(1).shuffle(order)
    shuffled = propagator.ranked(sorted(range(len(order)), key=order.__getitem__))
    before = time.process_time()
    shuffled.progression(order)
    end = time.process_time()
    formula = model.formula
    print(
        f"| {title} | {len(model.model.graph.nodes):,} | {len(model.items):,} | {formula.clause_count:,} | "
        f"{100 * len(formula.edges) / formula.clause_count:.1f} % | {built - start:.2f} | {ready - built:.2f} | "
        f"{1000 * (natural - ready):.0f} / {1000 * (end - before):.0f} | "
        f"{resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024} |"
    )


def cut(jars: list[Jar], classes: int) -> Jar:
    """The first so many classes of the jars together."""
    entries = {entry.name: entry for jar in jars for entry in jar.entries if entry.kind is EntryKind.CLASS}
    return replace(jars[0], entries=tuple(entries.values())[:classes])


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("jars", nargs="+")
    parser.add_argument("--classes", type=int, nargs="*", default=[])
    parser.add_argument("--granularity", default="member")
    parser.add_argument("--validity", default="src")
    options = parser.parse_args()
    print("| input | classes | items | clauses | edges | build s | propagator s | progression ms | peak MB |")
    print("|---|---:|---:|---:|---:|---:|---:|---:|---:|")
    jars = [read_jar([path]) for path in options.jars]
    for classes in options.classes:
        measure(cut(jars, classes), f"{classes} joined", options.granularity, options.validity)
    for jar in () if options.classes else jars:
        measure(jar, jar.title, options.granularity, options.validity)


if __name__ == "__main__":
    main()
