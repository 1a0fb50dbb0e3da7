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

Jarlet = Callable[..., Any]

MISSING = "java.lang.NoClassDefFoundError: org/lib/Gauge"


@pytest.fixture
def half(compile_java: Callable[..., Path], tmp_path: Path) -> Path:
    """A jar with two classes that miss a library, and one that the virtual machine refuses in any case."""
    return half_program(compile_java, tmp_path)


def test_a_jar_that_lacks_its_libraries_is_offered_by_its_coordinate(jarlet: Jarlet, half: Path) -> None:
    with zipfile.ZipFile(half, "a") as archive:
        text = f"groupId=org.own\nartifactId={half.stem}\nversion=1.2\n"
        archive.writestr(f"META-INF/maven/org.own/{half.stem}/pom.properties", text)
    done = jarlet("check", half, "--preset", "verify", "--runs", 1)
    assert f"Named by its coordinate, org.own:{half.stem}:1.2, the input brings all libraries along" in done.stdout
    done = jarlet("check", half, "--preset", "verify", "--runs", 1, "--classpath", "lib.jar")
    assert "Named by its coordinate" not in done.stdout


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
