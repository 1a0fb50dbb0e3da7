"""Where Signatures are no items, one that uses a type variable which nothing declares any more is not written."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import replace
from pathlib import Path

import pytest

from core.archive.jar import read_jar
from core.classfile.class_file import ClassFile, parse
from core.library.library import open_library
from core.model import building
from core.model.item_model import ItemModel

SOURCE = """package p; import java.util.function.Supplier; import java.util.List;
class Arg { }
class A {
    static <T> Supplier<T> make(T t) { return new Supplier<T>() { public T get() { return t; } }; }
    static <T> Supplier<T> some(List<Arg> l, T t) { return new Supplier<T>() { public T get() { return t; } }; }
}
class Outer<V> { class Mid { class In<W extends List<V>> { V field; } } }
"""
GET = "get:()Ljava/lang/Object;"


@pytest.fixture(scope="module")
def model(compile_java: Callable[..., Path]) -> ItemModel:
    return building.build(read_jar([compile_java({"p/A.java": SOURCE})]), open_library(), "member", "jvm")


def written(model: ItemModel, name: str, without: Collection[str]) -> ClassFile:
    """The class of that name, of the whole input without some items."""
    kept = model.full
    for item in without:
        kept &= ~(1 << model.numbers[item])
    return parse(dict(model.entries(kept))[f"{name}.class"])


def signature(cf: ClassFile, member: str = "") -> str | None:
    """The Signature of a class or of one of its members."""
    members = [*cf.fields, *cf.methods]
    owner = next((one for one in members if f"{one.name_text}:{one.descriptor_text}" == member), cf)
    data = owner.attributes.raw("Signature")
    return None if data is None else cf.constants.text(int.from_bytes(data, "big"))


@pytest.mark.parametrize(
    ("name", "gone"),
    [
        ("p/A$1", "p/A.make:(Ljava/lang/Object;)Ljava/util/function/Supplier;"),
        # the method stays, its Signature goes with a class that it names
        ("p/A$2", "p/Arg"),
    ],
)
def test_of_a_method_around_the_class(model: ItemModel, name: str, gone: str) -> None:
    whole, less = written(model, name, ()), written(model, name, [gone])
    assert signature(whole) == "Ljava/lang/Object;Ljava/util/function/Supplier<TT;>;"
    assert signature(whole, GET) == "()TT;"
    assert signature(less) == "Ljava/lang/Object;Ljava/util/function/Supplier;"
    assert signature(less, GET) is None


@pytest.mark.parametrize("row", ["p/Outer$Mid$In[inner p/Outer$Mid$In]", "p/Outer$Mid[inner p/Outer$Mid]"])
def test_of_a_class_around_the_class(model: ItemModel, row: str) -> None:
    whole, less = written(model, "p/Outer$Mid$In", ()), written(model, "p/Outer$Mid$In", [row])
    field = "field:Ljava/lang/Object;"
    assert signature(whole) == "<W::Ljava/util/List<TV;>;>Ljava/lang/Object;"
    assert signature(whole, field) == "TV;"
    assert signature(less) == "<W:Ljava/lang/Object;>Ljava/lang/Object;"
    assert signature(less, field) is None


def test_what_nothing_declares_from_the_start_stays(compile_java: Callable[..., Path]) -> None:
    source = "package q; class A { Object f; static <T> Object m() { return new Object() { T f; int g; }; } }"
    jar = read_jar([compile_java({"q/A.java": source})])
    entries = [entry for entry in jar.entries if entry.name == "q/A$1.class"]
    assert len(entries) == 1
    alone = building.build(replace(jar, entries=tuple(entries)), open_library(), "member", "jvm")
    assert signature(written(alone, "q/A$1", ["q/A$1.g:I"]), "f:Ljava/lang/Object;") == "TT;"
