"""The sample: it builds to the same bytes each time, runs, and fails as its settings say."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

import resources

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "packaging" / "build_sample.py"


def java(jar: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["java", "-Xmx64m", "-Xshare:auto", "-XX:TieredStopAtLevel=1", "-cp", str(jar), *arguments],
        capture_output=True,
        text=True,
        check=False,
    )


def test_it_is_a_few_dozen_classes_of_every_sort(sample_jar: Path) -> None:
    names = zipfile.ZipFile(sample_jar).namelist()
    classes = [name for name in names if name.endswith(".class")]
    assert names[0] == "META-INF/MANIFEST.MF"
    assert 40 <= len(classes) <= 70
    assert {"fji/A.class", "fji/B.class", "fji/I.class", "fji/M.class"} <= set(classes)
    assert "META-INF/services/sample.Command" in names
    assert "sample/command/manual.txt" in names
    assert any(re.search(r"\$\d+\.class", name) for name in classes)


def test_the_planted_failure_is_the_one_of_the_settings(sample_jar: Path) -> None:
    settings = tomllib.loads(resources.path("sample/sample.toml").read_text(encoding="utf-8"))
    assert set(settings) == {"title", "main", "command", "match", "expect_exit"}
    command = settings["command"].replace("{jar}", str(sample_jar)).split()
    for _ in range(2):
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == settings["expect_exit"]
        assert re.search(settings["match"], done.stderr)
    assert settings["command"].endswith(settings["main"])


def test_the_failure_needs_a_small_part_only(sample_jar: Path, tmp_path: Path) -> None:
    part = tmp_path / "part.jar"
    needed = re.compile(
        r"sample/(Main|SelfCheck|number/(DecimalScale|Rational|Scale)|text/(Num|Scan|Token)\w*(\$Cursor)?)\.class"
    )
    with zipfile.ZipFile(sample_jar) as whole, zipfile.ZipFile(part, "w") as small:
        kept = [name for name in whole.namelist() if needed.fullmatch(name)]
        for name in kept:
            small.writestr(name, whole.read(name))
    assert len(kept) == 11
    assert "zero has no reciprocal" in java(part, "sample.Main").stderr


@pytest.mark.parametrize(
    ("arguments", "answer"),
    [
        (["eval", "1 + 2 * 3 - max(1, 7/2)"], "7/2"),
        (["diff", "x * x + 3 * x"], "x + x + 3"),
        (["convert", "3 km m"], "3000 m"),
        (["nonsense"], "no such command: nonsense (try: help)"),
    ],
)
def test_the_rest_of_the_program_works(sample_jar: Path, arguments: list[str], answer: str) -> None:
    done = java(sample_jar, "sample.Main", *arguments)
    assert done.stderr == ""
    assert done.stdout.strip() == answer


@pytest.mark.slow
def test_building_again_gives_the_same_bytes_and_only_when_needed(sample_jar: Path, tmp_path: Path) -> None:
    again = tmp_path / "again.jar"
    built = subprocess.run([sys.executable, SCRIPT, "-o", again], check=True, capture_output=True, text=True)
    assert built.stdout == f"built {again}\n"
    assert again.read_bytes() == sample_jar.read_bytes()
    idle = subprocess.run([sys.executable, SCRIPT, "-o", again], check=True, capture_output=True, text=True)
    assert idle.stdout == ""


def test_without_a_compiler_the_script_says_what_to_do(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, SCRIPT, "-o", tmp_path / "x.jar"],
        env={"PATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert "javac is missing" in done.stderr
    assert "Traceback" not in done.stderr
    assert not (tmp_path / "x.jar").exists()


def test_resources_are_found_by_name() -> None:
    for name in ("open", "start", "pause", "stop", "export", "fit", "search", "settings", "zoom-in", "zoom-out"):
        assert resources.path(f"icons/{name}.svg").read_text().startswith("<svg ")
    assert resources.path("icons/jarlet.svg").is_file()
