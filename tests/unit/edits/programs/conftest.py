"""Fixtures of programs that are compiled, edited and run."""

from __future__ import annotations

import pytest

from core.edits.programs.program import WholeProgram
from tests.support.whole_programs import output_of, whole_program


@pytest.fixture
def program(compile_java):
    def of(**sources: str) -> WholeProgram:
        folder = compile_java({f"{name.replace('_', '/')}.java": text for name, text in sources.items()})
        return whole_program(folder)

    return of


@pytest.fixture
def output(tmp_path):
    def of(program: WholeProgram) -> str:
        return output_of(program, tmp_path / "out")

    return of
