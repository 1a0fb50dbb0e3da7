"""Do source-valid sub-inputs stay source? ``python -m tests.bench.sources JAR... --count 10 --granularity member``.

A decompiler (``--decompiler procyon``, cfr or vineflower) reads random sub-inputs of validity ``src``, javac compiles
what comes out. Each error is blamed: ``full`` is of a file in which the full input's sources have an error of that
kind, or one of text; ``text`` is no Java, whatever there is beside it; ``debug`` is one that goes when the debug
information comes back, with nothing else (a class file without is a whole class file: the decompiler has to guess the
types of local variables); ``tool`` is one that the decompiler shows for classes that javac made, too, in the same line
(:mod:`tests.bench.second_sources`); all others come from the choice of items, ``model``. Classes for other versions of
Java, below META-INF/versions, are left out: decompilers write them to the files of the others. Files with
an error of ``text`` are set aside, their classes put on the class path, and the others compiled again: javac looks up
no name before every file is parsed.
Printed as Markdown: a row a jar ("compile": but for ``full``), then the errors by blame and kind with examples.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from pathlib import Path

from core.archive.jar import read_jar, write_jar
from core.classfile.symbolic.part_kinds import PartKind
from core.entries import Entries
from core.library.library import open_library
from core.model import building
from core.model.item_model import ItemModel
from core.model.solver import draw
from core.predicate.presets import find
from core.sets import ItemSet
from tests.bench.resident import Resident
from tests.bench.second_sources import Sample, remade

SHOWN = 3
_ERROR = re.compile(r"^(?P<file>[^\s:]+\.java):(?P<line>\d+):\d+: compiler\.err\.(?P<key>[\w.]+)(?:: (?P<rest>.*))?$")
_TEXT = re.compile(
    r"expected\d?|illegal\.(start\.of\.\w+|char|esc\.char)|not\.stmt|premature\.eof|orphaned|unclosed\.\w+(\.\w+)?|"
    r"else\.without\.if|catch\.without\.try|variable\.not\.allowed|class\.not\.allowed|int\.number\.too\.large|"
    r"invalid\.meth\.decl\.ret\.type\.req|try\.without\.catch.*|void\.not\.allowed\.here|underscore\.as\.identifier"
)
"""Errors of javac's scanner and parser."""
_SAME = {"cant.apply.symbols": "cant.apply.symbol"}
"""Keys that differ by how many methods of that name javac had to choose from, which others may leave or join."""
_BEHIND = 100_000
"""Empty lines before the second source file of a name, twice as many before the third ...: javac names files without
their folders, and its line numbers tell them apart."""
BLAMES = ("model", "debug", "tool", "text", "full")
DECOMPILERS = ("procyon", "cfr", "vineflower")
QUIET = ("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xss8m")


@dataclass(frozen=True, order=True)
class Problem:
    """An error of javac: ``kind`` is its key, for names that cannot be found with what kind of name it is."""

    kind: str
    file: str
    text: str

    @property
    def source(self) -> str:
        """The line of source that it is in."""
        return self.text.partition(" | ")[2]

    @property
    def is_text(self) -> bool:
        """Whether javac could not even parse it."""
        return _TEXT.fullmatch(self.kind) is not None


@dataclass
class Row:
    """What came of one jar."""

    jar: str
    granularity: str
    classes: int = 0
    broken: set[tuple[str, str]] = field(default_factory=set)
    """Source files of the full input that do not compile, each with the kinds of errors."""
    samples: int = 0
    kept: int = 0
    clean: int = 0
    sound: int = 0
    """Sub-inputs without an error that is the model's."""
    problems: Counter[tuple[str, str]] = field(default_factory=Counter)
    """By blame and kind."""
    examples: dict[tuple[str, str], list[str]] = field(default_factory=dict)
    seconds: float = 0.0


def sources_of(tools: Resident, decompiler: Sequence[str], jar: Path, folder: Path) -> None:
    """Has the decompiler write the sources of *jar* below *folder*."""
    words = {"{jar}": str(jar), "{out}": str(folder)}
    tools.run(*(words.get(word, word) for word in decompiler))
    for paths in _by_name(folder).values():
        for number, path in enumerate(paths[1:], 1):
            path.write_bytes(b"\n" * _BEHIND * number + path.read_bytes())


