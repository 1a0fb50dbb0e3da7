"""A reduction in a session, as a process that can be killed: ``python -m tests.system.resume_child --help``.

It uses the driver, a session's folder and a command predicate, and nothing of the command line. Before each probe
it writes ``FOLDER KEY`` to a file, so that a predicate that notes its ``JARLET_WORK`` tells which candidates it judged.
"""

from __future__ import annotations

import argparse
import resource
import sys
from pathlib import Path

from core.archive.jar import read_jar
from core.errors import JarletError
from core.model import class_model
from core.predicate.command import PredicateCommand
from core.predicate.condition import Condition
from core.predicate.predicate import CommandPredicate
from core.protocol import events
from core.reduction.candidate_tester import CandidateTester
from core.reduction.elements import WholeElements
from core.reduction.probing.workers import Job
from core.search.minimisers.ddmin import complements_only
from core.search.questions import Algorithm
from core.search.reducers.binary import binary_reduction
from core.search.spaces import Classes, Closures, SearchProblem, Space
from core.store.fingerprint import fingerprint
from core.store.session import Session
from core.system.work_folder import WorkFolder
from tests.support.driving import NotingObserver, driver_of


def _ddmin(problem: SearchProblem) -> tuple[Space, Algorithm]:
    space = Classes(problem)
    return space, complements_only(space.elements)


def _closure(problem: SearchProblem) -> tuple[Space, Algorithm]:
    space = Closures(problem)
    return space, complements_only(space.elements)


def _binary(problem: SearchProblem) -> tuple[Space, Algorithm]:
    space = Closures(problem)
    return space, binary_reduction(space.elements, space.cost)


ALGORITHMS = {"ddmin": _ddmin, "closure": _closure, "binary": _binary}


class NotingTester(CandidateTester):
    """Notes which candidate each probe's folder holds."""

    notes: Path

    def prepare(self, items: int, number: int, afresh: bool = False) -> Job:
        with self.notes.open("a") as file:
            file.write(f"{self._folder / f'probe-{number:05d}'} {self.key(items).hex()}\n")
        return super().prepare(items, number, afresh)


def reduce(options: argparse.Namespace) -> None:
    jar = read_jar([options.input])
    if (options.session / "settings.json").exists():
        session = Session.open(options.session)
        session.same_input(jar)
    else:
        session = Session.create(options.session, jar, {"algorithm": options.algorithm})
    with session, WorkFolder(options.work) as work:
        model = class_model.build(jar)
        elements = WholeElements(model)
        problem = elements.problem
        template = f"{options.script} {{jar}}"
        condition = Condition()
        predicate = CommandPredicate(PredicateCommand.parse(template), condition=condition, timeout=30.0)
        tester = NotingTester(
            elements, predicate, work.path, elements.count, predicate.confirm, lambda predicate: predicate
        )
        tester.notes = options.notes
        search = {"algorithm": options.algorithm}
        memory = session.memory(fingerprint(predicate, condition, template=template), predicate.timeout, search)
        for warning in session.warnings:
            print(warning, file=sys.stderr)
        observer = NotingObserver()

        def listen(event: events.Event) -> None:
            if isinstance(event, events.Accepted):
                session.accept(event, model.entries(observer.bests[-1].items))

        driver = driver_of(tester, listen, workers=options.workers, memory=memory, observer=observer)
        print("started", flush=True)
        if options.file_limit:
            resource.setrlimit(resource.RLIMIT_FSIZE, (options.file_limit, options.file_limit))
        driver.begin(model.full)
        space, algorithm = ALGORITHMS[options.algorithm](problem)
        driver.run(space, algorithm)
        reduction = driver.reduction()
        session.finish(reduction.reason, {"probes": reduction.counts.probes, "cached": reduction.counts.cached})
        print(f"{reduction.reason} {reduction.best.items:x} {reduction.counts.probes}", flush=True)


def main() -> int:
    parser = argparse.ArgumentParser()
    for name in ("session", "input", "script", "notes", "work"):
        parser.add_argument(name, type=Path)
    parser.add_argument("--algorithm", default="ddmin", choices=ALGORITHMS)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--file-limit", type=int, default=0)
    try:
        reduce(parser.parse_args())
    except JarletError as error:
        print(error, file=sys.stderr)
        return error.exit_code
    return 0


if __name__ == "__main__":
    sys.exit(main())
