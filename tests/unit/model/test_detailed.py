"""The model below the class: items, formula and the jars that are written from it."""

from __future__ import annotations

import random
import subprocess
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest

from core.archive.jar import read_jar
from core.archive.packer import write_jar
from core.classfile.class_file import ClassFile, parse
from core.classfile.outline import references
from core.classfile.symbolic.part_kinds import PartKind
from core.errors import InputError
from core.library.jdk import QUICK_TOOL
from core.library.library import Library, open_library
from core.model import building
from core.model.item_model import ItemModel
from core.model.propagation import Propagator
from core.model.solver import draw
from core.parts.rewriter import Rewriter
from tests.support import solving
from tests.support.assembled import Maker
from tests.support.damage import damaged
from tests.support.progressions import split
from tests.support.rewriting import Everything
from tests.support.rows import rows

GRANULARITIES = ("member", "full")
VALIDITIES = ("jvm", "src")


@pytest.fixture(scope="module")
def library() -> Library:
    return open_library()


@pytest.fixture(scope="module", params=[(g, v) for g in GRANULARITIES for v in VALIDITIES], ids="-".join)
def model(request: pytest.FixtureRequest, sample_jar: Path, library: Library) -> ItemModel:
    granularity, validity = request.param
    return building.build(read_jar([sample_jar]), library, granularity, validity)


def test_the_full_input_is_a_model_and_is_written_as_it_was(model: ItemModel) -> None:
    assert solving.violated(model.formula, [True] * model.formula.variables) is None
    jar = model.model.jar
    assert model.entries(model.full) == jar.contents


@pytest.mark.parametrize("validity", VALIDITIES)
def test_classes_that_are_above_themselves_end_the_model_no_less(
    tmp_path: Path, library: Library, validity: str
) -> None:
    """Of a damaged jar."""
    classes = [
        (f"{name}.class", Maker(name=name, parent=parent).build()) for name, parent in (("t/A", "t/B"), ("t/B", "t/A"))
    ]
    write_jar(tmp_path / "cycle.jar", classes)
    model = building.build(read_jar([tmp_path / "cycle.jar"]), library, "full", validity)
    assert {"t/A", "t/B"} <= {item.name for item in model.items}


def test_random_sub_inputs_are_valid_and_the_same_each_time(model: ItemModel) -> None:
    one, other = list(draw(model, 12, 7)), list(draw(model, 12, 7))
    assert one == other
    assert len(set(one)) > 6
    for kept in one:
        assert solving.is_valid(model.formula, [v for v in range(len(model.items)) if kept >> v & 1])
        assert model.entries(kept) == model.entries(kept)


def test_a_written_class_names_nothing_that_is_gone(model: ItemModel) -> None:
    """With source validity every class that a kept class file mentions is there."""
    if model.validity != "src":
        pytest.skip("descriptors may name classes that are gone where only the JVM counts")
    inside = {item.name for item in model.model.items}
    for kept in draw(model, 8, 3):
        there = {item.name for number, item in enumerate(model.model.items) if kept >> number & 1}
        for name, data in model.entries(kept):
            if name.endswith(".class"):
                assert references(data) & inside <= there, name


def test_prefixes_of_a_progression_are_valid(model: ItemModel) -> None:
    parts = split(Propagator(model.formula).progression(range(len(model.items))))
    kept = [False] * model.formula.variables
    for number, part in enumerate(parts):
        for variable in part:
            kept[variable] = True
        if number % 20 == 0 or part is parts[-1]:
            assert solving.violated(model.formula, kept) is None
    assert all(kept[: len(model.items)])


def test_javap_reads_what_is_written(model: ItemModel, tmp_path: Path) -> None:
    files = []
    for number, kept in enumerate(draw(model, 4, 11)):
        for name, data in model.entries(kept):
            if name.endswith(".class"):
                files.append(tmp_path / str(number) / name)
                files[-1].parent.mkdir(parents=True, exist_ok=True)
                files[-1].write_bytes(data)
    assert files
    listed = subprocess.run(["javap", *QUICK_TOOL, "-p", *files], capture_output=True, text=True, check=False)
    assert listed.returncode == 0, listed.stderr


def test_items_have_unique_names_that_can_be_looked_up(model: ItemModel) -> None:
    assert len(model.numbers) == len(model.items)
    kinds = {item.name: item.kind.value for item in model.items}
    assert kinds["fji/A"] == "class"
    assert kinds["fji/A<fji/I"] == "part"
    assert ("sample/Main[lines]" in kinds) == (model.granularity == "full")


