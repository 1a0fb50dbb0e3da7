"""Which parts a class has, in which order, and what they are called."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.archive.jar import read_jar
from core.classfile.class_file import ClassFile, ClassFormatError, parse
from core.classfile.symbolic.part_kinds import Part, PartKind
from core.parts.parts import parts
from tests.support.java import CompileJava
from tests.support.rebuilt_class import rebuilt, write_pool
from tests.support.rewriting import named

PAPER = (
    PartKind.SUPERCLASS, PartKind.INTERFACE, PartKind.FIELD, PartKind.FINAL, PartKind.METHOD, PartKind.CODE,
    PartKind.INNER, PartKind.BOOTSTRAP,
)  # fmt: skip

SOURCES = {
    "p/A.java": """
package p;
import java.lang.annotation.*;
@Note("a") @Typed
public abstract class A<T> extends S implements I, java.io.@Typed Serializable {
    static final int ONE = 1;
    final Object two = this;
    @Note("f") @Typed T three;
    A() { }
    abstract void none();
    native int elsewhere();
    @Note("m") @Typed
    int many(@Note("p") int a, @Note("x") @Typed T b) throws E, @Typed RuntimeException {
        @Typed String local = "" + a;
        Runnable run = () -> System.out.println(local);
        run.run();
        return a;
    }
    class Inner { }
}
class S { }
interface I { int CONSTANT = new Object().hashCode(); default void later() { } }
class E extends Exception { }
@Retention(RetentionPolicy.RUNTIME) @interface Note { String value(); }
@Target({ElementType.TYPE_USE, ElementType.TYPE}) @interface Typed { }
record R(@Note("c") int x, java.util.List<String> y) { }
class Many { @Several("1") @Several("2") int f; }
@Repeatable(Severals.class) @Retention(RetentionPolicy.CLASS) @interface Several { String value(); }
@interface Severals { Several[] value(); }
class Host { void m() { new Object() { }; } }
"""
}


@pytest.fixture(scope="module")
def classes(compile_java: CompileJava) -> dict[str, ClassFile]:
    folder = compile_java(SOURCES, "-g") / "p"
    return {file.stem: parse(file.read_bytes()) for file in folder.glob("*.class")}


def test_the_papers_parts(classes: dict[str, ClassFile]) -> None:
    assert named(classes["A"], "member") == [
        "p/A<p/S",
        "p/A<p/I",
        "p/A<java/io/Serializable",
        "p/A.ONE:I",
        "p/A.ONE:I[final]",
        "p/A.two:Ljava/lang/Object;",
        "p/A.two:Ljava/lang/Object;[final]",
        "p/A.three:Ljava/lang/Object;",
        "p/A.<init>:()V",
        "p/A.<init>:()V!code",
        "p/A.none:()V",
        "p/A.elsewhere:()I",
        "p/A.many:(ILjava/lang/Object;)I",
        "p/A.many:(ILjava/lang/Object;)I!code",
        "p/A.lambda$many$0:(Ljava/lang/String;)V",
        "p/A.lambda$many$0:(Ljava/lang/String;)V!code",
        "p/A[inner p/A$Inner]",
        "p/A[inner java/lang/invoke/MethodHandles$Lookup]",
        "p/A[bootstrap 0]",
        "p/A[bootstrap 1]",
    ]


def test_all_parts(classes: dict[str, ClassFile]) -> None:
    many = "p/A.many:(ILjava/lang/Object;)I"
    beyond = [part.name for part in parts(classes["A"], "full") if part.kind not in PAPER]
    assert sorted(beyond) == sorted(
        [  # annotations stand in the order of the file, which is javac's affair
            "p/A.three:Ljava/lang/Object;[sig]",
            "p/A.three:Ljava/lang/Object;[@p/Note]",
            "p/A.three:Ljava/lang/Object;[@p/Typed on type]",
            f"{many}!code[@p/Typed on variable]",
            f"{many}[throws p/E]",
            f"{many}[throws java/lang/RuntimeException]",
            f"{many}[sig]",
            f"{many}[@p/Note]",
            f"{many}[@p/Note on parameter 0]",
            f"{many}[@p/Note on parameter 1]",
            f"{many}[@p/Typed on return]",
            f"{many}[@p/Typed on type of parameter 1]",
            f"{many}[@p/Typed on throws 1]",
            "p/A[sig]",
            "p/A[@p/Note]",
            "p/A[@p/Typed]",
            "p/A[@p/Typed on supertype 1]",
            "p/A[lines]",
            "p/A[variables]",
        ]
    )


def test_interfaces_keep_what_they_must(classes: dict[str, ClassFile]) -> None:
    assert named(classes["I"], "member") == [
        "p/I.CONSTANT:I",
        "p/I.later:()V",
        "p/I.later:()V!code",
        "p/I.<clinit>:()V",
        "p/I.<clinit>:()V!code",
    ]


def test_records(classes: dict[str, ClassFile]) -> None:
    found = parts(classes["R"], "full")
    names = [part.name for part in found]
    component = names.index("p/R[component x]")
    note = "p/R[component x][@p/Note]"
    assert found[component + 1] == Part(PartKind.ANNOTATION, note, component, -1, 0, "p/Note", 9)
    assert "p/R[component y][sig]" in names
    assert "p/R<java/lang/Record" in names


def test_places_and_targets(classes: dict[str, ClassFile]) -> None:
    found = {part.name: part for part in parts(classes["A"], "full")}
    numbers = {name: number for number, name in enumerate(found)}
    many = "p/A.many:(ILjava/lang/Object;)I"
    assert found[many][:-1] == (PartKind.METHOD, many, -1, 3, 3, "")
    assert found[f"{many}!code"][:-1] == (PartKind.CODE, f"{many}!code", numbers[many], 3, 0, "")
    throws = f"{many}[throws java/lang/RuntimeException]"
    assert found[throws] == Part(PartKind.THROWS, throws, numbers[many], 3, 1, "java/lang/RuntimeException", 2)
    assert found["p/A<p/S"] == Part(PartKind.SUPERCLASS, "p/A<p/S", -1, -1, 0, "p/S", 0)
    assert found["p/A[inner p/A$Inner]"].target == "p/A$Inner"
    inside = found[f"{many}!code[@p/Typed on variable]"]
    assert (inside.parent, inside.element) == (numbers[f"{many}!code"], 3)
    # counted through all annotation attributes of the method
    of_method = [
        part.index for part in found.values() if part.kind is PartKind.ANNOTATION and part.parent == numbers[many]
    ]
    assert of_method == list(range(6))


def test_enclosed_and_nested(classes: dict[str, ClassFile]) -> None:
    found = {part.name: part for part in parts(classes["Host$1"], "full")}
    assert found["p/Host$1[enclosed]"].target == "p/Host"
    assert found["p/Host$1[nest]"].target == "p/Host"


def test_names_that_repeat_are_counted(classes: dict[str, ClassFile], compile_java: CompileJava) -> None:
    source = """
