"""The program that tests of edits of method bodies share, compiled once."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.body_program import PROGRAM
from tests.support.java import CompileJava
from tests.support.rewriting import RUNNER


@pytest.fixture(scope="module")
def program(compile_java: CompileJava) -> Path:
    return compile_java(PROGRAM, "-g")


@pytest.fixture(scope="module")
def runner(compile_java: CompileJava) -> Path:
    return compile_java(RUNNER)
