"""Cases of the corpus by a script beside the preset: ``python -m tests.bench.by_script CASE... --tool PRESET=JAR``.

The script calls the preset's decompiler and javac, leaves what they print in files of its folder, prints nothing, and
exits with 0 if javac's errors are those of the full input. The table has bytes and probes of both. By ``--resident``
the script asks one JVM, which stays, instead of two new ones: the same answers in less time.
"""

from __future__ import annotations

import argparse
import json
import socketserver
import subprocess
import sys
import threading
from pathlib import Path

from core.batch.corpus import STRICT, Case, Store, cases
from tests.bench.resident import Resident

_TOOLS = {
    "procyon": ("com.strobel.decompiler.DecompilerDriver", '-jar "$2" -o "$PWD/sources"'),
    "cfr": ("org.benf.cfr.reader.Main", '"$2" --outputdir "$PWD/sources" --caseinsensitivefs true --silent true'),
    "vineflower": (
        "org.jetbrains.java.decompiler.main.decompiler.ConsoleDecompiler",
        '"$2" "$PWD/sources"',
    ),
}
"""Main class and arguments of each preset's decompiler: $2 is the candidate."""

_COLD = """
decompiler() {{ java -cp "$1" {main} {arguments}; }}
compiler() {{ javac "$@"; }}
"""

_ASK = """
ask() {{
    exec 3<>/dev/tcp/127.0.0.1/{port}
    (IFS='	'; printf '%s\n' "$*") >&3
    cat <&3
    exec 3>&-
}}
decompiler() {{ ask {main} {arguments}; }}
compiler() {{ ask javac "$@"; }}
"""

_SCRIPT = """#!/bin/bash
# arguments: the decompiler's class path, the candidate, the wanted errors, the class path
{tools}
mkdir sources compiled
decompiler "$@" > decompiler.log 2>&1
find "$PWD/sources" -name '*.java' | sort > sources.list
options="-proc:none -nowarn -Xmaxerrs 100000 -encoding UTF-8"
compiler $options -d "$PWD/compiled" -cp "$PWD/compiled:$4" "@$PWD/sources.list" > javac.log 2>&1
grep ': error: ' javac.log | sed 's/^.*[/]\\([^/]*[.]java\\):[0-9]*: /\\1: /' | sort > errors
test -f "$3" || cp errors "$3"
cmp -s errors "$3"
"""


def answering(tools: Resident) -> int:
    """Answer lines of words, separated by tabs, with what the tools say to them. Return the port."""

    class Line(socketserver.StreamRequestHandler):
        def handle(self) -> None:
            program, *words = self.rfile.readline().decode().rstrip("\n").split("\t")
            self.wfile.write(tools.run(program, *words).encode())

    server = socketserver.TCPServer(("127.0.0.1", 0), Line)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return int(server.server_address[1])


def reduced(case: Case, store: Store, output: Path, asked: list[str]) -> tuple[int, int]:
    """Reduce a case by ``auto`` with the options ``asked``. Return the bytes that are left, and the probes."""
    report = output.with_suffix(".json")
    libraries = [str(path.resolve()) for path in store.library(case.subject)]
    path = ["--classpath", ":".join(libraries)] if libraries else []
    words = ["reduce", str(store.jar(case.subject)), "-o", str(output), "--report", str(report), "--jobs", "1", "-q"]
    subprocess.run([sys.executable, "-m", "app", *words, *path, *asked], check=True)
    found = json.loads(report.read_bytes())
    return found["output"]["bytes"], found["probes"]["total"]


def by_script(case: Case, store: Store, folder: Path, tool: str, port: int | None) -> list[str]:
    """Write the script of a case, and return the options that ask for it."""
    script, wanted = folder / f"{case.name}.sh", folder / f"{case.name}.errors"
    main, arguments = _TOOLS[case.preset]
    tools = (_COLD if port is None else _ASK).format(port=port, main=main, arguments=arguments)
    script.write_text(_SCRIPT.replace("{tools}", tools), encoding="utf-8")
    script.chmod(0o755)
    wanted.unlink(missing_ok=True)
    libraries = ":".join(str(path.resolve()) for path in store.library(case.subject))
    return ["--predicate", f"{script} {tool} {{jar}} {wanted} '{libraries}'"]


def main() -> None:
    """Print a row for each case."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("cases", nargs="+", metavar="CASE", help="JAR-PRESET, as jarlet bench corpus names them")
    parser.add_argument(
        "--tool", action="append", default=[], metavar="PRESET=JAR:...", help="class path of the decompiler"
    )
    parser.add_argument("--folder", type=Path, default=Path("out/by-script"))
    parser.add_argument("--corpus", type=Path, default=Path("out/corpus"), help="folder of jarlet bench corpus")
    parser.add_argument("--resident", action="store_true", help="one JVM for all runs of a case's script")
    options = parser.parse_args()
    folder, store = options.folder.resolve(), Store(options.corpus.resolve())
    folder.mkdir(parents=True, exist_ok=True)
    paths = dict(pair.split("=", 1) for pair in options.tool)
    print("| case | preset: bytes | probes | script: bytes | probes | ratio |\n|---|---:|---:|---:|---:|---:|")
    for case in cases(options.cases):
        store.get(case.subject)
        preset = ["--preset", case.preset, "--failures", STRICT]
        bytes_left, probes = reduced(case, store, folder / f"{case.name}-preset.jar", preset)
        tools = Resident(["-Xss8m"], paths[case.preset], folder)
        port = answering(tools) if options.resident else None
        asked = by_script(case, store, folder, paths[case.preset], port)
        left, taken = reduced(case, store, folder / f"{case.name}-script.jar", asked)
        tools.close()
        print(f"| {case.name} | {bytes_left} | {probes} | {left} | {taken} | {taken / probes:.2f} |", flush=True)


if __name__ == "__main__":
    main()
