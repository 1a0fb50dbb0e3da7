"""What code uses, on classes that javac makes: every kind of fact and every reason, compared exactly."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from core.classfile.class_file import parse
from core.code.types.code_facts import CodeFacts, CodeReader
from tests.support.java import CompileJava
from tests.support.rows import rows

THROWABLE = "java/lang/Throwable"
SOURCES = {
    "k/Use.java": """
package k;

interface Shape { void draw(); default void dye() { } }
class Base {
    public int number; protected int secret;
    Base() { } Base(Base other) { }
    void touch() { } protected void guard() { }
}
class Circle extends Base implements Shape { public void draw() { } }
class Square extends Base implements Shape { public void draw() { } }
class Problem extends RuntimeException { }
class Trouble extends RuntimeException { }

public class Use extends Base implements Shape {
    static Base kept;
    Shape shape;
    long wide;

    Use(Circle circle) { super(circle); }
    Use() { this(null); }
    public void draw() { }
    void touch() { super.touch(); }
    public void dye() { Shape.super.dye(); }

    static void take(Base base, long number, Object any, Shape shape) { }
    static void arguments(Circle circle, Square square) { take(circle, 1L, square, square); }
    static void nothing(Base base, Shape shape) { take(base, 1L, base, shape); take(null, 1L, null, null); }
    static Base returns(Circle circle) { return circle; }
    static void stores(Circle circle, Use use) { kept = circle; use.shape = circle; use.wide = 3; kept = null; }
    static int receivers(Circle circle) {
        Base base = circle;
        base.touch();
        Shape shape = circle;
        shape.draw();
        return base.number;
    }
    static void elements(Circle circle) { Base[] bases = new Base[1]; bases[0] = circle; bases[0].touch(); }
    static void throwing(Problem problem) { throw problem; }
    static void catching() { try { kept.touch(); } catch (Problem problem) { kept = null; } }
    static RuntimeException either() {
        try { kept.touch(); return null; } catch (Problem | Trouble problem) { return problem; }
    }
    static Base merging(boolean choice, Circle circle, Square square) { return choice ? circle : square; }
    static Shape protecting(Circle circle, Square square) {
        Shape shape = circle;
        try { kept.touch(); shape = square; kept.touch(); } catch (Problem problem) { return shape; }
        return null;
    }
    static Shape looping(Circle circle, Square square, int count) {
        Shape shape = circle;
        while (count-- > 0) shape = square;
        return shape;
    }
    static Runnable lambda(Circle circle) { Base base = circle; return () -> base.touch(); }
    static boolean casts(Base base, Object any, Base[] bases, Shape[][] shapes) {
        Circle circle = (Circle) base;
        Circle[] circles = (Circle[]) bases;
        Object other = (Shape) any;
        return base instanceof Shape || shapes instanceof Circle[][] || any instanceof int[];
    }
    static void arrays(Circle[] circles, Circle[][] more, int[] numbers) {
        Base[] bases = circles;
        keep(circles, more, numbers);
        keep(circles.clone(), circles, more);
    }
    static void keep(Base[] bases, Object[] any, Object numbers) { }
    static Object constants(int kind) {
        switch (kind) {
            case 1: return Circle.class;
            case 2: return Square[].class;
            case 3: return int[].class;
            case 4: return int.class;
            case 5: return new Shape[2][3];
            case 6: return new Problem[1];
            case 7: return "text";
            default: return 2.5;
        }
    }
    static long numbers(int a, long b, float c, double d, byte[] e, long[] f) {
        f[a++] += b; e[0]++; f[1] <<= 2;
        for (long i = 0; i < 10; i++) { d = -d * i + (c % 3); b ^= (long) d; }
        synchronized (kept) { return a > b ? e[2] : f[f.length - 1] >>> 3; }
    }
}
""",
    "q/Far.java": """
package q;

class Further extends Far { }
public class Far extends k.Use2 {
    void use(Far far, Further further) { guard(); far.guard(); further.guard(); further.secret = far.secret; }
    void above() { super.guard(); }
}
""",
    "k/Use2.java": """
