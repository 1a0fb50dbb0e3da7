"""Programs and libraries that must still run, beside published figures (``debloat.toml``): bytes of the jar after 1 and
5 minutes, and the share of the unseen inputs or tests that pass.

With ``--levels SECONDS`` each driver becomes one jar with its libraries, and the search sees its first ``seen``
inputs: bytes of the result at each level of trust and of ProGuard's, how many of the other inputs are right, end
loudly, or are silently wrong, the probes, and how many of them hung.

``python -m tests.bench.debloat [CASE ...] --folder out/debloat``. Jars and tests come from a Maven repository.
"""

from __future__ import annotations

import argparse
import json
import os
import shlex
import subprocess
import sys
import tempfile
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
Answer = tuple[int, str, dict[str, bytes]]
"""Exit code, output and written files."""
JAVA = "java -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -cp"
SAME_HASHES = "-XX:+UnlockExperimentalVMOptions -XX:hashCode=2"
"""Option by which no order depends on where an object is."""
TRUSTS = ("as-run", "careful", "whole-classes", "output")
USUAL = """-dontoptimize -dontobfuscate -dontwarn -ignorewarnings -dontnote
-keep class Driver { void main(java.lang.String[]); }
-keep class Driver$* { *; }
-keepattributes *Annotation*,Signature,InnerClasses,EnclosingMethod,Exceptions
-keepclassmembers enum * { public static **[] values(); public static ** valueOf(java.lang.String); }
-keepclassmembers class * extends java.io.Serializable { static final long serialVersionUID; void writeObject(...);
  void readObject(...); java.lang.Object writeReplace(); java.lang.Object readResolve(); }
-libraryjars <java.home>/jmods(!**.jar;!module-info.class)
"""
"""Rules for ProGuard: the examples of its manual."""


def main() -> None:
    """Run the cases and print a row for each."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("cases", nargs="*")
    parser.add_argument("--folder", type=Path, default=Path("out/debloat"))
    parser.add_argument("--levels", type=int, metavar="SECONDS")
    parser.add_argument("--trust", nargs="+", choices=[*TRUSTS, "proguard"], default=[*TRUSTS, "proguard"])
    options = parser.parse_args()
    cases = tomllib.loads(LIST.read_text(encoding="utf-8"))["case"]
    cases = [case for case in cases if not options.cases or case["name"] in options.cases]
    if options.levels:
        print(f"| case | jar | {' | '.join(options.trust)} |\n|---|---:|{'---:|' * len(options.trust)}")
    else:
        print("| case | published | jar | after 1 min | after 5 min | unseen |\n|---|---|---:|---:|---:|---|")
    for case in cases:
        folder = options.folder / case["name"]
        if not options.levels:
            print(row(case, folder), flush=True)
        elif "driver" in case:
            print(levels(case, folder.resolve(), options.levels, options.trust), flush=True)


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


def levels(case: Mapping[str, Any], folder: Path, seconds: int, trusts: Sequence[str]) -> str:
    """Return the row of a case with the results at some levels of trust, and of ProGuard, which optimises nothing."""
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
    seen = case.get("seen", 1)
    (folder / "seen.txt").write_text("\n".join(case["inputs"][:seen]), encoding="utf-8")
    inputs = [shlex.split(each) for each in case["inputs"][seen:]]
    right = [answer(whole, words) for words in inputs]
    cells = [case["name"], f"{whole.stat().st_size:,}"]
    for level in trusts:
        out = folder / f"{level}.jar"
        out.unlink(missing_ok=True)
        cells.append(f"{shrunk(whole, out, seconds)}{judged(whole, out, inputs, right)}")
    return f"| {' | '.join(cells)} |"


def shrunk(whole: Path, out: Path, seconds: int) -> str:
    """Write a smaller jar: at the level of trust that its name says, else by ProGuard. Return the probes, and how many
    of them hung."""
    level, log, report = out.stem, out.with_suffix(".txt").open("w"), out.with_suffix(".json")
    if level in TRUSTS:
        command = [*REDUCE, str(whole), "-o", str(out), "--trust", level, "--time-limit", str(seconds)]
        command += ["--predicate", f"{JAVA} {{jar}} Driver", "--inputs", str(out.with_name("seen.txt"))]
        command += ["--preserve", "exit,out,files", "--report", str(report)]
    else:
        (rules := out.with_name("usual.pro")).write_text(USUAL, encoding="utf-8")
        tool = os.pathsep.join(paths(["com.guardsquare:proguard-base:7.7.0"]))
        command = ["java", "-cp", tool, "proguard.ProGuard", f"@{rules}", "-injars", str(whole), "-outjars", str(out)]
    with log:
        subprocess.run(command, stdout=log, stderr=log, check=False)
    if level not in TRUSTS:
        return ""
    probes = json.loads(report.read_text(encoding="utf-8"))["probes"]
    return f"{probes['run']} p, {probes['verdicts'].get('timed_out', 0)} hung: "


def judged(whole: Path, jar: Path, inputs: Sequence[list[str]], right: Sequence[Answer]) -> str:
    """Return the cell of a result: its bytes, and the unseen inputs that are right, loud and silently wrong."""
    if not jar.exists():
        return "none"
    found = Counter[str]()
    for words, known in zip(inputs, right, strict=True):
        code, *rest = answer(jar, words)
        kind = "right" if (code, *rest) == known else "loud" if code and code != known[0] else "silent"
        if kind != "right":
            print(f"{jar}: {kind} on {words}", file=sys.stderr)
        found[kind] += 1
    size, counts = jar.stat().st_size, "/".join(str(found[each]) for each in ("right", "loud", "silent"))
    return f"{size:,} ({100 * size / whole.stat().st_size:.1f} %) {counts}"


def answer(jar: Path, words: Sequence[str]) -> Answer:
    """Return exit code, output and written files of a driver; -1 if it does not end."""
    command = [*shlex.split(JAVA.replace("java", f"java {SAME_HASHES}", 1)), str(jar), "Driver", *words]
    with tempfile.TemporaryDirectory() as folder:
        try:
            done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=LONGEST, cwd=folder)
        except subprocess.TimeoutExpired:
            return -1, "", {}  # it never ends: nobody takes that for a result
        written = {path.name: path.read_bytes() for path in Path(folder).iterdir()}
    return done.returncode, done.stdout, written


def compiled(case: Mapping[str, Any], jars: list[str], folder: Path) -> None:
    """Compile the driver of a case into ``classes``."""
    imports = "".join(f"import {name};\n" for name in case["imports"])
    body = f"public static void main(String[] words) throws Exception {{{case['driver']}}}"
    types = case.get("types", "")
    (folder / "Driver.java").write_text(f"{imports}public class Driver {{ {types} {body} }}", encoding="utf-8")
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
