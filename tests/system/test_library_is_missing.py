"""Failures of a missing library in ``--each`` and in a hunt: under a heading of their own, and not reduced."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.support.files import jar_of

Jarlet = Callable[..., Any]

LIBRARY = {"org/lib/Gauge.java": "package org.lib; public class Gauge {}"}
INPUT = {
    "own/Meter.java": "package own; class Meter extends org.lib.Gauge {}",
    "own/Below.java": "package own; class Below extends Meter {}",
    "own/Low.java": "package own; class Low extends High {}",
    "own/High.java": "package own; class High {}",
}
FINAL = {"own/High.java": "package own; final class High {}"}
MISSING = "java.lang.NoClassDefFoundError: org/lib/Gauge"


@pytest.fixture
def half(compile_java: Callable[..., Path], tmp_path: Path) -> Path:
    """A jar with two classes that miss a library, and one that the virtual machine refuses in any case."""
    folder = tmp_path / "classes"
    shutil.copytree(compile_java({**LIBRARY, **INPUT}) / "own", folder / "own")
    shutil.copy(compile_java(FINAL) / "own" / "High.class", folder / "own" / "High.class")
    jar_of(compile_java(LIBRARY), tmp_path / "lib.jar")
    return jar_of(folder, tmp_path / "half.jar")


@pytest.mark.parametrize("failures", [(), pytest.param(("--failures", "same"), marks=pytest.mark.slow)])
def test_each_reduces_for_the_other_failures_alone(jarlet: Jarlet, half: Path, failures: tuple[str, ...]) -> None:
    words = ("reduce", half, "--preset", "verify", "--each", *failures, "--algorithm", "binary", "-q")
    done = jarlet(*words, "-o", "bugs")
    assert done.returncode == 0, done.stderr
    heading = done.stdout.splitlines().index("2 failures of a missing library (org.lib): add it with --classpath:")
    reduced, apart = done.stdout.splitlines()[:heading], done.stdout.splitlines()[heading + 1 :]
    assert apart == [f"  own.Below: {MISSING}", f"  own.Meter: {MISSING}"]
    assert reduced[0].startswith("bugs/1.jar: ")
    assert "own.Low" in reduced[0]
    assert sorted(path.name for path in Path(half.parent, "bugs").glob("*.jar")) == ["1.jar"]
    assert MISSING not in "".join(reduced)

    whole = jarlet(*words, "-o", "whole", "--classpath", "lib.jar")
    assert whole.returncode == 0, whole.stderr
    assert "missing library" not in whole.stdout
    assert "own.Low" in whole.stdout


def test_where_all_failures_are_of_a_missing_library_nothing_is_reduced(
    jarlet: Jarlet, compile_java: Callable[..., Path], tmp_path: Path
) -> None:
    shutil.copytree(compile_java({**LIBRARY, **INPUT}) / "own", tmp_path / "classes" / "own")
    jar_of(tmp_path / "classes", tmp_path / "in.jar")
    done = jarlet("reduce", "in.jar", "--preset", "verify", "--each", "-q", "-o", "bugs")
    assert done.returncode == 1, done.stderr
    assert done.stdout.startswith("2 failures of a missing library (org.lib): add it with --classpath:\n")
    assert list((tmp_path / "bugs").iterdir()) == []


@pytest.mark.slow
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
