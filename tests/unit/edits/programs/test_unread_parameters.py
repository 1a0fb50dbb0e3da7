"""Parameters that nothing reads: which can go, and that programs without them do what they did."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.classfile.class_file import parse
from core.classfile.symbolic.symbolic_class import read
from core.edits.programs.program import ProgramEdit, WholeProgram
from core.edits.programs.shapes.dropping import MethodShape
from core.edits.programs.shapes.method_shapes import UNREAD
from core.library.library import open_library
from tests.support.java import compiler
from tests.support.rows import rows

PROGRAM = {
    "a/Shape.java": """package a;
public interface Shape { int area(int times, Object unused, long also); }
""",
    "a/Square.java": """package a;
public class Square implements Shape {
    final int side;
    Square(double unused, int side, String also) { this.side = side; }
    public int area(int times, Object unused, long also) {
        int sum = 0;
        for (int i = 0; i < times; i++) {
            long more = i;
            if (more % 2 == 0) { String text = "x" + i; sum += text.length(); }
            sum += side * side;
        }
        return sum;
    }
}
""",
    "a/Small.java": """package a;
public class Small extends Square {
    Small(int side) { super(1.5, side, "small"); }
    public int area(int times, Object unused, long also) {
        int[] sizes = {1, 2};
        try { return super.area(times, null, 7L) + sizes[times]; }
        catch (IndexOutOfBoundsException e) { return -1; }
    }
}
""",
    "a/Main.java": """package a;
public class Main {
    static int many(long a, int b, double c, int d) {
        int result = d;
        while (result < 100) { int twice = result * 2; result = twice + b; }
        return result;
    }
    public static void main(String[] words) {
        Shape shape = new Square(0.5, 3, null);
        System.out.println(shape.area(4, "unused", 5L) + " " + new Small(2).area(1, null, 0L) + " "
            + new Small(2).area(9, null, 0L) + " " + many(1L, 2, 3.0, 4));
    }
}
""",
}


def classes_in(folder: Path) -> dict[str, bytes]:
    return {str(file.relative_to(folder)): file.read_bytes() for file in sorted(folder.rglob("*.class"))}


def program_of(classes: dict[str, bytes]) -> WholeProgram:
    return WholeProgram(tuple(map(read, classes.values())), open_library().get)


def found(classes: dict[str, bytes]) -> list[ProgramEdit]:
    return list(UNREAD.find(program_of(classes)))


def without(classes: dict[str, bytes], gone: list[ProgramEdit]) -> dict[str, bytes]:
    left = UNREAD.make(program_of(classes), gone).classes
    return {
        name: data if tree is read(data) else tree.written()
        for (name, data), tree in zip(classes.items(), left, strict=True)
    }


def run(classes: dict[str, bytes], folder: Path) -> str:
    for name, data in classes.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(data)
    return compiler().run("run", str(folder), "a.Main")


def named(edits: list[ProgramEdit]) -> set[tuple[str, int]]:
    return {(name, place) for _, name, _, shape in (each.what for each in edits) for place in shape.dropped}


@pytest.mark.parametrize("options", [("-g",), ("-g:none",)], ids=["debug", "bare"])
def test_a_program_without_them_does_the_same(compile_java, tmp_path, options):
    classes = classes_in(compile_java(PROGRAM, *options))
    every = found(classes)
    assert named(every) == {("area", 1), ("area", 2), ("<init>", 0), ("<init>", 2), ("many", 0), ("many", 2)}
    told = run(classes, tmp_path / "before")
    left = without(classes, every)
    assert run(left, tmp_path / "after") == told
    assert not named(found(left))
    assert sum(map(len, left.values())) < sum(map(len, classes.values()))


@pytest.mark.parametrize("place", range(6))
def test_each_can_go_alone(compile_java, tmp_path, place):
    classes = classes_in(compile_java(PROGRAM, "-g"))
    gone = [found(classes)[place]]
    left = without(classes, gone)
    assert run(left, tmp_path / "after") == run(classes, tmp_path / "before")
    assert len(found(left)) == 5


def test_a_class_that_has_nothing_to_do_with_them_keeps_its_bytes(compile_java):
    classes = classes_in(compile_java(PROGRAM, "-g"))
    gone = [each for each in found(classes) if each.what[1] == "many"]
    left = without(classes, gone)
    assert {name for name in classes if left[name] is not classes[name]} == {"a/Main.class"}


def test_a_generic_signature_loses_them_too(compile_java):
    source = """import java.util.*;
class Box<T> { T first(List<? extends T> unused, Map<String, T[]> all, int[][] also) { return all.get("")[0]; } }
class User { Object use() { return new Box<String>().first(null, null, null); } }
"""
    classes = classes_in(compile_java({"Box.java": source}))
    every = found(classes)
    assert named(every) == {("first", 0), ("first", 2)}
    box = parse(without(classes, every)["Box.class"])
    (method,) = [each for each in box.methods if each.name_text == "first"]
    assert method.descriptor_text == "(Ljava/util/Map;)Ljava/lang/Object;"
    signature = method.attributes.raw("Signature")
    assert signature is not None
    assert box.constants.text(int.from_bytes(signature, "big")) == "(Ljava/util/Map<Ljava/lang/String;[TT;>;)TT;"


@rows(
    "source",
    [
        "class A { void over(int a) {} void over(Object b) {} }",
        "class A extends java.util.ArrayList<Object> { public void ensureCapacity(int a) {} }",
        "interface A { void of(int a); default void use() { A made = b -> {}; made.of(1); } }",
        "class A { static void of(int a) {} java.util.function.IntConsumer use() { return A::of; } }",
        "class A { native void of(int a); }",
        "class A { void of(int... a) { } }",
        "class A { <T> T of(T a) { return null; } }",
        "class A { static void main(String[] a) { } }",
        "enum A { ONE(1); A(int a) { } }",
        "record A(int a) { A(int a) { this.a = 1; } }",
        "class A { void of(int a) { a = 1; } }",
        "class A { void of(int a) { } void use() { of(hashCode()); } }",
        "class A { void of(int a) { new Object() { }; } }",
        "class A { A(int a) { } static Object use() { return new A(1) { }; } }",
        "class A { class B { } Object use() { return new B(); } }",
        'class A { @Deprecated void of(@SuppressWarnings("x") int a, int b) { b++; a++; } }',
    ],
)
def test_what_more_than_a_call_tells_apart_stays(compile_java, source):
    assert not found(classes_in(compile_java({"A.java": source})))


def test_only_what_is_pushed_right_before_the_call_goes(compile_java):
    source = "class A { void of(int a, int b, int c) { } void use() { of(1, hashCode(), 2); } }"
    assert named(found(classes_in(compile_java({"A.java": source})))) == {("of", 2)}


@pytest.mark.parametrize(
    ("descriptor", "gone", "left"),
    [("(I[JLa/B;)V", {1}, "(ILa/B;)V"), ("(I)[I", {0}, "()[I"), ("(IJ)Z", set(), "(IJ)Z")],
)
def test_a_descriptor_without_some(descriptor, gone, left):
    assert MethodShape(frozenset(gone)).of(descriptor) == left
