"""What code uses, over whole jars: ``python -m tests.bench.typing JAR...``, a line each.

CPU seconds to parse, and to find the facts (best of three); then whether the subtype facts hold in the hierarchy that
the jar tells of. A fact that does not hold is looked at again with sets of types, as the rules should do.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from core.archive.jar import read_jar
from core.bytecode.code_facts import CodeReader, Subtype
from core.classfile.class_file import ClassFile, Method, collector_paused, parse
from core.classfile.format_error import ClassFormatError

OBJECT = "java/lang/Object"


@dataclass
class Result:
    """Figures of one jar."""

    jar: str
    classes: int = 0
    methods: int = 0
    facts: int = 0
    """Subtype facts, counted once a method."""
    checked: int = 0
    """Those among them that the classes of the jar can decide."""
    merged: int = 0
    """Methods that took the fixed point over sets of types."""
    parsing: float = 0.0
    reading: float = 0.0
    failed: list[str] = field(default_factory=list)
    doubtful: list[tuple[str, Subtype]] = field(default_factory=list)
    """Facts that do not hold: frames said less than there is to know."""
    wrong: list[tuple[str, Subtype]] = field(default_factory=list)
    """Facts that do not hold even with sets of types."""


class Hierarchy:
    """Who is above whom, as far as the classes at hand tell."""

    def __init__(self, classes: list[ClassFile]) -> None:
        self.above: dict[str, set[str]] = {}
        for cf in classes:
            self.above.setdefault(cf.name, {*filter(None, [cf.superclass]), *cf.interface_names})

    def holds(self, source: str, target: str) -> bool | None:
        """Whether *source* is a *target*; None if some class on the way is not at hand."""
        seen: set[str] = set()
        todo, known = [source], True
        while todo:
            name = todo.pop()
            if name == target:
                return True
            if name in seen or name == OBJECT:
                continue
            seen.add(name)
            known = known and name in self.above
            todo += self.above.get(name, ())
        # What lies outside knows nothing of the classes in the jar.
        return False if known or (target in self.above and source in self.above) else None


def measure(path: str, *, times: int = 3) -> Result:
    """The figures of the jar at *path*."""
    result = Result(path.rpartition("/")[2])
    jar = read_jar([path])
    classes: list[ClassFile] = []
    with collector_paused():
        start = time.process_time()
        for entry in jar.classes():
            try:
                classes.append(parse(jar.entries[entry].data))
            except ClassFormatError as error:
                result.failed.append(f"{jar.entries[entry].name}: {error}")
        result.parsing = time.process_time() - start
        result.reading = min(_read(classes) for _ in range(times))
    result.classes = len(classes)
    hierarchy = Hierarchy(classes)
    for cf in classes:
        reader = CodeReader(cf)
        for method in cf.methods:
            result.methods += 1
            try:
                _check(result, reader, method, hierarchy.holds)
            except ClassFormatError as error:
                result.failed.append(f"{cf.name}.{method.name_text}{method.descriptor_text}: {error}")
    return result


def _read(classes: list[ClassFile]) -> float:
    kept = []
    start = time.process_time()
    for cf in classes:
        reader = CodeReader(cf)
        for method in cf.methods:
            try:
                kept.append(reader.facts(method))
            except ClassFormatError:
                continue
    return time.process_time() - start


def _check(result: Result, reader: CodeReader, method: Method, holds: Callable[[str, str], bool | None]) -> None:
    facts = reader.facts(method)
    title = f"{reader.cf.name}.{method.name_text}{method.descriptor_text}"
    result.facts += len(facts.subtypes)
    result.merged += facts.merged
    answers = [(fact, holds(fact[0], fact[1])) for fact in facts.subtypes]
    result.checked += sum(answer is not None for _, answer in answers)
    doubtful = [(title, fact) for fact, answer in answers if answer is False]
    if doubtful:
        result.doubtful += doubtful
        again = reader.facts(method, sets=True).subtypes
        result.wrong += [(title, fact) for fact in again if holds(fact[0], fact[1]) is False]


def main() -> None:
    """Prints a line for each jar named."""
    for path in sys.argv[1:]:
        found = measure(path)
        print(
            f"{found.jar}: {found.classes} classes, {found.methods} methods; parse {found.parsing:.2f} s, facts"
            f" {found.reading:.2f} s CPU; {found.facts} subtype facts, {found.checked} decidable,"
            f" {len(found.doubtful)} do not hold as framed, {len(found.wrong)} do not hold;"
            f" {found.merged} methods by sets, {len(found.failed)} failed"
        )
        for line in (*found.failed, *(f"{title}: {fact}" for title, fact in found.wrong)):
            print("   ", line)


if __name__ == "__main__":
    main()
