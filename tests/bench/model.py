"""From a jar to its formula: ``python -m tests.bench.model [--classes N ...] JAR...`` (CPU seconds, one run).

With ``--classes`` the jars are joined and cut to so many classes each time; else each jar is measured whole. A row is
the first call of everything in a process of its own. CPU is that of all processes, build wall the time on the clock;
with ``--jobs`` several processes read the classes of a large jar. The progression is that of the natural order of items
and of a random one.
"""

from __future__ import annotations

import argparse
import os
import random
import resource
import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial

from core.archive.jar import EntryKind, Jar, read_jar
from core.library.library import open_library
from core.model import building
from core.model.model_settings import ModelSettings


def cpu() -> float:
    """CPU seconds of this process and of those that it waited for."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


def measure(jar: Jar, title: str, granularity: str, validity: str, jobs: int) -> None:
    """Prints a row of the table."""
    library = open_library()
    clock, start = time.perf_counter(), cpu()
    model = building.build_by(jar, ModelSettings(library, granularity, validity, jobs=jobs))
    wall, built = time.perf_counter() - clock, cpu()
    propagator = model.logic.ranked(range(len(model.items)))
    ready = cpu()
    propagator.progression(range(len(model.items)))
    natural = cpu()
    order = list(range(len(model.items)))
    random.Random(1).shuffle(order)
    shuffled = propagator.ranked(sorted(range(len(order)), key=order.__getitem__))
    before = cpu()
    shuffled.progression(order)
    end = cpu()
    formula = model.formula
    print(
        f"| {title} | {len(model.model.graph.nodes):,} | {len(model.items):,} | {formula.clause_count:,} | "
        f"{100 * len(formula.edges) / formula.clause_count:.1f} % | "
        f"{built - start:.2f} | {wall:.2f} | {ready - built:.2f} | "
        f"{1000 * (natural - ready):.0f} / {1000 * (end - before):.0f} | "
        f"{resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024} |",
        flush=True,
    )


def apart(run: Callable[[], None]) -> None:
    """Runs it in a fork, so that rows share neither caches nor memory."""
    child = os.fork()
    if not child:
        run()
        os._exit(0)
    os.waitpid(child, 0)


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
    parser.add_argument("--jobs", type=int, default=1, help="processes that read classes (default: 1)")
    options = parser.parse_args()
    print("| input | classes | items | clauses | edges | build s | wall s | propagator s | progression ms | peak MB |")
    print("|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|", flush=True)
    jars = [read_jar([path]) for path in options.jars]
    rows = [(cut(jars, classes), f"{classes} joined") for classes in options.classes]
    for jar, title in rows or [(jar, jar.title) for jar in jars]:
        apart(partial(measure, jar, title, options.granularity, options.validity, options.jobs))


if __name__ == "__main__":
    main()