def test_sizes_of_a_class_and_its_parts_add_up_to_its_file(model: ItemModel) -> None:
    for number, (first, end) in enumerate(model.parts):
        whole = model.sizes[number] + sum(model.sizes[first:end])
        assert whole == model.model.items[number].bytes == len(model.model.jar.entries[model.items[number].entry].data)
    assert min(model.sizes) >= 0
    others = model.sizes[len(model.parts) : len(model.model.items)]
    assert others == tuple(item.bytes for item in model.model.items[len(model.parts) :])


def test_the_size_of_code_is_what_its_removal_saves(model: ItemModel) -> None:
    """Constants aside, which are the class's: a stub without stack map takes its place."""
    number = model.numbers["sample/Main"]
    codes = [
        item
        for item in range(*model.parts[number])
        if model.part_kinds[item] is PartKind.CODE and model.sizes[item] > 100 and "<" not in model.items[item].name
    ]
    assert codes
    rewriter = Rewriter(
        parse(model.model.jar.entries[model.items[number].entry].data), model.facts["sample/Main"].parts
    )
    first, end = model.parts[number]
    for code in codes:
        below = [item for item in range(first, end) if code in _line(model, item)]
        kept = ((1 << (end - first)) - 1) & ~sum(1 << (item - first) for item in below)
        written = parse(rewriter.write(kept, Everything()))
        saved = _attributes(parse(rewriter.data)) - _attributes(written)
        expected = sum(model.sizes[item] for item in below)
        debug = sum(
            model.sizes[item]
            for item in range(first, end)
            if model.part_kinds[item] in (PartKind.LINES, PartKind.VARIABLES)
        )
        assert expected - 25 <= saved <= expected + debug


def _line(model: ItemModel, item: int) -> list[int]:
    """The item, what holds it, and so on."""
    line = []
    while item >= 0:
        line.append(item)
        item = model.parents[item]
    return line


def _attributes(cf: ClassFile) -> int:
    """Bytes of all methods' attributes."""
    return sum(len(data) for method in cf.methods for _, data in method.attributes.rows())


def test_parents_hold_their_parts(model: ItemModel) -> None:
    assert len(model.parents) == len(model.part_kinds) == len(model.items)
    for item, (parent, kind) in enumerate(zip(model.parents, model.part_kinds, strict=True)):
        if parent < 0:
            assert kind is None
            continue
        assert kind is not None
        owner = model.part_kinds[parent]
        assert (item in range(*model.parts[parent])) if owner is None else parent < item
        assert not model.least([item]) or model.least([item]) >> parent & 1
    method = next(item for item in range(*model.parts[model.numbers["fji/A"]]) if "m:" in model.items[item].name)
    code = model.numbers[model.items[method].name + "!code"]
    assert _line(model, code) == [code, method, model.numbers["fji/A"]]


def test_the_owner_of_a_part_is_its_class(model: ItemModel) -> None:
    assert model.owners[: len(model.model.items)].tolist() == list(range(len(model.model.items)))
    for number, (first, end) in enumerate(model.parts):
        assert set(model.owners[first:end].tolist()) == {number}
        assert model.whole(number) == [number, *range(first, end)]
    method = next(item for item in range(*model.parts[model.numbers["fji/A"]]) if "m:" in model.items[item].name)
    assert {model.kind_of(part) for part in model.whole(method)} >= {"method", "code"}
    assert model.numbers["fji/A"] not in model.whole(method)
    resources = range(len(model.parts), len(model.model.items))
    assert [model.whole(number) for number in resources] == [[number] for number in resources]


def test_required_items_are_in_every_sub_input(model: ItemModel) -> None:
    required = model.least(())
    for kept in draw(model, 5, 1):
        assert kept & required == required


