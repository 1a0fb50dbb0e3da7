"""Sub-inputs as entries: what is remembered changes nothing, and module descriptors fit what is left."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from core.archive.jar import read_jar, write_jar
from core.classfile.class_file import ClassFile, parse
from core.classfile.format_error import ClassFormatError
from core.classfile.symbolic.part_kinds import Part
from core.code.types.code_facts import CodeReader
from core.library.library import open_library
from core.model import building
from core.model.cache.class_files import ClassFileCache
from core.model.item_model import ItemModel
from core.model.solver import draw
from core.model.writing.candidates import Writer
from core.model.writing.world import KeptWorld, Questions
from core.parts.rewriter import Rewriter
from core.sets import ItemSet, flags_of, mask_of_flags
from tests.support.java import CompileJava
from tests.support.patience import patience

MODULE = {
    "module-info.java": """module m {
        requires java.logging; exports p.a; exports p.b; opens p.c to java.logging; uses p.a.Service;
        provides p.a.Service with p.b.Provider, p.c.Other; }""",
    "p/a/Service.java": "package p.a; public interface Service { }",
    "p/b/Provider.java": "package p.b; public class Provider implements p.a.Service { }",
    "p/c/Other.java": "package p.c; public class Other implements p.a.Service { }",
}


@pytest.fixture(scope="module", params=["member", "full"])
def model(request: pytest.FixtureRequest, sample_jar: Path) -> ItemModel:
    return building.build(read_jar([sample_jar]), open_library(), request.param, "jvm")


def writer(model: ItemModel, rewriters: int, written: int) -> Writer:
    known = ClassFileCache(model.granularity, rewriters)
    questions = Questions(model.model.jar, model.model.items, model.hierarchy, erases=False)
    return Writer(model.model, model.parts, model.facts, questions, known, written)


def plainly(model: ItemModel, kept: ItemSet) -> dict[str, bytes]:
    """Every class written anew, whatever is kept of it."""
    flags = bytes(kept >> number & 1 for number in range(len(model.items)))
    questions = Questions(model.model.jar, model.model.items, model.hierarchy, erases=False)
    found = {}
    for number, (first, end) in enumerate(model.parts):
        item = model.items[number]
        if kept >> number & 1:
            data = model.model.jar.entries[item.entry].data
            rewriter = Rewriter(parse(data), model.facts[item.name].parts)
            mask = (kept >> first) & ((1 << (end - first)) - 1)
            found[f"{item.name}.class"] = rewriter.write(mask, KeptWorld(questions, flags, item.name))
    return found


def with_parts(model: ItemModel, classes: ItemSet) -> ItemSet:
    """Some classes and resources, each class with all its parts."""
    return mask_of_flags(flags_of(classes, len(model.items))[model.owners])


def test_what_is_remembered_changes_nothing(model: ItemModel) -> None:
    generous, tight = writer(model, 1 << 30, 1 << 30), writer(model, 3000, 1000)
    for kept in [*draw(model, 4, 2), *draw(model, 4, 2), model.full]:
        entries = generous.entries(kept)
        assert entries == tight.entries(kept) == model.entries(kept)
        assert {name: data for name, data in entries if name.endswith(".class")} == plainly(model, kept)


def test_getting_ready_changes_nothing(model: ItemModel) -> None:
    cold, ready = writer(model, 1 << 30, 1 << 30), writer(model, 1 << 30, 1 << 30)
    assert len(list(ready.preparation())) == len(model.parts)
    for kept in draw(model, 5, 4):
        assert ready.entries(kept) == cold.entries(kept)
    assert not list(ready.preparation())


def test_bounds_are_kept(model: ItemModel) -> None:
    tight = writer(model, 3000, 1000)
    for kept in draw(model, 5, 2):
        tight.entries(kept)
        assert 0 <= tight._known.held <= 3000
        assert tight._written.cost <= 1000
    assert tight._known.held > 0


def test_entries_that_are_whole_are_the_inputs_own(model: ItemModel) -> None:
    kept = with_parts(model, model.model.closures[model.model.graph.index["sample/Main"]])
    source = {entry.name: entry.data for entry in model.model.jar.entries}
    assert all(data is source[name] for name, data in model.entries(kept) if name.endswith(".class"))


@pytest.fixture
def modular(compile_java: Callable[..., Path], tmp_path: Path) -> ItemModel:
    classes = read_jar([compile_java(MODULE)])
    write_jar(tmp_path / "m.jar", [*classes.contents, ("p/d/r.txt", b"text")])
    return building.build(read_jar([tmp_path / "m.jar"]), open_library(), "member", "src")


def described(model: ItemModel, without: set[str], path: Path) -> list[str]:
    """What java says of the module with all but some classes and resources."""
    kept = model.model.full
    for name in without:
        kept &= ~(1 << model.numbers[name])
    write_jar(path, model.entries(with_parts(model, kept)))
    command = ["java", "--module-path", path, "--describe-module", "m"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=patience())
    assert done.returncode == 0, done.stdout + done.stderr
    return [line for line in done.stdout.splitlines()[1:] if "requires" not in line]


def test_a_module_tells_of_what_is_left(modular: ItemModel, tmp_path: Path) -> None:
    assert sorted(described(modular, set(), tmp_path / "full.jar")) == [
        "contains p.d",
        "exports p.a",
        "exports p.b",
        "provides p.a.Service with p.b.Provider p.c.Other",
        "qualified opens p.c to java.logging",
        "uses p.a.Service",
    ]
    assert sorted(described(modular, {"p/b/Provider", "p/d/r.txt"}, tmp_path / "b.jar")) == [
        "exports p.a",
        "provides p.a.Service with p.c.Other",
        "qualified opens p.c to java.logging",
        "uses p.a.Service",
    ]
    gone = {"p/a/Service", "p/c/Other"}
    assert sorted(described(modular, gone, tmp_path / "a.jar")) == ["contains p.d", "exports p.b"]


def test_a_class_that_cannot_be_rewritten_stays_as_it_is(sample_jar: Path) -> None:
    """Its facts can be told but its unused attribute is damaged."""
    jar = read_jar([sample_jar])
    place = next(i for i in jar.classes() if b"NestMembers" in jar.entries[i].data)
    name = jar.entries[place].name
    data = jar.entries[place].data
    at = _content_of(data, b"NestMembers")
    damaged = data[:at] + b"\xff\xff" + data[at + 2 :]
    entries = [(entry.name, damaged if entry.name == name else entry.data) for entry in jar.entries]
    path = sample_jar.with_name("damaged-nest.jar")
    try:
        write_jar(path, entries)
        model = building.build(read_jar([path]), open_library(), "member", "jvm")
    finally:
        path.unlink()
    number = model.numbers[name.removesuffix(".class")]
    with pytest.raises(ClassFormatError):
        Rewriter(parse(damaged), model.facts[name.removesuffix(".class")].parts)
    assert dict(model.entries(1 << number))[name] == damaged


def _content_of(data: bytes, attribute: bytes) -> int:
    """Where the content of a class's attribute begins."""
    cf = parse(data)
    found = cf.attributes.raw(attribute.decode())
    assert found is not None
    return data.rindex(len(found).to_bytes(4, "big") + found) + 4


