"""How long it takes to read the classes of a large jar: here, in our worker processes, in those of the library.

``python -m tests.bench.reading JAR [--jobs N] [--rounds N]`` prints the least and the median seconds of each way, in
turns. ``pool`` is :class:`concurrent.futures.ProcessPoolExecutor` with processes of their own (``spawn``: whoever reads
may have threads, and a window, so it must not fork) and chunks of the same size; ``start`` is the first answer of two
processes that are asked for one small class each.
"""

from __future__ import annotations

import argparse
import multiprocessing
import statistics
import time
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from functools import partial
from pathlib import Path

from core.archive.jar import Jar, read_jar
from core.classfile.outline import SharedNames
from core.model.reading import readers
from core.model.reading.class_reading import ClassReading, read_class

CHUNK = readers._CHUNK


def read_chunk(granularity: str, classes: list[tuple[int, bytes]]) -> list[ClassReading | str]:
    """What a process of the pool does; texts are shared in a chunk only, since it keeps nothing between them."""
    names = SharedNames()
    return [read_class(entry, data, granularity, names) for entry, data in classes]


def by_pool(jar: Jar, jobs: int) -> int:
    entries = jar.classes()
    chunks = [[(e, jar.entries[e].data) for e in entries[at : at + CHUNK]] for at in range(0, len(entries), CHUNK)]
    with ProcessPoolExecutor(jobs, multiprocessing.get_context("spawn")) as pool:
        return sum(len(found) for found in pool.map(partial(read_chunk, "full"), chunks))


def by_ours(jar: Jar, jobs: int) -> int:
    return len(readers.read_classes(jar, "full", jobs=jobs))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("jar", type=Path)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    jar = read_jar([options.jar])
    few = sorted(jar.classes(), key=lambda entry: len(jar.entries[entry].data))[: options.jobs]
    small = replace(jar, entries=tuple(jar.entries[entry] for entry in few))
    readers.SPLIT_FROM = 0
    ways = {
        "alone": partial(by_ours, jar, 1),
        "ours": partial(by_ours, jar, options.jobs),
        "pool": partial(by_pool, jar, options.jobs),
        "ours, start": partial(by_ours, small, options.jobs),
        "pool, start": partial(by_pool, small, options.jobs),
    }
    seconds: dict[str, list[float]] = {name: [] for name in ways}
    for _ in range(options.rounds):
        for name, way in ways.items():
            start = time.perf_counter()
            way()
            seconds[name].append(time.perf_counter() - start)
    print(f"{options.jar.name}, {len(jar.classes())} classes, {options.jobs} processes\n")
    for name, took in seconds.items():
        print(f"{name:12} least {min(took):6.2f} s, median {statistics.median(took):6.2f} s")


if __name__ == "__main__":
    main()
