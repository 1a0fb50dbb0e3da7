"""Whole searches with many workers by a clock that is not real: the program's own driver, and no process runs.

``python -m tests.bench.many_workers [--workers 1 2 4 8 16 64] [--seconds 2] [--uneven 0] [--needed 1 5] [--seeds 2]
[--algorithm auto] [--granularity full] JAR...``: for a failure so many classes must be there, each with the name of one
of its methods, drawn from the jar. Every probe takes ``--seconds``, up to so much of it more as ``--uneven`` says, by
chance; one that is not wanted any more ends at once; what the driver computes takes no time. Prints for each number of
workers the geometric means over jars and seeds: seconds, how many times as fast as one worker that is, probes, and
probes that were begun in vain. Ends with an error where the result is not that of one worker.
"""

from __future__ import annotations

import argparse
import itertools
import math
import random
import re
import tempfile
from collections.abc import Mapping
from pathlib import Path
from threading import Event as Flag

from core.archive.jar import Jar, read_jar
from core.archive.packer import Packer
from core.entries import Entries
from core.library.library import open_library
from core.model.building import build
from core.model.item_model import ItemModel
from core.plan.catalogue import find
from core.plan.search_run import SearchRun
from core.plan.sources import Sources
from core.predicate.verdict import Outcome, Verdict
from core.protocol.settings import Settings
from core.reduction.candidate_tester import SourceTester
from core.reduction.driver import Driver
from core.reduction.probing.workers import Job, ProbeRun
from core.reduction.sources.source import Source, no_pins
from core.reduction.sources.whole_source import WholeSource
from core.reduction.wiring import Probing

_METHOD = re.compile(r"([^.]+)\.(\w+):\(.*!code")

_Needs = Mapping[str, bytes]
"""For a class's entry a name that its file must hold."""


class SimulatedWorkers:
    """Lanes whose jobs are answered at once and end by a clock of their own, as :class:`WorkerPool` has them."""

    waiting = False
    remote = False

    def __init__(self, workers: int, seconds: float, uneven: float = 0.0) -> None:
        self.workers = workers
        self.now = 0.0
        self._seconds, self._uneven = seconds, uneven
        self._dice = random.Random(1)
        self._free = list(range(workers))
        self._runs: list[ProbeRun] = []

    @property
    def free(self) -> int:
        return len(self._free)

    @property
    def busy(self) -> bool:
        return bool(self._runs)

    def start(self, number: int, job: Job, cancel: Flag, seconds: float | None) -> ProbeRun:
        self._free.sort()
        run = ProbeRun(number, self._free.pop(0), cancel, seconds)
        run.outcome = job(cancel, seconds)
        run.ended = self.now + self._seconds * (1 + self._uneven * self._dice.random())
        self._runs.append(run)
        return run

    def wait(self) -> list[ProbeRun]:
        if not self._runs:
            return []
        gone = [run for run in self._runs if run.cancel.is_set()]
        if not gone:
            self.now = min(run.ended for run in self._runs)
            gone = [run for run in self._runs if run.ended <= self.now]
        for run in gone:
            if run.cancel.is_set():
                run.ended = self.now
                run.outcome = Outcome(Verdict.UNRESOLVED, 0.0, None, "cancelled")
            self._runs.remove(run)
            self._free.append(run.lane)
        return gone


class Planted:
    """A predicate that looks for names in the candidate's classes; otherwise as a command's."""

    def __init__(self, needs: _Needs, seconds: float) -> None:
        self._needs, self._seconds = needs, seconds
        self.packer = Packer()

    def probe(self, entries: Entries, work: Path, cancel: Flag | None = None, seconds: float | None = None) -> Outcome:
        """The outcome, at once."""
        found = {name: data for name, data in entries if name in self._needs}
        shows = all(text in found.get(name, b"") for name, text in self._needs.items())
        return Outcome(Verdict.INTERESTING if shows else Verdict.NOT_INTERESTING, self._seconds, 0, "")

    confirm = probe


def planted(model: ItemModel, needed: int, seed: int) -> _Needs:
    """Names of methods, each with the entry of its class, of so many classes."""
    dice = random.Random(seed)
    found = sorted({match.groups() for item in model.items if (match := _METHOD.fullmatch(item.name))})
    return {f"{owner}.class": name.encode() for owner, name in dice.sample(found, needed)}


def search(
    jar: Jar, model: ItemModel, needs: _Needs, options: argparse.Namespace, workers: int
) -> tuple[float, Driver]:
    """Seconds that a search takes, and the driver that made it."""
    pool = SimulatedWorkers(workers, options.seconds, options.uneven)
    with tempfile.TemporaryDirectory() as folder:
        predicate = Planted(needs, options.seconds)
        whole = WholeSource(model.model)

        def tester(source: Source) -> SourceTester:
            return SourceTester(source, predicate, Path(folder), whole.count)  # type: ignore[arg-type]

        sources = Sources(whole, lambda jar, runs: _build(jar, options), tester, no_pins)
        driver = Driver(tester(whole), Probing(lambda event: None, pool=pool))
        driver.begin(whole.full)
        settings = Settings(predicate="x", granularity=options.granularity)
        find(options.algorithm).plan(SearchRun(driver, sources, None, settings, lambda event: None))
    return pool.now, driver


def _build(jar: Jar, options: argparse.Namespace) -> ItemModel:
    library = open_library()
    model = build(jar, library, options.granularity, "src")
    library.close()
    return model


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("jars", nargs="+", type=Path)
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 2, 4, 8, 16, 64])
    parser.add_argument("--seconds", type=float, default=2.0)
    parser.add_argument("--uneven", type=float, default=0.0)
    parser.add_argument("--needed", type=int, nargs="+", default=[1, 5])
    parser.add_argument("--seeds", type=int, default=2)
    parser.add_argument("--algorithm", default="auto")
    parser.add_argument("--granularity", default="full")
    options = parser.parse_args()
    print("| needed | workers | seconds | times as fast | probes | in vain |\n|---:|---:|---:|---:|---:|---:|")
    inputs = [(jar, _build(jar, options)) for jar in map(read_jar, ([path] for path in options.jars))]
    for needed in options.needed:
        alone: list[tuple[float, ...]] = []
        for workers in options.workers:
            found = []
            for number, ((jar, model), seed) in enumerate(itertools.product(inputs, range(options.seeds))):
                seconds, driver = search(jar, model, planted(model, needed, seed), options, workers)
                counts = driver.reduction().counts
                if len(alone) <= number:
                    alone.append((driver.best.bytes, counts.probes, seconds))
                assert (driver.best.bytes, counts.probes) == alone[number][:2], "another result than one worker's"
                found.append((seconds, alone[number][2] / seconds, counts.probes, counts.speculated + 1))
            cells = [math.exp(sum(map(math.log, values)) / len(values)) for values in zip(*found, strict=True)]
            print(
                f"| {needed} | {workers} | {cells[0]:.0f} | {cells[1]:.2f} | {cells[2]:.0f} | {cells[3] - 1:.0f} |",
                flush=True,
            )


if __name__ == "__main__":
    main()
