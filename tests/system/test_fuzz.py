"""The fuzzer: a few cases of each part survive, and what goes wrong is noticed and kept."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.fuzz.case import MEMORY, Case, Ended, fault
from tests.fuzz.child import run
from tests.support.java import CompileJava
from tests.support.patience import patience

ROOT = Path(__file__).parents[2]


def _make_jar(path: Path, compile_java: CompileJava) -> None:
    source = "public class A { int f(int x) { return x > 0 ? new B().g() : 1; } } class B { int g() { return 2; } }"
    classes = compile_java({"A.java": source})
    with zipfile.ZipFile(path, "w") as archive:
        for name in ("A.class", "B.class"):
            archive.write(classes / name, name)
        archive.writestr("readme.txt", "a resource")


@pytest.mark.guarded
def test_a_few_cases_of_each_part_survive(tmp_path: Path, compile_java: CompileJava) -> None:
    """The seed is fixed: what is tried is the same each time."""
    command = [sys.executable, "-m", "tests.fuzz", "--seed", "1", "--count", "8", "--keep", str(tmp_path / "kept")]
    jar = tmp_path / "sample.jar"
    _make_jar(jar, compile_java)
    done = subprocess.run(
        [*command, "--only", "jars", "sessions", "options", "engine", "--jar", str(jar)],
        cwd=ROOT, capture_output=True, text=True, check=False, timeout=patience(300),
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    assert "seed 1" in done.stdout
    assert not (tmp_path / "kept").exists()


@pytest.mark.parametrize(
    ("ended", "words"),
    [
        (Ended(0, 1.0, 0, "fine"), ""),
        (Ended(70, 1.0, 0, ""), "exit code 70"),
        (Ended(-11, 1.0, 0, ""), "exit code -11"),
        (Ended(0, 1.0, 0, "Traceback (most recent call last):\n"), "Traceback"),
        (Ended(2, 1.0, MEMORY + 1, ""), "1024 MiB"),
        (Ended(-9, 60.0, 0, "", late=True), "within 60 s"),
    ],
)
def test_what_goes_wrong_is_noticed(ended: Ended, words: str) -> None:
    found = fault(Case("inspect", ("x.jar",)), ended)
    assert words in found
    assert bool(found) == bool(words)


def test_a_case_that_hangs_is_ended_with_what_it_started(tmp_path: Path, processes: Callable[[str], object]) -> None:
    marker = f"sleep 7{os.getpid()}"
    (tmp_path / "A.class").write_bytes(b"")
    case = Case("check", (str(tmp_path), "--predicate", f"sh -c '{marker}'", "--timeout", "500"))
    folder = tmp_path.with_name("stuck")
    folder.mkdir()
    ended = run(case, folder, 2)
    assert ended.late
    assert "did not end within" in fault(case, ended)
    assert not processes(marker)


def test_a_case_ends_as_its_command_does(tmp_path: Path) -> None:
    ended = run(Case("graph", (str(tmp_path / "nosuch.jar"),)), tmp_path, 60)
    assert ended.code == 2
    assert "there is no such file" in ended.output
