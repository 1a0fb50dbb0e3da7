"""What a user would pick instead, on the same predicate: ``python -m tests.bench.others CASE... --tools FOLDER``.

Each case of the corpus (``oro-2.0.8-cfr``) is reduced by Jarlet (``auto``, one probe at a time), by picire over the
names of its classes, by Shrink Ray and C-Vise over the folder of its classes, and by ProGuard with rules that keep the
classes which the failure names. The others ask one predicate over a socket: the preset in a resident JVM, in this
process. It counts the probes and keeps the smallest interesting candidate, so that a tool that is cut off at
``--limit`` seconds counts with its best. FOLDER has what is no part of Jarlet: ``venv/bin/picire``,
``ray/bin/shrinkray``; C-Vise and ProGuard are Debian's (``--proguard`` names another one). Printed as Markdown.

A result is *valid* if jdeps finds in it no mention of a class of the input that the result lacks.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import socketserver
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from core.archive.jar import write_jar
from core.predicate.failures import Wanted
from core.predicate.predicate import Predicate
from core.predicate.preset import ToolRuns
from core.predicate.presets import find
from tests.bench.referee_proguard import class_files, jdk_library, readable
from tests.bench.suite import corpus

Classes = dict[str, bytes]
PROGUARD = Path("/usr/share/java/proguard.jar")
ASK = """#!{python} -SE
import os, socket, sys
asked = socket.socket(socket.AF_UNIX)
asked.connect({address!r})
asked.sendall((os.path.abspath(sys.argv[1] if len(sys.argv) > 1 else ".") + "\\n").encode())
sys.exit(asked.recv(1) != b"1")
"""


@dataclass(frozen=True)
class Row:
    """The result of a tool: the class files that it left, runs of the predicate, seconds, and the way it ended."""

    tool: str
    left: Classes
    probes: int
    seconds: float
    end: str


class Judge:
    """The predicate behind a socket: asked for a path, a folder of classes or a list of names, it answers 1 or 0."""

    def __init__(self, predicate: Predicate, whole: Classes, folder: Path) -> None:
        self._predicate, self._whole, self._folder = predicate, whole, folder
        self._turn = threading.Lock()
        self.ask = folder / "ask"
        self.probes, self.best = 0, whole
        judge = self

        class Handler(socketserver.StreamRequestHandler):
            def handle(self) -> None:
                path = Path(self.rfile.readline().decode().rstrip("\n"))
                answer = judge.interesting(judge.read(path))
                with suppress(BrokenPipeError):  # a tool that was ended at the limit waits no more
                    self.wfile.write(b"1" if answer else b"0")

        address = str(folder / "judge")
        self._server = socketserver.ThreadingUnixStreamServer(address, Handler)
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        self.ask.write_text(ASK.format(python=sys.executable, address=address))
        self.ask.chmod(0o755)

    def read(self, path: Path) -> Classes:
        """A candidate as a tool gives it."""
        if path.is_dir():
            files = {file.relative_to(path).as_posix(): file for file in sorted(path.rglob("*.class"))}
            return {_slashed(name): file.read_bytes() for name, file in files.items()}
        return {name: self._whole[name] for name in path.read_text().split("\n") if name in self._whole}

    def interesting(self, candidate: Classes) -> bool:
        """Runs the predicate, one call at a time."""
        with self._turn:
            self.probes += 1
            place = self._folder / f"probe-{self.probes}"
            yes = bool(candidate) and self._predicate.probe(list(candidate.items()), place).interesting
            shutil.rmtree(place, ignore_errors=True)
            if yes and size(candidate) < size(self.best):
                self.best = candidate
            return yes

    def begin(self) -> None:
        """Another tool."""
        self.probes, self.best = 0, self._whole

    def close(self) -> None:
        """No more questions."""
        self._server.shutdown()
        self._server.server_close()


def size(classes: Classes) -> int:
    """Bytes of the class files."""
    return sum(map(len, classes.values()))


def lacking(left: Classes, whole: Classes, folder: Path) -> list[str]:
    """Return the classes of the input that the result mentions and lacks, as jdeps finds them."""
    jar = folder / "left.jar"
    write_jar(jar, left.items())
    words = ["jdeps", "--multi-release", "base", "-verbose:class", "-filter:none", jar]
    done = subprocess.run(list(map(str, words)), capture_output=True, text=True, check=True)
    missing = set(re.findall(r"-> (\S+) +not found", done.stdout))
    return sorted(missing & {name.removesuffix(".class").replace("/", ".") for name in whole})


def _slashed(name: str) -> str:
    return name.removesuffix(".class").replace(".", "/") + ".class"


def ended(command: Sequence[str | Path], folder: Path, limit: float) -> str:
    """Runs a tool until its end or the limit; how it ended."""
    if shutil.which(command[0]) is None:
        return "not installed"
    with (folder / "log").open("ab") as log:
        started = subprocess.Popen(
            list(map(str, command)),
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            start_new_session=True,
        )
        try:
            code = started.wait(limit)
        except subprocess.TimeoutExpired:
            os.killpg(started.pid, 9)
            started.wait()
            return "limit"
    return "end" if code == 0 else f"exit code {code}"


def laid_out(classes: Classes, folder: Path) -> Path:
    """The classes as a folder."""
    for name, data in classes.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)
    return folder


def with_picire(judge: Judge, whole: Classes, folder: Path, tools: Path, limit: float) -> str:
    """Delta debugging of the list of class names, a line each."""
    (folder / "names").write_text("\n".join(whole))
    words = ["-i", folder / "names", "--test", judge.ask, "-o", folder / "out", "--cache", "content"]
    return ended([tools / "venv/bin/picire", *words], folder, limit)


def with_shrink_ray(judge: Judge, whole: Classes, folder: Path, tools: Path, limit: float) -> str:
    """The folder of classes, file by file and byte by byte."""
    words = ["--no-llm", "--ui", "basic", "--parallelism", "1", "--timeout", "60", "--input-type", "arg"]
    return ended([tools / "ray/bin/shrinkray", *words, judge.ask, laid_out(whole, folder / "classes")], folder, limit)


def with_cvise(judge: Judge, whole: Classes, folder: Path, tools: Path, limit: float) -> str:
    """The files of the classes, side by side under the names of their classes, as C-Vise takes no folders."""
    flat = {name.removesuffix(".class").replace("/", ".") + ".class": data for name, data in whole.items()}
    words = ["--not-c", "--n", "1", "--timeout", "60", judge.ask, *flat]
    return ended(["cvise", *words], laid_out(flat, folder / "classes"), limit)


def with_proguard(judge: Judge, whole: Classes, folder: Path, names: Sequence[str], program: Path) -> str:
    """Shrinking alone, with rules that keep all of the classes that the failure names; then one probe."""
    jar, shrunk = folder / "whole.jar", folder / "shrunk.jar"
    write_jar(jar, whole.items())
    library = jdk_library(jar, [], folder / "jdk.jar")
    rules = [f"-keep class **.{name}, **.{name}$* {{ *; }}" for name in names]
    words = ["-dontobfuscate", "-dontoptimize", "-dontpreverify", "-dontwarn", "-dontnote", "-ignorewarnings"]
    words += ["-keepattributes *", *rules, "-injars", str(readable(jar, folder)), "-libraryjars", str(library)]
    end = ended(["java", "-cp", program, "proguard.ProGuard", *words, "-outjars", shrunk], folder, 300)
    if end != "end":
        return end
    return "end" if judge.interesting(dict(class_files(shrunk))) else "not the same failure"


def with_jarlet(case: corpus.Case, jar: Path, library: Sequence[Path], folder: Path, limit: float) -> Row:
    """``jarlet reduce`` with its defaults but for one probe at a time."""
    report, output = folder / "report.json", folder / "small.jar"
    words = ["reduce", jar, "--preset", case.preset, "--failures", corpus.STRICT, "--jobs", "1", "-o", output]
    words += ["--time-limit", str(int(limit)), "--report", report, "-q"]
    words += ["--classpath", os.pathsep.join(map(str, library))] if library else []
    begun = time.monotonic()
    done = subprocess.run([sys.executable, "-m", "app", *map(str, words)], capture_output=True, text=True, check=False)
    seconds = time.monotonic() - begun
    if not report.exists():
        return Row("Jarlet `auto`", {}, 0, seconds, done.stderr.strip())
    told = json.loads(report.read_text())
    left = dict(class_files(output))
    end = "end" if told["reason"] == "done" else "limit"
    return Row("Jarlet `auto`", left, told["probes"]["run"], seconds, end)


def rows(case: corpus.Case, store: corpus.Store, options: argparse.Namespace, work: Path) -> tuple[Classes, list[Row]]:
    """The case's full input and what each tool left of it."""
    tools, limit = options.tools.absolute(), options.limit
    store.get(case.subject)
    library = store.library(case.subject)
    whole = dict(class_files(store.jar(case.subject)))
    jar = work / "input.jar"
    write_jar(jar, whole.items())
    strict = find(case.preset).predicate(wanted=Wanted.parse(corpus.STRICT), runs=ToolRuns(library, timeout=60))
    predicate, first = strict.calibrated(list(whole.items()), work / "first")
    if not first.interesting:
        raise SystemExit(f"{case.name}: the full input is not interesting: {first.detail}")
    names = sorted({match[1] for name in first.failures if (match := re.match(r"(\w+)\.java: ", name))})
    judge = Judge(predicate, whole, work)
    found = [with_jarlet(case, jar, library, work, limit)]
    programs: dict[str, Callable[[Path], str]] = {
        "picire, class names": lambda folder: with_picire(judge, whole, folder, tools, limit),
        "Shrink Ray, folder": lambda folder: with_shrink_ray(judge, whole, folder, tools, limit),
        "C-Vise, files": lambda folder: with_cvise(judge, whole, folder, tools, limit),
        f"ProGuard, keeping {' and '.join(names)}": lambda folder: with_proguard(
            judge, whole, folder, names, options.proguard
        ),
    }
    try:
        for number, (title, program) in enumerate(programs.items()):
            folder = work / f"tool-{number}"
            folder.mkdir()
            judge.begin()
            begun = time.monotonic()
            end = program(folder)
            seconds = time.monotonic() - begun
            found.append(Row(title, judge.best, judge.probes, seconds, end))
    finally:
        judge.close()
        predicate.close()
    return whole, found


def main() -> None:
    """Prints a table, a case after the other."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("cases", nargs="+")
    parser.add_argument("--tools", type=Path, default=Path("build/others"))
    parser.add_argument("--proguard", type=Path, default=PROGUARD)
    parser.add_argument("--limit", type=float, default=300.0)
    options = parser.parse_args()
    print("| case | tool | class bytes left | classes | probes | seconds | valid | ended by |")
    print("|---|---|---:|---:|---:|---:|---|---|", flush=True)
    for case in corpus.cases(options.cases):
        with tempfile.TemporaryDirectory() as folder:
            store = corpus.Store(options.tools / "jars")
            whole, found = rows(case, store, options, Path(folder))
            for row in found:
                lacks = len(lacking(row.left, whole, Path(folder)))
                cells = [case.name, row.tool, f"{size(row.left):,} of {size(whole):,}", len(row.left), row.probes]
                cells += [f"{row.seconds:.0f}", f"no: {lacks} classes are missing" if lacks else "yes", row.end]
                print("|", " | ".join(map(str, cells)), "|", flush=True)


if __name__ == "__main__":
    main()
