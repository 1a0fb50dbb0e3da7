"""Where a search begins if a compiler fails: what the user names, what the failure names, what the sources import."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from core.archive.jar import read_jar
from core.evidence.failure import FailureReport, begun_with
from core.evidence.mentions import ClassNames
from core.model import class_model
from core.predicate.command import sources
from core.protocol.settings import Settings
from core.service.aims import aim_of
from tests.support.rows import rows

LIBRARY = {
    "lib/Reader.java": "package lib; public class Reader { public static class Part { } }",
    "lib/Writer.java": "package lib; public class Writer { }",
    "lib/types/Token.java": "package lib.types; public class Token<T> { }",
}
USERS = {
    "lib/Reader.java": LIBRARY["lib/Reader.java"],
    "lib/Once.java": "package lib; class Once { Object one = new Object() { }, two = new Object() { }; }",
    "lib/Wide.java": "package lib; public class Wide { other.Log log; Object a, b, c; int sum() { return 7; } }",
    "lib/Logs.java": "package lib; interface Logs { other.Log log(); }",
    "lib/Two.java": "package lib; interface Two { other.Log log(); other.Sink sink(); }",
    "lib/Base.java": "package lib; public abstract class Base implements other.Log { int a, b, c, d, e, f, g, h, i; }",
    "lib/Last.java": "package lib; public abstract class Last extends Base { }",
}
OUTSIDE = {
    "other/Log.java": "package other; public interface Log { }",
    "other/Sink.java": "package other; public interface Sink { }",
}
"""A library of the library that is not there."""
SOOT = "soot.SootResolver$SootClassNotFoundException: couldn't find class: other.Log (is your soot-class-path set?)"
GROOVY = """org.codehaus.groovy.control.MultipleCompilationErrorsException: startup failed:
General error during conversion: String index out of range: 40

