"""Programs and libraries that must still run, beside published figures (``debloat.toml``): bytes of the jar after 1 and
5 minutes, and the share of the unseen inputs or tests that pass.

With ``--levels SECONDS`` each driver becomes one jar with its libraries, and the search sees its first input alone:
bytes of the result at each level of trust and of ProGuard's, and how many of the other inputs are right, end loudly, or
are silently wrong.

``python -m tests.bench.debloat [CASE ...] --folder out/debloat``. Jars and tests come from a Maven repository.
"""

from __future__ import annotations

import argparse
import json
import os
import shlex
import subprocess
import sys
import time
import tomllib
import zipfile
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from core.predicate.releases.coordinate import Coordinate
from core.predicate.releases.maven import jars_of
from core.protocol.wording import unseen_text

LIST = Path(__file__).with_name("debloat.toml")
SECONDS = (60.0, 300.0)
LONGEST = 90
"""Seconds that an input may take."""
REDUCE = (sys.executable, "-m", "app", "reduce")
JAVA = "java -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -cp"
TRUSTS = ("as-run", "careful", "whole-classes", "output")
MAIN = "-keep class Driver { void main(java.lang.String[]); }"


def main() -> None:
    """Run the cases and print a row for each."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("cases", nargs="*")
    parser.add_argument("--folder", type=Path, default=Path("out/debloat"))
    parser.add_argument("--levels", type=int, metavar="SECONDS")
    options = parser.parse_args()
    cases = tomllib.loads(LIST.read_text(encoding="utf-8"))["case"]
    cases = [case for case in cases if not options.cases or case["name"] in options.cases]
    if options.levels:
        print(f"| case | jar | {' | '.join(TRUSTS)} | ProGuard |\n|---|---:|{'---:|' * (len(TRUSTS) + 1)}")
    else:
        print("| case | published | jar | after 1 min | after 5 min | unseen |\n|---|---|---:|---:|---:|---|")
    for case in cases:
        folder = options.folder / case["name"]
        if not options.levels:
            print(row(case, folder), flush=True)
        elif "driver" in case:
            print(levels(case, folder.resolve(), options.levels), flush=True)


def row(case: Mapping[str, Any], folder: Path) -> str:
    """Return the row of a case."""
    folder.mkdir(parents=True, exist_ok=True)
    jars, out = paths(case["jars"]), folder / "out.jar"
    command = [*REDUCE, *jars[:1], "-o", str(out), "--report", str(folder / "report.json")]
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


def levels(case: Mapping[str, Any], folder: Path, seconds: int) -> str:
    """Return the row of a case with the results of all levels of trust, and of ProGuard, which optimises nothing."""
    folder.mkdir(parents=True, exist_ok=True)
    jars, whole = paths(case["jars"]), folder / "whole.jar"
    compiled(case, jars, folder)
    with zipfile.ZipFile(whole, "w", zipfile.ZIP_DEFLATED) as made:
        for jar in jars:
            with zipfile.ZipFile(jar) as read:
                for name in sorted(set(read.namelist()) - set(made.namelist())):
                    if not name.endswith("/") and name.partition(".")[2] not in ("SF", "RSA", "DSA"):
                        made.writestr(name, read.read(name))
        for path in sorted((folder / "classes").glob("*.class")):
            made.write(path, path.name)
    inputs = [shlex.split(each) for each in case["inputs"]]
    right = [answer(whole, words) for words in inputs]
    cells = [case["name"], f"{whole.stat().st_size:,}"]
    for level in TRUSTS:
        out, log = folder / f"{level}.jar", (folder / f"{level}.txt").open("w")
        command = [*REDUCE, str(whole), "-o", str(out), "--trust", level, "--time-limit", str(seconds)]
        command += ["--predicate", f"{JAVA} {{jar}} Driver {case['inputs'][0]}", "--preserve", "exit,out"]
        with log:
            subprocess.run([*command, "--report", str(folder / f"{level}.json")], stdout=log, stderr=log, check=False)
        cells.append(judged(whole, out, inputs, right))
    out = folder / "proguard.jar"
    tool = os.pathsep.join(paths(["com.guardsquare:proguard-base:7.7.0"]))
    rules = ["-dontoptimize", "-dontobfuscate", "-dontwarn", "-ignorewarnings", "-dontnote", MAIN]
    rules += [
        "-injars",
        str(whole),
        "-outjars",
        str(out),
        "-libraryjars",
        "<java.home>/jmods(!**.jar;!module-info.class)",
    ]
    with (folder / "proguard.txt").open("w") as log:
        subprocess.run(["java", "-cp", tool, "proguard.ProGuard", *rules], stdout=log, stderr=log, check=False)
    return f"| {' | '.join([*cells, judged(whole, out, inputs, right)])} |"


def judged(whole: Path, jar: Path, inputs: Sequence[list[str]], right: Sequence[tuple[int, str]]) -> str:
    """Return the cell of a result: its bytes, and the unseen inputs that are right, loud and silently wrong."""
    found = Counter[str]()
    for words, known in list(zip(inputs, right, strict=True))[1:]:
        code, out = answer(jar, words)
        kind = "right" if (code, out) == known else "loud" if code and code != known[0] else "silent"
        if kind == "silent":
            print(f"{jar}: silent on {words}", file=sys.stderr)
        found[kind] += 1
    size, counts = jar.stat().st_size, "/".join(str(found[each]) for each in ("right", "loud", "silent"))
    return f"{size:,} ({100 * size / whole.stat().st_size:.1f} %) {counts}"


def answer(jar: Path, words: Sequence[str]) -> tuple[int, str]:
    """Return exit code and output of a driver; -1 if it does not end."""
    command = [*shlex.split(JAVA), str(jar), "Driver", *words]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=LONGEST)
    except subprocess.TimeoutExpired:
        return -1, ""  # it never ends: nobody takes that for a result
    return done.returncode, done.stdout


def compiled(case: Mapping[str, Any], jars: list[str], folder: Path) -> None:
    """Compile the driver of a case into ``classes``."""
    imports = "".join(f"import {name};\n" for name in case["imports"])
    body = f"public static void main(String[] words) throws Exception {{{case['driver']}}}"
    (folder / "Driver.java").write_text(f"{imports}public class Driver {{ {body} }}", encoding="utf-8")
    javac = ["javac", "-d", str(folder / "classes"), "-cp", os.pathsep.join(jars), str(folder / "Driver.java")]
    subprocess.run(javac, check=True)


def wanted(case: Mapping[str, Any], jars: list[str], folder: Path) -> list[str]:
    """Return the options that say what must stay."""
    if "tests" in case:
        return ["--tests", case["tests"], "--classpath", os.pathsep.join([*jars[1:], *paths(case["needs"])])]
    compiled(case, jars, folder)
    (folder / "inputs.txt").write_text("\n".join(case["inputs"]), encoding="utf-8")
    path = os.pathsep.join(["{jar}", *jars[1:], str((folder / "classes").resolve())])
    return ["--predicate", f"{JAVA} {path} Driver", "--inputs", str(folder / "inputs.txt"), "--preserve", "exit,out"]


def paths(coordinates: list[str]) -> list[str]:
    """Return the jars of coordinates and of their dependencies, from a repository."""
    found = (jars_of(Coordinate.parse(each), {}, fetch=True).values() for each in coordinates)
    return list(dict.fromkeys(str(path) for each in found for path in each))


if __name__ == "__main__":
    main()
