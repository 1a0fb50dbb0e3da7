"""Class files as assembler text and back: a row for each attribute and kind of constant, and the classes that differ.

    python -m tests.bench.assembled --asmtools asmtools-core.jar --count 200 JAR...

Classes are drawn from the jars so that each feature (attribute, kind of constant, version of class files) has its
share. asmtools assemble the jcod of each class and, without what jasm cannot say, its jasm. The classes must be the
same: jcod to the byte; jasm as symbolic classes, without what asmtools make of their own.
"""

from __future__ import annotations

import argparse
import random
import subprocess
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from core.archive.jar import read_jar
from core.assembler.jasm import is_module, jasm, lost, without_lost
from core.assembler.jcod import jcod
from core.classfile import pool
from core.classfile.class_file import parse
from core.classfile.format_error import ClassFormatError
from core.library.jdks import choose_jdk
from core.rewrite.programs.class_tree import AttributeTree, MemberTree, read

_SECONDS = 600.0
"""Time limit of one run of asmtools, in seconds."""
_OWN = frozenset(("SourceFile", "LineNumberTable", "Deprecated", "Synthetic"))
"""Attributes that asmtools make of their own, or that tell nothing but what the flags tell."""
_CONSTANTS = {
    pool.DYNAMIC: "constant: Dynamic",
    pool.INVOKE_DYNAMIC: "constant: InvokeDynamic",
    pool.METHOD_TYPE: "constant: MethodType",
    pool.MODULE: "constant: Module",
}


def features(data: bytes) -> set[str]:
    """Return the names of a class's attributes, its rarer kinds of constants, and its version. Raise
    ClassFormatError."""
    file = parse(data)
    found = {_CONSTANTS[value[0]] for value in file.constants.tuples() if value is not None and value[0] in _CONSTANTS}
    tables = [file.attributes, *(member.attributes for member in (*file.fields, *file.methods))]
    tables += [method.code.attributes for method in file.methods if method.code is not None]
    found |= {name for table in tables for name, _ in table.rows()}
    return found | {f"version {file.version.major}"}


def chosen(jars: Sequence[Path], count: int, seed: int) -> dict[str, bytes]:
    """Return ``count`` classes by a unique name each: in turn one more of each feature, the rarest feature first."""
    by_feature: dict[str, list[str]] = {}
    classes: dict[str, bytes] = {}
    for jar in jars:
        for entry in read_jar([str(jar)]).entries:
            if not entry.name.endswith(".class"):
                continue
            try:
                own = features(entry.data)
            except ClassFormatError:
                continue
            name = f"{jar.stem}:{entry.name}"
            classes[name] = entry.data
            for feature in sorted(own):
                by_feature.setdefault(feature, []).append(name)
    dice = random.Random(seed)
    for names in by_feature.values():
        dice.shuffle(names)
    found: dict[str, bytes] = {}
    while len(found) < min(count, len(classes)):
        for names in sorted(by_feature.values(), key=len):
            while names and names[-1] in found:
                names.pop()
            if names and len(found) < count:
                found[names[-1]] = classes[names[-1]]
    return found


def assembled(texts: Mapping[str, str], program: str, asmtools: Path) -> tuple[dict[str, bytes], str]:
    """Return the class files that asmtools make of texts, by the names of the texts, and what asmtools say."""
    found, said = {}, []
    by_jar: dict[str, list[str]] = {}
    for name in texts:
        by_jar.setdefault(name.partition(":")[0], []).append(name)
    for names in by_jar.values():  # names of classes are unique in a jar
        with tempfile.TemporaryDirectory(prefix="jarlet-assembled-") as place:
            folder, made = Path(place), Path(place, "made")
            made.mkdir()
            sources = {name: folder / f"t{number}.{program}" for number, name in enumerate(names)}
            for name, source in sources.items():
                source.write_text(texts[name])
            words = [str(choose_jdk("", 0).jdk.java), "-XX:TieredStopAtLevel=1", "-cp", str(asmtools)]
            words += ["org.openjdk.asmtools.Main", program, "-d", str(made), *map(str, sources.values())]
            done = subprocess.run(words, capture_output=True, text=True, check=False, timeout=_SECONDS)
            said.append((done.stdout + done.stderr).strip())
            for name, source in sources.items():
                said[-1] = said[-1].replace(str(source), name)
                file = made / name.partition(":")[2]
                if file.is_file():
                    found[name] = file.read_bytes()
    return found, "\n".join(filter(None, said))