@pytest.mark.parametrize(
    ("source", "called"),
    [
        # super((Object[]) null), as decompilers write it, does not compile: javac wants an array of String
        (
            """package q; class C extends Up<String> { C() { super("a"); } }
            class Up<T> { @SafeVarargs Up(T... all) { } Up(Class<T> kind, int size) { } }""",
            "(Ljava/lang/Class;I)V",
        ),
        # super(null) may mean two of them
        (
            """package q; class C extends Up { C() { super("a"); } }
            class Up { Up(String text) { } Up(Integer number) { } Up(boolean is) { } }""",
            "(Z)V",
        ),
    ],
)
def test_a_stub_calls_a_constructor_that_source_can_call(
    source: str, called: str, compile_java: Callable[..., Path]
) -> None:
    model = building.build(read_jar([compile_java({"q/C.java": source})]), open_library(), "full", "src")
    kept = (1 << len(model.items)) - 1
    kept &= ~(1 << model.numbers["q/C.<init>:()V!code"])
    data = dict(model.entries(kept))["q/C.class"]
    assert [use[3] for _, facts in CodeReader(parse(data)).all() for use in facts.methods] == [called]


def test_a_class_that_is_gone_is_object_among_the_type_arguments_of_a_local_variable(
    compile_java: Callable[..., Path],
) -> None:
    """Without the row decompilers have a raw type, whose values are Object."""
    source = """package q; class Gone { } class Other<T> { }
        class C { void m() { java.util.Map<String, Gone> all = null; Other<Gone> other = null; } }"""
    folder = compile_java({"q/C.java": source}, "-g")
    model = building.build(read_jar([folder]), open_library(), "full", "src")
    lost = {"q/Gone", "q/Other"}
    kept = sum(1 << number for name, number in model.numbers.items() if re.split(r"[.<\[]", name)[0] not in lost)
    data = dict(model.entries(kept))["q/C.class"]
    assert b"Ljava/util/Map<Ljava/lang/String;Ljava/lang/Object;>;" in data
    assert b"Lq/Other" not in data


def test_a_class_is_read_for_writing_once_and_not_where_only_its_mentions_change(
    compile_java: CompileJava, monkeypatch: pytest.MonkeyPatch
) -> None:
    classes = compile_java({"A.java": "class A { B b; } class B extends C { int n; } class C { }"})
    model = building.build(read_jar([classes]), open_library(), "full", "jvm")
    made: list[str] = []
    init = Rewriter.__init__

    def noting(self: Rewriter, cf: ClassFile, parts: Sequence[Part]) -> None:
        made.append(cf.name)
        init(self, cf, parts)

    monkeypatch.setattr(Rewriter, "__init__", noting)
    without = model.full & ~(1 << model.numbers["B<C"])
    written = dict(writer(model, 0, 0).entries(without))
    assert made == ["B"]
    assert written["B.class"] != dict(model.entries(model.full))["B.class"]
