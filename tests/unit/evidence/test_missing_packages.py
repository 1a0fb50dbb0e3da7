"""The packages that errors report as missing are named by their packages, also where javac names a class alone."""

from __future__ import annotations

import shutil
from pathlib import Path

from core.evidence.missing_libraries import library_failures
from core.service.workspace import Workspace
from tests.support.java import CompileJava

PROGRAM = {
    "org/lib/Kernel32.java": "package org.lib; public class Kernel32 { public static class Info { } }",
    "p/A.java": "package p; class A { org.lib.Kernel32.Info info; Other other; }",
    "p/Other.java": "package p; class Other { }",
}
ERRORS = (
    "A.java: package Kernel32 does not exist",
    "A.java: package org.lib does not exist",
    "A.java: package p does not exist",
    "A.java: ';' expected",
)


def test_a_class_that_javac_calls_a_package_counts_for_the_package_it_is_looked_for_in(
    compile_java: CompileJava, tmp_path: Path
) -> None:
    classes = tmp_path / "classes"
    shutil.copytree(compile_java(PROGRAM), classes)
    shutil.rmtree(classes / "org")
    workspace = Workspace(lambda event: None)
    model = workspace.open([str(classes)])
    found = library_failures(ERRORS, model, [])
    workspace.close()
    assert found.packages(ERRORS) == {"org.lib": 2}, "not Kernel32, and no package of the input"
