"""Classes that nothing needs but by name are Object in descriptors, signatures and frames."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from core.archive.jar import read_jar
from core.classfile.class_file import parse
from core.library.jdk import find_jdk
from core.library.library import open_library
from core.model import building
from core.model.item_model import ItemModel

SOURCES = {
    "p/Box.java": "package p; class Box { Box other; int size() { return 1; } }",
    "p/Named.java": "package p; interface Named { String name(); }",
    "p/Holder.java": """package p;
        import java.util.List;
        class Holder {
            Named first; Named[][] more; Box box;
            Holder(Named named) { first = named; }
            <T extends Named> Named choose(Named one, List<Box> boxes, T other, boolean yes) {
                Named found = yes ? one : first;
                if (found == null) { first = other; }
                return found;
            }
        }""",
    "p/Below.java": "package p; class Below extends Holder { Below(Named named) { super(named); } }",
    "p/Main.java": """package p;
        public class Main {
            public static void main(String[] arguments) {
                Holder holder = new Below(null);
                holder.more = new Holder(null).more;
                System.out.print(holder.choose(holder.first, null, null, arguments.length > 0) == null);
            }
        }""",
}


@pytest.fixture(scope="module", params=["linked", "src"])
def model(request: pytest.FixtureRequest, compile_java: Callable[..., Path]) -> ItemModel:
    return building.build(read_jar([compile_java(SOURCES)]), open_library(), "full", request.param)


def written(model: ItemModel, *wanted: str) -> dict[str, bytes]:
    kept = model.least([model.numbers[name] for name in wanted])
    return {name.removesuffix(".class"): data for name, data in model.entries(kept) if name.endswith(".class")}


MAIN = "p/Main.main:([Ljava/lang/String;)V!code"
CHOOSE = "p/Holder.choose:(Lp/Named;Ljava/util/List;Lp/Named;Z)Lp/Named;"


def test_what_is_only_named_is_object_everywhere(model: ItemModel, tmp_path: Path) -> None:
    classes = written(model, MAIN, f"{CHOOSE}!code", f"{CHOOSE}[sig]", "p/Below.<init>:(Lp/Named;)V")
    assert classes.keys() == {"p/Main", "p/Holder", "p/Below"}
    holder = parse(classes["p/Holder"])
    assert {field.name_text: field.descriptor_text for field in holder.fields} == {
        "first": "Ljava/lang/Object;",
        "more": "[[Ljava/lang/Object;",
    }
    (choose,) = [method for method in holder.methods if method.name_text == "choose"]
    assert choose.descriptor_text == "(Ljava/lang/Object;Ljava/util/List;Ljava/lang/Object;Z)Ljava/lang/Object;"
    assert not any(b"p/Named" in data or b"p/Box" in data for data in classes.values())
    for name, data in classes.items():
        (tmp_path / f"{name}.class").parent.mkdir(exist_ok=True)
        (tmp_path / f"{name}.class").write_bytes(data)
    command = [find_jdk().home / "bin" / "java", "-Xverify:all", "-cp", tmp_path, "p.Main"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("true", "")


def test_what_is_kept_stays_in_place(model: ItemModel) -> None:
    classes = written(model, MAIN, f"{CHOOSE}!code", "p/Named")
    names = {field.name_text: field.descriptor_text for field in parse(classes["p/Holder"]).fields}
    assert names == {"first": "Lp/Named;", "more": "[[Lp/Named;"}


OVERLOADS = 40


@pytest.fixture(scope="module")
def visitor(compile_java: Callable[..., Path]) -> ItemModel:
    """Return the model of an interface with many overloads of a method, and a class that implements them all."""
    numbers = range(OVERLOADS)
    sources = {f"v/N{number}.java": f"package v; class N{number} {{ }}" for number in numbers}
    sources["v/Visitor.java"] = (
        "package v; interface Visitor { " + " ".join(f"void visit(N{number} node);" for number in numbers) + " }"
    )
    sources["v/Printer.java"] = (
        "package v; class Printer implements Visitor { "
        + " ".join(f"public void visit(N{number} node) {{ }}" for number in numbers)
        + " }"
    )
    return building.build(read_jar([compile_java(sources)]), open_library(), "full", "linked")


def test_a_visitor_has_clauses_for_its_overloads_and_not_for_their_pairs(visitor: ItemModel) -> None:
    assert sum(rule in ("M1", "either") for _, _, rule in visitor.formula.clauses()) < 50 * OVERLOADS


def test_two_overloads_keep_the_classes_that_tell_them_apart(visitor: ItemModel) -> None:
    alone = visitor.least([visitor.numbers["v/Printer.visit:(Lv/N3;)V"]])
    assert not alone >> visitor.numbers["v/N3"] & 1
    for other in ("v/Printer.visit:(Lv/N7;)V", "v/Visitor.visit:(Lv/N7;)V"):
        pair = visitor.least([visitor.numbers[name] for name in ("v/Printer.visit:(Lv/N3;)V", other)])
        kept = {number for number in range(OVERLOADS) if pair >> visitor.numbers[f"v/N{number}"] & 1}
        assert kept == {3, 7}
