"""The presets of tools that their coordinates name, each on a class or a library that it really stumbles over."""

from __future__ import annotations

import json
import os
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from core.archive.jar import read_jar
from core.errors import JarletError
from core.model import class_model
from core.predicate.preset import Preset, ToolRuns
from core.predicate.presets import find
from core.predicate.releases.maven import fetch
from core.user_folders import cache_folder
from tests.support.files import jar_of
from tests.support.java import CompileJava

pytestmark = pytest.mark.slow

USERS = cache_folder() / "tools" / "versions"
"""Tools that were fetched before, by the user whose tests these are."""
Get = Callable[..., Preset]


@pytest.fixture
def get(monkeypatch: pytest.MonkeyPatch) -> Get:
    """``get(NAME, tool=COORDINATE)``: a preset with its tools, where they were fetched before, else fetched now."""

    def get(name: str, **tools: str) -> Preset:
        preset = find(name, tools)
        for tool in preset.tools:
            group, artifact, version, *_ = tool.maven[0].split(":")
            folder = USERS / group / artifact / version
            own = folder / f"{artifact}-{version}.jar"
            if own.is_file():
                jars = [own, *sorted(path for path in folder.glob("*.jar") if path != own)]
                monkeypatch.setenv(tool.variable, os.pathsep.join(map(str, jars)))
        if lacking := preset.fetch():
            pytest.skip(lacking)
        return preset

    return get


def library(coordinate: str, folder: Path) -> Path:
    """A published jar."""
    try:
        fetch([coordinate], folder)
    except JarletError as error:
        pytest.skip(str(error))
    return next(folder.glob("*.jar"))


def failures(preset: Preset, jar: Path, work: Path, **values: str) -> tuple[str, ...]:
    model = class_model.build(read_jar([str(jar)]))
    predicate = preset.predicate(values, runs=ToolRuns(warm=False))
    return predicate.confirm(model.entries(model.full), work).failures


PROGRAM = "package p; class Bad { static int f(Object o) { return o instanceof Integer ? ((Integer) o) : 3; } }"


@pytest.fixture
def invalid(compile_java: CompileJava, tmp_path: Path) -> Path:
    """A jar with an instruction that there is not."""
    jar = jar_of(compile_java({"p/Bad.java": PROGRAM}), tmp_path / "invalid.jar")
    with zipfile.ZipFile(jar) as archive:
        data = bytearray(archive.read("p/Bad.class"))
    data[data.index(b"\xc1\0")] = 203
    with zipfile.ZipFile(jar, "w") as archive:
        archive.writestr("p/Bad.class", bytes(data))
    return jar


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("asm", "p.Bad: java.lang.IllegalArgumentException: Invalid opcode"),
        ("javassist", "p.Bad: java.lang.RuntimeException: javassist.bytecode.BadBytecode: bytecode #"),
        ("jacoco", "java.io.IOException: Error while instrumenting"),
        ("sootup", "p.Bad: java"),
        ("wala", "com.ibm.wala.shrike.shrikeCT.InvalidClassFileException: Class file invalid at #: Unknown opcode #"),
    ],
)
def test_a_tool_names_the_instruction_that_there_is_not(get, invalid, tmp_path, name, told) -> None:
    (failure,) = failures(get(name), invalid, tmp_path / "work")
    assert failure.startswith(told)


def test_what_others_forbid_and_compare_and_package(get, compile_java, tmp_path) -> None:
    text = "package p; public class Low { public String f(String s) { return s.toLowerCase(); } }"
    low = jar_of(compile_java({"p/Low.java": text}), tmp_path / "low.jar")
    (forbidden,) = failures(get("forbiddenapis"), low, tmp_path / "one")
    assert forbidden == "Forbidden method invocation: java.lang.String#toLowerCase() [Uses default locale]"
    assert failures(get("japicmp"), low, tmp_path / "two") == ()
    bare = jar_of(compile_java({"Bare.java": "public class Bare { }"}), tmp_path / "bare.jar")
    assert failures(get("bnd"), low, tmp_path / "three") == ()
    (packaged, *_) = failures(get("bnd"), bare, tmp_path / "four")
    assert "The default package '.' is not permitted" in packaged


