"""Classes that lose what makes them an enum, an annotation type, a record or sealed: no trace of it is left."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from core.archive.jar import read_jar
from core.classfile.class_file import parse
from core.classfile.tables import inner_classes, permitted_subclasses
from core.library.jdk import find_jdk
from core.library.library import open_library
from core.model import building
from core.model.item_model import ItemModel

SOURCES = {
    "p/Out.java": """package p;
        public class Out {
            public enum E { ONE, TWO }
            public @interface A { E value() default E.ONE; }
            static E e; static A a;
        }""",
    "p/User.java": "package p; public class User { Out.E e; Out.A a; Point point; Shape shape; }",
    "p/Point.java": "package p; public record Point(int x) { }",
    "p/Shape.java": "package p; public sealed interface Shape permits Round { } final class Round implements Shape { }",
    "p/Area.java": """package p;
        class Area { static int of(Shape shape) { return switch (shape) { case Round round -> 1; }; } }""",
}
PREVIEW = ("--enable-preview", "--release", str(find_jdk().feature))
ENUM, ANNOTATION = 0x4000, 0x2000


@pytest.fixture(scope="module", params=["member", "full"])
def model(request: pytest.FixtureRequest, compile_java: Callable[..., Path]) -> ItemModel:
    jar = read_jar([compile_java(SOURCES, *PREVIEW)])
    return building.build(jar, open_library(), request.param, "src")


def written(model: ItemModel, *wanted: str) -> dict[str, bytes]:
    kept = model.least([model.numbers[name] for name in wanted])
    return {name.removesuffix(".class"): data for name, data in model.entries(kept) if name.endswith(".class")}


def flags(classes: dict[str, bytes], name: str) -> set[int]:
    """The flags of natures that the class itself and the rows about it have."""
    rows = [row.access for data in classes.values() for row in inner_classes(parse(data)) if row.inner == name]
    return {access & (ENUM | ANNOTATION) for access in (parse(classes[name]).access, *rows)}


def test_what_is_only_named_is_a_plain_class(model: ItemModel) -> None:
    classes = written(
        model, "p/User.e:Lp/Out$E;", "p/User.a:Lp/Out$A;", "p/User.point:Lp/Point;", "p/Out$E", "p/Out$A", "p/Point"
    )
    assert flags(classes, "p/Out$E") == flags(classes, "p/Out$A") == {0}
    assert parse(classes["p/Out$E"]).superclass == parse(classes["p/Point"]).superclass == "java/lang/Object"
    assert not [*parse(classes["p/Out$E"]).fields, *parse(classes["p/Out$E"]).methods]
    assert parse(classes["p/Point"]).attributes.raw("Record") is None


def test_what_is_used_as_an_enum_is_one(model: ItemModel) -> None:
    classes = written(model, "p/Out$E<java/lang/Enum", "p/Out$A<java/lang/annotation/Annotation")
    assert flags(classes, "p/Out$E") == {ENUM}
    assert flags(classes, "p/Out$A") == {ANNOTATION}


def test_a_default_goes_with_the_annotation_type(model: ItemModel) -> None:
    for wanted, there in ((["p/Out$A<java/lang/annotation/Annotation"], True), ([], False)):
        (method,) = parse(written(model, "p/Out$A.value:()Lp/Out$E;", *wanted)["p/Out$A"]).methods
        assert (method.attributes.raw("AnnotationDefault") is not None) is there


def test_a_sealed_class_need_not_be(model: ItemModel) -> None:
    if model.granularity == "full":
        round_too = ("p/User.shape:Lp/Shape;", "p/Round<p/Shape")
        assert permitted_subclasses(parse(written(model, *round_too)["p/Shape"])) == ()
        sealed = written(model, *round_too, "p/Area.of:(Lp/Shape;)I!code")["p/Shape"]
        assert permitted_subclasses(parse(sealed)) == ("p/Round",)
