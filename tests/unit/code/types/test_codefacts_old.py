"""Code without frames: the fixed point must find what the frames tell, on classes of javac made old."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from core.classfile.class_file import ClassFile, Method, parse
from core.code.types.code_facts import CodeReader
from tests.support.java import CompileJava
from tests.support.old_classes import made_old, without_merges
from tests.support.rebuilt_class import rebuilt

SOURCES = {
    "Old.java": """
import java.util.*;

interface Shape { void draw(); }
interface Sized { int size(); }
class Base { int number; void touch() { } }
class Circle extends Base implements Shape, Sized { public void draw() { } public int size() { return 1; } }
class Square extends Base implements Shape, Sized { public void draw() { } public int size() { return 2; } }
class Problem extends RuntimeException { Base culprit; }

public class Old extends Base implements Sized {
    static Base kept = new Square();
    Shape shape;
    Old(boolean round) { super(); shape = round ? new Circle() : new Square(); }
    public int size() { return 3; }

    static int total(Circle[] circles, List<? extends Sized> more) {
        int sum = 0;
        for (Circle circle : circles) sum += count(circle);
        for (Sized sized : more) sum += sized.size();
        return sum;
    }
    static int count(Sized sized) { return sized == null ? 0 : sized.size(); }
    static Base pick(int kind, Circle circle, Square square, Old old) {
        Base found;
        switch (kind) { case 1: found = circle; break; case 2: found = square; break; case 9: found = null; break;
            default: found = old; }
        return found;
    }
    static Shape guarded(Circle circle, Square square) {
        Shape shape = circle;
        try { kept.touch(); shape = square; kept.touch(); }
        catch (Problem problem) { kept = problem.culprit; }
        catch (IllegalStateException | IllegalArgumentException problem) { throw problem; }
        finally { shape.draw(); }
        return shape;
    }
    static void nested(Base[][] bases, Circle circle) {
        for (int i = 0; i < bases.length; i++)
            for (int j = 0; j < bases[i].length; j++) {
                Base base = bases[i][j];
                if (base instanceof Shape) ((Shape) base).draw(); else bases[i][j] = circle;
                long size = base instanceof Sized ? ((Sized) base).size() : -1L;
                if (size > 3) continue;
                base = i > j ? circle : base;
                base.touch();
            }
    }
    static Object merged(boolean choice, Circle circle, Square square) {
        return (choice ? circle : square).size() > 1 ? circle : "none";
    }
    static void loop(Base base, Circle circle, Square square) {
        Base next = base, last = null;
        while (next != null) { last = next; next = next == circle ? square : next == square ? null : circle; }
        take(last); take(next);
    }
    static void take(Base base) { }
    public static void main(String[] arguments) {
        nested(new Base[][] {{new Square(), new Base()}}, new Circle());
        loop(kept, new Circle(), new Square());
        System.out.println(total(new Circle[] {new Circle()}, Arrays.asList(new Square(), new Old(true)))
            + " " + pick(2, null, new Square(), null).getClass() + guarded(new Circle(), new Square()).getClass());
    }
}
""",
}


@pytest.fixture(scope="module")
def pairs(compile_java: CompileJava) -> list[tuple[ClassFile, ClassFile]]:
    """Each class as javac made it, and made old."""
    folder = compile_java(SOURCES, "--release", "8")
    files = sorted(folder.glob("*.class"))
    return [(parse(file.read_bytes()), parse(made_old(parse(file.read_bytes())))) for file in files]


def each(pairs: list[tuple[ClassFile, ClassFile]]) -> list[tuple[Method, CodeReader, Method, CodeReader]]:
    return [
        (method, CodeReader(cf), old_method, CodeReader(old))
        for cf, old in pairs
        for method, old_method in zip(cf.methods, old.methods, strict=True)
    ]


def test_the_jvm_runs_the_classes_made_old(pairs: list[tuple[ClassFile, ClassFile]], tmp_path: Path) -> None:
    for _, old in pairs:
        (tmp_path / f"{old.name}.class").write_bytes(rebuilt(old))
    command = ["java", "-Xverify:all", "-cp", str(tmp_path), "Old"]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr
    assert result.stdout == "6 class Squareclass Square\n"


def test_the_same_sets_with_and_without_frames(pairs: list[tuple[ClassFile, ClassFile]]) -> None:
    branching = 0
    for method, reader, old_method, old_reader in each(pairs):
        with_frames, without = reader.facts(method, sets=True), old_reader.facts(old_method)
        title = method.name_text
        assert without_merges(with_frames) == without_merges(without), title
        for name in ("fields", "methods", "call_sites", "class_constants"):
            assert set(getattr(with_frames, name)) == set(getattr(without, name)), title
        assert set(without.classes) <= set(with_frames.classes), title
        assert not [fact for fact in without.subtypes if fact[2] == "merge"], title
        branching += without.merged
    assert branching == 8


MEETS = """
public class Meets {
    static Object either(boolean choice, One one, Two two) { return choice ? one : two; }
    public static void main(String[] arguments) { System.out.println(either(true, null, null)); }
}
interface One { }
interface Two { }
"""


def test_a_verifier_without_frames_loads_classes_that_meet(compile_java: CompileJava, tmp_path: Path) -> None:
    folder = compile_java({"Meets.java": MEETS}, "--release", "8")
    cf = parse((folder / "Meets.class").read_bytes())
    method = next(method for method in cf.methods if method.name_text == "either")
    assert CodeReader(cf).facts(method).met == ()
    data = made_old(cf)
    old = parse(data)
    method = next(method for method in old.methods if method.name_text == "either")
    assert CodeReader(old).facts(method).met == ("One", "Two")
    (tmp_path / "Meets.class").write_bytes(data)

    def run() -> subprocess.CompletedProcess[str]:
        command = ["java", "-Xverify:all", "-cp", str(tmp_path), "Meets"]
        return subprocess.run(command, capture_output=True, text=True, check=False)

    assert "NoClassDefFoundError" in run().stderr
    for name in ("One", "Two"):
        (tmp_path / f"{name}.class").write_bytes((folder / f"{name}.class").read_bytes())
    assert run().stdout == "null\n"


def test_each_fact_of_the_frames_is_covered(pairs: list[tuple[ClassFile, ClassFile]]) -> None:
    """Where a frame names the source, the fact of a class that goes into it stands for it."""
    covered = 0
    for method, reader, old_method, old_reader in each(pairs):
        found, old = reader.facts(method), old_reader.facts(old_method)
        sources = {source for source, _, reason in found.subtypes if reason == "merge"}
        named = {target for _, target, reason in found.subtypes if reason == "merge"}
        for source, target, reason in without_merges(found):
            if source in named:
                assert any(fact[1:] == (target, reason) for fact in old.subtypes) or target in sources
            else:
                assert (source, target, reason) in old.subtypes
            covered += 1
    assert covered >= 12


def test_exact_facts(pairs: list[tuple[ClassFile, ClassFile]]) -> None:
    (old,) = (old for _, old in pairs if old.name == "Old")
    found = {method.name_text: set(CodeReader(old).facts(method).subtypes) for method in old.methods}
    assert found["pick"] == {(name, "Base", "return") for name in ("Circle", "Square", "Old")}
    assert found["<init>"] == {("Old", "Base", "super-init"), ("Circle", "Shape", "put"), ("Square", "Shape", "put")}
    assert found["loop"] == {(name, "Base", "argument") for name in ("Circle", "Square")}
    assert found["guarded"] >= {
        ("Circle", "Shape", "receiver"),
        ("Square", "Shape", "receiver"),
        ("Square", "Shape", "return"),
        ("Circle", "Shape", "return"),
        ("Problem", "java/lang/Throwable", "catch"),
    }
    (merged,) = (method for method in old.methods if method.name_text == "merged")
    assert set(CodeReader(old).facts(merged).casts) == {("Circle", "Sized"), ("Square", "Sized")}