def test_byte_buddy_cannot_read_a_class_of_a_later_java(get, compile_java, tmp_path) -> None:
    sources = {"module-info.java": "module m { }", "p/A.java": "package p; class A { int f() { return 1; } }"}
    jar = jar_of(compile_java(sources), tmp_path / "a.jar")
    assert failures(get("bytebuddy"), jar, tmp_path / "read") == ()
    with zipfile.ZipFile(jar) as archive:
        data = archive.read("p/A.class")
    with zipfile.ZipFile(jar, "w") as archive:
        archive.writestr("p/A.class", data[:6] + b"\0\x63" + data[8:])
    (failure,) = failures(get("bytebuddy"), jar, tmp_path / "later")
    assert failure.startswith("p.A: java.lang.IllegalArgumentException")


def test_a_signature_lacks_a_method(get, compile_java, tmp_path) -> None:
    text = 'package p; class A { Object f(sun.misc.Unsafe u) { return u.allocateMemory("".length()); } }'
    jar = jar_of(compile_java({"p/A.java": text}), tmp_path / "a.jar")
    (lacking,) = failures(get("animal-sniffer"), jar, tmp_path / "work")
    assert lacking == "long sun.misc.Unsafe.allocateMemory(long)"


def test_a_weaver_weaves_our_aspect_or_the_users(get, compile_java, tmp_path) -> None:
    jar = jar_of(compile_java({"p/A.java": "package p; public class A { int f() { return 1; } }"}), tmp_path / "a.jar")
    assert failures(get("aspectj"), jar, tmp_path / "ours") == ()
    (tmp_path / "Own.aj").write_text("aspect Own { before(p.Missing m): call(* p.A.f(..)) && target(m) { } }")
    (missed, *_) = failures(get("aspectj"), jar, tmp_path / "own", aspects=str(tmp_path / "Own.aj"))
    assert missed == "p.Missing cannot be resolved to a type"


def test_an_old_jandex_stumbles_over_a_library(get, tmp_path) -> None:
    """https://github.com/smallrye/jandex/issues/147"""
    guava = library("com.google.guava:guava:31.0-jre", tmp_path / "jars")
    old = failures(get("jandex", jandex="org.jboss:jandex:2.2.3.Final"), guava, tmp_path / "old")
    assert len(old) == 10
    assert "Could not index com/google/common/collect/AbstractSortedSetMultimap.class: Index 0 out of bounds" in old[0]
    assert failures(get("jandex"), guava, tmp_path / "new") == ()


def test_scalas_compiler_cannot_read_a_class(get, jarlet, tmp_path) -> None:
    """https://github.com/scala/scala3/issues/26312"""
    get("scalac")
    jar = library("cc.redberry:rings:2.5.8", tmp_path / "jars")
    use = "val x = new cc.redberry.rings.io.Coder[Int, Int, Int](null, null, null, null, null)"
    (tmp_path / "Use.scala").write_text(use)
    done = jarlet(
        "reduce", jar, "--preset", "scalac", "--set", "sources=Use.scala", "--source-time", "0", "-o", "small.jar",
        "--report", "report.json", "-q",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    report = json.loads((tmp_path / "report.json").read_text())
    broken = "error while loading Coder$1, class file cc/redberry/rings/io/Coder$1.class is broken"
    assert report["final"]["failures"] == ["[E173] Reference Error", broken]
    with zipfile.ZipFile(tmp_path / "small.jar") as small:
        assert "cc/redberry/rings/io/Coder$1.class" in small.namelist()
        assert sum(name.endswith(".class") for name in small.namelist()) < 10


@pytest.mark.parametrize(
    "name", ["ecj", "scalac", "scalac2", "kotlinc", "groovyc", "errorprone", "nullaway", "checker"]
)
def test_a_compiler_reads_all_public_classes_and_the_users_sources(get, compile_java, tmp_path, name) -> None:
    text = "package p; public class Good<T extends Comparable<T>> { public static class In { } }"
    jar = jar_of(compile_java({"p/Good.java": text}), tmp_path / "good.jar")
    preset = get(name)
    assert failures(preset, jar, tmp_path / "all") == ()
    end = Path(next(each for each in preset.settings if each.name == "sources").default[0]).suffix
    (tmp_path / f"A{end}").write_text("class A extends p.Missing { }" if end != ".kt" else "class A : p.Missing()")
    found = failures(preset, jar, tmp_path / "own", sources=str(tmp_path / f"A{end}"))
    assert any("Missing" in each or "Not Found" in each for each in found), found
