"""Failures of a missing library in a check, in ``--each`` and in a hunt: told apart by one rule, and not reduced."""

from __future__ import annotations

import json
import shutil
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.support.files import jar_of
from tests.support.half_program import BUG, INPUT, LIBRARY, MAY_FOLLOW, OF_LIBRARY, compiler, half_program
from tests.support.java import CompileJava

Jarlet = Callable[..., Any]

OTHER = {
    "org/more/Thing.java": "package org.more; public class Thing {}",
    "own/More.java": "package own; class More extends org.more.Thing {}",
}


def dependency(artifact: str, version: str, scope: str) -> str:
    own = f"<groupId>org.x</groupId><artifactId>{artifact}</artifactId><version>{version}</version>"
    return f"<dependency>{own}<scope>{scope}</scope></dependency>"


def project(artifact: str, version: str, needs: str = "") -> str:
    own = f"<groupId>org.x</groupId><artifactId>{artifact}</artifactId><version>{version}</version>"
    return f"<project>{own}<dependencies>{needs}</dependencies></project>"


MISSING = "java.lang.NoClassDefFoundError: org/lib/Gauge"


@pytest.fixture
def half(compile_java: Callable[..., Path], tmp_path: Path) -> Path:
    """A jar with two classes that miss a library, and one that the virtual machine refuses in any case."""
    return half_program(compile_java, tmp_path)


def test_a_jar_that_lacks_its_libraries_is_offered_by_its_coordinate(
    jarlet: Jarlet, half: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(half.parent))
    (half.parent / "lib.jar").unlink()
    with zipfile.ZipFile(half, "a") as archive:
        text = f"groupId=org.own\nartifactId={half.stem}\nversion=1.2\n"
        archive.writestr(f"META-INF/maven/org.own/{half.stem}/pom.properties", text)
    done = jarlet("check", half, "--preset", "verify", "--runs", 1)
    assert f"Name the input by its coordinate, org.own:{half.stem}:1.2, with --fetch" in done.stdout
    half.with_suffix(".pom").write_text(project(half.stem, "1.2"))
    assert "Add --classpath PATH." in jarlet("check", half, "--preset", "verify", "--runs", 1).stdout, "all is known"


def test_a_reduction_stops_before_missing_libraries_and_says_how_to_add_them(jarlet: Jarlet, half: Path) -> None:
    words = ("reduce", half, "--preset", "verify", "--algorithm", "binary", "-q", "-o", "small.jar")
    done = jarlet(*words)
    assert done.returncode == 2
    add = f"Add --classpath {half.parent / 'lib.jar'}."
    assert f"2 of 3 errors come from the missing package org.lib. {add}" in done.stderr
    assert not Path(half.parent, "small.jar").exists()
    assert jarlet(*(word for word in words if word != "-q")).stderr.count("Add --classpath") == 1
    for more in (("--classpath", half.parent / "lib.jar"), ("--allow-missing",)):
        assert jarlet(*words, *more).returncode == 0, more