def _by_name(folder: Path) -> dict[str, list[Path]]:
    """The source files below a folder, in order, by what javac calls them."""
    places: dict[str, list[Path]] = {}
    for path in sorted(folder.rglob("*.java")):
        places.setdefault(path.name, []).append(path)
    return places


def compile_errors(tools: Resident, folder: Path, class_path: Sequence[Path], entries: Entries) -> list[Problem]:
    """What javac says of the sources below *folder*, which are those of the classes *entries*."""
    files = sorted(path for path in folder.rglob("*.java") if path.name != "module-info.java")
    found = _compiled(tools, folder, files, class_path)
    unread = {problem.file for problem in found if problem.is_text}
    if not unread:
        return found
    places = {name.removesuffix(".java") for name in unread}
    beside = folder / "unread.jar"
    write_jar(beside, [entry for entry in entries if entry[0][:-6].partition("$")[0] in places], durable=False)
    readable = [path for path in files if str(path.relative_to(folder)) not in unread]
    told = [problem for problem in found if problem.is_text]
    return [*told, *_compiled(tools, folder, readable, [beside, *class_path])]


def _compiled(tools: Resident, folder: Path, files: Sequence[Path], class_path: Sequence[Path]) -> list[Problem]:
    if not files:
        return []
    listed = folder / "sources.txt"
    listed.write_text("".join(f'"{path}"\n' for path in files), encoding="utf-8")
    out = folder / "classes"
    said = tools.run(
        "javac", "-proc:none", "-nowarn", "-encoding", "UTF-8", "-Xmaxerrs",
        "100000", "-XDrawDiagnostics", "-XDshould-stop.ifError=FLOW", "-implicit:none", "-sourcepath", str(out),
        "-cp", os.pathsep.join(map(str, class_path)) or str(out), "-d", str(out), f"@{listed}",
    )  # fmt: skip
    return list(_problems(said, _by_name(folder), folder))


def _problems(said: str, places: dict[str, list[Path]], folder: Path) -> Iterator[Problem]:
    for line in said.splitlines():
        match = _ERROR.match(line)
        if match and "<any>" not in (match["rest"] or ""):  # of a type that javac has complained about before
            behind, number = divmod(int(match["line"]), _BEHIND)
            path = places.get(match["file"], [Path(match["file"])])[behind]
            key, rest = match["key"], match["rest"] or ""
            key = _SAME.get(key, key)
            kind = f"{key} ({rest.split(',')[0].removeprefix('kindname.')})" if key.startswith("cant.resolve") else key
            source = _line(path, int(match["line"]))
            name = str(path.relative_to(folder)) if path.is_absolute() else str(path)
            yield Problem(kind, name, f"{name}:{number}: {rest[:160]} | {source}")


def _line(path: Path, number: int) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace").splitlines()[number - 1].strip()[:160]
    except (OSError, IndexError):
        return ""


def run(tools: Resident, jar: Path, class_path: Sequence[Path], options: argparse.Namespace, folder: Path) -> Row:
    """Judges the sub-inputs of one jar."""
    start = time.perf_counter()
    row = Row(jar.name, options.granularity)
    library = open_library(class_path)
    model = building.build(read_jar([jar]), library, options.granularity, "src")
    row.classes = len(model.model.graph.nodes)

    def problems(kept: ItemSet, place: Path) -> list[Problem]:
        place.mkdir()
        entries = classes_of(model, kept)
        row.kept += len(entries)
        if not entries:
            return []
        write_jar(place / "part.jar", entries, durable=False)
        sources_of(tools, options.command, place / "part.jar", place / "src")
        return compile_errors(tools, place / "src", class_path, entries)

    row.broken = {(one.file, one.kind) for one in problems((1 << len(model.items)) - 1, folder / "full")}
    row.kept = 0
    shutil.rmtree(folder / "full")
    for number, kept in enumerate(draw(model, options.count, options.seed)):
        place = folder / str(number)
        found = problems(kept, place)
        again: list[Problem] = []
        if any(not problem.is_text and not blamed_on_full(row, problem) for problem in found):
            classes = row.kept
            again = problems(with_debug(model, kept), folder / f"{number}-debug")
            row.kept = classes
        sample = Sample(place / "part.jar", classes_of(model, kept), class_path)
        files = suspects(row, found, again) if again else set()
        own = own_problems(tools, options.command, others_than(options.decompiler), sample, files)
        blames = [(blame, problem) for blame, problem in judge(row, found, again, own) if blame != "full"]
        if options.keep and blames:
            kept_in = options.keep / f"{jar.stem}-{options.granularity}-{number}"
            shutil.copytree(place, kept_in, dirs_exist_ok=True)
            told = "".join(f"{blame} {problem.kind} {problem.text}\n" for blame, problem in blames)
            (kept_in / "problems.txt").write_text(told, encoding="utf-8")
        shutil.rmtree(place)
        shutil.rmtree(folder / f"{number}-debug", ignore_errors=True)
    row.seconds = time.perf_counter() - start
    return row


