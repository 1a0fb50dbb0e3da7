"""Random choices of parts, judged by our parser, by javap, and by the JVM's verifier."""

from __future__ import annotations

import random
import zipfile
from collections.abc import Sequence
from pathlib import Path

import pytest

from core.classfile.class_file import ClassFile, parse
from core.classfile.symbolic.attribute_pieces import READERS
from core.classfile.symbolic.decoding import Place
from core.classfile.symbolic.part_kinds import Part, PartKind
from core.parts.code_part import stub
from core.parts.parts import parts
from core.parts.rewriter import Rewriter
from tests.support.java import CompileJava
from tests.support.rebuilt_class import rebuilt
from tests.support.rewriting import (
    BOOTSTRAP,
    JARS,
    RUNNER,
    Everything,
    Without,
    anyhow,
    chosen,
    compacted,
    constructors,
    everything,
    is_compact,
    javap,
    judged,
    normalised,
    written,
)


def sample(most: int, jars: Sequence[Path] = JARS) -> list[bytes]:
    """Some classes of all of Debian's jars, or of some of them, large and small."""
    found: list[bytes] = []
    for path in jars:
        with zipfile.ZipFile(path) as archive:
            files = [info for info in archive.infolist() if info.filename.endswith(".class")]
            files.sort(key=lambda info: (-info.file_size, info.filename))
            found += [archive.read(info) for info in files[len(files) // 16 :: max(1, len(files) // 8)]]
    return random.Random(4).sample(found, min(most, len(found)))


def classes_of(folder: Path) -> list[ClassFile]:
    return [parse(file.read_bytes()) for file in sorted(folder.rglob("*.class"))]


@pytest.fixture(scope="module")
def runner(compile_java: CompileJava) -> Path:
    return compile_java(RUNNER)


@pytest.mark.slow
def test_any_choice_is_well_formed(zoo: Path, tmp_path: Path) -> None:
    source = random.Random(7)
    classes = classes_of(zoo) + [parse(data) for data in sample(40)]
    files = []
    for number, cf in enumerate(classes):
        found = parts(cf, ("member", "full")[number % 2])
        rewriter = Rewriter(cf, found)
        assert rewriter.write(everything(found), Everything()) is cf.data
        for part in source.sample(range(len(found)), min(20, len(found))):
            data = rewriter.write(everything(found) & ~(1 << part), Everything())
            assert data != cf.data or is_stub(cf, found[part]), found[part]
        mentioned = sorted(set(cf.interface_names) | {other.name for other in classes})
        for turn, share in enumerate((0.2, 0.5, 0.9)):
            world = Without(*source.sample(mentioned, len(mentioned) // 3))
            data = rewriter.write(anyhow(found, source, BOOTSTRAP, share), world)
            assert data is cf.data or is_compact(data)
            files += written(tmp_path / f"{number}-{turn}", {"it": data})
    listing = javap(files)
    assert listing.count("Classfile ") == len(files)


def is_stub(cf: ClassFile, part: Part) -> bool:
    """Return True if the part is code that is as short as can be already."""
    if part.kind is not PartKind.CODE:
        return False
    method = list(cf.methods)[part.element]
    if method.name_text == "<init>":  # aload_0, invokespecial, return: no tables
        return len(method.attributes.raw("Code") or b"") == 17
    return (
        method.attributes.raw("Code")
        == stub(method.descriptor_text, bool(method.access & 8), constructor=None, enum=False).content + b"\0\0"
    )


def test_the_same_choice_gives_the_same_bytes(zoo: Path) -> None:
    source = random.Random(8)
    for cf in classes_of(zoo):
        found = parts(cf, "full")
        masks = [anyhow(found, source, BOOTSTRAP) for _ in range(4)]
        used = Rewriter(cf, found)
        first = [used.write(mask, Everything()) for mask in masks]
        assert [Rewriter(cf, found).write(mask, Everything()) for mask in reversed(masks)] == first[::-1]


def test_code_that_moves_stays_the_same(zoo: Path, tmp_path: Path) -> None:
    """Where only constants move, javap says the same but for the indexes."""
    before, after = {}, {}
    for number, cf in enumerate([*classes_of(zoo), *(parse(data) for data in sample(30, JARS[::20]))]):
        compact = compacted(cf)
        assert is_compact(compact)
        if len(compact) != len(rebuilt(cf)) and all(name in READERS[Place.CLASS] for name, _ in cf.attributes.rows()):
            before[str(number)], after[str(number)] = rebuilt(cf), compact
    assert before, "no class of these has constants that move"
    texts = [javap(written(tmp_path / side, files)) for side, files in (("before", before), ("after", after))]
    assert normalised(texts[0]) == normalised(texts[1])


def test_whatever_remains_verifies_once_all_code_is_stubs(zoo: Path, runner: Path, tmp_path: Path) -> None:
    """No hierarchy and no member is missed by stubs, whatever else goes."""
    source = random.Random(9)
    classes = [cf for cf in classes_of(zoo) if cf.superclass is not None]
    worlds = Everything(constructors(classes))
    folders = []
    for turn in range(5):
        results = {}
        for cf in classes:
            found = parts(cf, "full")
            kept = chosen(
                found,
                lambda part: part.kind is not PartKind.CODE and ("<init>" in part.name or source.random() < 0.7),
            )
            results[cf.name] = Rewriter(cf, found).write(kept, worlds)
        written(tmp_path / str(turn), results)
        folders.append(tmp_path / str(turn))
    wrong, loaded, called = judged(runner, "run", folders)
    assert wrong == []
    assert loaded == 5 * len(classes)
    assert called > 100


def test_some_stubs_among_real_code(zoo: Path, runner: Path, tmp_path: Path) -> None:
    source = random.Random(10)
    classes = [cf for cf in classes_of(zoo) if cf.superclass is not None]
    world = Everything(constructors(classes))
    folders = []
    removable = (
        PartKind.CODE, PartKind.THROWS, PartKind.ANNOTATION, PartKind.SIGNATURE, PartKind.ENCLOSING,
        PartKind.COMPONENT, PartKind.LINES, PartKind.VARIABLES, PartKind.FINAL,
    )  # fmt: skip
    for turn in range(5):
        results = {}
        for cf in classes:
            found = parts(cf, "full")
            always = [kind for kind in PartKind if kind not in removable]
            results[cf.name] = Rewriter(cf, found).write(anyhow(found, source, always), world)
        written(tmp_path / str(turn), results)
        folders.append(tmp_path / str(turn))
    wrong, loaded, _ = judged(runner, "load", folders)
    assert (wrong, loaded) == ([], 5 * len(classes))
