"""Bodies of methods: ``python -m tests.bench.bodies JAR... --rounds 10 --seed 1``.

Chooses random edits of all classes of each jar, writes the classes with them, and has the virtual machine load,
verify and link every class (``tests/bench/java/referee``). Counted is only what the full input does not show already.
"""

from __future__ import annotations

import argparse
import random
import shutil
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path

from core.archive.jar import read_jar, write_jar
from core.classfile.class_file import ClassFormatError, parse
from core.classfile.symbolic.symbolic_class import read
from core.code.edit import Edit, EditKind
from core.edits.bodies.editor import Editor
from core.edits.programs.program import WholeProgram
from core.edits.programs.shapes.method_shapes import UNREAD
from core.library.library import open_library
from tests.bench.referee_judges import Problem, Referee

SHOWN = 5
Chooser = Callable[[tuple[Edit, ...], random.Random], list[int]]


def each_method_one(edits: tuple[Edit, ...], source: random.Random) -> list[int]:
    """One edit of each method, so that no other hides what is wrong with it."""
    groups = [list(group) for _, group in groupby(range(len(edits)), lambda number: edits[number].method)]
    return [source.choice(group) for group in groups]


def share(part: float, *without: EditKind) -> Chooser:
    """About *part* of the edits, none of the kinds *without*."""

    def choose(edits: tuple[Edit, ...], source: random.Random) -> list[int]:
        return [n for n, edit in enumerate(edits) if source.random() < part and edit.kind not in without]

    return choose


def only(part: float, *kinds: EditKind) -> Chooser:
    """About *part* of the edits of these kinds."""
    return share(part, *[kind for kind in EditKind if kind not in kinds])


WAYS: list[tuple[str, Chooser]] = [
    ("one", each_method_one),
    ("0.05", share(0.05)),
    ("0.3 no cut", share(0.3, EditKind.CUT)),
    ("0.8 no cut", share(0.8, EditKind.CUT)),
    ("0.8 jumps", share(0.8, EditKind.CUT, EditKind.CALL, EditKind.NEW, EditKind.READ, EditKind.STORE)),
    ("0.5 values", share(0.5, EditKind.CUT, EditKind.FALL, EditKind.JUMP, EditKind.ARM, EditKind.HANDLER)),
    ("0.5 variables", only(0.5, EditKind.VALUE, EditKind.VARIABLE, EditKind.MONITOR)),
    ("0.5 other", only(0.5, EditKind.PASS, EditKind.PARAMETER, EditKind.ASK)),
    ("0.3 cases", only(0.3, EditKind.CASE)),
    ("0.3 no end", share(0.3, EditKind.CUT, EditKind.FALL, EditKind.JUMP)),
    ("0.5", share(0.5)),
    ("all", share(1.0)),
]


@dataclass
class Row:
    """A line of the table."""

    jar: str
    classes: int = 0
    edits: int = 0
    kinds: Counter[str] = field(default_factory=Counter)
    methods: int = 0
    closed: int = 0
    """Methods with code that offer nothing because it is not understood."""
    written: int = 0
    bytes_before: int = 0
    bytes_after: int = 0
    invalid: int = 0
    excused: int = 0
    offered: int = 0
    """Edits of the classes written, those that were not chosen too; each time anew."""
    reading: float = 0.0
    writing: float = 0.0
    problems: list[tuple[str, Problem]] = field(default_factory=list)


def run(jar: Path, class_path: Sequence[Path], options: argparse.Namespace, referee: Referee, folder: Path) -> Row:
    """Judges *options.rounds* choices of edits of all classes of one jar."""
    row = Row(jar.name)
    entries = [(entry.name, entry.data) for entry in read_jar([str(jar)]).entries if entry.name.endswith(".class")]
    editors: dict[str, Editor] = {}
    start = time.process_time()
    for name, data in entries:
        try:
            cf = parse(data)
            editors[name] = editor = Editor(cf.data)
        except ClassFormatError as error:
            print(f"    {name}: {error}")
            continue
        row.edits += len(editor.edits)
        row.kinds.update(edit.kind.value for edit in editor.edits)
        count = sum(method.attributes.raw("Code") is not None for method in cf.methods)
        row.methods += count
        row.closed += count - len(editor._codes)
    row.reading = time.process_time() - start
    row.classes = len(entries)
    full = folder / f"full-{jar.name}"
    write_jar(full, entries, durable=False)
    jars = [full]
    for number in range(options.rounds):
        label, choose = WAYS[number % len(WAYS)]
        source = random.Random(f"{options.seed} {number} {jar.name}")
        jars.append(folder / f"{jar.stem}-{number}-{label.replace(' ', '-')}.jar")
        made = [(name, written(name, editors, data, choose, source, row)) for name, data in entries]
        write_jar(jars[-1], without_some(made, source, row) if options.parameters else made)
    judged = [
        {problem for problem in verdict.problems if problem.level == "jvm"}
        for verdict in referee.machine(jars, class_path, "jvm")
    ]
    known = {problem.key for problem in judged[0]}
    broken = {problem.type for problem in judged[0] if problem.kind in ("load", "link")}
    for path, problems in zip(jars[1:], judged[1:], strict=True):
        beyond = sorted(problem for problem in problems if problem.key not in known)
        told = [problem for problem in beyond if problem.type not in broken]
        row.excused += len(beyond) - len(told)
        row.invalid += len({problem.type for problem in told})
        row.problems += [(path.name, problem) for problem in told]
        if told and options.keep:
            options.keep.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, options.keep / path.name)
    for path in jars:
        path.unlink()
    return row