package k;
public class Use2 { protected int secret; protected void guard() { } }
""",
}


@pytest.fixture(scope="module")
def facts(compile_java: CompileJava) -> Callable[..., CodeFacts]:
    """``facts("name", "k/Use")``: of the first method with that name."""
    folder = compile_java(SOURCES, "-g")

    def facts(name: str, owner: str = "k/Use", place: int = 0) -> CodeFacts:
        cf = parse((folder / f"{owner}.class").read_bytes())
        return CodeReader(cf).facts([method for method in cf.methods if method.name_text == name][place])

    return facts


@rows(
    ("name", "expected"),
    [
        ("arguments", {("k/Circle", "k/Base", "argument"), ("k/Square", "k/Shape", "argument")}),
        ("nothing", set()),
        ("returns", {("k/Circle", "k/Base", "return")}),
        ("stores", {("k/Circle", "k/Base", "put"), ("k/Circle", "k/Shape", "put")}),
        (
            "receivers",
            {
                ("k/Circle", "k/Base", "receiver"),
                ("k/Circle", "k/Shape", "receiver"),
                ("k/Circle", "k/Base", "field-receiver"),
            },
        ),
        ("elements", {("k/Circle", "k/Base", "element")}),
        ("throwing", {("k/Problem", THROWABLE, "throw")}),
        ("catching", {("k/Problem", THROWABLE, "catch")}),
        (
            "either",
            {
                ("k/Problem", THROWABLE, "catch"),
                ("k/Trouble", THROWABLE, "catch"),
                ("k/Problem", "java/lang/RuntimeException", "merge"),
                ("k/Trouble", "java/lang/RuntimeException", "merge"),
            },
        ),
        ("merging", {("k/Circle", "k/Base", "merge"), ("k/Square", "k/Base", "merge")}),
        (
            "protecting",
            {
                ("k/Problem", THROWABLE, "catch"),
                ("k/Circle", "k/Shape", "merge"),
                ("k/Square", "k/Shape", "merge"),
            },
        ),
        ("looping", {("k/Circle", "k/Shape", "merge"), ("k/Square", "k/Shape", "merge")}),
        ("lambda", {("k/Circle", "k/Base", "dynamic-argument")}),
        ("casts", set()),
        ("arrays", {("k/Circle", "k/Base", "argument")}),
        ("constants", set()),
        ("numbers", set()),
        ("touch", {("k/Use", "k/Base", "receiver")}),
        ("dye", {("k/Use", "k/Shape", "receiver")}),
        ("<init>", {("k/Use", "k/Base", "super-init"), ("k/Circle", "k/Base", "argument")}),
        ("another <init>", set()),  # that calls one of its own class
    ],
)
def test_subtypes(facts: Callable[..., CodeFacts], name: str, expected: set[tuple[str, str, str]]) -> None:
    found = facts("<init>", place=1) if name == "another <init>" else facts(name)
    assert set(found.subtypes) == expected
    assert len(found.subtypes) == len(expected)
    assert not found.merged


def test_uses(facts: Callable[..., CodeFacts]) -> None:
    found = facts("receivers")
    assert found.methods == (
        ("virtual", "k/Base", "touch", "()V", False),
        ("interface", "k/Shape", "draw", "()V", True),
    )
    assert found.fields == (("get", "k/Base", "number", "I"),)
    stores = facts("stores")
    assert stores.fields == (
        ("putstatic", "k/Use", "kept", "Lk/Base;"),
        ("put", "k/Use", "shape", "Lk/Shape;"),
        ("put", "k/Use", "wide", "J"),
    )
    assert facts("catching").fields == (
        ("getstatic", "k/Use", "kept", "Lk/Base;"),
        ("putstatic", "k/Use", "kept", "Lk/Base;"),
    )
    assert facts("catching").classes == ("k/Problem",)
    assert facts("dye").methods == (("special", "k/Shape", "dye", "()V", True),)
    assert facts("touch").methods == (("special", "k/Base", "touch", "()V", False),)
    assert ("static", "k/Use", "take", "(Lk/Base;JLjava/lang/Object;Lk/Shape;)V", False) in facts("arguments").methods


def test_classes_of_instructions_and_frames(facts: Callable[..., CodeFacts]) -> None:
    assert set(facts("casts").classes) == {"k/Circle", "k/Shape"}
    assert facts("casts").framed == ("java/lang/Object",)
    assert set(facts("elements").classes) == {"k/Base"}
    assert facts("merging").framed == ("k/Base",)
    assert set(facts("constants").classes) == {"k/Circle", "k/Square", "k/Shape", "k/Problem"}
    assert facts("constants").class_constants == ("k/Circle", "[Lk/Square;", "[I")
    arrays = facts("arrays")
    assert ("virtual", "[Lk/Circle;", "clone", "()Ljava/lang/Object;", False) in arrays.methods
    assert "k/Circle" in arrays.classes


def test_casts(facts: Callable[..., CodeFacts]) -> None:
    assert set(facts("casts").casts) == {("k/Base", "k/Circle"), ("k/Base", "k/Shape"), ("k/Shape", "k/Circle")}


def test_invokedynamic(facts: Callable[..., CodeFacts]) -> None:
    found = facts("lambda")
    assert found.call_sites == (("call", 0, "run", "(Lk/Base;)Ljava/lang/Runnable;"),)
    assert found.bootstraps == {0}


def test_receivers_that_matter_for_protected_members(facts: Callable[..., CodeFacts]) -> None:
    guard, secret = ("virtual", "q/Further", "guard", "()V", False), ("put", "q/Further", "secret", "I")
    found = facts("use", "q/Far")
    assert set(found.receivers) == {(guard, "q/Further"), (secret, "q/Further")}
    assert facts("above", "q/Far").receivers == ()
    assert facts("above", "q/Far").subtypes == (("q/Far", "k/Use2", "receiver"),)


def test_sets_of_types_tell_where_a_value_comes_from(compile_java: CompileJava) -> None:
    folder = compile_java(SOURCES, "-g")
    cf = parse((folder / "k/Use.class").read_bytes())
    reader = CodeReader(cf)
    (method,) = (method for method in cf.methods if method.name_text == "merging")
    found = reader.facts(method, sets=True)
    assert found.merged
    assert set(found.subtypes) == {
        ("k/Circle", "k/Base", "merge"),
        ("k/Square", "k/Base", "merge"),
        ("k/Circle", "k/Base", "return"),
        ("k/Square", "k/Base", "return"),
    }
    (method,) = (method for method in cf.methods if method.name_text == "looping")
    assert set(reader.facts(method, sets=True).subtypes) == {
        ("k/Circle", "k/Shape", "merge"),
        ("k/Square", "k/Shape", "merge"),
        ("k/Circle", "k/Shape", "return"),
        ("k/Square", "k/Shape", "return"),
    }


def test_all_methods_in_order(compile_java: CompileJava) -> None:
    cf = parse((compile_java(SOURCES, "-g") / "k/Shape.class").read_bytes())
    found = list(CodeReader(cf).all())
    assert [method.name_text for method, _ in found] == ["draw", "dye"]
    assert found[0][1].methods == found[1][1].methods == ()