def classes_of(model: ItemModel, kept: ItemSet) -> Entries:
    """The class files of a sub-input, without those for other versions of Java."""
    named = ((name, data) for name, data in model.entries(kept) if name.endswith(".class"))
    return [(name, data) for name, data in named if not name.startswith("META-INF/versions/")]


def suspects(row: Row, found: Sequence[Problem], again: Sequence[Problem]) -> set[str]:
    """The files with a problem that would be blamed on the model."""
    left = {(problem.file, problem.kind) for problem in again}
    there = (one for one in found if not one.is_text and (one.file, one.kind) in left)
    return {problem.file for problem in there if not blamed_on_full(row, problem)}


def others_than(name: str) -> dict[str, list[str]]:
    """Return the command of each other decompiler that is installed, by its name."""
    there = {other: decompiler(other) for other in DECOMPILERS if other != name}
    return {other: found[1] for other, found in there.items() if found is not None}


def own_problems(
    tools: Resident, command: Sequence[str], others: Mapping[str, Sequence[str]], sample: Sample, files: set[str]
) -> set[tuple[str, str, str]]:
    """Return the problems that a decompiler makes of classes that javac made from what *others* wrote: file, kind, and
    line of source. ``command`` and ``others`` are commands of decompilers."""

    def decompile(name: str, jar: Path, folder: Path) -> None:
        sources_of(tools, others[name], jar, folder)

    found: set[tuple[str, str, str]] = set()
    for file in sorted(files):
        for made, entries in remade(tools, decompile, list(others), sample, file):
            sources_of(tools, command, made / "part.jar", made / "src")
            problems = compile_errors(tools, made / "src", sample.class_path, entries)
            found |= {(one.file, one.kind, one.source) for one in problems if one.file == file}
    return found


def with_debug(model: ItemModel, kept: ItemSet) -> ItemSet:
    """The sub-input with the debug information of each of its classes."""
    kinds = model.part_kinds
    for number, (first, end) in enumerate(model.parts):
        if kept >> number & 1:
            kept |= sum(1 << part for part in range(first, end) if kinds[part] in (PartKind.LINES, PartKind.VARIABLES))
    return kept


def blamed_on_full(row: Row, problem: Problem) -> bool:
    """Whether the full input's sources have a problem like that: of its file the same kind, or text that is no Java."""
    return any(file == problem.file and (kind == problem.kind or _TEXT.fullmatch(kind)) for file, kind in row.broken)


def judge(
    row: Row, problems: Sequence[Problem], with_debug: Sequence[Problem], own: Set[tuple[str, str, str]] = frozenset()
) -> list[tuple[str, Problem]]:
    """Counts what javac says of one sub-input, and which of it it still says *with_debug* information: of a file and
    kind as many; *own* are the decompiler's, each with its line. The problems, each with its blame."""
    row.samples += 1
    left = Counter((problem.file, problem.kind) for problem in with_debug)
    blames: list[tuple[str, Problem]] = []
    for problem in problems:
        stays = left[problem.file, problem.kind] > 0
        left[problem.file, problem.kind] -= stays
        blame = "text" if problem.is_text else "model" if stays else "debug"
        if blame == "model" and (problem.file, problem.kind, problem.source) in own:
            blame = "tool"
        if blamed_on_full(row, problem):
            blame = "full"
        blames.append((blame, problem))
        row.problems[blame, problem.kind] += 1
        examples = row.examples.setdefault((blame, problem.kind), [])
        if problem.text not in examples:
            examples.append(problem.text)
    row.clean += all(blame == "full" for blame, _ in blames)
    row.sound += all(blame != "model" for blame, _ in blames)
    return blames


