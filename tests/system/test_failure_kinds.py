"""Reductions and checks by the kinds of failures, with errors that the real javac has found in the sources."""

from __future__ import annotations

import json
import re
import subprocess
import zipfile
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from app.cli import main
from core.library.jdk import QUICK_TOOL, find_jdk
from tests.support.files import jar_of

MISTAKE = "class Wrong{n} {{ String name{n}(Object value{n}) {{ return value{n}; }} }}"
ODD = "class Odd { void call() { missing(1); } }"
RIGHT = 'class {name} {{ String text() {{ return "{text}"; }} }}'
NAMES = (*(f"Wrong{number}" for number in range(6)), "Odd", *(f"Fine{number}" for number in range(6)))


@pytest.fixture
def program(compile_java: Callable[..., Path], tmp_path: Path) -> Path:
    """A jar with thirteen classes of different sizes."""
    numbered = enumerate(NAMES)
    sources = {f"{name}.java": RIGHT.format(name=name, text="x" * 13 * place) for place, name in numbered}
    return jar_of(compile_java(sources), tmp_path / "program.jar")


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with what javac says of what a bad decompiler might write for each class that is wrong: six have one
    mistake, one has another one.
    """
    folder = tmp_path_factory.mktemp("written")
    for name in NAMES:
        text = MISTAKE.format(n=name[-1]) if name.startswith("Wrong") else f"class {name} {{ }}"
        (folder / f"{name}.java").write_text(ODD if name == "Odd" else text)
    words = [find_jdk().home / "bin" / "javac", *QUICK_TOOL, "-J-Duser.language=en", *sorted(folder.glob("*.java"))]
    said = subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False).stderr
    errors = re.split(rf"^{folder}/(?=\w+\.java:\d+: error: )", said, flags=re.MULTILINE)[1:]
    assert len(errors) == 7
    for error in errors:
        (folder / f"{error.partition('.')[0]}.txt").write_text(error)
    return folder


@pytest.fixture
def command(written: Path, tmp_path: Path) -> Sequence[str]:
    """The options of a predicate that says what javac would."""
    script = tmp_path / "compile.sh"
    script.write_text(
        f'for c in $(unzip -Z1 "$1" "*.class"); do cat {written}/"${{c%.class}}.txt" 2>/dev/null && f=1; done\n'
        'test -z "$f"\n'
    )
    return ("--predicate", f"sh {script} {{jar}}", "--failures-as", "javac")


def kept(path: Path) -> list[str]:
    """The classes in a jar."""
    with zipfile.ZipFile(path) as jar:
        return sorted(name.removesuffix(".class") for name in jar.namelist() if name.endswith(".class"))


def test_one_failure_of_each_kind_is_left_and_as_often_as_now_all(program, command, tmp_path) -> None:
    out, report = tmp_path / "out.jar", tmp_path / "report.json"
    words = ["reduce", str(program), *command, "--jobs", "2", "-q", "-o", str(out), "--report", str(report)]
    assert main(words) == 0
    wrong, odd = sorted(kept(out), reverse=True)
    assert odd == "Odd"
    assert wrong.startswith("Wrong")
    final = json.loads(report.read_text())["final"]
    assert final["wanted"] == "each kind of failure of the full input, no other kind"
    assert main([*words, "--failures", "same"]) == 0
    assert kept(out) == sorted(["Odd", *(f"Wrong{number}" for number in range(6))])


def test_failures_that_the_reduction_makes_are_told_apart(program, tmp_path) -> None:
    out, report = tmp_path / "out.jar", tmp_path / "report.json"
    script = tmp_path / "look.sh"
    script.write_text(
        'unzip -Z1 "$1" > names\ngrep -q Odd names && echo F: odd\ngrep -q Fine names || echo F: lonely\n'
    )
    words = [
        "reduce",
        str(program),
        "--predicate",
        f"sh {script} {{jar}}",
        "--failures-as",
        "^F: .*",
        "-q",
        "-o",
        str(out),
    ]
    assert main([*words, "--failures", "kinds at least", "--report", str(report)]) == 0
    assert kept(out) == ["Odd"]
    final = json.loads(report.read_text())["final"]
    assert final["failures"] == ["F: lonely", "F: odd"]
    assert final["new"] == ["F: lonely"]


def test_a_kind_may_go(program, command, tmp_path) -> None:
    out = tmp_path / "out.jar"
    odd = "Odd.java: cannot find symbol; symbol: method missing(int); location: class Odd"
    assert main(["reduce", str(program), *command, "--failures", f"kinds but {odd}", "-q", "-o", str(out)]) == 0
    assert [name[:5] for name in kept(out)] == ["Wrong"]


def test_a_kind_that_may_go_must_be_there(program, command, tmp_path, capsys) -> None:
    words = [
        "reduce",
        str(program),
        *command,
        "--failures",
        "kinds but Odd.java: nothing",
        "-o",
        str(tmp_path / "o.jar"),
    ]
    assert main(words) == 1
    assert "no failure has the name 'Odd.java: nothing'." in capsys.readouterr().err


def test_the_check_says_how_many_kinds_there_are(program, command, capsys) -> None:
    assert main(["check", str(program), *command, "--runs", "1"]) == 0
    out = capsys.readouterr().out
    assert "7 failures of 2 kinds: one of each kind must stay." in out
    assert "One kind alone needs less; by a rough estimate “Wrong0.java: " in out
    assert "--failures 'chosen Wrong0.java: incompatible types: Object cannot be converted to String' reduces" in out
    kinds = out.partition("7 failures of 2 kinds:\n")[2].splitlines()
    assert [line.partition(",")[0] for line in kinds if line.startswith("  kind ")] == [
        f"  kind {number}" for number in (1, 2)
    ]
    assert kinds[1].startswith("    Odd.java: cannot find symbol")
    assert len(kinds) == 9
    assert main(["check", str(program), *command, "--failures", "same", "--runs", "1"]) == 0
    assert "7 failures of 2 kinds: each must stay as often." in capsys.readouterr().out
