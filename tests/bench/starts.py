"""Starts with class-data archives against starts without: ``python -m tests.bench.starts [--presets procyon] [JAR]``.

For each preset, its steps in processes of their own on one small jar, and a new resident process until its first
answer, with and without archives in turn. Prints a Markdown table: the least and the median CPU and wall seconds.
"""

from __future__ import annotations

import argparse
import resource
import statistics
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from core.archive.jar import read_jar
from core.entries import Entries
from core.predicate import presets
from core.predicate.jvm.archives import MAKER
from core.predicate.jvm.host import HostPool
from core.predicate.jvm.warm import WarmPredicate
from core.predicate.predicate import discard
from core.predicate.preset import ToolRuns


def _children() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def _timed(run: Callable[[], object]) -> tuple[float, float]:
    cpu, wall = _children(), time.monotonic()
    run()
    return _children() - cpu, time.monotonic() - wall


def measure(name: str, entries: Entries, times: int, work: Path) -> None:
    """Prints the rows of one preset."""
    predicate = presets.find(name).predicate(runs=ToolRuns(timeout=300.0))
    predicate, _ = predicate.calibrated(entries, work / "first")
    MAKER.wait()
    cold = predicate.cold if isinstance(predicate, WarmPredicate) else predicate
    plain = replace(cold, steps=tuple(replace(step, archive=None) for step in cold.steps))  # type: ignore[type-var]
    ways: dict[str, Callable[[], object]] = {
        "cold, without": lambda: plain.confirm(entries, work / "probe"),
        "cold, with": lambda: cold.confirm(entries, work / "probe"),
    }
    if isinstance(predicate, WarmPredicate):
        command = predicate.commands()[0]
        data = b"".join(predicate.packer.pack(entries))

        def first_answer(with_archive: bool) -> None:
            pool = HostPool(command if with_archive else replace(command, archive=None), work)
            pool.ask(data)
            pool.close()

        ways["host, without"] = lambda: first_answer(False)
        ways["host, with"] = lambda: first_answer(True)
    took: dict[str, list[tuple[float, float]]] = {way: [] for way in ways}
    for _ in range(times):
        for way, run in ways.items():
            took[way].append(_timed(run))
            discard(work / "probe")
    for way, found in took.items():
        cpu, wall = zip(*found, strict=True)
        cells = [min(cpu), statistics.median(cpu), min(wall), statistics.median(wall)]
        print(f"| {name} | {way} | " + " | ".join(f"{cell:.2f}" for cell in cells) + " |", flush=True)
    predicate.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("jar", nargs="?", default="/usr/share/java/jcommander.jar")
    parser.add_argument("--presets", nargs="+", default=["procyon"])
    parser.add_argument("--times", type=int, default=7)
    options = parser.parse_args()
    entries = [(entry.name, entry.data) for entry in read_jar([Path(options.jar)]).entries]
    print("| preset | run | CPU, least | CPU, median | wall, least | wall, median |\n|---|---|---|---|---|---|")
    for name in options.presets:
        with tempfile.TemporaryDirectory(prefix="jarlet-starts-") as work:
            measure(name, entries, options.times, Path(work))


if __name__ == "__main__":
    main()
