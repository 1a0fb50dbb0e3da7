"""Do source-valid sub-inputs stay source? ``python -m tests.bench.sources JAR... --count 10 --granularity member``.

A decompiler (``--decompiler procyon``, or cfr) reads random sub-inputs of validity ``src``, javac compiles what comes
out. Of the errors those count that are in source files which the full input's sources compile without: they come from
the choice of items, be it that a rule is missing or that the decompiler stumbles over what is left. Printed as
Markdown: a row a jar, then the errors by kind with examples.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from core.archive.jar import read_jar, write_jar
from core.batch.sampling import draw
from core.library.library import open_library
from core.model import building
from core.predicate.presets import find

SHOWN = 3
_ERROR = re.compile(r"^(?P<file>[^\s:]+\.java):(?P<line>\d+):\d+: compiler\.err\.(?P<key>[\w.]+)(?:: (?P<rest>.*))?$")
_QUIET = ("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xss8m")


@dataclass(frozen=True, order=True)
class Problem:
    """An error of javac: ``kind`` is its key, for names that cannot be found with what kind of name it is."""

    kind: str
    file: str
    text: str


@dataclass
class Row:
    """What came of one jar."""

    jar: str
    granularity: str
    classes: int = 0
    broken: set[str] = field(default_factory=set)
    """Source files of the full input that do not compile."""
    samples: int = 0
    kept: int = 0
    clean: int = 0
    problems: Counter[str] = field(default_factory=Counter)
    examples: dict[str, list[str]] = field(default_factory=dict)
    excused: int = 0
    seconds: float = 0.0


def sources_of(decompiler: Sequence[str], jar: Path, folder: Path) -> None:
    """Has the decompiler write the sources of *jar* below *folder*."""
    words = {"{jar}": str(jar), "{out}": str(folder)}
    command = ["java", *_QUIET, *(words.get(word, word) for word in decompiler)]
    subprocess.run(command, capture_output=True, text=True, check=False, timeout=1200)


def compile_errors(folder: Path, class_path: Sequence[Path]) -> list[Problem]:
    """What javac says of the sources below *folder*."""
    files = sorted(path for path in folder.rglob("*.java") if path.name not in ("module-info.java",))
    if not files:
        return []
    listed = folder / "sources.txt"
    listed.write_text("".join(f'"{path}"\n' for path in files), encoding="utf-8")
    out = folder / "classes"
    command = [
        "javac", *(f"-J{option}" for option in _QUIET), "-proc:none", "-nowarn", "-encoding", "UTF-8", "-Xmaxerrs",
        "100000", "-XDrawDiagnostics", "-cp", os.pathsep.join(map(str, class_path)) or ".", "-d", out, f"@{listed}",
    ]  # fmt: skip
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=1200)
    places: dict[str, list[Path]] = {}
    for path in files:
        places.setdefault(path.name, []).append(path)
    return list(_problems(done.stderr + done.stdout, places, folder))


def _problems(said: str, places: dict[str, list[Path]], folder: Path) -> Iterator[Problem]:
    for line in said.splitlines():
        match = _ERROR.match(line)
        if match:
            path = places.get(match["file"], [Path(match["file"])])[0]
            key, rest = match["key"], match["rest"] or ""
            kind = f"{key} ({rest.split(',')[0].removeprefix('kindname.')})" if key.startswith("cant.resolve") else key
            source = _line(path, int(match["line"]))
            name = str(path.relative_to(folder)) if path.is_absolute() else str(path)
            yield Problem(kind, name, f"{name}:{match['line']}: {rest[:160]} | {source}")


def _line(path: Path, number: int) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace").splitlines()[number - 1].strip()[:160]
    except (OSError, IndexError):
        return ""


def run(jar: Path, class_path: Sequence[Path], options: argparse.Namespace, folder: Path) -> Row:
    """Judges the sub-inputs of one jar."""
    start = time.perf_counter()
    row = Row(jar.name, options.granularity)
    sources_of(options.command, jar, folder / "full")
    row.broken = {problem.file for problem in compile_errors(folder / "full", class_path)}
    library = open_library(class_path)
    model = building.build(read_jar([jar]), library.get, options.granularity, "src", mentioned_by=library.mentioned_by)
    row.classes = len(model.model.graph.nodes)
    for number, kept in enumerate(draw(model, options.count, options.seed)):
        place = folder / str(number)
        place.mkdir()
        entries = [entry for entry in model.entries(kept) if entry[0].endswith(".class")]
        if entries:
            write_jar(place / "part.jar", entries, durable=False)
            sources_of(options.command, place / "part.jar", place / "src")
            judge(row, compile_errors(place / "src", class_path))
            row.kept += len(entries)
            if options.keep:
                shutil.copytree(place, options.keep / f"{jar.stem}-{options.granularity}-{number}", dirs_exist_ok=True)
        shutil.rmtree(place)
    shutil.rmtree(folder / "full", ignore_errors=True)
    row.seconds = time.perf_counter() - start
    return row


def judge(row: Row, problems: Sequence[Problem]) -> None:
    """Counts what javac says of one sub-input."""
    row.samples += 1
    told = [problem for problem in problems if problem.file not in row.broken]
    row.excused += len(problems) - len(told)
    row.clean += not told
    for problem in told:
        row.problems[problem.kind] += 1
        examples = row.examples.setdefault(problem.kind, [])
        if problem.text not in examples:
            examples.append(problem.text)


def printed(rows: Sequence[Row], shown: int) -> str:
    """The Markdown."""
    lines = [
        "| jar | items | classes | files broken in full | sub-inputs | mean classes | compile | errors | excused | s |",
        "|---|---|---:|---:|---:|---:|---:|---:|---:|---:|",
    ]
    for row in rows:
        mean = row.kept / row.samples if row.samples else 0
        lines.append(
            f"| {row.jar} | {row.granularity} | {row.classes} | {len(row.broken)} | {row.samples} | {mean:.0f} | "
            f"{row.clean} | {row.problems.total()} | {row.excused} | {row.seconds:.0f} |"
        )
    kinds: Counter[str] = Counter()
    examples: dict[str, list[str]] = {}
    for row in rows:
        kinds.update(row.problems)
        for kind, texts in row.examples.items():
            examples.setdefault(kind, []).extend(texts)
    if kinds:
        lines += ["", "| errors | kind |", "|---:|---|"]
        lines += [f"| {count} | {kind} |" for kind, count in kinds.most_common()]
        for kind, _ in kinds.most_common():
            lines += ["", f"{kind}:", *(f"    {text}" for text in examples[kind][:shown])]
    return "\n".join(lines)


def decompiler(name: str) -> list[str] | None:
    """How the decompiler of that preset is called; None where it is not there."""
    for tool in find(name).tools:
        jars = tool.find()
        if jars and name == "procyon":
            start = ["-cp", os.pathsep.join(map(str, jars)), "com.strobel.decompiler.DecompilerDriver"]
            return [*start, "-jar", "{jar}", "-o", "{out}"]
        if jars:
            start = ["-cp", str(jars[0]), "org.benf.cfr.reader.Main"]
            return [*start, "{jar}", "--outputdir", "{out}", "--silent", "true"]
    return None


def main(arguments: Sequence[str] | None = None) -> int:
    """Prints the tables; 1 when there are errors."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.sources", description=__doc__)
    parser.add_argument("jars", nargs="+", type=Path, metavar="JAR")
    parser.add_argument("--class-path", default="", help="with : between")
    parser.add_argument("--count", type=int, default=10, help="sub-inputs of each jar")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--granularity", choices=("member", "full"), default="member")
    parser.add_argument("--decompiler", choices=("procyon", "cfr"), default="procyon")
    parser.add_argument("--keep", type=Path, help="folder for the sub-inputs and their sources")
    parser.add_argument("--shown", type=int, default=SHOWN, help="examples of a kind of error")
    options = parser.parse_args(arguments)
    options.command = decompiler(options.decompiler)
    if options.command is None:
        parser.error(f"{options.decompiler} is not there: {find(options.decompiler).missing()}")
    class_path = [Path(part) for part in options.class_path.split(":") if part]
    rows = []
    with tempfile.TemporaryDirectory(prefix="jarlet-sources-") as name:
        for jar in options.jars:
            rows.append(run(jar, class_path, options, Path(name)))
            print(f"{jar.name}: {rows[-1].clean} of {rows[-1].samples}", file=sys.stderr, flush=True)
    print(printed(rows, options.shown))
    return int(any(row.problems for row in rows))


if __name__ == "__main__":
    sys.exit(main())
