"""Whole jars of Debian: every class written in part, judged by our parser, by javap, and by the JVM."""

from __future__ import annotations

import random
import re
import zipfile
from pathlib import Path

import pytest

from core.archive.entry_names import class_path
from core.archive.jar import read_jar
from core.classfile.class_file import ClassFile, ClassFormatError, collector_paused, parse
from core.classfile.symbolic.part_kinds import PartKind
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

pytestmark = pytest.mark.slow

if not JARS:
    pytest.skip("no jars in /usr/share/java", allow_module_level=True)


MOST = 300
"""Classes that are looked at of one jar: some jars have ten thousand, and would never come to their end."""


def classes_of(path: Path) -> list[ClassFile]:
    """The classes of a jar, or some of very many; none if it holds no classes."""
    if not any(name.endswith(".class") for name in zipfile.ZipFile(path).namelist()):
        return []
    jar = read_jar([path])
    with collector_paused():
        chosen_ones = jar.classes()[:: -(-len(jar.classes()) // MOST) or 1]
        return [parse(jar.entries[index].data) for index in chosen_ones]


def plain_classes(path: Path) -> list[ClassFile]:
    """Those that a class loader finds under their names."""
    jar = read_jar([path])
    names = [jar.entries[index].name for index in jar.classes()]
    found = [(name, parse(jar.entries[jar.classes()[at]].data)) for at, name in enumerate(names)]
    return [cf for name, cf in found if class_path(name) == name == f"{cf.name}.class" and cf.superclass is not None]


@pytest.mark.parametrize("path", JARS, ids=lambda path: path.stem)
def test_every_class_can_be_written_in_part(path: Path) -> None:
    source = random.Random(1)
    classes = classes_of(path)
    world = Without(*(cf.name for cf in source.sample(classes, len(classes) // 2)))
    for number, cf in enumerate(classes):
        found = parts(cf, ("member", "full")[number % 2])
        rewriter = Rewriter(cf, found)
        assert rewriter.write(everything(found), Everything()) is cf.data
        for share in (0.3, 0.8):
            data = rewriter.write(anyhow(found, source, BOOTSTRAP, share), world)
            assert data is cf.data or is_compact(data)


def test_only_constants_move(tmp_path: Path) -> None:
    """All classes that have leftovers, before and after, in javap's words."""
    before: dict[str, bytes] = {}
    after: dict[str, bytes] = {}
    for path in JARS:
        if len(before) == 3000:
            break
        for cf in classes_of(path):
            compact = compacted(cf)
            if compact != cf.data and len(before) < 3000:
                before[str(len(before))], after[str(len(after))] = rebuilt(cf), compact
    assert len(before) > 100
    left, right = written(tmp_path / "before", before), written(tmp_path / "after", after)
    for start in range(0, len(left), 200):
        end = start + 200
        unknown = re.compile(r"^ *\w+: length = .*\(unknown attribute\)\n(?:^ .*\n)?", re.MULTILINE)
        expected = unknown.sub("", normalised(javap(left[start:end])))
        assert unknown.sub("", normalised(javap(right[start:end]))) == expected


@pytest.mark.parametrize("name", ["guava", "h2", "commons-lang3", "commons-io", "guice"])
def test_stubs_verify(name: str, compile_java: CompileJava, tmp_path: Path) -> None:
    """Bodies dropped at random: the verifier has nothing against it that it had not before."""
    path = Path("/usr/share/java") / f"{name}.jar"
    if not path.exists():
        pytest.skip(f"no {path}")
    source = random.Random(5)
    classes = plain_classes(path)
    world = Everything(constructors(classes))
    removable = (
        PartKind.CODE,
        PartKind.ANNOTATION,
        PartKind.SIGNATURE,
        PartKind.LINES,
        PartKind.VARIABLES,
        PartKind.THROWS,
    )
    always = [kind for kind in PartKind if kind not in removable]
    whole, half, none = {}, {}, {}
    for cf in classes:
        found = parts(cf, "full")
        rewriter = Rewriter(cf, found)
        whole[cf.name] = rebuilt(cf)
        half[cf.name] = rewriter.write(anyhow(found, source, always), world)
        bare = chosen(
            found, lambda part: part.kind is not PartKind.CODE and ("<init>" in part.name or source.random() < 0.6)
        )
        none[cf.name] = rewriter.write(bare, world)
    runner = compile_java(RUNNER)
    wrong = {}
    for title, results in (("whole", whole), ("half", half), ("none", none)):
        written(tmp_path / title, results)
        wrong[title], loaded, _ = judged(runner, "load", [tmp_path / title])
        assert loaded > len(classes) / 2
        # Of a class that misses several classes of libraries each version may name another one.
        wrong[title] = [re.sub(r"(missing) \S+ (\S+) .*|(wrong) \S+", r"\1 \2\3", line) for line in wrong[title]]
    assert set(wrong["half"]) <= set(wrong["whole"])
    assert [line for line in wrong["none"] if not line.startswith("missing")] == []


def test_no_jar_has_classes_that_are_refused() -> None:
    refused = []
    for path in JARS:
        for cf in classes_of(path):
            try:
                parts(cf, "full")
                Rewriter(cf, ())
            except ClassFormatError as error:
                refused.append((path.name, cf.name, str(error)))
    assert refused == []
