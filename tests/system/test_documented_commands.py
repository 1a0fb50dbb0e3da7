"""Every command of README, the guide and the recipes is one that the real parsers take; the first ones are run."""

from __future__ import annotations

import argparse
import re
import shlex
import subprocess
import zipfile
from pathlib import Path

import pytest

from app.cli import parsers
from core.predicate.presets import find
from tests.support.files import script
from tests.support.pages import BLOCK, PAGES, ROOT, blocks, copied
from tests.support.rows import rows

CODEC = Path("/usr/share/java/commons-codec.jar")
BY_NAME = {f"{page.parent.name}-{page.stem}": page for page in PAGES}
OF_OTHERS = frozenset({"--release", "--no-index", "--help", "--version"})
"""Options that pages name and that are another program's, or every command's."""
SPAN = re.compile(r"`([^`]+)`")
COMMANDS = {name: parser for name, parser in parsers().items() if name}


def spans(page: Path) -> list[str]:
    """Return the words in single backquotes, those over two lines on one."""
    text = BLOCK.sub("", page.read_text(encoding="utf-8"))
    return [" ".join(span.split()) for span in SPAN.findall(text)]


def options_of(parser: argparse.ArgumentParser) -> set[str]:
    """Return the options of a command, with those of its own commands."""
    found = {option for action in parser._actions for option in action.option_strings}
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            found.update(*map(options_of, action.choices.values()))
    return found


def mistake(words: list[str], capsys: pytest.CaptureFixture[str]) -> str:
    """Return what is wrong with a command of a sentence, which may leave out what it is not about; else nothing."""
    if words[0] not in COMMANDS:
        return f"there is no command {words[0]}"
    try:
        COMMANDS[words[0]].parse_args(words[1:])
    except SystemExit as end:
        told = capsys.readouterr().err
        left_out = "the following arguments are required" in told or "expected one argument" in told
        return "" if end.code == 0 or left_out else told
    return ""


def test_there_are_commands_to_copy():
    found = [command for page in PAGES for command in copied(page)]
    assert len(found) >= 10
    assert {"reduce", "check", "source", "versions", "hunt"} <= {command[0] for command in found}


@rows("page", BY_NAME.values())
def test_commands_to_copy_are_whole(page):
    for command in copied(page):
        assert command[0] in COMMANDS, command
        own = command[: command.index("--")] if "--tool" in command else command  # the tool's stand behind
        options = COMMANDS[command[0]].parse_args(own[1:])  # ends with exit code 2 if anything is wrong
        assert callable(options.run)


@rows("page", BY_NAME.values())
def test_commands_and_options_in_sentences_exist(page, capsys):
    known = OF_OTHERS.union(*map(options_of, COMMANDS.values()))
    wrong = {}
    for span in spans(page):
        if re.match(r"jarlet [a-z]+\b(?!\()", span):
            wrong[span] = mistake(shlex.split(span)[1:], capsys)
        elif span.startswith("--") and span.split()[0] not in known:
            wrong[span] = "there is no such option"
    assert {span: why for span, why in wrong.items() if why} == {}


@rows("page", BY_NAME.values())
def test_targets_of_make_exist(page):
    rules = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    targets = re.findall(r"^ *make ([a-z-]+)", "\n".join(blocks(page)), re.MULTILINE)
    targets += [span.split()[1] for span in spans(page) if re.match(r"make [a-z]", span)]
    assert set(targets) <= rules


def test_the_readme_lists_every_command():
    table = (ROOT / "README.md").read_text(encoding="utf-8").partition("## Commands")[2].partition("\n## ")[0]
    assert set(COMMANDS) <= set(re.findall(r"[a-z]+", " ".join(re.findall(r"^\|([^|]*)\|", table, re.MULTILINE))))


@pytest.mark.guarded
def test_the_first_command_is_run_as_it_stands(sample_jar, tmp_path, jarlet):
    command = next(copied(ROOT / "README.md"))
    assert command == next(copied(ROOT / "resources/help/start.md"))
    (tmp_path / "app.jar").write_bytes(sample_jar.read_bytes())
    script(tmp_path, "java -Xshare:auto -cp \"$1\" sample.Main 2>&1 | grep -q 'no reciprocal'", "breaks.sh")
    done = jarlet(*command, "--algorithm", "binary", "--granularity", "class", "-q")
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "small.jar").stat().st_size < sample_jar.stat().st_size
    assert "small.jar" in (tmp_path / "bug.md").read_text()


@pytest.mark.slow
@pytest.mark.skipif(
    not CODEC.exists() or find("procyon").missing() is not None, reason="needs Procyon and commons-codec"
)
def test_the_readmes_example_with_a_decompiler_is_run_as_it_stands(decompilers, tmp_path, jarlet):
    command = list(copied(ROOT / "README.md"))[1]
    assert command[1:4] == [str(CODEC), "--preset", "procyon"]
    done = jarlet(*command, "-q")
    assert done.returncode == 0, done.stderr
    with zipfile.ZipFile(tmp_path / "codec-small.jar") as small:
        assert sum(name.endswith(".class") for name in small.namelist()) == 1


@pytest.mark.slow
@pytest.mark.skipif(not CODEC.exists(), reason="needs commons-codec")
def test_the_readmes_example_with_a_program_is_run_as_it_stands(jacoco, tmp_path, jarlet):
    command = list(copied(ROOT / "README.md"))[3]
    assert command[1] == str(CODEC)
    (lines,) = (block for block in blocks(ROOT / "README.md") if "> inputs.txt" in block)
    subprocess.run(["sh", "-c", re.search("printf.*", lines)[0]], cwd=tmp_path, check=True)
    done = jarlet(*command)
    assert done.returncode == 0, done.stderr
    assert "Unseen inputs that pass: 1 of 1" in done.stderr + done.stdout
    with zipfile.ZipFile(tmp_path / "digest.jar") as small:
        assert sum(name.endswith(".class") for name in small.namelist()) == 10
