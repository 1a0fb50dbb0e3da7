"""Repairs of source at javac's complaints, with the real javac: what a decompiler gets wrong compiles after them."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from threading import Event as Flag

import pytest

from core.library.jdks import choose_jdk
from core.predicate.releases.maven import fetch
from core.recompile.compiler import Compiled, CompilerHost
from core.recompile.drafts import Draft, Refused, bare, repaired
from core.recompile.known_names import KnownNames, stubs
from core.recompile.source_maker import CompileWay
from tests.support.debian import needs_debian
from tests.support.rows import rows

ECJ = "org.eclipse.jdt:ecj:3.33.0"
CHECKCAST = b"\x01\xc0"
"""A null, and the cast of it."""
COMPARED = b"\x01\xc7"
"""A null, and the branch for another value."""
BEGIN = "import java.util.*;\nclass A<T extends Comparable<T>> {\n"
BROKEN = {
    "several exceptions of one method": "Object f() { return Class.forName(null).getConstructor().newInstance(); }",
    "a cast that lacks": "String f(List l) { String s = l.get(0); return s; }",
    "a cast to a type variable": "T f(List l) { T t = l.get(0); return t; }",
    "a cast that generics forbid": "List<String> f(List<Object> l) { List<String> s = l; return s; }",
    "a truth value from a number": "boolean f(int i) { return i; }",
    "a number from a truth value": "int f(boolean b) { return b; }",
    "a narrower number": "char f(int i) { char c = i + 1; return c; }",
    "a loop over a raw list": "void f(ArrayList l) { for (String s : l) s.length(); }",
    "a loop over numbers of a list of objects": "void f(List<Object> l) { for (final int i : l) f(null); }",
    "a loop over an array of objects": "void f(Object[] a) { for (String s : a) s.length(); }",
    "a loop over the result of a call": "void f(Map m) { for (String s : m.keySet()) s.length(); }",
    "the receiver of null": "int f() { return null.size(); }",
    "a receiver of another type": "int f(Object o) { return o.size(); }",
    "the receiver of null, whose name has a dollar sign": "int f() { return null.seven(); }",
    "a receiver of null with an array": "int f() { return null.length; }",
    "an element of null": "Object f() { final byte b = null[0]; return null[b]; }",
    "an exception that is not declared": "void f() { throw new Exception(); }",
    "a second exception that is not declared": "void f() throws Error { throw new Exception(); }",
    "an exception that is never thrown": "void f() { try { f(); } catch (java.io.IOException e) { f(); } }",
    "a variable without a value": "int f(boolean b) { int i; if (b) i = 1; return i; }",
    "an object without a value": "Object f(boolean b) { String i; if (b) i = null; return i; }",
    "a final variable that is assigned": "int f() { final int i = 1; i = 2; return i; }",
    "a variable that is declared again": "int f() { int i = 1; int i = 2; return i; }",
    "objects that cannot be compared": "boolean f(Integer i, String s) { return i == s; }",
    "a value that nobody uses": "void f(Object o) { o; }",
    "a return that lacks": "int f(boolean b) { if (b) return 1; }",
    "code that is never reached": "int f() { return 1; f(); }",
    "type arguments of a raw class": "Object f() { return new Object<String>(); }",
    "an argument of another type": "int f(Object o) { return new ArrayList(o).size(); }",
    "arguments of a call": "void f() { Class<?> c = null; EnumSet.allOf(c); }",
    "arguments of a call of an own method": "<E extends Enum<E>> void g(Class<E> c) { } void f(Class<?> c) { g(c); }",
    "an argument of a type without a name": "void f(List<? super T> l, String s) { l.add(s); }",
    "an argument of a type without a name, of a call": "void f(Map<T, List<? super T>> m) { m.get(null).add(this); }",
    "arguments of an anonymous class": "Object f(List l) { return new Object(null, l) { }; }",
    "a class that is not imported": "Object f() { return new AtomicInteger(); }",
    "an object around a new one": "Object f() { return null.new Inner(); }",
    "an object around, as an argument": "Object f() { return new Inner(null); }",
    "a method reference that is a statement": "void f(List l) { l::size; }",
    "an override of nothing": "@Override public void nothing() { }",
}
KNOWN = """import java.util.*;
public class Known {
    Object one(Collection<?> c) { return new ArrayList<>(c).size(); }
    Object other() { return new java.util.concurrent.atomic.AtomicInteger(); }
    class Inner { }
    Object inner() { return new Inner(); }
    java.util.function.Supplier<Integer> three(List<?> l) { return l::size; }
    int two(List<Object> l) { return l.add(l) ? l.size() : 0; }
    EnumSet<?> four(Class<Thread.State> c) { return EnumSet.allOf(c); }
    <E extends Enum<E>> void g(Class<E> c) { }
    int five(Out$Side o) { return o.seven(); }
}
class Out$Side {
    int seven() { return Gone.take(this); }
}
"""
GONE = "class Gone { static int take(Out$Side o) { return 0; } }"


@pytest.fixture(scope="module")
def host() -> Iterator[CompilerHost]:
    made = CompilerHost(choose_jdk("", 0).jdk, [])
    yield made
    made.close()


@pytest.fixture(scope="module")
def known(host: CompilerHost) -> KnownNames:
    return KnownNames.of(_known(host))


def _known(host: CompilerHost) -> list[tuple[str, bytes]]:
    made = compiled(host, {"Known.java": KNOWN, "Gone.java": GONE})
    return [(f"{name}.class", data) for name, data in made.classes.items()]


def compiled(host: CompilerHost, texts: dict[str, str]) -> Compiled:
    return host.compile(texts, ("-proc:none", "-nowarn"), seconds=100, cancel=Flag())


@rows("titles", [list(BROKEN)[start : start + 10] for start in range(0, len(BROKEN), 10)])
def test_what_a_decompiler_gets_wrong_compiles_after_repairs(
    host: CompilerHost, known: KnownNames, titles: Sequence[str]
) -> None:
    names = {title: f"A{number}" for number, title in enumerate(titles)}
    broken = {
        f"{name}.java": f"{BEGIN.replace('class A', f'class {name}')}    {BROKEN[title]}\n}}\n"
        for title, name in names.items()
    }
    texts = {**broken, "Known.java": KNOWN, "Gone.java": GONE}
    draft = repaired("a test", texts, known, lambda now: compiled(host, dict(now)))
    assert isinstance(draft, Draft), draft.complaints if isinstance(draft, Refused) else draft
    assert [title for title, name in names.items() if draft.texts[f"{name}.java"] == broken[f"{name}.java"]] == []
    assert compiled(host, dict(draft.texts)).classes.keys() >= {*names.values()}


def test_a_stub_of_what_lacks_names_classes_as_their_source_does(host: CompilerHost) -> None:
    rest = [each for each in _known(host) if each[0] != "Gone.class"]
    made = stubs(rest, lambda name: name.startswith("java/"))
    assert not compiled(host, {"Known.java": KNOWN, **made}).complaints
    assert "take(Out$Side a0)" in made["Gone.java"]


def test_what_is_no_java_is_refused_with_the_file(host: CompilerHost) -> None:
    texts = {"A.java": "class A { void f() { catch } }", "B.java": "class B { }"}
    draft = repaired("a test", texts, KnownNames(), lambda now: compiled(host, dict(now)))
    assert isinstance(draft, Refused)
    assert draft.files == {"A.java"}


def test_several_errors_are_repaired_in_several_rounds(host: CompilerHost, known: KnownNames) -> None:
    body = "Object o = null.size(); String s = l.get(0); if (s == null) throw new Exception(); return s;"
    texts = {"A.java": f"{BEGIN}String f(List l) throws Error {{ {body} }}\n}}\n"}
    draft = repaired("a test", texts, known, lambda now: compiled(host, dict(now)))
    assert isinstance(draft, Draft)
    assert draft.repaired == 3


def test_a_variable_that_is_too_narrow_is_declared_wider(host: CompilerHost, known: KnownNames) -> None:
    body = "int f(int i) {\n    char c;\n    c = i + 1;\n    c = i + 2;\n    return c;\n}"
    draft = repaired("a test", {"A.java": f"{BEGIN}{body}\n}}\n"}, known, lambda now: compiled(host, dict(now)))
    assert isinstance(draft, Draft)
    assert draft.texts["A.java"] == f"{BEGIN}{body.replace('char', 'int')}\n}}\n"


def test_the_head_of_a_decompiler_is_left_out() -> None:
    head = "/*\n * Decompiled by something.\n */\n// and more\n\npackage a;\nclass A { } // stays\n"
    assert bare({"a/A.java": head, "module-info.java": ""}) == {"a/A.java": "package a;\nclass A { } // stays\n"}


def test_javac_keeps_a_comparison_of_nulls(host: CompilerHost) -> None:
    texts = {"A.java": "class A { static int f() { return null == null ? 3 : (Object)null != null ? 4 : 5; } }"}
    plain, kept = (compiled(host, each).classes["A"] for each in (texts, bare(texts)))
    assert COMPARED not in plain
    assert COMPARED in kept
    assert "return (Object) null == null ? 3 : (Object)null != null" in bare(texts)["A.java"]


@needs_debian
@pytest.mark.slow
def test_eclipse_compiles_with_a_shape_of_its_own(host: CompilerHost, tmp_path: Path) -> None:
    fetch((ECJ,), tmp_path / "tools")
    made = CompilerHost(choose_jdk("", 0).jdk, [], tuple((tmp_path / "tools").glob("*.jar")))
    try:
        texts = {"a/A.java": "package a; class A { void f() { ((Class) null).getName(); } }"}
        way = CompileWay(choose_jdk("", 0).jdk, 8, False, ecj=True)
        done = made.compile(texts, way.words, ecj=True, seconds=100, cancel=Flag())
        wrong = made.compile({"a/A.java": "class A {"}, ("-proc:none",), ecj=True, seconds=100, cancel=Flag())
    finally:
        made.close()
    assert not done.complaints
    assert CHECKCAST not in done.classes["a/A"], "javac casts null"
    assert CHECKCAST in compiled(host, texts).classes["a/A"]
    assert wrong.complaints


def test_without_eclipses_compiler_there_is_a_complaint_and_javac_goes_on(host: CompilerHost) -> None:
    texts = {"a/A.java": "package a; class A { }"}
    done = host.compile(texts, ("-proc:none",), ecj=True, seconds=100, cancel=Flag())
    assert "EclipseCompiler" in done.complaints[0].message
    assert "a/A" in compiled(host, texts).classes


def test_members_are_known_by_what_the_code_calls(known: KnownNames) -> None:
    assert {member.owner for member in known.methods("size", 0)} == {"java.util.ArrayList", "java.util.List"}
    assert known.classes["AtomicInteger"] == "java.util.concurrent.atomic.AtomicInteger"
