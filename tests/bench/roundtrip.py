"""``python -m tests.bench.roundtrip JAR...``: is every class file written back byte for byte?

Each class is read, every constant and every Code attribute is made an object, every
instruction is scanned, and the class is written. Printed as a table of jars, with the
reason of the first failure of a jar; the exit code is 1 if any class came out different.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field

from core.archive.jar import read_jar
from core.classfile.class_file import ClassFormatError, collector_paused, parse
from core.classfile.instructions import instructions
from core.classfile.references import references
from core.errors import JarletError


@dataclass
class Result:
    """How the classes of one jar fared."""

    jar: str
    classes: int = 0
    identical: int = 0
    changed: list[str] = field(default_factory=list)
    failed: list[tuple[str, str]] = field(default_factory=list)
    methods: int = 0
    instructions: int = 0
    seconds: float = 0.0


def written_back(data: bytes, result: Result) -> bytes:
    """The class file after everything in it has been an object; counts its methods and instructions."""
    cf = parse(data)
    references(cf)
    for index, place in enumerate(cf.constants.tuples()):
        if place is not None:
            cf.constants.get(index)
    for method in cf.methods:
        code = method.code
        if code is not None:
            result.methods += 1
            result.instructions += sum(1 for _ in instructions(code.code))
            list(code.attributes)
    for member in (*cf.fields, *cf.methods):
        list(member.attributes)
    list(cf.attributes)
    return cf.to_bytes()


def roundtrip(path: str) -> Result:
    """All class files of the jar at *path*."""
    jar = read_jar([path])
    result = Result(path.rpartition("/")[2])
    start = time.process_time()
    for batch in batches(jar.classes(), 1000):
        with collector_paused():
            for index in batch:
                entry = jar.entries[index]
                result.classes += 1
                try:
                    same = written_back(entry.data, result) == entry.data
                except ClassFormatError as error:
                    result.failed.append((entry.name, str(error)))
                    continue
                result.identical += same
                if not same:
                    result.changed.append(entry.name)
    result.seconds = time.process_time() - start
    return result


def batches(indexes: list[int], size: int) -> Iterator[list[int]]:
    for start in range(0, len(indexes), size):
        yield indexes[start : start + size]


def main(paths: list[str]) -> int:
    row = "| {:<34} | {:>7} | {:>9} | {:>7} | {:>6} | {:>8} | {:>12} | {:>6} |"
    print(row.format("jar", "classes", "identical", "changed", "failed", "methods", "instructions", "CPU s"))
    print(row.format("---", *["---:"] * 7))
    total = Result("total")
    for path in paths:
        try:
            result = roundtrip(path)
        except JarletError as error:
            print(error, file=sys.stderr)
            continue
        total.classes += result.classes
        total.identical += result.identical
        total.changed += result.changed
        total.failed += result.failed
        total.methods += result.methods
        total.instructions += result.instructions
        total.seconds += result.seconds
        show(row, result)
        for name, reason in result.failed[:1]:
            print(f"  {name}: {reason}")
    show(row, total)
    return 1 if total.changed or total.failed else 0


def show(row: str, result: Result) -> None:
    counts = (result.classes, result.identical, len(result.changed), len(result.failed))
    print(row.format(result.jar, *counts, result.methods, result.instructions, f"{result.seconds:.1f}"), flush=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
