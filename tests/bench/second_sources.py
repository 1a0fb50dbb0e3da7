"""Does a decompiler make an error by itself? Other decompilers' sources of the same classes, compiled, are the proof.

Sub-inputs are bytecode that no compiler has made. An error of javac is the decompiler's own where it shows the same
one, in the same line of source, for classes that javac has made from legal Java of the same class: the source that
another decompiler writes for the sub-input, which compiles without an error. No list of known errors is asked.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from core.archive.jar import write_jar
from core.classfile.class_file import parse
from core.entries import Entries
from core.model.reading.facts import extract
from tests.bench.resident import Resident
from tests.support.rebuilt_class import rebuilt

Decompile = Callable[[str, Path, Path], None]
"""Writes the sources of a jar below a folder, with the decompiler of that name."""
_FIRST_RELEASE = 8
"""Oldest Java that today's javac writes."""


@dataclass(frozen=True)
class Sample:
    """A sub-input: its jar, its classes, and the libraries that it is compiled with."""

    jar: Path
    entries: Entries
    class_path: Sequence[Path]


def remade(
    tools: Resident, decompile: Decompile, others: Sequence[str], sample: Sample, file: str
) -> Iterator[tuple[Path, Entries]]:
    """Jars of the sub-input in which javac has made the classes of one source file, with their entries, and without
    and with debug information; each in a folder of its own, beside the sub-input's jar."""
    top = file.removesuffix(".java")
    inside = {name for name, _ in sample.entries if name[:-6].partition("$")[0] == top}
    release = max([_FIRST_RELEASE, *(data[7] - 44 for name, data in sample.entries if name in inside)])
    for other in others:
        folder = sample.jar.parent / f"by-{other}"
        if not folder.exists():
            plain = sample.jar.with_name("plain.jar")
            write_jar(plain, [(name, shown(data)) for name, data in sample.entries], durable=False)
            decompile(other, plain, folder)
        for debug in ("-g:none", "-g"):
            made = folder.with_name(f"{folder.name}{debug.replace(':', '-')}")
            shutil.rmtree(made, ignore_errors=True)
            said = tools.run(
                "javac", "-proc:none", "-nowarn", "-encoding", "UTF-8", "-implicit:none", debug,
                "--release", str(release), "-sourcepath", str(made), "-cp",
                os.pathsep.join(map(str, (sample.jar, *sample.class_path))),
                "-d", str(made / "classes"), str(folder / file),
            )  # fmt: skip
            written = {
                str(path.relative_to(made / "classes")): path.read_bytes()
                for path in sorted((made / "classes").rglob("*.class"))
            }
            if "error:" in said or f"{top}.class" not in written:
                continue
            entries = [entry for entry in sample.entries if entry[0] not in inside]
            entries += list(written.items())
            write_jar(made / "part.jar", entries, durable=False)
            yield made, entries


def shown(data: bytes) -> bytes:
    """The class file with the bodies of lambdas that nothing makes as methods of source. Decompilers leave them out
    where a compiler seems to have made them."""
    file = parse(data)
    facts = extract(file, "full")
    made = {index for code in facts.code for _, index, _, _ in code.call_sites}
    named = {handle[2] for index in made for handle in facts.bootstraps[index].handles}
    for method in file.methods:
        if method.name_text.startswith("lambda$") and method.name_text not in named:
            method.access &= ~0x1000
    return rebuilt(file)
