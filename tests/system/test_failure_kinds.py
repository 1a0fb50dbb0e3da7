"""Reductions and checks by the kinds of failures, with errors of the real javac in sources that lie in the input."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from app.cli import main
from core.library.jdk import find_jdk
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


@pytest.fixture
def command(tmp_path: Path) -> Sequence[str]:
    """The options of a predicate that compiles what a bad decompiler might write for the classes of a jar: for six one
    mistake, for one another one.
    """
    written = tmp_path / "written"
    written.mkdir()
    for name in NAMES:
        text = MISTAKE.format(n=name[-1]) if name.startswith("Wrong") else f"class {name} {{ }}"
        (written / f"{name}.java").write_text(ODD if name == "Odd" else text)
    script = tmp_path / "compile.sh"
    javac = find_jdk().home / "bin" / "javac"
    script.write_text(
        "mkdir made; cd made\n"
        f'for c in $(unzip -Z1 "$1" "*.class"); do cp {written}/"${{c%.class}}.java" .; done\n'
        f"{javac} -J-XX:TieredStopAtLevel=1 -J-Duser.language=en *.java 2>&1\n"
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
    assert "no failure 'Odd.java: nothing', whose kind may go" in capsys.readouterr().err


def test_the_check_says_how_many_kinds_there_are(program, command, capsys) -> None:
    assert main(["check", str(program), *command, "--runs", "1"]) == 0
    out = capsys.readouterr().out
    assert "7 failures of 2 kinds: one of each kind must stay." in out
    assert "needs less: the least by a rough estimate, in classes of" in out
    assert "--failures 'chosen Wrong0.java: incompatible types: Object cannot be converted to String'." in out
    kinds = out.partition("7 failures, 7 names, 2 kinds:\n")[2].splitlines()
    assert [line.partition(",")[0] for line in kinds if line.startswith("  kind ")] == [
        f"  kind {number}" for number in (1, 2)
    ]
    assert kinds[1].startswith("    Odd.java: cannot find symbol")
    assert len(kinds) == 9
    assert main(["check", str(program), *command, "--failures", "same", "--runs", "1"]) == 0
    assert "7 failures of 2 kinds: each must stay as often." in capsys.readouterr().out