def test_a_class_that_cannot_be_analysed_keeps_all_that_it_names(
    sample_jar: Path, library: Library, tmp_path: Path
) -> None:
    with zipfile.ZipFile(sample_jar) as old, zipfile.ZipFile(tmp_path / "odd.jar", "w") as new:
        for name in old.namelist():
            data = old.read(name)
            if name == "sample/number/Interval.class":
                data = _damaged(data)
            new.writestr(name, data)
    model = building.build(read_jar([tmp_path / "odd.jar"]), library, "full", "src")
    number = model.numbers["sample/number/Interval"]
    assert "sample/number/Interval" not in model.facts
    kept = model.least([number])
    rational = model.numbers["sample/number/Rational"]
    first, end = model.parts[rational]
    assert kept >> rational & 1
    assert all(kept >> part & 1 for part in range(first, end))
    assert dict(model.entries(kept))["sample/number/Interval.class"] == _damaged(
        read_jar([sample_jar]).entries[model.items[number].entry].data
    )


def _damaged(data: bytes) -> bytes:
    """The class file with an opcode that does not exist in its constructor."""
    at = data.index(b"\x2a\xb7")  # aload_0, invokespecial
    return data[:at] + b"\xcb" + data[at + 1 :]


@rows("seed", range(12))
def test_damaged_classes_are_analysed_or_kept_whole(sample_jar: Path, library: Library, seed: int) -> None:
    """No other error than a sentence about the input."""
    dice = random.Random(seed)
    jar = read_jar([sample_jar])
    entry = dice.choice(jar.classes())
    data = damaged(jar.entries[entry].data, dice)
    entries = list(jar.entries)
    entries[entry] = replace(entries[entry], data=data)
    try:
        model = building.build(replace(jar, entries=tuple(entries)), library, dice.choice(GRANULARITIES), "src")
    except InputError:
        return
    assert dict(model.entries(model.full))[entries[entry].name] == data
    for kept in draw(model, 2, 0):
        model.entries(kept)


def test_a_class_nested_in_another_version_of_a_class_keeps_that(
    compile_java, library: Library, tmp_path: Path
) -> None:
    jar = tmp_path / "versions.jar"
    with zipfile.ZipFile(jar, "w") as archive:
        archive.write(compile_java({"p/O.java": "package p; class O { }"}) / "p" / "O.class", "p/O.class")
        later = compile_java({"p/O.java": "package p; class O { static class N { } }"})
        for name in ("p/O.class", "p/O$N.class"):
            archive.write(later / name, f"META-INF/versions/9/{name}")
    model = building.build(read_jar([jar]), library, "full", "src")
    kept = model.least([model.numbers["p/O$N[inner p/O$N]"]])
    assert kept >> model.numbers["META-INF/versions/9/p/O"] & 1


def test_a_second_class_of_one_name_is_cut_as_the_first_is_and_for_a_later_java_keeps_what_that_keeps(
    compile_java, library: Library, tmp_path: Path
) -> None:
    user = {
        "p/User.java": """package p; class User extends Base {
            private int g() { return 2; }
            int f() { return new Used().named(1) + g(); }
        }"""
    }
    used = "class Used { int named(int x) { return x + 1; } int other() { return 2; } }"
    user |= {"p/Used.java": f"package p; {used}", "p/Base.java": "package p; abstract class Base { }"}
    classes, jar, other = compile_java(user), tmp_path / "versions.jar", tmp_path / "other-1.0.jar"
    with zipfile.ZipFile(jar, "w") as archive:
        for name in ("User", "Used", "Base"):
            archive.write(classes / f"p/{name}.class", f"p/{name}.class")
        archive.write(classes / "p/User.class", "META-INF/versions/9/p/User.class")
    write_jar(other, [("p/User.class", (classes / "p/User.class").read_bytes())])
    for inputs, first, copy in (
        ([jar], "p/User", "META-INF/versions/9/p/User"),
        ([jar, other], "p/User", "other-1.0.jar!/p/User"),
    ):
        model = building.build(read_jar(inputs), library, "full", "src")

        def needs(*wanted: str, model: ItemModel = model) -> set[str]:
            kept = model.least([model.numbers[name] for name in wanted])
            return {model.items[number].name for number in range(len(model.items)) if kept >> number & 1}

        assert needs(copy) == {copy, first}
        code = needs(f"{copy}.f:()I!code")
        assert {f"{copy}.g:()I", "p/Used.named:(I)I", "p/Used.<init>:()V"} <= code
        assert code.isdisjoint((f"{first}.g:()I", "p/Used.other:()I", "p/Used.named:(I)I!code"))
        assert "p/Base" in needs(f"{copy}<p/Base")
        assert (f"{copy}.f:()I" in needs(copy, f"{first}.f:()I")) == (len(inputs) == 1)
