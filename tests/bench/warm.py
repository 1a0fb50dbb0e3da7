"""Resident Java processes against cold ones: ``python -m tests.bench.warm [--presets procyon cfr] [JAR:CLASSES ...]``.

For each preset and jar a stream of candidates of about so many classes: unions of closures of random classes, and (a
line of its own) random valid sub-inputs of such a union below the class. The first ones warm up; the others are run
warm and cold, and the names of their failures compared. Prints a Markdown table: medians of wall-clock and CPU seconds,
ratios, and how many candidates had the same names. ``whole`` is a host that keeps no sources between candidates.
"""

from __future__ import annotations

import argparse
import os
import random
import resource
import shutil
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

from core.archive.jar import Jar, read_jar
from core.entries import Entries
from core.library.library import open_library
from core.model import building, class_model
from core.model.rules.base import SRC
from core.model.solver import draw
from core.predicate import presets
from core.predicate.failures import Statement, Wanted
from core.predicate.jvm.warm import WarmPredicate
from core.predicate.predicate import discard
from core.predicate.tool_chain import StepsPredicate

JARS = ("/usr/share/java/commons-codec.jar:20", "/usr/share/java/commons-lang3.jar:200")
_TICKS = os.sysconf("SC_CLK_TCK")


def unions(model: class_model.ClassModel, size: int, count: int, seed: int) -> Iterator[int]:
    """Closed sets of about *size* classes."""
    dice = random.Random(seed)
    classes = [number for number in range(len(model.items)) if model.class_items >> number & 1]
    for _ in range(count):
        best = 0
        for _ in range(20):  # a closure may be far too large: the nearest of some tries
            kept = 0
            for number in dice.sample(classes, len(classes)):
                joined = (kept | model.closures[number]) & model.class_items
                if joined.bit_count() <= size * 1.15:
                    kept = joined
                if kept.bit_count() >= size * 0.9:
                    break
            best = min(best, kept, key=lambda mask: abs(mask.bit_count() - size))
            if best.bit_count() >= size * 0.9:
                break
        yield best


def class_stream(jar: Jar, size: int, count: int, seed: int) -> list[Entries]:
    """Candidates of whole classes."""
    model = class_model.build(jar)
    return [model.entries(kept) for kept in unions(model, size, count, seed)]


def member_stream(jar: Jar, size: int, count: int, seed: int) -> list[Entries]:
    """Candidates with parts of classes removed, all of one union of closures."""
    model = class_model.build(jar)
    kept = next(unions(model, size, 1, seed))
    named = dict(model.entries(kept))
    part = replace(jar, entries=tuple(entry for entry in jar.entries if entry.name in named))
    library = open_library(())
    fine = building.build(part, library, "member", SRC)
    full = list(draw(fine, count * 8, seed))
    full.sort(key=lambda mask: -mask.bit_count())
    chosen = full[:count]
    random.Random(seed).shuffle(chosen)
    return [fine.entries(mask) for mask in chosen]


def cpu_of(pids: list[int]) -> float:
    """CPU seconds that the processes have taken until now."""
    total = 0
    for pid in pids:
        words = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        total += int(words[11]) + int(words[12])
    return total / _TICKS


def children_cpu() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def timed(action: Callable[[], tuple[str, ...]], clock: Callable[[], float]) -> tuple[tuple[str, ...], float, float]:
    """What came of it, wall seconds, CPU seconds."""
    cpu, wall = clock(), time.monotonic()
    names = action()
    return names, time.monotonic() - wall, clock() - cpu


def measure(preset: str, stream: list[Entries], warm_up: int, folder: Path) -> dict[str, object]:
    """The figures of one line."""
    built = presets.find(preset).predicate(wanted=Wanted(Statement.AT_LEAST))
    assert isinstance(built, WarmPredicate)
    cold: StepsPredicate = built.cold
    commands = built.commands()
    rows: dict[str, list[tuple[tuple[str, ...], float, float]]] = {}
    firsts = []
    for mode, command in zip(("reuse", "whole"), commands, strict=True):
        hosts = WarmPredicate(cold, lambda command=command: (command,))  # type: ignore[misc]
        assert hosts._hosts.adopt(hosts.commands, folder) is not None
        rows[mode] = []
        for number, entries in enumerate(stream):
            work = folder / "warm"

            def ask(entries: Entries = entries, hosts: WarmPredicate = hosts, work: Path = work) -> tuple[str, ...]:
                return cold.condition.failures(hosts.ask(entries, work).stderr.text, str(work))

            row = timed(ask, lambda hosts=hosts: cpu_of(list(hosts.residents())))  # type: ignore[misc]
            discard(work)
            if number == 0:
                firsts.append(row[1])
            if number >= warm_up:
                rows[mode].append(row)
        hosts.close()
    rows["cold"] = []
    for entries in stream[warm_up:]:
        work = folder / "cold"

        def run(entries: Entries = entries, work: Path = work) -> tuple[str, ...]:
            return cold.confirm(entries, work).failures

        rows["cold"].append(timed(run, children_cpu))
        discard(work)
    same = {mode: sum(a[0] == b[0] for a, b in zip(rows[mode], rows["cold"], strict=True)) for mode in rows}
    return {
        "wall": {mode: statistics.median(row[1] for row in found) for mode, found in rows.items()},
        "cpu": {mode: statistics.median(row[2] for row in found) for mode, found in rows.items()},
        "same": same,
        "count": len(rows["cold"]),
        "names": sum(len(row[0]) for row in rows["cold"]),
        "first": firsts[0],
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("jars", nargs="*", default=JARS, metavar="JAR:CLASSES")
    parser.add_argument("--presets", nargs="*", default=["procyon", "cfr", "vineflower"])
    parser.add_argument("--warm-up", type=int, default=6)
    parser.add_argument("--count", type=int, default=5)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="jarlet-warm-"))
    print("| preset | jar | candidates | cold s (CPU) | warm s (CPU) | ratio (CPU) | whole s | ratio | same names |")
    print("|---|---|---|---:|---:|---:|---:|---:|---:|")
    try:
        for text in arguments.jars:
            path, _, size = text.rpartition(":")
            jar = read_jar([path])
            for title, make in (("classes", class_stream), ("members", member_stream)):
                stream = make(jar, int(size), arguments.warm_up + arguments.count, arguments.seed)
                counts = [sum(name.endswith(".class") for name, _ in entries) for entries in stream]
                for preset in arguments.presets:
                    lacking = presets.find(preset).fetch()
                    if lacking:
                        print(f"| {preset} | {lacking} |", flush=True)
                        continue
                    found = measure(preset, stream, arguments.warm_up, folder)
                    wall, cpu = found["wall"], found["cpu"]
                    assert isinstance(wall, dict)
                    assert isinstance(cpu, dict)
                    same = found["same"]
                    assert isinstance(same, dict)
                    print(
                        f"| {preset} | {Path(path).name} | {title}, {min(counts)} to {max(counts)} "
                        f"| {wall['cold']:.2f} ({cpu['cold']:.2f}) | {wall['reuse']:.2f} ({cpu['reuse']:.2f}) "
                        f"| {wall['cold'] / wall['reuse']:.1f} ({cpu['cold'] / max(cpu['reuse'], 0.01):.1f}) "
                        f"| {wall['whole']:.2f} | {wall['cold'] / wall['whole']:.1f} "
                        f"| {same['reuse']} and {same['whole']} of {found['count']} ({found['names']} names) |",
                        flush=True,
                    )
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