java.lang.StringIndexOutOfBoundsException: String index out of range: 40
\tat java.base/java.lang.StringLatin1.charAt(StringLatin1.java:48)
\tat groovyjarjarasm.asm.signature.SignatureReader.parseType(SignatureReader.java:190)
"""
"""Output of groovyc 4.0.22 on a broken Signature attribute."""
ECJ = """----------
1. ERROR in /x/T1.java (at line 0)
\timport lib.types.*;
\t^
Internal compiler error: java.lang.ArrayIndexOutOfBoundsException: Index 41 out of bounds for length 40 at \
org.eclipse.jdt.internal.compiler.lookup.SignatureWrapper.skipAngleContents(SignatureWrapper.java:130)
----------
"""
"""Output of ECJ 3.38 on the same class."""


@pytest.fixture(scope="module")
def names(compile_java: Callable[..., Path]) -> ClassNames:
    return ClassNames(class_model.build(read_jar([compile_java(LIBRARY)])))


@pytest.fixture(scope="module")
def users(compile_java: Callable[..., Path]) -> ClassNames:
    return ClassNames(class_model.build(read_jar([compile_java(USERS, "-cp", str(compile_java(OUTSIDE)))])))


@rows(
    ("source", "found"),
    [
        ("import lib.Reader;\nclass Use { Reader r; }", ["lib/Reader"]),
        ("import static lib.Reader.of\n", ["lib/Reader"]),
        ("import lib.*;\nclass Use { Writer w; Other o; }", ["lib/Writer"]),
        ("import lib.Reader.*;\nclass Use { Part p; }", ["lib/Reader", "lib/Reader$Part"]),
        ("import lib.{Writer, Reader => In}\n", ["lib/Writer", "lib/Reader"]),
        ("import lib.types._\nobject Use { val t: Token[String] = null }", ["lib/types/Token"]),
        ("import lib.types.Token as T\n", ["lib/types/Token"]),
        ("class Use { def t = new lib.types.Token<String>() }", ["lib/types/Token"]),
        ("package lib\nclass Use(r: Reader.Part)\n", ["lib/Reader"]),
        ("import java.util.Map;\nclass Token { }", []),
        ("(ns u (:import [lib Writer Other] (lib.types Token)))", ["lib/Writer", "lib/types/Token"]),
    ],
)
def test_what_a_source_file_imports_or_names_in_full_is_found(names: ClassNames, source: str, found: list[str]) -> None:
    assert names.in_sources(source) == found


def test_calls_in_a_source_file_lead_to_the_types_that_they_return(
    compile_java: Callable[..., Path],
) -> None:
    library = {
        "a/Maker.java": "package a; public class Maker extends Base { public static Maker make() { return null; } }",
        "a/Base.java": "package a; public class Base { public Made build() { return null; } Other o; }",
        "a/Made.java": "package a; public interface Made { Last getLast(); }",
        "a/Last.java": "package a; public interface Last { Other[] all(int number); }",
        "a/Other.java": "package a; public class Other { }",
    }
    names = ClassNames(class_model.build(read_jar([compile_java(library)])))
    assert begun(names, "", "val x = a.Maker.make().build().last") == ["a/Maker", "a/Made", "a/Last"]
    assert begun(names, "", "val x = a.Maker.make().build().getLast().all(1)")[3:] == ["a/Other"]


def begun(names: ClassNames, output: str, source: str = "", *wanted: str) -> list[str]:
    report = FailureReport((), output, True, "", sources=source, begin_with=wanted)
    return [mention.name for mention in begun_with(names, report)]


def test_a_search_begins_at_what_the_user_names_then_the_failure_then_the_sources(names: ClassNames) -> None:
    source = "import lib.Reader\nimport lib.types.Token\n"
    assert begun(names, GROOVY) == []
    assert begun(names, GROOVY, source) == ["lib/Reader", "lib/types/Token"]
    assert begun(names, f"{GROOVY}while loading Token\n", source) == ["lib/types/Token", "lib/Reader"]
    assert begun(names, "bad class file: in.jar(/lib/Writer.class)", source)[0] == "lib/Writer"
    assert begun(names, "bad class file: in.jar(/lib/Writer.class)", source, "Token")[:2] == [
        "lib/types/Token", "lib/Writer",
    ]  # fmt: skip
    assert begun(names, "", "", "lib.Reader.Part", "lib/Writer", "Nothing") == ["lib/Reader$Part", "lib/Writer"]


def test_of_an_imported_package_the_class_that_the_failing_line_names_comes_first(names: ClassNames) -> None:
    source = "import lib.*;\nimport lib.types.*;\nclass T1 { Reader r; Token<String> t; }"
    assert begun(names, ECJ, source) == ["lib/Reader", "lib/types/Token"]
    assert begun(names, ECJ.replace("import lib.types.*;", "Token<String> t;"), source)[0] == "lib/types/Token"


def test_the_sources_are_those_that_the_command_and_its_scripts_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "src").mkdir()
    for name in ("src/A.scala", "src/B.scala", "C.clj", "D.java", "E.java"):
        (tmp_path / name).write_text(f"import of.{Path(name).stem}\n")
    (tmp_path / "p.sh").write_text("cat > T.groovy <<END\nimport of.T\nEND\nscalac $HERE/src/*.scala; java of.Main\n")
    assert sources("sh p.sh {jar} {file:E.java}").split() == [
        word for name in "EABT" for word in ("import", f"of.{name}")
    ]
    assert sources("sh -c 'clojure C.clj'") == "import of.C\n"
    assert sources("sh -c 'true") == ""


def test_of_several_wanted_lines_the_one_about_a_small_class_comes_first(users: ClassNames) -> None:
    told = FailureReport((), matched="lib.Wide uses a\nlib.Reader uses a\n")
    assert [mention.name for mention in begun_with(users, told)] == ["lib/Reader", "lib/Wide"]


def test_a_type_is_found_behind_members_without_a_result(compile_java: Callable[..., Path]) -> None:
    sources = {"lib/A.java": "package lib; public class A { public void b() { } public C c() { return null; } }"}
    folder = compile_java({**sources, "lib/C.java": "package lib; public class C { }"})
    found = ClassNames(class_model.build(read_jar([folder])))
    assert found.led_to(["lib/A"], "a.b(); a.c();") == ["lib/C"]


def test_a_search_begins_at_what_the_wanted_lines_name(names: ClassNames) -> None:
    output = "Warning: lib.Reader is odd\nWarning at Llib/types/Token;<init>()V: no\n"
    told = FailureReport((), output, False, "", matched=output.splitlines()[1])
    assert [mention.name for mention in begun_with(names, told)] == ["lib/types/Token"]
    every = told._replace(matched="lib.Reader lib.Reader$Part lib.Writer lib.types.Token")
    assert begun_with(names, every) == (), "a list of all classes points nowhere"


@pytest.mark.parametrize(
    "text", [SOOT, "R8: Missing class other.Log (referenced from: a)", "java.lang.NoClassDefFoundError: other/Log"]
)
def test_what_mentions_a_missing_class_is_tried_and_first_what_mentions_no_other_missing_one(
    users: ClassNames, text: str
) -> None:
    begun = begun_with(users, FailureReport((text,), f"{text}\n", failed=True))
    assert [each.name for each in begun] == ["lib/Logs", "lib/Base", "lib/Wide", "lib/Two"]


def test_of_many_lines_those_that_the_script_looks_for_come_first(users: ClassNames) -> None:
    output = "error: lib.Reader is odd\nno type other.Sink\nerror: lib.Once is odd\n"
    told = FailureReport((), output, failed=True, command="tool.sh $1 | tee log; grep -q 'no type other' log")
    assert [each.name for each in begun_with(users, told)] == ["lib/Two", "lib/Reader", "lib/Once"]
    compiled = told._replace(sources="import lib.Reader;")
    assert begun_with(users, compiled)[0].name == "lib/Reader", "where there are sources, these lead"
    told = told._replace(command="tool.sh $1 | tee log; grep -q 'Once.*odd' log")
    assert [each.name for each in begun_with(users, told)] == ["lib/Once", "lib/Reader"]


def test_a_class_that_is_named_itself_goes_before_those_that_mention_a_missing_one(users: ClassNames) -> None:
    text = f"{SOOT} while reading lib.Reader"
    assert [each.name for each in begun_with(users, FailureReport((text,), text))] == ["lib/Reader"]


def test_the_version_of_a_tool_is_no_name_of_anonymous_classes(users: ClassNames) -> None:
    assert begun_with(users, FailureReport((), begin_with=["org.soot-oss:soot:4.4.1", "2"])) == ()
    assert [each.name for each in begun_with(users, FailureReport((), begin_with=["lib.Once$2"]))] == ["lib/Once$2"]


def test_arguments_of_a_tool_name_classes() -> None:
    options = {"tool": "org.teavm:teavm-cli:0.10.2", "main": "org.teavm.Runner", "arguments": "-p {jar} lib.Reader -g"}
    named = aim_of(Settings(preset="tool", options=options)).named
    assert {*named} == {*options.values(), "lib.Reader"} - {options["arguments"]}


def test_beside_a_named_class_only_what_is_above_it_may_mention_a_missing_one(users: ClassNames) -> None:
    text = "F.kt:1:60: error: cannot access 'other.Log' which is a supertype of 'lib.Last'. Check your module classpath"
    begun = begun_with(users, FailureReport((text,), text, failed=True))
    assert [each.name for each in begun] == ["lib/Last", "lib/Base"]
    compiled = FailureReport((), "error: class file for other.Log not found", sources="import lib.Last;")
    assert [each.name for each in begun_with(users, compiled)] == ["lib/Last", "lib/Base"]