def _symbolic(data: bytes) -> tuple[bytes, str]:
    """Return a class without frames, whose attributes and constants have an order, and its text, which has the
    frames."""
    bare = without_lost(data)
    try:
        tree = read(parse(bare))
    except ClassFormatError:  # an attribute that is damaged: its text is all there is to compare
        return b"", jasm(bare)
    tree = tree.without(lambda each: each.name in _OWN or each.name == "StackMapTable")

    def members(found: Iterable[MemberTree]) -> tuple[MemberTree, ...]:
        return tuple(each._replace(attributes=_sorted(each.attributes)) for each in found)

    ordered = tree._replace(fields=members(tree.fields), methods=members(tree.methods))
    return ordered._replace(attributes=_sorted(tree.attributes)).written(), jasm(bare)


def _sorted(attributes: Iterable[AttributeTree]) -> tuple[AttributeTree, ...]:
    return tuple(sorted(attributes, key=lambda each: each.name))


def _jasm(data: bytes) -> str | None:
    return None if is_module(data) else jasm(data)


def _texts(classes: Mapping[str, bytes], write: Callable[[bytes], str | None]) -> Iterator[tuple[str, str]]:
    """Yield the texts of the classes that have one; name the others, which a reproducer has as jcod."""
    for name, data in classes.items():
        try:
            text = write(data)
        except ClassFormatError as error:
            print(f"jcod alone: {name}: {error}")
            continue
        if text is not None:
            yield name, text


def _same(classes: Mapping[str, bytes], made: Mapping[str, bytes], of: Callable[[bytes], object]) -> set[str]:
    return {name for name, data in classes.items() if name in made and of(made[name]) == of(data)}


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("jars", nargs="+", type=Path, metavar="JAR")
    parser.add_argument("--asmtools", type=Path, required=True, metavar="JAR")
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    classes = chosen(options.jars, options.count, options.seed)
    good: dict[str, set[str]] = {}
    for program, write, of in (("jcoder", jcod, bytes), ("jasm", jasm, _symbolic)):
        own = dict(_texts(classes, write if program == "jcoder" else _jasm))
        made, _ = assembled(own, program, options.asmtools)
        said = ""
        for name in own.keys() - made.keys():  # a text that asmtools refuse takes others of its jar along
            one, why = assembled({name: own[name]}, program, options.asmtools)
            made, said = {**made, **one}, f"{said}{why}\n" if not one else said
        good[program] = _same(classes, made, of)
        print(said)
        for name in classes.keys() & made.keys() - good[program]:
            print(f"{program} differs: {name}")
    _print(classes, good)


def _print(classes: Mapping[str, bytes], good: Mapping[str, Iterable[str]]) -> None:
    """Print how many classes have each feature, and how many of these are the same by each way."""
    all_of = {name: features(data) for name, data in classes.items()}
    count = Counter(feature for own in all_of.values() for feature in own)
    shares = {way: Counter(feature for name in names for feature in all_of[name]) for way, names in good.items()}
    unsaid = {feature for data in classes.values() for feature in lost(data)}
    print("| feature | classes | jcod | jasm |\n|---|---:|---:|---|")
    for feature in sorted(count):
        told = "left out" if feature in unsaid else str(shares["jasm"][feature])
        told = "jcod" if feature.startswith(("Module", "constant: Module")) else told
        print(f"| {feature} | {count[feature]} | {shares['jcoder'][feature]} | {told} |")
    print(f"| all | {len(classes)} | {len(set(good['jcoder']))} | {len(set(good['jasm']))} |")


if __name__ == "__main__":
    main()
