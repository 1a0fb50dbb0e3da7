"""The errors that rewriting makes: ``python -m tests.bench.rewritten_sources JAR... --kinds merging,native``.

A decompiler reads random sub-inputs of validity ``src``, each as it is and after random rewritings, and javac compiles
both. Told are the errors, by kind, of which there are more after the rewriting: those that the rewriting makes.
"""

from __future__ import annotations

import argparse
import random
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from core.archive.jar import read_jar, write_jar
from core.edits.programs.kinds import KINDS
from core.entries import Entries
from core.library.library import open_library
from core.model import building
from core.model.solver import draw
from tests.bench.referee_rewriting import rewritten
from tests.bench.resident import Resident
from tests.bench.sources import QUIET, Problem, compile_errors, decompiler, sources_of


def more_errors(tools: Resident, jar: Path, options: argparse.Namespace, folder: Path) -> list[list[Problem]]:
    """Return for each sub-input of a jar the errors of kinds that are more after the rewriting."""
    class_path = [Path(part).absolute() for part in options.class_path.split(":") if part]
    library, choice = open_library(class_path), random.Random(options.seed)
    model = building.build(read_jar([jar]), library, "full", "src")

    def problems(entries: Entries) -> list[Problem]:
        place = Path(tempfile.mkdtemp(dir=folder))
        try:
            write_jar(place / "part.jar", entries, durable=False)
            sources_of(tools, options.command, place / "part.jar", place / "src")
            return compile_errors(tools, place / "src", class_path, entries)
        finally:
            shutil.rmtree(place)

    found = []
    for kept in draw(model, options.count, options.seed):
        before = [entry for entry in model.entries(kept) if entry[0].endswith(".class")]
        after = rewritten(before, library.get, choice, options.kinds.split(",")).entries
        known = Counter(problem.kind for problem in problems(before)) if before else Counter()
        extra = []
        for problem in problems(after) if before else ():
            known[problem.kind] -= 1
            extra += [problem] * (known[problem.kind] < 0)
        found.append(extra)
    return found


def main(arguments: Sequence[str] | None = None) -> int:
    """Print a line for each jar, and examples of errors; return 1 if rewriting made any."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.rewritten_sources", description=__doc__)
    parser.add_argument("jars", nargs="+", type=Path, metavar="JAR")
    parser.add_argument("--class-path", default="", help="with : between")
    parser.add_argument("--count", type=int, default=10, help="sub-inputs of each jar")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kinds", default=",".join(KINDS), help="kinds of rewriting, with , between")
    parser.add_argument("--decompiler", choices=("procyon", "cfr", "vineflower"), default="procyon")
    options = parser.parse_args(arguments)
    there = decompiler(options.decompiler)
    if there is None:
        parser.error(f"{options.decompiler} is not there")
    programs, options.command = there
    some = False
    with tempfile.TemporaryDirectory(prefix="jarlet-sources-") as name:
        tools = Resident(QUIET, programs, Path(name))
        for jar in options.jars:
            found = more_errors(tools, jar, options, Path(name))
            print(f"{jar.name}: {sum(map(bool, found))} of {len(found)} sub-inputs have new errors", flush=True)
            kinds = Counter(problem.kind for extra in found for problem in extra)
            for kind, times in kinds.most_common():
                text = next(problem.text for extra in found for problem in extra if problem.kind == kind)
                print(f"    {kind} x {times}: {text}")
            some |= any(found)
        tools.close()
    return int(some)


if __name__ == "__main__":
    sys.exit(main())
