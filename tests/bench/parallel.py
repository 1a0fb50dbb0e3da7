"""How much several workers shorten a reduction, and what of it is our own time.

``python -m tests.bench.parallel [JAR] [--wait S] [--needed K] [--workers N ...] [--algorithms A ...]`` reduces the
classes of a jar (without one: 1,000 items that do not depend on each other) to K needed ones with a predicate that
waits S seconds, a real process each time, and prints a table for each algorithm:

* ``seconds`` of wall time, ``probes`` (the same for any number of workers), and runs started ``ahead`` in vain;
* ``best``: the seconds of perfect workers, at the duration of a probe with one worker. In ``binary`` w of them cut an
  interval into w + 1 equal parts a round: for each interval log(n + 1) / log(w + 1) rounds, and one for
  each test before it. In ``ddmin``: for each list probes / w rounds, rounded up;
* ``own``: the seconds in which no probe was waited for: candidates made, searches, events.
"""

from __future__ import annotations

import argparse
import math
import os
import shlex
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from threading import Event as Flag
from typing import Any

from core.archive.jar import read_jar
from core.model import class_model
from core.predicate import process
from core.predicate.command import PredicateCommand
from core.predicate.condition import Condition
from core.predicate.predicate import CommandPredicate
from core.predicate.verdict import Outcome, Verdict
from core.protocol import events
from core.reduction.candidate_tester import CandidateTester, SourceTester
from core.reduction.driver import Driver
from core.reduction.probing.workers import Job, WorkerPool
from core.reduction.records import Reduction
from core.reduction.sources.whole_source import WholeSource
from core.reduction.wiring import Probing
from core.search.minimisers.ddmin import complements_only
from core.search.questions import Algorithm, Enough, First, Least, Test
from core.search.reducers.binary import binary_reduction
from core.search.spaces.class_spaces import Closures, SearchProblem, Space
from core.sets import ItemSet


class WaitingTester:
    """Numbers that are needed or not; each probe is a process that sleeps."""

    def __init__(self, problem: SearchProblem, needed: ItemSet, wait: float, folder: Path) -> None:
        self.count = self.shown_count = problem.count
        self.bytes_of = problem.bytes_of
        self._needed = needed
        self._wait = wait
        self._folder = folder

    def key(self, kept: ItemSet) -> bytes:
        return kept.to_bytes((self.count + 7) // 8, "little")

    def prepare(self, kept: ItemSet, number: int, afresh: bool = False) -> Job:
        def job(cancel: Flag, seconds: float | None) -> Outcome:
            result = process.run(
                process.Launch(["sleep", str(self._wait)], self._folder, dict(os.environ)), seconds, cancel
            )
            verdict = Verdict.INTERESTING if kept & self._needed == self._needed else Verdict.NOT_INTERESTING
            return Outcome(Verdict.UNRESOLVED if result.cancelled else verdict, result.seconds, result.exit, "")

        return job

    def pack(self, kept: ItemSet) -> None:
        pass

    def classes_of(self, kept: ItemSet) -> int:
        return kept.bit_count()

    def shown(self, kept: ItemSet) -> ItemSet:
        return kept


class Watch:
    """Passes an algorithm's questions on and notes what perfect workers would need for them."""

    def __init__(self) -> None:
        self.least: list[int] = []
        self.lists: list[int] = []
        self.tests = 0
        self._probes = 0

    def of(self, algorithm: Algorithm, driver: Driver) -> Algorithm:
        answer: Any = None
        try:
            while True:
                question = algorithm.send(answer)
                before = driver.reduction().counts.probes
                answer = yield question
                probes = driver.reduction().counts.probes - before
                match question:
                    case Test():
                        self.tests += probes
                    case Least(prefixes):
                        self.least.append(len(prefixes))
                    case Enough(_, prefixes):
                        self.tests += 1
                        if answer is not None:
                            self.least.append(len(prefixes))
                    case First():
                        self.lists.append(probes)
        except StopIteration as end:
            result: tuple[int, ...] = end.value
            return result

    def rounds(self, workers: int) -> float:
        bisected = sum(math.log(n + 1) / math.log(workers + 1) for n in self.least)
        return self.tests + bisected + sum(-(-probes // workers) for probes in self.lists)


def reduce(
    tester: CandidateTester, space: Space, algorithm: Algorithm, full: ItemSet, workers: int
) -> tuple[Reduction, Watch]:
    """One reduction; nobody listens."""
    watch = Watch()

    def listen(event: events.Event) -> None:
        events.to_line(event)

    driver = Driver(tester, Probing(listen, pool=WorkerPool(workers)))
    driver.begin(full)
    driver.run(space, watch.of(algorithm, driver))
    return driver.reduction(), watch


ALGORITHMS: dict[str, Callable[[Space], Algorithm]] = {
    "binary": lambda space: binary_reduction(space.elements, space.cost),
    "ddmin": lambda space: complements_only(space.elements),
}


def table(
    name: str,
    start: Callable[[Space], Algorithm],
    make: Callable[[Path], CandidateTester],
    problem: SearchProblem,
    workers: Sequence[int],
) -> None:
    print(f"\n{name}: {problem.count} items\n")
    print("| workers | seconds | best | probes | ahead | own s | CPU s | items left |")
    print("|---:|---:|---:|---:|---:|---:|---:|---:|")
    probe = 0.0
    for count in workers:
        space = Closures(problem)
        with tempfile.TemporaryDirectory() as folder:
            cpu = time.process_time()
            reduction, watch = reduce(make(Path(folder)), space, start(space), (1 << problem.count) - 1, count)
            cpu = time.process_time() - cpu
        counts = reduction.counts
        own = reduction.seconds - counts.covered_seconds
        probe = probe or counts.covered_seconds / max(1, counts.probes)
        print(
            f"| {count} | {reduction.seconds:.1f} | {watch.rounds(count) * probe:.1f} | {counts.probes} "
            f"| {counts.speculated} | {own:.2f} | {cpu:.2f} | {reduction.items.bit_count()} |",
            flush=True,
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("jar", nargs="?", type=Path)
    parser.add_argument("--wait", type=float, default=0.5, metavar="S")
    parser.add_argument("--needed", type=int, default=5, metavar="K")
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 2, 4, 8, 16], metavar="N")
    parser.add_argument("--algorithms", nargs="+", default=list(ALGORITHMS), choices=list(ALGORITHMS))
    options = parser.parse_args()
    if options.jar:
        model = class_model.build(read_jar([options.jar]))
        model.closures  # noqa: B018 - worked out here, not in the first measurement
        source = WholeSource(model)
        problem = source.problem
        step = len(model.graph.nodes) // (options.needed + 1)
        names = [model.graph.nodes[(place + 1) * step].name for place in range(options.needed)]
        asks = " && ".join(f"grep -aq {shlex.quote(name + '.class')} $JARLET_JAR" for name in names)
        command = PredicateCommand.parse(f"sh -c {shlex.quote(f'sleep {options.wait}; {asks}')}")
        predicate = CommandPredicate(command, Condition(), 60.0)

        def make(folder: Path) -> CandidateTester:
            return SourceTester(source, predicate, folder)
    else:
        count = 1000
        problem = SearchProblem(count, [1000 + i for i in range(count)], [1 << i for i in range(count)])
        needed = sum(1 << (place + 1) * count // (options.needed + 1) for place in range(options.needed))

        def make(folder: Path) -> CandidateTester:
            return WaitingTester(problem, needed, options.wait, folder)

    for name in options.algorithms:
        table(name, ALGORITHMS[name], make, problem, options.workers)


if __name__ == "__main__":
    main()
