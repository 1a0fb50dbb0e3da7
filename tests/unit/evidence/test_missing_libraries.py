"""Failures of a missing library, told apart from others by javac's own words and by the input's class files."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

import pytest

from core.archive.jar import Jar, read_jar
from core.evidence.missing_libraries import (
    library_failures,
    missing_name,
    missing_table,
    missing_title,
)
from core.model import class_model
from core.predicate import presets
from core.predicate.failure_kinds import LibraryFailures
from core.predicate.output import javac
from tests.support.rows import rows
from tests.unit.predicate.test_compiler_failures import compile_with_javac

LIBRARY = {
    "org/lib/Gauge.java": """package org.lib; public class Gauge { public int level; public void fill(int by) {}
        public static Gauge build() { return null; } public static class Lid {} }""",
    "org/lib/Sealed.java": "package org.lib; public @interface Sealed {}",
    "javax/gone/Marker.java": "package javax.gone; public interface Marker {}",
}
INPUT = {
    "own/Meter.java": """package own; import org.lib.Gauge;
        public class Meter extends Gauge {
            void run() { fill(level); super.fill(2); Gauge.build(); new Gauge.Lid(); }
        }""",
    "own/Below.java": "package own; class Below extends Meter { int twice() { return 2 * level; } }",
    "own/Uses.java": "package own; class Uses { void all(Meter one) { one.fill(1); } }",
    "own/Marked.java": "package own; @org.lib.Sealed class Marked implements javax.gone.Marker {}",
    "own/Plain.java": "package own; class Plain { int level; void run() { level = 3; } }",
    "own/Other.java": "package own; class Other { class Gauge {} }",
    "own/Both.java": "package own; class Both { org.lib.Gauge one; Other.Gauge other; }",
}
WRONG = {
    **INPUT,
    "own/Below.java": "package own; class Below extends Meter { int twice() { return 2 * depth; } }",
    "own/Plain.java": """package own;
        class Plain { void run() { level = 3; Gauge.build(); org.other.Thing.go(); K k; } }""",
    "own/Uses.java": "package own; class Uses { void all(Meter one) { one.fill(1); one.drain(); String s = 3; } }",
}
"""The input as a tool wrote it: members that no class has, names that the class file lacks, types that differ."""
OF_THE_TOOL = {
    "Below.java: cannot find symbol; symbol: variable depth; location: class Below",
    "Plain.java: cannot find symbol; symbol: variable level; location: class Plain",
    "Plain.java: cannot find symbol; symbol: variable Gauge; location: class Plain",
    "Plain.java: package org.other does not exist",
    "Plain.java: cannot find symbol; symbol: class K; location: class Plain",
    "Uses.java: cannot find symbol; symbol: method drain(); location: variable of type Meter",
    "Uses.java: incompatible types: int cannot be converted to String",
}

Told = Callable[[Iterable[str], Iterable[Path]], Mapping[str, str]]


@pytest.fixture
def jar(compile_java, tmp_path) -> Jar:  # type: ignore[no-untyped-def]
    """An input that has none of LIBRARY."""
    shutil.copytree(compile_java({**LIBRARY, **INPUT}) / "own", tmp_path / "in" / "own")
    return read_jar([tmp_path / "in"])


@pytest.fixture
def told(jar: Jar) -> Told:
    """The failures of missing libraries, with these libraries."""

    def find(failures: Iterable[str], libraries: Iterable[Path]) -> Mapping[str, str]:
        return library_failures(failures, class_model.build(jar), list(libraries)).certain

    return find


def test_all_that_javac_says_of_a_source_without_its_library_is_of_the_library(told: Told, tmp_path: Path) -> None:
    failures = javac.names(compile_with_javac(tmp_path / "javac", INPUT))
    assert {name.partition(":")[0] for name in failures} >= {"Meter.java", "Below.java", "Uses.java", "Marked.java"}
    assert "Meter.java: cannot find symbol; symbol: variable super; location: class Meter" in failures
    found = told(failures, ())
    assert set(found) == set(failures)
    assert set(found.values()) == {"org.lib", "javax.gone"}


def test_what_the_tool_did_is_none_of_them(told: Told, tmp_path: Path) -> None:
    failures = javac.names(compile_with_javac(tmp_path / "javac", WRONG))
    assert set(failures) >= OF_THE_TOOL
    assert set(failures) - told(failures, ()).keys() == OF_THE_TOOL


def test_no_class_of_the_class_path_is_missing(told: Told, compile_java, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    failures = javac.names(compile_with_javac(tmp_path / "javac", WRONG))
    assert told(failures, [compile_java(LIBRARY)]) == {}


@rows(
    ("failure", "package"),
    [
        ("own.Meter: java.lang.NoClassDefFoundError: org/lib/Gauge", "org.lib"),
        ("Meter.java: cannot find symbol; symbol: method fill(int)", "org.lib"),  # javac tells no location
        ("Plain.java: cannot find symbol; symbol: variable level", ""),
        ("Meter.java: cannot find symbol; symbol: method fill(int); location: package own", ""),
        ("java.lang.Error at a.B.c; caused by java.lang.ClassNotFoundException: org.lib.Gauge", "org.lib"),
        ("src/own/Meter.java:3: error: package org.lib does not exist", "org.lib"),  # as javac writes it
        ("Uses.java: cannot access Gauge; class file for org.lib.Gauge not found", "org.lib"),
        ("java.lang.NoClassDefFoundError: org/tool/Own at org.tool.Main.run", ""),  # the tool's own: no class names it
        ("java.lang.NoClassDefFoundError: own/Meter", ""),
        ("java.lang.NoClassDefFoundError: Could not initialize class org.lib.Gauge", ""),
        ("Uses.java: class file for own.Meter not found", ""),
        ("Meter.java: package java.util does not exist", ""),
        ("Both.java: cannot find symbol; symbol: class Gauge; location: class Both", ""),  # which of the two?
        ("Meter.java: The import org.lib cannot be resolved", "org.lib"),  # so ECJ says it
        ("Meter.java: The import org cannot be resolved", "org.lib"),
        ("Meter.java: The import own.Meter cannot be resolved", ""),
        ("Meter.java: The import org.li cannot be resolved", ""),
        ("Meter.java: Gauge cannot be resolved to a type", "org.lib"),
        ("Meter.java: Gauge cannot be resolved", "org.lib"),
        ("Meter.java: Gauge cannot be resolved to a variable", ""),
        ("Both.java: Gauge cannot be resolved to a type", ""),
        ("Marked.java: The constructor Marked(Marker) refers to the missing type Marker", "javax.gone"),
        ("Uses.java: The type org.lib.Gauge cannot be resolved. It is indirectly referenced from required type x",
         "org.lib"),
        ("Class org.lib.Gauge not found - continuing with a stub.", "org.lib"),  # so scalac 2 says it
        ("Symbol 'type org.lib.Gauge' is missing from the classpath.", "org.lib"),
        ("Bad symbolic reference. A signature refers to Gauge/T in package org.lib which is not available.", "org.lib"),
        ("Bad symbolic reference. A signature refers to Meter/T in package own which is not available.", ""),
        ("can't determine implemented interfaces of missing type org.lib.Gauge", "org.lib"),  # so AspectJ says it
        ("cannot access 'org.lib.Gauge' which is a supertype of 'own.Meter'. Check your module classpath for missing or"
         " conflicting dependencies", "org.lib"),  # so kotlinc says it
        ("cannot access class 'org.lib.Gauge'. Check your module classpath for missing or conflicting dependencies.",
         "org.lib"),
        ("class own.Meter, unresolved supertypes: org.lib.Gauge", "org.lib"),  # so kotlinc 1 says it
        ("unresolved reference 'fill' on receiver of type 'org.lib.Gauge'.", "org.lib"),
        ("unresolved reference 'fill' on receiver of type 'own.Meter'.", ""),
        ("unable to resolve class org.lib.Gauge", "org.lib"),  # so groovyc says it
        ("unable to resolve class org.lib.Other", ""),  # no class of the input names it
        ("java.lang.NoClassDefFoundError: Unable to configure own.Meter due to missing dependency org/lib/Gauge at"
         " org.codehaus.groovy.vmplugin.v#.Java8.configureClassNode", "org.lib"),
        ("Gone.java: package org.lib does not exist", ""),  # no class of the input is in that source file
    ],
)  # fmt: skip
def test_traces_and_class_files_that_are_not_found(told: Told, failure: str, package: str) -> None:
    assert told([failure], ()) == ({failure: package} if package else {})


def test_what_may_follow_from_a_missing_class_is_in_its_heirs_or_names_one(jar: Jar, compile_java) -> None:  # type: ignore[no-untyped-def]
    possible = (
        "Below.java: recursive constructor invocation",
        "Uses.java: reference to Meter is ambiguous; both constructor Meter(int) in Meter and Meter() match",
        "Uses.java: incompatible types: Below cannot be converted to Number",
        "own.Marked: java.lang.VerifyError: Bad type on operand stack",
    )
    sure = (
        "Uses.java: incompatible types: int cannot be converted to String",  # though it names a class of a library
        "Plain.java: recursive constructor invocation",
        "java.lang.IllegalStateException at org.tool.Main.run",
    )
    model = class_model.build(jar)
    assert set(library_failures((*possible, *sure), model, []).possible) == set(possible)
    assert library_failures((*possible, *sure), model, [compile_java(LIBRARY)]) == LibraryFailures()


def test_what_jdeps_does_not_find_is_of_a_missing_library(told: Told, jar: Jar, compile_java) -> None:  # type: ignore[no-untyped-def]
    found = presets.find("jdeps").reading
    assert found is not None
    options = ["--multi-release", "base", "-verbose:class"]
    done = subprocess.run(["jdeps", *options, jar.paths[0]], capture_output=True, text=True, check=True)
    failures = found.names(done.stdout)
    assert "own.Meter -> org.lib.Gauge$Lid" in failures
    assert told(failures, ()) == dict.fromkeys(failures, "org.lib") | {"own.Marked -> javax.gone.Marker": "javax.gone"}
    assert told(failures, [compile_java(LIBRARY)]) == {}
    assert told(["own.Meter -> own.Plain", "own.Meter -> java.util.Map"], ()) == {}


def test_a_merged_class_shows_its_failures_in_another_source_file(jar: Jar, compile_java, tmp_path) -> None:  # type: ignore[no-untyped-def]
    merged = {
        "own/Plain.java": "package own; @org.lib.Sealed class Plain implements javax.gone.Marker { Other other; }"
    }
    others = {"own/Other.java": INPUT["own/Other.java"]}
    shutil.copytree(compile_java({**LIBRARY, **merged, **others}) / "own", tmp_path / "merged" / "own")
    (tmp_path / "merged" / "own" / "Other.class").unlink()
    result = class_model.build(read_jar([tmp_path / "merged"]))
    failures = ("Plain.java: package org.lib does not exist", "Plain.java: package own does not exist")
    model = class_model.build(jar)
    assert library_failures(failures, model, []).certain == {}
    assert library_failures(failures, model, [], shown=[result]).certain == {failures[0]: "org.lib"}


def test_packages_are_counted_by_their_failures() -> None:
    told = LibraryFailures({"a": "org.lib", "b": "org.lib", "c": "org.other"}, {"d": "org.lib"})
    assert list(told.packages("cabbd").items()) == [("org.lib", 3), ("org.other", 1)]


def test_they_are_listed_by_their_packages() -> None:
    one, two = {"b": "org.lib"}, {"b": "org.lib", "c": "org.other", "a": "org.lib"}
    assert missing_title(one) == "1 failure of a missing library: add it with --classpath"
    assert missing_title(two) == "3 failures of missing libraries: add them with --classpath"
    assert missing_table(two)[1:] == [("org.lib", "2", "a"), ("org.other", "1", "c")]


def test_the_first_name_that_a_text_calls_missing() -> None:
    text = "at a.B.c\nCaused by: java.lang.ClassNotFoundException: lib.Missing\npackage org.lib does not exist"
    assert missing_name(text) == "lib.Missing"
    assert missing_name("nothing is missing") == ""
