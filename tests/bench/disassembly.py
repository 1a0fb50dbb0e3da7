"""``python -m tests.bench.disassembly JAR...``: does javap read the same where nothing but indices of constants moved?

Every class is written by the rewriter with all its parts, which must give the class file itself, byte for byte. Then
it is written in two ways that move indices: without constants that nothing uses, and without debug information, whose
constants go too. ``javap -c -p -v`` must print the same before and after, but for the pool, the indices into it,
the debug information and attributes that no standard names. Printed as a table of jars; the exit code is 1 if any
class reads differently.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from core.archive.jar import read_jar
from core.classfile.class_file import ClassFile, collector_paused, parse
from core.classfile.format_error import ClassFormatError
from core.rewrite.parts import PartKind, parts
from core.rewrite.rewriter import Rewriter
from tests.support.rewriting import Everything, chosen, everything

BATCH = 200
"""Classes that one javap reads."""

_LEFT_OUT = [
    re.compile(pattern, re.MULTILINE)
    for pattern in (
        r"^(Classfile|  Last modified|  (SHA-256|MD5) checksum|  Compiled from|SourceFile:) .*\n",
        r"^Constant pool:\n(?: +#.*\n)+",
        r"^ *[\w.]+: length = .*\(unknown attribute\)\n(?:^ *(?:[0-9A-F]{2} ?)+\n)*",
        r"^      (?:LineNumberTable|LocalVariableTable|LocalVariableTypeTable):\n(?:^        .*\n)*",
        r"^SourceDebugExtension:\n(?:^ .*\n)*",
    )
]


def listing(file: Path) -> list[str]:
    """Lines that javap prints of the classes in a folder, without what tells of the file and of its pool."""
    files = sorted(map(str, file.iterdir()))
    result = subprocess.run(["javap", "-c", "-p", "-v", *files], capture_output=True, text=True, check=True)
    texts = []
    for text in re.split(r"^(?=Classfile )", result.stdout, flags=re.MULTILINE)[1:]:
        for pattern in _LEFT_OUT:
            text = pattern.sub("", text)
        # the columns of comments and of tables of numbers depend on the width of the indexes
        text = re.sub(r" {2,}", " ", re.sub(r"#\d+(?:, +\d)?|(?<=attributes: )\d+", "#", text))
        texts.append("\n".join(line for line in text.splitlines() if line.strip()))
    return texts


def classes_of(path: str) -> Iterator[ClassFile]:
    """The classes of a jar that can be parsed."""
    jar = read_jar([path])
    for index in jar.classes():
        try:
            yield parse(jar.entries[index].data)
        except ClassFormatError as error:
            print(f"{jar.entries[index].name}: {error}", file=sys.stderr)


def different(batch: list[tuple[ClassFile, bytes]], folder: Path) -> list[str]:
    """Names of the classes whose two class files javap reads differently."""
    sides = []
    for side in (0, 1):
        place = folder / str(side)
        place.mkdir()
        for number, (cf, moved) in enumerate(batch):
            (place / f"{number:04}.class").write_bytes(moved if side else cf.to_bytes())
        sides.append(listing(place))
    left, right = sides
    assert len(left) == len(right) == len(batch)
    return [batch[number][0].name for number, pair in enumerate(zip(left, right, strict=True)) if pair[0] != pair[1]]


def main() -> int:
    """Prints the table."""
    print("| jar | classes | byte for byte | written otherwise | read differently |\n|---|---:|---:|---:|---:|")
    wrong: list[str] = []
    for path in sys.argv[1:]:
        classes = same = moved = 0
        found: list[str] = []
        pairs = iter(classes_of(path))
        while batch := list(islice(pairs, BATCH)):
            changed = []
            with collector_paused():
                for cf in batch:
                    own = parts(cf, "full")
                    rewriter = Rewriter(cf, own)
                    classes += 1
                    same += rewriter.write(everything(own), Everything()) == cf.source
                    bare = chosen(own, lambda part: part.kind not in (PartKind.LINES, PartKind.VARIABLES))
                    ways = {rewriter.compacted(), rewriter.write(bare, Everything())}
                    changed += [(cf, way) for way in ways if way != cf.source]
            moved += len(changed)
            if changed:
                with tempfile.TemporaryDirectory(prefix="jarlet-javap-") as name:
                    found += different(changed, Path(name))
        print(f"| {Path(path).name} | {classes:,} | {same:,} | {moved:,} | {len(found)} |", flush=True)
        wrong += found
    print("\n".join(wrong[:20]), file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
