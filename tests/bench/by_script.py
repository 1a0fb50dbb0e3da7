"""Cases of the corpus by a script beside the preset: ``python -m tests.bench.by_script CASE... --tool PRESET=JAR``.

The script calls the preset's decompiler and javac, leaves what they print in files of its folder, prints nothing, and
exits with 0 if javac's errors are those of the full input. The table has bytes and probes of both.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from pathlib import Path

from core.batch.corpus import STRICT, Case, Store, cases

_COMMANDS = {
    "procyon": 'java -jar "$1" -o sources "$2" > decompiler.log 2>&1',
    "cfr": 'java -jar "$1" "$2" --outputdir sources --caseinsensitivefs true --silent true > decompiler.log 2>&1',
    "vineflower": 'java -jar "$1" "$2" sources > decompiler.log 2>&1',
}
"""Command of each preset's decompiler: $1 is its jar, $2 the candidate."""

_SCRIPT = """#!/bin/sh
# arguments: the decompiler's jar, the candidate, the wanted errors, the class path
mkdir sources compiled
{decompile}
find sources -name '*.java' | sort > sources.list
javac -proc:none -nowarn -Xmaxerrs 100000 -encoding UTF-8 -d compiled -cp "compiled:$4" @sources.list > javac.log 2>&1
grep ': error: ' javac.log | sed 's/^.*[/]\\([^/]*[.]java\\):[0-9]*: /\\1: /' | sort > errors
test -f "$3" || cp errors "$3"
cmp -s errors "$3"
"""


def reduced(case: Case, store: Store, output: Path, asked: list[str]) -> tuple[int, int]:
    """Reduce a case by ``auto`` with the options ``asked``. Return the bytes that are left, and the probes."""
    report = output.with_suffix(".json")
    libraries = [str(path.resolve()) for path in store.library(case.subject)]
    path = ["--classpath", ":".join(libraries)] if libraries else []
    words = ["reduce", str(store.jar(case.subject)), "-o", str(output), "--report", str(report), "--jobs", "1", "-q"]
    subprocess.run([sys.executable, "-m", "app", *words, *path, *asked], check=True)
    found = json.loads(report.read_bytes())
    return found["output"]["bytes"], found["probes"]["total"]


def by_script(case: Case, store: Store, folder: Path, tool: Path) -> list[str]:
    """Write the script of a case, and return the options that ask for it."""
    script, wanted = folder / f"{case.name}.sh", folder / f"{case.name}.errors"
    script.write_text(_SCRIPT.replace("{decompile}", _COMMANDS[case.preset]), encoding="utf-8")
    script.chmod(0o755)
    wanted.unlink(missing_ok=True)
    libraries = ":".join(str(path.resolve()) for path in store.library(case.subject))
    return ["--predicate", f"{script} {tool} {{jar}} {wanted} '{libraries}'"]


def main() -> None:
    """Print a row for each case."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("cases", nargs="+", metavar="CASE", help="JAR-PRESET, as jarlet bench corpus names them")
    parser.add_argument("--tool", action="append", default=[], metavar="PRESET=JAR", help="the preset's decompiler")
    parser.add_argument("--folder", type=Path, default=Path("out/by-script"))
    parser.add_argument("--corpus", type=Path, default=Path("out/corpus"), help="folder of jarlet bench corpus")
    options = parser.parse_args()
    folder, store = options.folder.resolve(), Store(options.corpus.resolve())
    folder.mkdir(parents=True, exist_ok=True)
    tools = dict(pair.split("=", 1) for pair in options.tool)
    print("| case | preset: bytes | probes | script: bytes | probes | ratio |\n|---|---:|---:|---:|---:|---:|")
    for case in cases(options.cases):
        store.get(case.subject)
        preset = ["--preset", case.preset, "--failures", STRICT]
        bytes_left, probes = reduced(case, store, folder / f"{case.name}-preset.jar", preset)
        asked = by_script(case, store, folder, Path(tools[case.preset]).resolve())
        left, taken = reduced(case, store, folder / f"{case.name}-script.jar", asked)
        print(f"| {case.name} | {bytes_left} | {probes} | {left} | {taken} | {taken / probes:.2f} |", flush=True)


if __name__ == "__main__":
    main()
