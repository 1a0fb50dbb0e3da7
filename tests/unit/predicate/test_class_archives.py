"""Archives of classes: made by a run of a program, then what the program starts from. Other tests make none."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from core.library.jdk import find_jdk
from core.predicate.jvm.archives import ClassArchive
from tests.support.files import jar_of
from tests.support.java import CompileJava

MAIN = {"Main.java": 'class Main { public static void main(String[] words) { System.out.println("hello"); } }'}


def test_a_program_starts_from_its_archive_once_that_is_made_and_whole(
    compile_java: CompileJava, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def run(words: tuple[str, ...]) -> str:
        return subprocess.run(words, capture_output=True, text=True, check=True).stdout

    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    jdk, jar = find_jdk(), jar_of(compile_java(MAIN), tmp_path / "main.jar")
    words = (str(jdk.home / "bin" / "java"), "-cp", str(jar), "Main")
    archive = ClassArchive.of(jdk, words)
    assert archive is not None
    assert ClassArchive.of(jdk, ("sh", "-c", "true")) is None
    assert archive.quick() == words
    archive.make(run)
    path = archive.find()
    assert path is not None
    first, *rest = archive.quick()
    assert run((first, *rest)) == "hello\n", "and no word of the archive"
    assert "Main source: shared objects file (top)" in run((first, "-Xlog:class+load", *rest))
    path.chmod(0o600)
    path.write_bytes(path.read_bytes()[:-1])
    assert archive.find() is None, "half of one is none"
