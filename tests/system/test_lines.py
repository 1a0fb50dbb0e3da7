"""Lines of text files beside the jar go too: rules, options, sources of the command."""

from __future__ import annotations

import json
import subprocess
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.support.files import script

Jarlet = Callable[..., Any]

RULES = "one\nkeep sample.Main\ntwo\nthree keep\nneeds names\nfour\n"


@pytest.fixture
def command(tmp_path: Path) -> str:
    """A command that fails while two of the lines are there, one of them for a class."""
    (tmp_path / "rules.txt").write_text(RULES)
    script(tmp_path, 'grep -q "needs names" "$2" && grep -q "^keep" "$2" && unzip -l "$1" sample/Main.class', "p.sh")
    return "./p.sh {jar} {file:rules.txt}"


def test_lines_go_at_the_end_and_report_and_bug_folder_have_the_smaller_file(
    jarlet: Jarlet, sample_jar: Path, command: str, tmp_path: Path
) -> None:
    words = ("--predicate", command, "--lines", "rules.txt", "--algorithm", "binary", "--granularity", "class")
    words = (*words, "--report", "r.json", "--bug-folder", "bug", "--source-time", 0, "--session", "s.jarlet")
    done = jarlet("reduce", sample_jar, *words, "-o", "small.jar")
    assert done.returncode == 0, done.stderr
    left = "keep sample.Main\nneeds names\n"
    assert (tmp_path / "small-rules.txt").read_text() == left
    assert (tmp_path / "rules.txt").read_text() == RULES
    assert "rules.txt: 2 lines" in done.stdout
    report = json.loads((tmp_path / "r.json").read_text())
    assert report["texts"] == {"rules.txt": left}
    with zipfile.ZipFile(tmp_path / "small.jar") as small:
        assert report["output"]["bytes"] == sum(each.file_size for each in small.infolist()), "the jar alone"
    assert (tmp_path / "bug" / "files" / "rules.txt").read_text() == left
    assert subprocess.run(["sh", tmp_path / "bug" / "reproduce.sh"], check=False, capture_output=True).returncode == 0
    names = subprocess.run(["unzip", "-Z1", tmp_path / "small.jar"], check=True, capture_output=True).stdout.split()
    assert b"sample/Main.class" in names
    assert not any(b"rules" in name for name in names), "the text is beside the jar"

    (tmp_path / "small-rules.txt").unlink()
    for _ in range(2):  # the second one replaces what the first one wrote
        again = jarlet("reduce", "--resume", "s.jarlet", "-o", "other.jar")
        assert again.returncode == 0, again.stderr
    assert (tmp_path / "other-rules.txt").read_text() == left


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ("other.txt", "other.txt: no command or setting names it. Write {file:"),
        ("none.txt", "none.txt: there is no such file."),
        ("small-rules.txt", "small-rules.txt"),
    ],
)
def test_a_file_that_cannot_be_reduced_is_a_sentence(
    jarlet: Jarlet, sample_jar: Path, command: str, tmp_path: Path, lines: str, said: str
) -> None:
    (tmp_path / "other.txt").write_text("one\n")
    (tmp_path / "small-rules.txt").write_text("one\n")
    command += " {file:small-rules.txt}" if lines == "small-rules.txt" else ""
    more = ("--lines", "rules.txt") if lines == "small-rules.txt" else ()
    done = jarlet("reduce", sample_jar, "--predicate", command, "--lines", lines, *more, "-o", "small.jar")
    assert done.returncode == 2
    assert said in done.stderr
    assert (tmp_path / "small-rules.txt").read_text() == "one\n"


@pytest.mark.guarded
def test_the_sources_of_a_preset_go_line_by_line(jarlet: Jarlet, sample_jar: Path, tmp_path: Path) -> None:
    (tmp_path / "Use.java").write_text("class Use {\n int one = 1;\n sample.Missing wrong;\n int two;\n}\n")
    words = ("--preset", "javac", "--set", "sources=Use.java", "--lines", "Use.java", "--granularity", "class")
    done = jarlet("reduce", sample_jar, *words, "--algorithm", "binary", "--allow-missing", "-o", "small.jar")
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "small-Use.java").read_text() == "class Use {\n sample.Missing wrong;\n}\n"
