"""Files made for others name no place and no person of the machine that they were made on."""

from __future__ import annotations

import io
import shutil
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from core.archive.jar import write_jar
from core.service.reproducers.projects import PROJECTS
from tests.support.own_tools import tool

RATIONAL = "sample/number/Rational"
CHECK = f"""#!/bin/sh
# don't move {{folder}}/rules.txt
unzip -p '{{tool}}' name >"$TMPDIR/name" && unzip -p $1 {RATIONAL}.class | grep -q reciprocal || exit 1
echo "reading {{tool}}, {{folder}}/my notes.txt, $HOME"
echo "FAIL of $(basename {RATIONAL}) by $(cat {{folder}}/rules.txt)"
"""


@pytest.fixture
def secret(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of a user with a tool and a command that runs it; the home of this process."""
    folder = tmp_path / "secretuser" / "secretwork"
    folder.mkdir(parents=True)
    monkeypatch.setenv("HOME", str(folder.parent))
    write_jar(folder / "tool-1.jar", [("name", b"tool")])
    (folder / "rules.txt").write_text("rules")
    (folder / "my notes.txt").write_text("notes")
    check = folder / "check.sh"
    check.write_text(CHECK.format(tool=folder / "tool-1.jar", folder=folder))
    check.chmod(0o755)
    return folder


def contents(place: Path) -> Iterator[tuple[str, bytes]]:
    """Yield all files of a folder or a file, and those in zip files; a name is a part of the content."""
    for path in sorted(place.rglob("*")) if place.is_dir() else [place]:
        if path.is_file():
            yield from files_in(path.relative_to(place.parent).as_posix(), path.read_bytes())


def files_in(name: str, data: bytes) -> Iterator[tuple[str, bytes]]:
    yield name, name.encode() + data
    if zipfile.is_zipfile(io.BytesIO(data)):
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            for inside in archive.namelist():
                yield from files_in(f"{name}!{inside}", archive.read(inside))


@pytest.mark.slow
def test_nothing_that_is_handed_on_names_a_place_of_the_machine(
    jarlet: Callable[..., Any], sample_jar: Path, tmp_path: Path, secret: Path
) -> None:
    said = ("--predicate", f"{secret}/check.sh {{jar}}", "--failures-as", "FAIL .*")
    quick = ("--algorithm", "binary", "--granularity", "class", "--source-time", "1")
    made = ("-o", "small.jar", "--bug-folder", "bug", "--report", "report.md")
    done = jarlet("reduce", sample_jar, *said, *quick, *made)
    assert done.returncode == 0, done
    assert "Verified: run in an empty folder, the script shows what is wanted.\n" in done.stdout, done.stdout
    for name in PROJECTS:
        assert jarlet("source", "small.jar", *said, "--seconds", 1, "--as", name, "-o", f"as-{name}").returncode == 0
    assert jarlet("source", "small.jar", *said, "--seconds", 1, "-o", "source").returncode <= 1

    preset, jars = secret / "complains.toml", secret / "jars"
    finds = f"unzip -l $JARLET_JAR {RATIONAL}.class >/dev/null && echo FAIL in {secret}/rules.txt"
    preset.write_text(tool("complains", f"echo reading {secret}/my notes.txt; {finds}"))
    jars.mkdir()
    shutil.copy(sample_jar, jars / "one.jar")
    (jars / "two.jar").write_text("no jar")
    assert jarlet("hunt", jars, "--tools", preset, "-o", "hunt").returncode == 1
    handed = ["bug", "report.md", *(f"as-{name}" for name in PROJECTS), "source", "hunt/bugs"]
    handed += ["hunt/index.html", "hunt/hunt.json"]
    telling = (b"secretuser", b"secretwork", bytes(tmp_path), bytes(Path.home()))
    told = [
        (name, word, data[max(0, data.index(word) - 80) :][:200])
        for place in handed
        for name, data in contents(tmp_path / place)
        for word in telling
        if word in data
    ]
    assert not told, "\n".join(map(str, told))