def test_what_the_own_project_declares_is_offered_by_coordinates_all_at_once(
    jarlet: Jarlet, compile_java: CompileJava, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path / "home"
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("JARLET_MAVEN", (tmp_path / "nowhere").as_uri())
    classes = compile_java({**LIBRARY, **INPUT, **OTHER})
    for artifact, version in (("lib", "1"), ("more", "2"), ("lib", "9")):
        place = home / ".m2" / "repository" / "org" / "x" / artifact / version
        place.mkdir(parents=True)
        shutil.copytree(classes / "org" / artifact, tmp_path / f"{artifact}{version}" / "org" / artifact)
        jar_of(tmp_path / f"{artifact}{version}", place / f"{artifact}-{version}.jar")
        (place / f"{artifact}-{version}.pom").write_text(project(artifact, version))
    shutil.copytree(classes / "own", tmp_path / "own" / "own")
    half = jar_of(tmp_path / "own", tmp_path / "own-1.jar")
    needs = "".join(map(dependency, ("lib", "more", "away"), "123", ("provided", "compile", "compile")))
    with zipfile.ZipFile(half, "a") as archive:
        archive.writestr("META-INF/maven/org.x/own/pom.xml", project("own", "1", needs))
    words = ("reduce", half, "--preset", "verify", "--algorithm", "binary", "-q", "-o", "small.jar")
    done = jarlet(*words)
    assert done.returncode == 2
    assert "Add --classpath org.x:lib:1 --classpath org.x:more:2." in done.stderr
    done = jarlet(*words, "--classpath", "org.x:lib:1", "--classpath", "org.x:more:2", "--json")
    assert done.returncode == 1, "nothing fails with both"
    more = next((tmp_path / "home").rglob("more-2.jar"))
    more.unlink()
    done = jarlet(*words)
    assert "Add --classpath org.x:lib:1 --classpath org.x:more:2 --fetch." in done.stderr


@pytest.mark.guarded
def test_each_reduces_for_the_other_failures_alone_where_kinds_do_not_count(jarlet: Jarlet, half: Path) -> None:
    words = ("reduce", half, "--preset", "verify", "--each", "--failures", "same", "--algorithm", "binary", "-q")
    done = jarlet(*words, "-o", "bugs")
    assert done.returncode == 0, done.stderr
    heading = done.stdout.splitlines().index("2 failures of a missing library: add it with --classpath:")
    reduced, apart = done.stdout.splitlines()[:heading], done.stdout.splitlines()[heading + 1 :]
    assert [row.split(maxsplit=2) for row in apart[1:]] == [["org.lib", "2", f"own.Below: {MISSING}"]]
    assert reduced[0].startswith("bugs/1.jar: ")
    assert "own.Low" in reduced[0]
    assert sorted(path.name for path in Path(half.parent, "bugs").glob("*.jar")) == ["1.jar"]
    assert MISSING not in "".join(reduced)

    whole = jarlet(*words, "-o", "whole", "--classpath", "lib.jar")
    assert whole.returncode == 0, whole.stderr
    assert "missing library" not in whole.stdout
    assert "own.Low" in whole.stdout


def test_a_check_and_each_tell_the_same_failures_apart(jarlet: Jarlet, half: Path, tmp_path: Path) -> None:
    command = ("--predicate", compiler(tmp_path), "--failures-as", "javac")
    told = json.loads(jarlet("check", half, *command, "--json", "--runs", 1).stdout)
    assert told["of_libraries"] == [OF_LIBRARY]
    assert (told["missing"], told["missing_errors"], told["errors"]) == (["org.lib"], [1], 3)
    assert "one of each kind must stay, but for 1 kind that comes from missing libraries." in told["message"]
    assert BUG in told["suggested"], "what may follow from a missing library is not suggested either"

    each = jarlet("reduce", half, *command, "--each", "--algorithm", "binary", "-q", "-o", "bugs")
    assert each.returncode == 0, each.stderr
    assert "1 failure of a missing library: add it with --classpath:" in each.stdout
    assert each.stdout.splitlines()[-1].split(maxsplit=2) == ["org.lib", "1", OF_LIBRARY]
    assert MAY_FOLLOW in each.stdout
    assert BUG in each.stdout
    assert len(list((tmp_path / "bugs").glob("*.jar"))) == 2

    words = ("reduce", half, *command, "--failures", f"kinds but {MAY_FOLLOW}", "--algorithm", "binary", "-q")
    once = jarlet(*words, "-o", "once.jar", "--report", "once.json")
    assert once.returncode == 0, once.stderr
    assert json.loads((tmp_path / "once.json").read_text())["final"]["failures"] == [BUG]

    whole = json.loads(jarlet("check", half, *command, "--json", "--runs", 1, "--classpath", "lib.jar").stdout)
    assert (whole["of_libraries"], whole["missing"], whole["errors"]) == ([], [], 3)
    assert "but for" not in whole["message"]


def test_a_class_path_that_is_not_there_is_refused_by_a_check(jarlet: Jarlet, half: Path) -> None:
    done = jarlet("check", half, "--predicate", "true {jar}", "--classpath", "gone.jar")
    assert done.returncode == 2
    assert "gone.jar" in done.stderr


def test_where_all_failures_are_of_a_missing_library_nothing_is_reduced(
    jarlet: Jarlet, compile_java: Callable[..., Path], tmp_path: Path
) -> None:
    shutil.copytree(compile_java({**LIBRARY, **INPUT}) / "own", tmp_path / "classes" / "own")
    jar_of(tmp_path / "classes", tmp_path / "in.jar")
    done = jarlet("reduce", "in.jar", "--preset", "verify", "--each", "-q", "-o", "bugs")
    assert done.returncode == 1, done.stderr
    assert done.stdout.startswith("2 failures of a missing library: add it with --classpath:\n")
    assert list((tmp_path / "bugs").iterdir()) == []


@pytest.mark.guarded
def test_a_hunt_has_them_in_a_table_of_their_own(jarlet: Jarlet, half: Path, tmp_path: Path) -> None:
    words = ("hunt", half.name, "--tools", "verify", "-o", "out", "-q")
    done = jarlet(*words)
    assert done.returncode == 1, done.stderr
    found = json.loads((tmp_path / "out" / "hunt.json").read_text())
    assert [bug["failure"].partition(":")[0] for bug in found["bugs"]] == ["own.Low"]
    assert found["jars"][0]["tools"]["verify"]["missing"] == {"org.lib": 2}
    assert "2 failures of a missing library, org.lib: add it with --classpath." in done.stdout
    assert "Failures of a missing library: add it with --classpath" in (tmp_path / "out" / "index.html").read_text()

    again = jarlet(*words, "--classpath", "lib.jar")
    assert again.returncode == 1, again.stderr
    assert "missing library" not in again.stdout
    assert "missing library" not in (tmp_path / "out" / "index.html").read_text()