def printed(rows: Sequence[Row], shown: int) -> str:
    """The Markdown."""
    lines = [
        "| jar | items | classes | files broken in full | sub-inputs | mean classes | compile | without `model` | "
        f"{' | '.join(f'`{blame}`' for blame in BLAMES)} | s |",
        f"|---|---|{'---:|' * (7 + len(BLAMES))}",
    ]
    for row in rows:
        broken = {file for file, _ in row.broken}
        mean = row.kept / row.samples if row.samples else 0
        counts = [sum(count for (blame, _), count in row.problems.items() if blame == one) for one in BLAMES]
        lines.append(
            f"| {row.jar} | {row.granularity} | {row.classes} | {len(broken)} | {row.samples} | {mean:.0f} | "
            f"{row.clean} | {row.sound} | {' | '.join(map(str, counts))} | {row.seconds:.0f} |"
        )
    kinds: Counter[tuple[str, str]] = Counter()
    examples: dict[tuple[str, str], list[str]] = {}
    for row in rows:
        kinds.update(row.problems)
        for kind, texts in row.examples.items():
            examples.setdefault(kind, []).extend(texts)
    ordered = sorted(kinds, key=lambda kind: (BLAMES.index(kind[0]), -kinds[kind], kind))
    if ordered:
        lines += ["", "| errors | blame | kind |", "|---:|---|---|"]
        lines += [f"| {kinds[kind]} | {kind[0]} | {kind[1]} |" for kind in ordered]
    for kind in ordered:
        lines += ["", f"{kind[0]}, {kind[1]}:", *(f"    {text}" for text in examples[kind][:shown])]
    return "\n".join(lines)


def decompiler(name: str) -> tuple[str, list[str]] | None:
    """The class path of the decompiler of that preset, and how it is called; None where it is not there."""
    call = ["com.strobel.decompiler.DecompilerDriver", "-jar", "{jar}", "-o", "{out}"]
    if name == "cfr":
        call = ["org.benf.cfr.reader.Main", "{jar}", "--outputdir", "{out}", "--silent", "true"]
    elif name == "vineflower":
        call = ["org.jetbrains.java.decompiler.main.decompiler.ConsoleDecompiler", "--folder", "-thr=1", "-log=ERROR"]
        call += ["--kt-enable=0"]
        call += ["{jar}", "{out}"]
    for tool in find(name).tools:
        jars = tool.find()
        if jars:
            return os.pathsep.join(map(str, jars)), call
    return None


def main(arguments: Sequence[str] | None = None) -> int:
    """Prints the tables; 1 when there are errors that are the model's."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.sources", description=__doc__)
    parser.add_argument("jars", nargs="+", type=Path, metavar="JAR")
    parser.add_argument("--class-path", default="", help="with : between")
    parser.add_argument("--count", type=int, default=10, help="sub-inputs of each jar")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--granularity", choices=("member", "full"), default="member")
    parser.add_argument("--decompiler", choices=DECOMPILERS, default="procyon")
    parser.add_argument("--keep", type=Path, help="folder for the sub-inputs with errors, and their sources")
    parser.add_argument("--shown", type=int, default=SHOWN, help="examples of a kind of error")
    options = parser.parse_args(arguments)
    there = decompiler(options.decompiler)
    if there is None:
        parser.error(f"{options.decompiler} is not there: {find(options.decompiler).missing()}")
    programs, options.command = there
    class_path = [Path(part).absolute() for part in options.class_path.split(":") if part]
    rows = []
    with tempfile.TemporaryDirectory(prefix="jarlet-sources-") as name:
        every = [there[0] for there in map(decompiler, DECOMPILERS) if there is not None]
        tools = Resident(QUIET, os.pathsep.join([programs, *every]), Path(name))
        for jar in options.jars:
            rows.append(run(tools, jar, class_path, options, Path(name)))
            print(f"{jar.name}: {rows[-1].clean} of {rows[-1].samples}", file=sys.stderr, flush=True)
        tools.close()
    print(printed(rows, options.shown))
    return int(any(row.sound < row.samples for row in rows))


if __name__ == "__main__":
    sys.exit(main())
