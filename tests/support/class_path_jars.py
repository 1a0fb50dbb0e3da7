"""A class path of three small jars, of which the second needs the first."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from tests.support.java import CompileJava

SOURCES = {
    "a/A.java": "package a; public class A { public static int one() { return 1; } }",
    "b/B.java": "package b; public class B extends a.A { public int two() { return one() + 1; } }",
    "b/Unused.java": "package b; class Unused {}",
    "c/C.java": "package c; public class C {}",
}
SIGNATURE = ("META-INF/X.SF", b"Signature-Version: 1.0\r\n\r\n")


@pytest.fixture
def jars(compile_java: CompileJava, tmp_path: Path) -> Path:
    """A folder with the jars a, b and c, each with its package and a signature."""
    classes, folder = compile_java(SOURCES), tmp_path / "lib"
    folder.mkdir()
    for name in "abc":
        with zipfile.ZipFile(folder / f"{name}.jar", "w") as archive:
            for file in sorted((classes / name).iterdir()):
                archive.write(file, f"{name}/{file.name}")
            archive.writestr(*SIGNATURE)
    return folder
