"""Do failures keep their names when unrelated classes go? ``python -m tests.bench.failure_names JAR...``

For each jar and decompiler: the names in the whole jar, and in the closure of each source file that has failures. A
file whose names are the same, with the same counts, is equal. Prints a Markdown table, then each difference.
"""

from __future__ import annotations

import argparse
import os
import shutil
import tempfile
from collections import Counter
from pathlib import Path

from core.archive.jar import read_jar
from core.model import class_model
from core.predicate import presets
from core.predicate.failures import Statement, Wanted
from core.predicate.predicate import Predicate
from core.predicate.preset import ToolRuns


def of_file(names: tuple[str, ...], file: str) -> Counter[str]:
    """The names of one source file, by its simple name."""
    return Counter(name for name in names if name.startswith(f"{file}:"))


def outermost(name: str) -> str:
    """The class whose source file a class comes from, by its name alone."""
    return name.partition("$")[0]


def compare(
    model: class_model.ClassModel, predicate: Predicate, most: int, folder: Path
) -> tuple[list[str], list[str]]:
    """The cells of a line, and the differences."""
    predicate, outcome = predicate.calibrated(model.entries(model.full), folder / "full")
    try:
        files = sorted({name.partition(":")[0] for name in outcome.failures})
        equal, removed, differences = 0, 0, []
        chosen = files[:: max(1, len(files) // most)][:most]
        for number, file in enumerate(chosen):
            stem = f"/{file.removesuffix('.java')}"
            kept = 0
            for item, it in enumerate(model.items):
                if model.class_items >> item & 1 and f"/{outermost(it.name)}".endswith(stem):
                    kept |= model.closures[item]
            removed += (model.class_items & ~kept).bit_count()
            after = predicate.probe(model.entries(kept), folder / f"part-{number}").failures
            before, after_ = of_file(outcome.failures, file), of_file(after, file)
            equal += before == after_
            for name, count in ((before - after_) + Counter()).items():
                differences.append(f"- {count} gone: `{name}`")
            for name, count in ((after_ - before) + Counter()).items():
                differences.append(f"- {count} come: `{name}`")
        note = "parse errors" if "parse errors" in outcome.detail else ""
        average = f"{removed / max(1, len(chosen)):.0f}"
        cells = [str(len(outcome.failures)), str(len(files)), str(len(chosen)), average, f"{equal} of {len(chosen)}"]
        return [*cells, note], differences
    finally:
        predicate.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("jars", nargs="+", type=Path)
    parser.add_argument("--presets", nargs="*", default=["procyon", "cfr", "vineflower"])
    parser.add_argument("--classpath", default="", help="libraries of the inputs, joined by the path separator")
    parser.add_argument("--most", type=int, default=5, help="files a jar")
    arguments = parser.parse_args()
    library = [Path(text) for text in arguments.classpath.split(os.pathsep) if text]
    folder = Path(tempfile.mkdtemp(prefix="jarlet-names-"))
    told = []
    print("| jar | preset | failures | files with | files tried | classes removed, mean | equal names | |")
    print("|---|---|---:|---:|---:|---:|---:|---|")
    try:
        for path in arguments.jars:
            model = class_model.build(read_jar([path]))
            for name in arguments.presets:
                predicate = presets.find(name).predicate(wanted=Wanted(Statement.AT_LEAST), runs=ToolRuns(library))
                cells, differences = compare(model, predicate, arguments.most, folder)
                print(f"| {path.name} | {name} | {' | '.join(cells)} |", flush=True)
                told += [f"\n{path.name}, {name}:\n", *differences] if differences else []
                shutil.rmtree(folder, ignore_errors=True)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    print("\n".join(told))


if __name__ == "__main__":
    main()