import java.lang.annotation.*;
class Twice { java.util.Map<@T String, @T String> f; }
@Target(ElementType.TYPE_USE) @interface T { }
"""
    cf = parse((compile_java({"Twice.java": source}) / "Twice.class").read_bytes())
    place = "Twice.f:Ljava/util/Map;"
    assert [name for name in named(cf) if "@" in name] == [f"{place}[@T on type]", f"{place}[@T on type]#2"]


def test_order_and_uniqueness(zoo: Path) -> None:
    for file in sorted(zoo.rglob("*.class")):
        cf = parse(file.read_bytes())
        assert parts(cf, "class") == ()
        member, full = parts(cf, "member"), parts(cf, "full")
        assert [part.name for part in full if part.kind in PAPER] == [part.name for part in member]
        for found in (member, full):
            assert len({part.name for part in found}) == len(found)
            assert len({(part.kind, part.parent, part.index) for part in found}) == len(found)
            assert all(part.parent < number for number, part in enumerate(found))
            assert all(part.name.startswith(cf.name) for part in found)


def test_an_unknown_granularity(zoo: Path) -> None:
    with pytest.raises(ValueError, match="medium"):
        parts(parse((zoo / "zoo" / "Zoo.class").read_bytes()), "medium")


def test_a_damaged_table(classes: dict[str, ClassFile]) -> None:
    cf = parse(rebuilt(classes["A"]))
    rows = cf.attributes._rows
    where = next(at for at, row in enumerate(cf.attributes.rows()) if row[0] == "InnerClasses")
    rows[where] = (rows[where][0], rows[where][1][:-1])
    with pytest.raises(ClassFormatError, match="InnerClasses"):
        parts(cf, "member")


@pytest.mark.parametrize("granularity", ["member", "full"])
def test_the_sizes_of_parts_leave_the_constants_to_the_class(granularity: str) -> None:
    """What is no part's is at least the head, the constant pool and the counts of the tables."""
    path = Path("/usr/share/java/commons-lang3.jar")
    if not path.exists():
        pytest.skip("Debian's libcommons-lang3-java is not installed")
    jar = read_jar([path])
    for entry in jar.classes():
        cf = parse(jar.entries[entry].data)
        found = parts(cf, granularity)
        assert all(part.bytes >= 0 for part in found)
        pool = len(write_pool(cf.constants.tuples(), len(cf.constants.tuples())))
        rest = len(jar.entries[entry].data) - sum(part.bytes for part in found)
        assert 8 + pool + 14 <= rest
        if granularity == "full" and not cf.attributes.raw("Record"):
            named = sum(6 + len(data) for _, data in cf.attributes.rows())
            assert rest <= 8 + pool + 14 + named + 2 * len(found) + len(cf.interface_names) * 2 + 8 * len(cf.methods)
