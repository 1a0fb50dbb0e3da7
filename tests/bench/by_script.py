"""Cases of the corpus by a script beside the preset: ``python -m tests.bench.by_script CASE... --tool PRESET=JAR``.

The script calls the preset's decompiler and javac, leaves what they print in files of its folder, prints nothing, and
exits with 0 if javac's errors are those of the full input. The table has bytes, probes and seconds of both. The script
calls its tools by ``jarlet host``, by ``--plain`` by ``java -jar``: the same answers in more time. With ``--hidden`` it
works in a temporary folder, which it removes. A probe has 600 s, so that a loaded machine decides nothing.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from pathlib import Path

from tests.bench.suite.corpus import STRICT, Case, Store, cases

_TOOLS = {
    "procyon": '-jar "$2" -o sources',
    "cfr": '"$2" --outputdir sources --caseinsensitivefs true --silent true',
    "vineflower": '"$2" sources',
}
"""Arguments of each preset's decompiler: $2 is the candidate."""

_SCRIPT = """#!/bin/sh
# arguments: the decompiler's jar, the candidate, the wanted errors, the class path
{begin}
mkdir sources compiled
{run} "$1" {arguments} > decompiler.log 2>&1
find sources -name '*.java' | sort > sources.list
{javac} -proc:none -nowarn -Xmaxerrs 100000 -encoding UTF-8 -d compiled -cp "compiled:$4" @sources.list > javac.log 2>&1
grep ': error: ' javac.log | sed 's/^.*[/]\\([^/]*[.]java\\):[0-9]*: /\\1: /' | sort > errors
test -f "$3" || cp errors "$3"
cmp -s errors "$3"; same=$?
{end}
exit $same
"""
_HIDDEN = ('cd "$(mktemp -d)" || exit 2', 'rm -r "$PWD"')
"""First and last line of a script that leaves no file."""

_SERIAL = ("--jobs", "1", "--timeout", "600", "-q")
"""Options that keep the load of the machine out of the figures."""


def reduced(case: Case, store: Store, output: Path, asked: list[str]) -> tuple[int, int, float]:
    """Reduce a case by ``auto`` with the options ``asked``. Return the bytes that are left, probes and seconds."""
    report, start = output.with_suffix(".json"), time.monotonic()
    libraries = [str(path.resolve()) for path in store.library(case.subject)]
    path = ["--classpath", ":".join(libraries)] if libraries else []
    words = ["reduce", str(store.jar(case.subject)), "-o", str(output), "--report", str(report), *_SERIAL]
    subprocess.run([sys.executable, "-m", "app", *words, *path, *asked], check=True)
    found = json.loads(report.read_bytes())
    return found["output"]["bytes"], found["probes"]["total"], time.monotonic() - start


def by_script(case: Case, store: Store, folder: Path, tool: str, lines: dict[str, str]) -> list[str]:
    """Write the script of a case, and return the options that ask for it. ``lines`` are parts of the script."""
    script, wanted = folder / f"{case.name}.sh", folder / f"{case.name}.errors"
    script.write_text(_SCRIPT.format(arguments=_TOOLS[case.preset], **lines), encoding="utf-8")
    script.chmod(0o755)
    wanted.unlink(missing_ok=True)
    libraries = ":".join(str(path.resolve()) for path in store.library(case.subject))
    return ["--predicate", f"{script} {tool} {{jar}} {wanted} '{libraries}'"]


def main() -> None:
    """Print a row for each case."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("cases", nargs="+", metavar="CASE", help="JAR-PRESET, as the bench of the corpus names them")
    parser.add_argument("--tool", action="append", default=[], metavar="PRESET=JAR", help="the decompiler")
    parser.add_argument("--folder", type=Path, default=Path("out/by-script"))
    parser.add_argument("--corpus", type=Path, default=Path("out/corpus"), help="folder of that bench")
    parser.add_argument("--plain", action="store_true", help="two new JVMs for each run of a script")
    parser.add_argument("--hidden", action="store_true", help="the script leaves no file")
    options = parser.parse_args()
    folder, store = options.folder.resolve(), Store(options.corpus.resolve())
    folder.mkdir(parents=True, exist_ok=True)
    paths = dict(pair.split("=", 1) for pair in options.tool)
    host = f"env PYTHONPATH={Path(__file__).resolve().parents[2]} {sys.executable} -m app host"
    start = ("java -Xss8m -jar", "javac") if options.plain else (f"{host} -Xss8m", f"{host} javac")
    begin, end = _HIDDEN if options.hidden else ("", "")
    lines = {"run": start[0], "javac": start[1], "begin": begin, "end": end}
    print("| case | preset: bytes | probes | s | script: bytes | probes | s | ratio |\n|" + "---|" * 8)
    for case in cases(options.cases):
        store.get(case.subject)
        preset = ["--preset", case.preset, "--failures", STRICT]
        bytes_left, probes, seconds = reduced(case, store, folder / f"{case.name}-preset.jar", preset)
        asked = by_script(case, store, folder, paths[case.preset], lines)
        left, taken, lasted = reduced(case, store, folder / f"{case.name}-script.jar", asked)
        row = (case.name, bytes_left, probes, f"{seconds:.0f}", left, taken, f"{lasted:.0f}", f"{taken / probes:.2f}")
        print("| " + " | ".join(map(str, row)) + " |", flush=True)


if __name__ == "__main__":
    main()