def written(
    name: str, editors: dict[str, Editor], data: bytes, choose: Chooser, source: random.Random, row: Row
) -> bytes:
    """One class with some of its edits."""
    editor = editors.get(name)
    if editor is None or not editor.edits:
        return data
    chosen = choose(editor.edits, source)
    start = time.process_time()
    result = editor.write(chosen)
    row.writing += time.process_time() - start
    row.offered += len(editor.edits)
    row.written += 1
    row.bytes_before += len(data)
    row.bytes_after += len(result)
    return result


def without_some(entries: Sequence[tuple[str, bytes]], source: random.Random, row: Row) -> list[tuple[str, bytes]]:
    """The classes without half of the parameters that can go."""
    program = WholeProgram(tuple(read(data) for _, data in entries), open_library().get)
    gone = [each for each in UNREAD.find(program) if source.random() < 0.5]
    row.kinds["parameters gone"] += len(gone)
    left = UNREAD.make(program, gone).classes
    return [(name, tree.written()) for (name, _), tree in zip(entries, left, strict=True)]


HEAD = (
    f"{'jar':32} {'classes':>7} {'methods':>7} {'closed':>6} {'edits':>7} {'written':>7} {'bytes':>6} {'read s':>6}"
    f" {'write s':>7} {'ms/1000':>7} {'excused':>7} {'INVALID':>7}"
)


def printed(row: Row, kinds: bool) -> str:
    """The row of the table, with the first problems below."""
    # Seconds are of the processor; the rate is milliseconds to write a class, for a thousand edits that it offers.
    rate = 1e6 * row.writing / max(1, row.offered)
    size = 100 * row.bytes_after / row.bytes_before if row.bytes_before else 100.0
    lines = [
        f"{row.jar:32} {row.classes:7} {row.methods:7} {row.closed:6} {row.edits:7} {row.written:7} {size:5.1f}%"
        f" {row.reading:6.1f} {row.writing:7.1f} {rate:7.1f} {row.excused:7} {row.invalid:7}"
    ]
    if kinds:
        lines.append("    " + ", ".join(f"{kind} {count}" for kind, count in sorted(row.kinds.items())))
    lines += [f"    {jar}: {p.type}: {p.kind} {p.target}: {p.message}" for jar, p in row.problems[:SHOWN]]
    return "\n".join(lines)


def main(arguments: Sequence[str] | None = None) -> int:
    """Returns 1 when a class is invalid."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.bodies", description=__doc__)
    parser.add_argument("jars", nargs="+", type=Path, metavar="JAR")
    parser.add_argument("--class-path", default="", help="what the jars need, with : between")
    parser.add_argument("--rounds", type=int, default=len(WAYS), help="choices of edits of each jar")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kinds", action="store_true", help="print how many edits there are of each kind")
    parser.add_argument("--parameters", action="store_true", help="drop half of the parameters that can go then, too")
    parser.add_argument("--keep", type=Path, help="folder for the jars with invalid classes")
    options = parser.parse_args(arguments)
    class_path = [Path(part) for part in options.class_path.split(":") if part]
    invalid = 0
    print(HEAD)
    with tempfile.TemporaryDirectory(prefix="jarlet-bodies-") as name:
        referee = Referee(Path(name))
        for jar in options.jars:
            row = run(jar, class_path, options, referee, Path(name))
            invalid += row.invalid
            print(printed(row, options.kinds), flush=True)
    return 1 if invalid else 0


if __name__ == "__main__":
    sys.exit(main())
