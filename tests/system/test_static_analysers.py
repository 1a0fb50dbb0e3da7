"""The presets of tools that read classes and are fetched by Maven, each on a class that it really stumbles over."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from core.predicate.presets import find
from core.predicate.releases.downloads import FetchError
from core.predicate.releases.maven import fetch
from core.predicate.tools import Tool
from core.user_folders import cache_folder
from tests.support.patience import patience

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]
USERS = cache_folder() / "tools"
"""Tools that were fetched before, by the user whose tests these are."""

PROGRAM = {
    "p/Main.java": """
        package p;
        public class Main {
          static int length(String s) { return s == null ? s.length() : 1; }
          static int two_words() { return new Used().x; }
          public static void main(String[] a) { System.out.println(length(a[0])); }
        }""",
    "p/Used.java": "package p; class Used { int x = 4; }",
    "p/Alone.java": "package p; class Alone { String s = String.valueOf(new Other().x); }",
    "p/Other.java": "package p; class Other { int x = 3; }",
}


@pytest.fixture
def get(monkeypatch):
    """``get(NAME)``: the tools of a preset, where they were fetched before, else fetched now."""

    def get(name):
        for tool in find(name).tools:
            found = [next(iter(sorted(USERS.glob(names[-1]))), None) for names in tool.jars]
            if all(found):
                monkeypatch.setenv(tool.variable, os.pathsep.join(map(str, found)))
                break
        lacking = find(name).fetch()
        if lacking:
            pytest.skip(lacking)

    return get


@pytest.fixture
def program(compile_java, tmp_path):
    classes = compile_java(PROGRAM)
    jar = tmp_path / "program.jar"
    with zipfile.ZipFile(jar, "w") as archive:
        for path in sorted(classes.rglob("*.class")):
            # a name with a space, as Kotlin's compiler writes that of a test: the JVM takes it (JVMS 4.2.2)
            data = path.read_bytes().replace(b"two_words", b"two words")
            archive.writestr(path.relative_to(classes).as_posix(), data)
    return jar


def reduced(jar, preset, *options):
    """The classes that are left, and the report."""
    output, report = jar.with_name("small.jar"), jar.with_name("report.json")
    quick = ("--algorithm", "binary", "--granularity", "class", "--no-evidence", "-q")
    done = subprocess.run(
        [sys.executable, "-m", "app", "reduce", jar, "--preset", preset, *options, *quick,
         "-o", output, "--report", report],
        cwd=ROOT, capture_output=True, text=True, timeout=patience(900), check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    with zipfile.ZipFile(output) as archive:
        classes = {name for name in archive.namelist() if name.endswith(".class")}
    return classes, json.loads(report.read_text())


def test_spotbugs(get, program):
    get("spotbugs")
    chosen = "chosen NP_ALWAYS_NULL NP: Null pointer dereference of ? in p.Main.length(String)"
    classes, report = reduced(program, "spotbugs", "--failures", chosen)
    assert classes == {"p/Main.class", "p/Used.class"}
    assert report["validity"]["taken"] == "linked"


def test_d8(get, program):
    get("d8")
    classes, report = reduced(program, "d8")
    assert classes == {"p/Main.class", "p/Used.class"}
    (failure,) = report["final"]["failures"]
    assert failure.endswith("Space characters in SimpleName 'two words' are not allowed prior to DEX version 040")


def test_proguard_knows_the_classes_of_the_jdk(get, compile_java, tmp_path):
    """Of two classes of the JDK it needs what they have in common, which it does not know of unknown classes."""
    get("proguard")
    text = """
        package p;
        public class Main {
          static int length(boolean one, StringBuilder a, StringBuffer b) {
            return (one ? a : b).length();
          }
        }"""
    classes = compile_java({"p/Main.java": text})
    jar = tmp_path / "program.jar"
    with zipfile.ZipFile(jar, "w") as archive:
        archive.write(classes / "p/Main.class", "p/Main.class")
    done = subprocess.run(
        [sys.executable, "-m", "app", "check", jar, "--preset", "proguard", "--runs", "1"],
        cwd=ROOT, capture_output=True, text=True, timeout=patience(900), check=False,
    )  # fmt: skip
    assert "no failure was found" in done.stdout, done.stdout + done.stderr


def test_r8_misses_a_class(get, program):
    get("r8")
    with zipfile.ZipFile(program) as whole, zipfile.ZipFile(program.with_name("part.jar"), "w") as part:
        for name in whole.namelist():
            if name not in ("p/Other.class", "p/Main.class"):
                part.writestr(name, whole.read(name))
    classes, report = reduced(program.with_name("part.jar"), "r8")
    assert classes == {"p/Alone.class"}
    assert report["final"]["failures"] == ["Missing class p.Other"]
    library = program.with_name("library.jar")
    with zipfile.ZipFile(program) as whole, zipfile.ZipFile(library, "w") as other:
        other.writestr("p/Other.class", whole.read("p/Other.class"))
    done = subprocess.run(
        [sys.executable, "-m", "app", "check", program.with_name("part.jar"), "--preset", "r8", "--runs", "1",
         "--classpath", library],
        cwd=ROOT, capture_output=True, text=True, timeout=patience(900), check=False,
    )  # fmt: skip
    assert done.returncode == 1
    assert "no failure was found" in done.stdout


@pytest.fixture
def few_of_kotlin(tmp_path):
    """A jar with a package of a version of Kotlin's own library."""
    later = Tool(
        "later", "Kotlin 2.3", (("kotlin-stdlib-2.3.0.jar",),), maven=("org.jetbrains.kotlin:kotlin-stdlib:2.3.0",)
    )
    lacking = None if later.find() else later.fetch()
    if lacking:
        pytest.skip(lacking)
    few = tmp_path / "few.jar"
    with zipfile.ZipFile(later.find()[0]) as whole, zipfile.ZipFile(few, "w") as part:
        for name in whole.namelist():
            if name.startswith("kotlin/text/") and name.endswith(".class"):
                part.writestr(name, whole.read(name))
    return few


def test_vineflower_writes_java_for_classes_of_kotlin(get, jarlet, few_of_kotlin):
    """Its plugin for Kotlin would write files that javac does not read."""
    get("vineflower")
    done = jarlet("check", few_of_kotlin, "--preset", "vineflower")
    assert "no source for" not in done.stdout, done


def test_kotlins_metadata_reader(monkeypatch, tmp_path, few_of_kotlin):
    """A package of a later version than the reader's, which it refuses, class by class. Other presets may have fetched
    a reader that is later still."""
    (tool,) = find("kotlin-metadata").tools
    try:
        fetch(tool.maven, tmp_path)
    except FetchError as error:
        pytest.skip(str(error))
    names = [coordinate.split(":") for coordinate in tool.maven]
    jars = [str(tmp_path / f"{artifact}-{version}.jar") for _, artifact, version in names]
    monkeypatch.setenv(tool.variable, os.pathsep.join(jars))
    failure = (
        "kotlin.text.Typography: java.lang.IllegalArgumentException: Provided Metadata instance has version #, "
        "while maximum supported version is #. To support newer versions, update the kotlin-metadata-jvm library."
    )
    classes, report = reduced(few_of_kotlin, "kotlin-metadata", "--failures", f"chosen {failure}")
    assert classes == {"kotlin/text/Typography.class"}
    assert report["final"]["failures"] == [failure]
    assert report["validity"]["taken"] == "jvm"
