"""Rewriting in a whole reduction, with a real command."""

from __future__ import annotations

import json
import subprocess
import zipfile
from pathlib import Path

import pytest

from app.cli import main
from tests.support.files import jar_of
from tests.support.rewriting import PRINTS_SEVEN


@pytest.fixture
def jar(compile_java, tmp_path) -> Path:
    return jar_of(compile_java(PRINTS_SEVEN), tmp_path / "a.jar")


JAVA = "java -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -cp {jar}"
EITHER = f"sh -c '{JAVA} Main | grep -qx 7 || {JAVA} One | grep -qx 7'"
"""A merging may leave the main method in another class."""


def reduced(jar: Path, folder: Path, *options: str, predicate: str = EITHER) -> dict:
    report = folder / "report.json"
    command = ["reduce", str(jar), "--predicate", predicate, "-o", str(folder / "out.jar"), "--report", str(report)]
    assert main([*command, "--jobs", "1", *options]) == 0
    return json.loads(report.read_text())


def test_a_small_jar_is_simplified(jar, tmp_path):
    report = reduced(jar, tmp_path, "--algorithm", "simplify")
    assert report["output"]["classes"] < 4
    assert any("merged" in said for said in report["rewritings"])
    gained = {phase["name"] for phase in report["phases"] if phase["gained"]}
    assert "nesting" in gained
    assert gained & {"merging", "regrouping"}
    assert any("no longer a nested class" in said for said in report["rewritings"])
    listed = subprocess.run(
        ["java", "-cp", str(tmp_path / "out.jar"), "One"], capture_output=True, text=True, check=False
    )
    main_is_there = subprocess.run(
        ["java", "-cp", str(tmp_path / "out.jar"), "Main"], capture_output=True, text=True, check=False
    )
    assert "7\n" in (listed.stdout, main_is_there.stdout)


def test_only_the_kinds_that_are_asked_for_are_tried(jar, tmp_path, capsys):
    report = reduced(jar, tmp_path, "--algorithm", "simplify", "--rewritings", "nesting")
    said = capsys.readouterr().out
    assert "Rewritten, so that no compiler wrote it: One$Inner is no longer a nested class\n" in said
    assert report["output"]["classes"] == 4
    assert report["rewritings"] == ["One$Inner is no longer a nested class"]


@pytest.mark.parametrize(
    ("added", "said"),
    [
        (("META-INF/versions/9/One.class", b""), "META-INF/versions/9/One.class cannot be read."),
        (("Big.class", b""), "Big.class cannot be read."),
        (("two/One.class", None), "two/One.class has a class of another name."),
    ],
)
def test_what_cannot_be_rewritten_is_told(added, said, jar, tmp_path, capsys):
    with zipfile.ZipFile(jar, "a") as archive:
        archive.writestr(added[0], archive.read("One.class") if added[1] is None else added[1])
    report = reduced(jar, tmp_path, "--algorithm", "simplify", predicate="grep -q One {jar}")
    assert f"warning: The classes are not rewritten: {said}\n" in capsys.readouterr().err
    assert report["rewritings"] == []


@pytest.mark.slow
def test_a_program_that_must_run_is_only_rewritten_on_request(jar, tmp_path):
    (tmp_path / "asked").mkdir()
    once = f"sh -c '{JAVA} Main | grep -qx 7'"
    assert reduced(jar, tmp_path, predicate=once)["rewritings"] == []
    asked = reduced(jar, tmp_path / "asked", "--rewritings", "nesting,merging", predicate=once)
    assert asked["rewritings"] != []


def test_a_kind_that_there_is_not(jar, tmp_path, capsys):
    command = ["reduce", str(jar), "--predicate", "true", "-o", str(tmp_path / "out.jar"), "--rewritings", "mergin"]
    assert main(command) == 2
    assert "Did you mean merging?" in capsys.readouterr().err
