"""Libraries that must still pass their published tests: the cases of ``debloat.toml`` with ``tests``.

The search sees two of three classes of tests, of those that pass alone. A row has the bytes of the result at each level
of trust, and how many of the other classes of tests are right, loud (they ask for what was taken away) or silent (they
fail for another reason).

``python -m tests.bench.tested [CASE ...] --seconds 300 --trust careful``. Jars come from a Maven repository.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import tempfile
import tomllib
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any

from core.protocol.settings import Settings
from core.service.aims import INPUT, chosen_tests, test_command
from tests.bench.debloat import LIST, LONGEST, REDUCE, TRUSTS, paths

_OF_THREE = 3
"""One of so many classes of tests is unseen."""
_KINDS = ("right", "loud", "silent")
_LOUD = re.compile(r"taken away by Jarlet|NoClassDefFoundError|NoSuch(?:Method|Field)Error|ClassNotFoundException")


def main() -> None:
    """Run the cases and print a row for each."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("cases", nargs="*")
    parser.add_argument("--folder", type=Path, default=Path("out/tested"))
    parser.add_argument("--seconds", type=int, default=300)
    parser.add_argument("--held-out", type=int, default=0, help="percent of the seen classes, held out by Jarlet")
    parser.add_argument("--trust", nargs="+", choices=TRUSTS, default=TRUSTS[:3])
    options = parser.parse_args()
    print(f"| case | jar | {' | '.join(options.trust)} |\n|---|---:|{'---:|' * len(options.trust)}")
    for case in tomllib.loads(LIST.read_text(encoding="utf-8"))["case"]:
        if "tests" in case and (not options.cases or case["name"] in options.cases):
            print(row(case, (options.folder / case["name"]).resolve(), options), flush=True)


def row(case: Mapping[str, Any], folder: Path, options: argparse.Namespace) -> str:
    """Return the row of a case."""
    folder.mkdir(parents=True, exist_ok=True)
    jars = paths(case["jars"])
    libraries = [each for each in dict.fromkeys([*jars[1:], *paths(case["needs"])]) if each != jars[0]]
    known = folder / "passing.txt"
    if not known.exists():
        names = chosen_tests(Settings(tests=tuple(case["tests"].split(",")), classpath=tuple(libraries)))
        passing = [name for name in names if answer(jars[0], libraries, name) == "right"]
        known.write_text("\n".join(passing), encoding="utf-8")
    passing = known.read_text(encoding="utf-8").split()
    unseen = sorted(Random(1).sample(passing, len(passing) // _OF_THREE))
    seen = [name for name in passing if name not in unseen]
    cells = [case["name"], f"{os.path.getsize(jars[0]):,}"]
    for level in options.trust:
        out = folder / f"{level}.jar"
        probes = shrunk(jars[0], libraries, seen, out, options)
        found = {name: answer(str(out), libraries, name) for name in unseen}
        (folder / f"{level}-unseen.json").write_text(json.dumps(found, indent=1), encoding="utf-8")
        counts, size = Counter(found.values()), 100 * out.stat().st_size / os.path.getsize(jars[0])
        cells.append(f"{probes} p: {size:.1f} % {'/'.join(str(counts[kind]) for kind in _KINDS)}")
    return f"| {' | '.join(cells)} |"


def shrunk(jar: str, libraries: Sequence[str], seen: Sequence[str], out: Path, options: argparse.Namespace) -> int:
    """Write a smaller jar at the level of trust that its name says. Return the probes."""
    out.unlink(missing_ok=True)
    report = out.with_suffix(".json")
    command = [*REDUCE, jar, "-o", str(out), "--trust", out.stem, "--time-limit", str(options.seconds)]
    command += ["--tests", ",".join(seen), "--classpath", os.pathsep.join(libraries), "--jobs", "1"]
    command += ["--held-out", str(options.held_out), "--report", str(report)]
    with out.with_suffix(".txt").open("w") as log:
        subprocess.run(command, stdout=log, stderr=log, check=False)
    return int(json.loads(report.read_text(encoding="utf-8"))["probes"]["run"])


def answer(jar: str, libraries: Sequence[str], name: str) -> str:
    """Return how a class of tests ends with a jar."""
    known = test_command(libraries)
    words = known.replace(INPUT, f"-c {name}" if " execute " in known else name).split()
    words = [os.pathsep.join([jar, *libraries]) if each == "{classpath}" else each for each in words]
    with tempfile.TemporaryDirectory() as folder:
        try:
            done = subprocess.run(words, capture_output=True, check=False, timeout=LONGEST, cwd=folder)
        except subprocess.TimeoutExpired:
            return "loud"
    told = (done.stdout + done.stderr).decode("utf-8", "replace")
    return "right" if not done.returncode else "loud" if _LOUD.search(told) else "silent"


if __name__ == "__main__":
    main()
