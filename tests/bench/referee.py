"""The referee: ``python -m tests.bench.referee JAR... --count 200 --granularity member --validity jvm``.

Draws random valid sub-inputs of each jar, writes them, and has programs that nobody here wrote judge them: the
virtual machine loads, verifies and links every class and resolves every member (``tests/bench/java/referee``),
reflection reads all that there is to read of each class (not for ``jvm``, where declarations may name what is not
there), ProGuard looks for what is missing. Counted is only what the full input does not show already.
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
import sys
import tempfile
import time
import zipfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

from core.archive.jar import read_jar, write_jar
from core.archive.packer import Packer
from core.entries import Entries
from core.library.jdk import Jdk
from core.library.library import open_library
from core.protocol.run_words import VALIDITIES
from tests.bench.referee_judges import PROGUARD, Machine, Problem, Referee
from tests.bench.referee_proguard import class_files, jdk_library, mentioned, readable
from tests.bench.referee_rewriting import Changed, as_drawn, rewriter
from tests.bench.referee_sampling import sample

BATCH = 25  # sub-inputs that are drawn while as many are judged
SHOWN = 3
ALL = "all"  # the target of a finding of reflection that concerns all fields, methods and so on of a class
_MISSING = re.compile(
    r"(?:NoClassDefFoundError: |ClassNotFoundException: )(?:\[+L)?([\w/$-]+)|([\w/$-]+) is missing"
    r"|Type ([\w/$-]+) not present"
)
_COPY = re.compile(r"^(META-INF/versions/\d+|WEB-INF/classes)/")
JUDGES = ("machine", "reflection", "proguard")
Judged = tuple[Path, int, list[Problem], int]
"""A jar, its classes, its new problems, and the number of those that cannot be told."""


@dataclass
class Case:
    """A jar with what it needs, and what its full input shows."""

    jar: Path
    class_path: tuple[Path, ...]
    validity: str
    libraries: tuple[Path, ...] = ()
    """Libraries that ProGuard is told of; empty: ProGuard is not asked."""
    reflects: bool = True
    """True if reflection judges."""
    moves: bool = False
    """True if rewriting may have moved members: then a finding of the full input in one class is known in all."""
    shown: set[tuple[str, str, str]] = field(default_factory=set)
    """Problems that the full input shows."""
    known: set[tuple[str, str, str]] = field(default_factory=set)
    """These, and the same in other words."""
    broken: set[str] = field(default_factory=set)
    """Classes that are not there for the full input, or cannot be loaded or linked in it: nothing can be told
    of what uses them."""
    absent: set[str] = field(default_factory=set)
    """Classes that the full input names, or findings in it say are missing, and that are nowhere: no candidate can have
    them."""
    unlisted: set[tuple[str, str]] = field(default_factory=set)
    """Classes and kinds of members that reflection cannot list in the full input: nothing can be told of those."""

    @property
    def level(self) -> str:
        """Level of findings that the virtual machine is asked for."""
        return "jvm" if self.validity == "jvm" else "all" if self.reflects else "src"

    def judge(self, referee: Referee, machine: Machine, jars: Sequence[Path]) -> list[set[Problem]]:
        """The problems of each of *jars* that count at this validity."""
        verdicts = [set(verdict.problems) for verdict in machine.judge(jars)]
        if self.libraries:
            for problems, verdict in zip(verdicts, referee.proguard(jars, self.libraries), strict=True):
                problems |= verdict.problems
        levels = {"jvm"} if self.validity == "jvm" else {"jvm", "src", "reflection"}
        return [{problem for problem in problems if problem.level in levels} for problems in verdicts]

    def learn(self, problems: Iterable[Problem]) -> None:
        """Remembers what the full input shows."""
        for problem in problems:
            self.shown.add(problem.key)
            self.known.add(problem.key)
            if problem.kind in ("load", "link"):
                self.broken.add(problem.type)
            if problem.kind in ("load", "link", "class"):
                self.broken.add(problem.target)
            if problem.target == ALL:
                self.unlisted.add((problem.type, problem.kind))
            # reflection meets the same under another descriptor, the machine a missing class in another place
            self.known.add((problem.type, problem.kind, problem.message))
            if self.moves:
                self.known.add(("", problem.kind, problem.message))
            self.absent.update(_missing(problem))

    def new(self, problems: set[Problem]) -> tuple[list[Problem], int]:
        """The problems that the full input does not show, and how many more cannot be told."""
        beyond = sorted(problem for problem in problems if self.known.isdisjoint(_keys(problem)))
        told = [
            problem
            for problem in beyond
            if problem.type not in self.broken
            and problem.owner not in self.broken
            and self.absent.isdisjoint(_missing(problem))
            and (problem.level != "reflection" or self._readable(problem))
        ]
        return told, len(beyond) - len(told)

    def _readable(self, problem: Problem) -> bool:
        """Return True if reflection can list such members in the full input, and the message names no class that is
        missing there."""
        named = problem.message.replace(".", "/").replace(":", " ").split()
        return (problem.type, problem.kind) not in self.unlisted and self.broken.isdisjoint(named)


def _keys(problem: Problem) -> tuple[tuple[str, str, str], ...]:
    """Return the keys of a finding: itself; its message in the same class; its message in any class."""
    return problem.key, (problem.type, problem.kind, problem.message), ("", problem.kind, problem.message)


def _missing(problem: Problem) -> set[str]:
    """The classes that a message says are missing."""
    return {name for names in _MISSING.findall(problem.message.replace(".", "/")) for name in names if name}


@dataclass
class Row:
    """A line of the table."""

    jar: str
    granularity: str
    validity: str
    classes: int = 0
    samples: int = 0
    sample_classes: int = 0
    known: int = 0
    invalid: int = 0
    judges: dict[str, int] = field(default_factory=lambda: dict.fromkeys(JUDGES, 0))
    """The sub-inputs that are invalid, by each judge that finds them so."""
    excused: int = 0
    """Problems with classes that the full input cannot load either."""
    seconds: float = 0.0
    sampling_seconds: float = 0.0
    problems: list[Problem] = field(default_factory=list)


def run(
    jar: Path,
    class_path: Sequence[Path],
    options: argparse.Namespace,
    referee: Referee,
    folder: Path,
    draw: Callable[..., Iterable[Entries]] = sample,
) -> Row:
    """Judges the sub-inputs of one jar."""
    start = time.perf_counter()
    row = Row(jar.name, options.granularity, options.validity)
    reflects, moves = not options.no_reflection, options.rewritten
    case = Case(jar, tuple(class_path), options.validity, reflects=reflects, moves=moves)
    if not options.no_proguard:
        # It is an error to ProGuard to be given a file twice, if by different names.
        files = dict.fromkeys(path.resolve() for path in class_path)
        paths = [readable(path, folder) for path in files]
        case.libraries = (jdk_library(jar, list(files), folder / f"jdk-{jar.name}"), *paths)
    full = folder / f"full-{jar.name}"
    shutil.copyfile(jar, full)
    jdk, case.absent = surroundings(full, class_path)
    with referee.resident(case.class_path, case.level, full, jdk) as machine, ThreadPoolExecutor(1) as pool:
        case.learn(case.judge(referee, machine, [full])[0])
        row.classes = class_count(full)
        row.known = len(case.shown)
        given = () if options.alone else class_path
        samples = draw(jar, options.count, options.seed, options.granularity, options.validity, class_path=given)
        change = rewriter(class_path, options.seed) if options.rewritten else as_drawn
        changed = timed(map(change, samples), row)
        judged: Future[list[Judged]] | None = None
        number = 0
        while batch := list(islice(changed, BATCH)):
            jars = write(batch, folder, jar.stem, number)
            number += len(batch)
            if judged:
                collect(judged.result(), row, options.keep)
            judged = pool.submit(judge, case, referee, machine, jars)
        if judged:
            collect(judged.result(), row, options.keep)
    for path in (full, *case.libraries):
        if path.parent == folder:
            path.unlink()
    row.seconds = time.perf_counter() - start
    return row


def surroundings(jar: Path, class_path: Sequence[Path]) -> tuple[Jdk, set[str]]:
    """The JDK that can run *jar*, and the classes that it names and that are nowhere: not in it, its class path, or
    the JDK."""
    library = open_library(class_path, read_jar([jar]))
    own = {_COPY.sub("", name.removesuffix(".class")) for name, _ in class_files(jar)}
    try:
        return library.jdk, {name for name in mentioned([jar]) - own if library.class_bytes(name) is None}
    finally:
        library.close()


def class_count(jar: Path) -> int:
    """Class files in *jar*."""
    with zipfile.ZipFile(jar) as archive:
        return sum(name.endswith(".class") for name in archive.namelist())


def timed(samples: Iterable[Changed], row: Row) -> Iterator[Changed]:
    """*samples*, with the time that it takes to draw them."""
    source = iter(samples)
    while True:
        start = time.perf_counter()
        changed = next(source, None)
        row.sampling_seconds += time.perf_counter() - start
        if changed is None:
            return
        yield changed


def write(batch: list[Changed], folder: Path, stem: str, first: int) -> dict[Path, Changed]:
    """Writes sub-inputs as jars."""
    packer = Packer(level=1)
    jars = {folder / f"{stem}-{number:05}.jar": changed for number, changed in enumerate(batch, first)}
    for jar, changed in jars.items():
        write_jar(jar, changed.entries, packer=packer, durable=False)
    return jars


def judge(case: Case, referee: Referee, machine: Machine, jars: dict[Path, Changed]) -> list[Judged]:
    """For each of *jars*: classes, new problems, problems that cannot be told. Names are those of the full input."""
    judged = []
    for (jar, changed), problems in zip(jars.items(), case.judge(referee, machine, list(jars)), strict=True):
        undone = {problem: problem.named(changed.renaming.undone) for problem in problems}
        new, untold = case.new(set(undone.values()))
        if new and changed.entries is not changed.drawn:
            before = shown_before(case, referee, machine, jar, changed)
            same = changed.renaming.is_same
            new, _ = case.new(
                {
                    undone[each]
                    for each in problems
                    if not any(kind == each.kind and same(each.message, message) for kind, message in before)
                }
            )
        judged.append((jar, class_count(jar), new, untold))
    return judged


def shown_before(case: Case, referee: Referee, machine: Machine, jar: Path, changed: Changed) -> set[tuple[str, str]]:
    """The kinds and messages of all problems of a sub-input before it was rewritten. What rewriting only moves into
    another class is not blamed on it."""
    drawn = jar.with_name(f"drawn-{jar.name}")
    write_jar(drawn, changed.drawn, packer=Packer(level=1), durable=False)
    (problems,) = case.judge(referee, machine, [drawn])
    drawn.unlink()
    return {(each.kind, each.message) for each in problems}


def collect(results: list[Judged], row: Row, keep: Path | None) -> None:
    """Counts the results of a batch and removes its jars; those that fail go to the folder *keep*."""
    for jar, classes, problems, excused in results:
        row.samples += 1
        row.sample_classes += classes
        row.excused += excused
        if problems:
            row.invalid += 1
            for name in {problem.judge for problem in problems}:
                row.judges[name] += 1
            row.problems += [problem for problem in problems if problem not in row.problems]
            if keep:
                keep.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(jar, keep / f"{row.granularity}-{row.validity}-{jar.name}")
                text = "".join(f"{p.type}\t{p.level}\t{p.kind}\t{p.target}\t{p.message}\n" for p in problems)
                (keep / f"{row.granularity}-{row.validity}-{jar.stem}.txt").write_text(text, encoding="utf-8")
        jar.unlink()


def printed(row: Row) -> str:
    """The row of the table, with the first problems below."""
    mean = row.sample_classes / row.samples if row.samples else 0
    judges = "/".join(str(row.judges[name]) for name in JUDGES)
    lines = [
        f"{row.jar:36} {row.granularity:6} {row.validity:6} {row.classes:7} {row.samples:7} {mean:9.1f}"
        f" {row.known:6} {row.excused:7} {row.invalid:7} {judges:>8} {row.sampling_seconds:8.1f} {row.seconds:7.1f}"
    ]
    lines += [f"    {p.type}: {p.kind} {p.target}: {p.message}" for p in row.problems[:SHOWN]]
    return "\n".join(lines)


HEAD = (
    f"{'jar':36} {'items':6} {'':6} {'classes':>7} {'samples':>7} {'mean size':>9}"
    f" {'known':>6} {'excused':>7} {'INVALID':>7} {'by judge':>8} {'sampling':>8} {'seconds':>7}"
)


def inputs(options: argparse.Namespace) -> Iterator[tuple[Path, list[Path]]]:
    """The jars with their class paths, from the command line and the list."""
    for jar in options.jars:
        yield jar, paths(options.class_path)
    if options.list:
        for line in options.list.read_text(encoding="utf-8").splitlines():
            jar, _, class_path = line.partition("\t")
            yield Path(jar), paths(class_path)


def paths(text: str) -> list[Path]:
    return [Path(part) for part in text.split(":") if part]


def main(arguments: Sequence[str] | None = None) -> int:
    """Returns 1 when a sub-input is invalid."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.referee", description=__doc__)
    parser.add_argument("jars", nargs="*", type=Path, metavar="JAR")
    parser.add_argument("--list", type=Path, help="a file with a jar and, behind a tab, its class path in each line")
    parser.add_argument("--class-path", default="", help="for the jars named on the command line, with : between")
    parser.add_argument("--count", type=int, default=200, help="sub-inputs of each jar")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--granularity", choices=("class", "member", "full"), default="member")
    parser.add_argument("--validity", choices=VALIDITIES, default="jvm")
    parser.add_argument("--rewritten", action="store_true", help="judge random rewritings of the sub-inputs")
    parser.add_argument("--alone", action="store_true", help="give the class path to the judges, not to the model")
    parser.add_argument("--keep", type=Path, help="folder for the sub-inputs that are invalid")
    parser.add_argument("--no-proguard", action="store_true")
    parser.add_argument("--no-reflection", action="store_true")
    parser.add_argument("--json", action="store_true", help="a JSON object per jar instead of the table")
    options = parser.parse_args(arguments)
    if not options.no_proguard and not PROGUARD.exists():
        parser.error(f"{PROGUARD} is not there: install Debian's package proguard, or say --no-proguard")
    invalid = 0
    if not options.json:
        print(HEAD)
    with tempfile.TemporaryDirectory(prefix="jarlet-referee-") as name:
        referee = Referee(Path(name))
        for jar, class_path in inputs(options):
            row = run(jar, class_path, options, referee, Path(name))
            invalid += row.invalid
            print(json.dumps(row, default=as_json) if options.json else printed(row), flush=True)
    return 1 if invalid else 0


def as_json(value: object) -> object:
    """Dataclasses as JSON objects."""
    names = getattr(type(value), "__dataclass_fields__", {})
    return {name: getattr(value, name) for name in names}


if __name__ == "__main__":
    sys.exit(main())
