"""The jars of a hunt: files, folders, patterns, and the libraries that a manifest names."""

from __future__ import annotations

import os
import shutil
import zipfile
from contextlib import closing
from pathlib import Path

import pytest

from core.batch.hunt import HuntFolder
from core.batch.looks import hunted_jars
from core.errors import InputError
from core.library.class_path import Classpath, named_by_manifest
from tests.support.files import jar_of
from tests.support.java import CompileJava


def jar(path: Path, class_path: str = "", more: str = "") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(path, "w") as made:
        line = f"Class-Path: {class_path}\n" if class_path else ""
        made.writestr("META-INF/MANIFEST.MF", f"Manifest-Version: 1.0\n{line}\n")
        made.writestr("a.txt", more)
    return path


@pytest.fixture
def lib(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    jar(Path("lib/one.jar"), "two.jar absent.jar ../other/three.jar http://host/four.jar ..")
    jar(Path("lib/two.jar"))
    jar(Path("other/three.jar"))
    jar(Path("lib/deep/web.WAR"))
    Path("lib/readme.txt").write_text("no jar")
    os.symlink("two.jar", "lib/two-1.0.jar")
    return tmp_path


def test_each_file_is_taken_once_in_the_order_of_the_words(lib: Path) -> None:
    assert [each.name for each in hunted_jars(["lib/two-1.0.jar", "lib"])] == [
        "lib/two-1.0.jar",
        "lib/deep/web.WAR",
        "lib/one.jar",
    ]
    assert [each.name for each in hunted_jars(["**/t*.jar"])] == ["lib/two-1.0.jar", "other/three.jar"]
    assert [each.name for each in hunted_jars(["lib", "other"], results=Path("lib/deep"))] == [
        "lib/one.jar",
        "lib/two-1.0.jar",
        "other/three.jar",
    ]


def test_what_another_hunt_made_in_the_folder_is_not_hunted(lib: Path) -> None:
    before = [each.name for each in hunted_jars(["lib"])]
    with HuntFolder(Path("lib/first")) as first:
        shutil.copy("lib/two.jar", first.bugs / "small.jar")
    assert [each.name for each in hunted_jars(["lib"], results=Path("lib/second"))] == before
    (lib / "lib/first/hunt.txt").write_text("notes of mine\n")
    assert "lib/first/bugs/small.jar" in [each.name for each in hunted_jars(["lib"])]


def test_the_libraries_are_those_of_the_class_path_and_of_the_manifest(lib: Path) -> None:
    (one,) = hunted_jars(["lib/one.jar"], [Path("other/three.jar"), Path("lib")])
    assert one.library == (lib / "other/three.jar", lib / "lib", lib / "lib/two.jar")
    (two,) = hunted_jars(["lib/two.jar"])
    assert two.library == ()


def test_a_coordinate_is_its_jar_with_what_it_needs_as_libraries(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("JARLET_MAVEN", (tmp_path / "nowhere").as_uri())
    places = {name: jar(tmp_path / f".m2/repository/x/{name}/1/{name}-1.jar", more=name) for name in "ab"}
    one = "<dependency><groupId>x</groupId><artifactId>a</artifactId><version>1</version></dependency>"
    for name, needed in (("a", ""), ("b", one)):
        own = f"<groupId>x</groupId><artifactId>{name}</artifactId><version>1</version>"
        text = f"<project>{own}<dependencies>{needed}</dependencies></project>"
        places[name].with_suffix(".pom").write_text(text)
    absent, found = hunted_jars(["x:none:1", "x:b:1"])
    assert absent.name == "x:none:1"
    assert absent.problem.startswith("these jars cannot be had: ")
    assert (found.name, found.path, found.library) == ("x:b:1", places["b"], (places["a"],))


def test_needed_jars_among_the_hunted_are_libraries_with_what_they_need(
    compile_java: CompileJava, tmp_path: Path
) -> None:
    classes = compile_java({
        "a/A.java": "package a; public class A {}",
        "b/B.java": "package b; public class B extends a.A {}",
        "c/C.java": "package c; public class C extends b.B {}",
        "d/D.java": "package d; public class D {}",
    })  # fmt: skip
    for name in "abcd":
        (tmp_path / name).mkdir()
        shutil.copytree(classes / name, tmp_path / name / name)
        jar_of(tmp_path / name, tmp_path / f"{name}.jar")
    found = {Path(each.name).name: each for each in hunted_jars([str(tmp_path)])}
    assert [path.name for path in found["c.jar"].library] == ["a.jar", "b.jar"]
    assert found["a.jar"].library == found["d.jar"].library == ()
    (alone,) = hunted_jars([str(tmp_path / "c.jar")])
    assert alone.library == ()
    assert alone.digest != found["c.jar"].digest, "another answer is possible"


def test_the_digest_is_of_the_content_and_of_the_libraries(lib: Path) -> None:
    (before,) = hunted_jars(["lib/one.jar"])
    (again,) = hunted_jars([str(lib / "lib" / "one.jar")])
    assert before.digest == again.digest
    jar(Path("lib/two.jar"), more="new")
    (after,) = hunted_jars(["lib/one.jar"])
    assert after.digest != before.digest
    assert {len(each.digest) for each in hunted_jars(["lib"])} == {64}


def test_a_damaged_jar_has_a_problem_and_a_word_without_jars_is_refused(lib: Path) -> None:
    Path("lib/bad.jar").write_text("no zip")
    (bad,) = hunted_jars(["lib/bad.jar"])
    assert "the jar is damaged" in bad.problem
    assert not bad.digest
    for word in ("absent.jar", "other/*.war", str(lib / "lib" / "absent")):
        with pytest.raises(InputError):
            hunted_jars([word])


@pytest.mark.parametrize("entry", ["%00", "x" * 300 + ".jar", "%ff%fe.jar", "a/" * 3000 + "b.jar", "loop", "\x01.jar"])
def test_what_a_manifest_names_and_no_path_can_be_names_no_library(lib: Path, entry: str) -> None:
    os.symlink("loop", "lib/loop")
    jar(Path("lib/odd.jar"), f"{entry} two.jar".replace("/a", "/a\n "))
    (one,) = hunted_jars(["lib/odd.jar"])
    assert (one.problem, one.library) == ("", (lib / "lib/two.jar",))
    with closing(Classpath([Path("lib/odd.jar")], lambda: 0)) as classes:
        assert [path.name for path in classes.files()] == ["odd.jar", "two.jar"]
    assert [place.name for place in named_by_manifest(Path("lib/odd.jar"))] == ["two.jar"]


def test_a_jar_that_cannot_be_read_costs_its_own_row(lib: Path) -> None:
    Path("lib/bad.jar").write_bytes(b"PK\x05\x06" + b"\xff" * 18)
    os.symlink("loop.jar", "lib/loop.jar")
    os.mkfifo("lib/pipe.jar")
    found = {each.name: each.problem for each in hunted_jars(["lib"])}
    assert found["lib/one.jar"] == ""
    assert found["lib/bad.jar"].startswith("the jar is damaged")
    assert "symbolic links" in found["lib/loop.jar"]
    assert "ordinary file" in found["lib/pipe.jar"]
