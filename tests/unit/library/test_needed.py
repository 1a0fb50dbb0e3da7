"""The jars, and the files of a folder, that a few classes need."""

from __future__ import annotations

import shutil
from pathlib import Path

from core.library.class_path import needed_files, needed_jars
from tests.support.files import jar_of
from tests.support.java import CompileJava

SOURCES = {
    "far/Top.java": "package far; public class Top { }",
    "near/Base.java": "package near; public class Base extends far.Top { public other.Type of() { return null; } }",
    "other/Type.java": "package other; public class Type { }",
    "own/Own.java": "package own; class Own { near.Base base; }",
}


def test_the_jars_with_named_classes_and_their_supertypes_are_needed(compile_java: CompileJava, tmp_path: Path) -> None:
    classes = compile_java(SOURCES)
    jars = []
    for name in ("other", "near", "far"):
        shutil.copytree(classes / name, tmp_path / name / name)
        jars.append(jar_of(tmp_path / name, tmp_path / f"{name}.jar"))
    damaged, own = tmp_path / "damaged.jar", (classes / "own/Own.class").read_bytes()
    damaged.write_bytes(b"no jar")
    assert needed_jars([own], jars) == jars[1:]
    assert needed_jars([own], [damaged, *jars]) == [damaged, *jars[1:]]
    assert needed_jars([], jars) == []
    assert needed_jars([own, b"no class"], jars) == jars


def test_of_a_folder_the_named_classes_are_needed_with_their_supertypes(
    compile_java: CompileJava, tmp_path: Path
) -> None:
    classes = compile_java({**SOURCES, "near/Beside.java": "package near; class Beside extends Base { }"})
    own = (classes / "own/Own.class").read_bytes()
    (classes / "own/Own.class").unlink()
    near = classes / "near/Base.class"
    assert needed_files([own, b"no class"], classes) == [classes / "far/Top.class", near]
    near.write_bytes(b"damaged")
    assert needed_files([own], classes) == [near]
