"""Programs and libraries that must still run, beside published figures (``debloat.toml``): bytes of the jar after 1 and
5 minutes, and the share of the unseen inputs or tests that pass.

``python -m tests.bench.debloat [CASE ...] --folder out/debloat``. Jars and tests come from a Maven repository.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
import tomllib
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from core.predicate.releases.coordinate import Coordinate
from core.predicate.releases.maven import jars_of
from core.protocol.wording import unseen_text

LIST = Path(__file__).with_name("debloat.toml")
SECONDS = (60.0, 300.0)


def main() -> None:
    """Run the cases and print a row for each."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("cases", nargs="*")
    parser.add_argument("--folder", type=Path, default=Path("out/debloat"))
    options = parser.parse_args()
    print("| case | published | jar | after 1 min | after 5 min | unseen |\n|---|---|---:|---:|---:|---|")
    for case in tomllib.loads(LIST.read_text(encoding="utf-8"))["case"]:
        if not options.cases or case["name"] in options.cases:
            print(row(case, options.folder / case["name"]), flush=True)


def row(case: Mapping[str, Any], folder: Path) -> str:
    """Return the row of a case."""
    folder.mkdir(parents=True, exist_ok=True)
    jars, out = paths(case["jars"]), folder / "out.jar"
    command = [
        sys.executable,
        "-m",
        "app",
        "reduce",
        *jars[:1],
        "-o",
        str(out),
        "--report",
        str(folder / "report.json"),
    ]
    command += ["--time-limit", str(SECONDS[-1]), *wanted(case, jars, folder)]
    log, begin, sizes = (folder / "log.txt").open("w"), time.monotonic(), []
    out.unlink(missing_ok=True)
    with log, subprocess.Popen(command, stdout=log, stderr=log) as run:
        for seconds in SECONDS[:-1]:
            with suppress(subprocess.TimeoutExpired):
                run.wait(begin + seconds - time.monotonic())
            sizes.append(out.stat().st_size if out.exists() else 0)
        if run.wait() not in (0, 3):
            raise SystemExit(f"{case['name']}: see {folder / 'log.txt'}")
    sizes.append(out.stat().st_size)
    report = json.loads((folder / "report.json").read_text(encoding="utf-8"))
    published = ", ".join(f"{table}: {text}" for table, text in case["published"].items())
    found = [f"{size:,} ({100 * size / os.path.getsize(jars[0]):.1f} %)" if size else "nothing yet" for size in sizes]
    unseen = unseen_text({**report["unseen"], "failed": []})
    back = sum(each["kept"] for each in report["unseen"]["failed"])
    cells = [case["name"], published, f"{os.path.getsize(jars[0]):,}", *found, f"{unseen} {back} went back."]
    return f"| {' | '.join(cells)} |"


def wanted(case: Mapping[str, Any], jars: list[str], folder: Path) -> list[str]:
    """Return the options that say what must stay."""
    if "tests" in case:
        return ["--tests", case["tests"], "--classpath", os.pathsep.join([*jars[1:], *paths(case["needs"])])]
    classes = folder / "classes"
    imports = "".join(f"import {name};\n" for name in case["imports"])
    body = f"public static void main(String[] words) throws Exception {{{case['driver']}}}"
    (folder / "Driver.java").write_text(f"{imports}public class Driver {{ {body} }}", encoding="utf-8")
    (folder / "inputs.txt").write_text("\n".join(case["inputs"]), encoding="utf-8")
    compiled = ["javac", "-d", str(classes), "-cp", os.pathsep.join(jars), str(folder / "Driver.java")]
    subprocess.run(compiled, check=True)
    path = os.pathsep.join(["{jar}", *jars[1:], str(classes.resolve())])
    java = f"java -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -cp {path} Driver"
    return ["--predicate", java, "--inputs", str(folder / "inputs.txt"), "--preserve", "exit,out"]


def paths(coordinates: list[str]) -> list[str]:
    """Return the jars of coordinates and of their dependencies, from a repository."""
    found = (jars_of(Coordinate.parse(each), {}, fetch=True).values() for each in coordinates)
    return list(dict.fromkeys(str(path) for each in found for path in each))


if __name__ == "__main__":
    main()
