"""Failures told as of a missing library, against those that are gone once the library is there.

    python -m tests.bench.missing_libraries JAR --preset P --classpath LIBRARIES

Runs the tool on the jar without and with its libraries, and prints a row: failures without and with them, those that
are gone, those told for certain and how many of these are not gone, those set aside and how many of these are not gone.
Below it stands each failure that is gone and would be counted as a bug.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from pathlib import Path
from threading import Event as Flag

from core.archive.jar import read_jar
from core.evidence.missing_libraries import library_failures
from core.library.jdks import choose_jdk, needed_java
from core.model import class_model
from core.model.class_model import ClassModel
from core.predicate import presets
from core.service.queries.tool_survey import run_tool


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the row of one jar."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("jar", type=Path)
    parser.add_argument("--preset", required=True)
    parser.add_argument("--classpath", required=True)
    options = parser.parse_args(arguments)
    jar = read_jar([options.jar])
    model = class_model.build(jar)
    bare = _failures(model, options.preset, ())
    full = _failures(model, options.preset, [Path(path) for path in options.classpath.split(os.pathsep)])
    told = library_failures(bare, model, ())
    certain, aside = told.certain.keys(), told.possible.keys()
    gone = bare - full
    shares = f"{len(certain)} | {len(certain & full)} | {len(aside)}, {len(aside & full)}"
    print(f"| {options.preset} | {options.jar.stem} | {len(bare)} | {len(full)} | {len(gone)} | {shares} |")
    for failure in sorted(gone - certain - aside):
        print(f"    {failure}")


def _failures(model: ClassModel, name: str, libraries: Sequence[Path]) -> set[str]:
    """Return the names of the failures of a preset's tool on an input."""
    preset, entries = presets.find(name), model.entries(model.full)
    jdk = choose_jdk("", needed_java(entries), preset.newest_jdk).jdk
    ran = run_tool(preset, entries, libraries, Flag(), jdk)
    if ran.problem:
        raise SystemExit(ran.problem)
    return set(ran.failures)


if __name__ == "__main__":
    main()
