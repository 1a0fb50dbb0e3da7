"""What the command line writes, and what it refuses to: each as its own process, with small jars."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from app.cli import main
from tests.support.patience import patience
from tests.support.rows import rows

ROOT = Path(__file__).resolve().parents[2]
TRUE = ("--predicate", "grep -q [.]class {jar}", "--algorithm", "binary", "--granularity", "class", "-q")
Run = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture
def jarlet(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Run:
    """Runs ``jarlet ...`` in ``tmp_path/here``."""
    here, temporary = tmp_path / "here", tmp_path / "temporary"
    here.mkdir()
    temporary.mkdir()
    monkeypatch.chdir(here)
    monkeypatch.setenv("TMPDIR", str(temporary))
    monkeypatch.setattr(tempfile, "tempdir", str(temporary))

    def run(*arguments: object) -> subprocess.CompletedProcess[str]:
        words = list(map(str, arguments))
        capfd.readouterr()
        done = subprocess.CompletedProcess(words, main(words), *capfd.readouterr())
        assert "Traceback" not in done.stderr, done.stderr
        return done

    return run


@pytest.fixture
def here(tmp_path: Path, jarlet: Run, sample_jar: Path) -> Path:
    """The folder that it runs in, with a jar, a folder of classes and scripts."""
    place = tmp_path / "here"
    (place / "in.jar").write_bytes(sample_jar.read_bytes())
    with zipfile.ZipFile(sample_jar) as archive:
        archive.extractall(place / "classes")
    (place / "soft.jar").symlink_to("in.jar")
    (place / "soft.json").symlink_to("in.jar")
    (place / "nowhere").symlink_to("gone")
    os.link(place / "in.jar", place / "hard.jar")
    (place / "lib.jar").write_bytes(sample_jar.read_bytes())
    (place / "ran.sh").write_text("#!/bin/sh\n: > $JARLET_RAN\n")
    (place / "breaks.sh").write_text("#!/bin/sh\ntrue\n")
    (place / "breaks.sh").chmod(0o755)
    for name in ("notes.txt", "o-notes.txt"):
        (place / name).write_text("mine\n")
    return place


def seen(folder: Path) -> dict[str, bytes | None]:
    return {str(path.relative_to(folder)): path.read_bytes() if path.is_file() else None for path in folder.rglob("*")}


REFUSED = [
    ("graph in.jar -o in.jar", "is the input itself"),
    ("graph in.jar -o ./soft.jar", "is the input itself"),
    ("graph in.jar -o hard.jar", "is the input itself"),
    ("graph classes -o classes/graph.json", "lies in classes"),
    ("graph in.jar -o none/graph.json", "does not exist"),
    ("graph in.jar -o classes", "it is a folder"),
    ("graph in.jar -o /dev/null", "not an ordinary file"),
    ("graph in.jar -o breaks.sh", "Jarlet did not write it"),
    ("reduce in.jar P --lines notes.txt -o o.jar", "o-notes.txt: this file is there already"),
    ("around in.jar ITEM -o in.jar", "is the input itself"),
    ("around in.jar ITEM --classpath lib.jar -o lib.jar", "is a library of the input"),
    ("sample in.jar -o in.jar --count 1", "is the input itself"),
    ("sample classes -o classes/samples --count 1", "lies in classes"),
    ("sample lib.jar -o lib.jar/x --count 1", "cannot be both|lies in|cannot be made|it is a file|is the input"),
    ("reduce in.jar P -o in.jar", "is the input itself"),
    ("reduce in.jar P --report soft.json", "is the input itself"),
    ("reduce in.jar P -o o.jar --rename --report o.names.json", "named by both the old names of o.jar and --report"),
    ("reduce in.jar P -o o.jar --bug-folder nowhere", "nowhere is a symbolic link to gone, which is not there"),
    ("known add in.jar lib.jar --issue 1", "no file of known bugs"),
    ("known add lib.jar in.jar --classpath lib.jar --issue 1", "is a library of the input"),
    ("reduce in.jar P --report classes", "it is a folder"),
    ("reduce in.jar P --report none/report.json", "does not exist"),
    ("reduce in.jar P -o out.json --report ./out.json", "named by both"),
    ("reduce in.jar P -o s.jarlet/out.jar --session s", "give each a place of its own|No such file"),
    ("reduce in.jar P --session .", "a new folder of its own"),
    ("reduce classes P -o classes/out.jar", "lies in classes"),
    ("reduce classes P --report classes/r.json", "lies in classes"),
    ("reduce classes P --session classes/s", "lies in classes"),
    ("reduce classes P --work classes/work", "lies in classes"),
    ("check classes P --work classes/work", "lies in classes"),
    ("reduce in.jar P --classpath lib.jar -o lib.jar", "is a library of the input"),
    ("reduce in.jar --predicate ./breaks.sh -o breaks.sh", "is a file of the predicate"),
    ("reduce in.jar P --failures-as traces --each -o classes", "is not empty"),
]


@rows(("line", "words"), REFUSED)
def test_refused_before_anything_is_written(jarlet: Run, here: Path, tmp_path: Path, line: str, words: str) -> None:
    before = seen(tmp_path)
    arguments: list[str] = []
    for word in line.split():
        arguments += TRUE if word == "P" else ["sample/Main"] if word == "ITEM" else [word]
    if arguments[0] == "check":
        arguments = [
            word for word in arguments if word not in ("--algorithm", "binary", "--granularity", "class", "-q")
        ]
    done = jarlet(*arguments)
    assert done.returncode == 2, done.stderr
    assert re.search(words, done.stderr), done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert seen(tmp_path) == before


def test_a_sample_replaces_nothing(jarlet: Run, here: Path) -> None:
    (here / "samples").mkdir()
    os.rename(here / "in.jar", here / "samples" / "sample-1.jar")
    before = seen(here)
    done = jarlet("sample", "samples/sample-1.jar", "--count", 1, "-o", "samples")
    assert (done.returncode, seen(here)) == (2, before)
    done = jarlet("sample", "lib.jar", "--count", 1, "-o", "samples")
    assert done.returncode == 2
    assert "there already" in done.stderr
    assert seen(here) == before
    assert jarlet("sample", "lib.jar", "--count", 1, "-o", "others").returncode == 0


def batch(here: Path, *rows: str) -> Path:
    jobs = "".join(f"[[job]]\n{row}\n" for row in rows)
    (here / "jobs.toml").write_text(
        f'predicate = "grep -q [.]class {{jar}}"\nalgorithm = "binary"\ngranularity = "class"\n{jobs}'
    )
    return here / "jobs.toml"


@rows(
    ("rows", "options", "words"),
    [
        (['input = "in.jar"'], ["--results", "in.jar"], "is the input itself"),
        (['input = "in.jar"'], ["--results", "jobs.toml"], "is the batch file"),
        (['input = "in.jar"'], ["--results", "in-reduced.jar"], "named by both"),
        (['input = "in.jar"'], ["--results", "breaks.sh"], "Jarlet did not write it"),
        (['input = "in.jar"\nreport = "in.jar"'], [], "is the input itself"),
        (['input = "in.jar"\nrename = true\nreport = "in-reduced.names.json"'], [], "named by both"),
        (['input = "in.jar"', 'input = "lib.jar"\nreport = "in.jar"'], [], "is the input itself"),
        (['input = "in.jar"\noutput = "jobs.toml"'], [], "is the batch file"),
        (['input = "in.jar"', 'input = "lib.jar"\nreport = "in-reduced.json"'], [], "named by both"),
        (['input = "classes"\noutput = "classes/out.jar"'], [], "lies in"),
        (['input = "in.jar"\noutput = "in.jar/x"'], [], "cannot|lies in"),
        (['input = "in.jar"\noutput = "/"'], [], "not the name of a file"),
        (['input = "in.jar"\nclasspath = ["lib.jar"]', 'input = "in.jar"\noutput = "lib.jar"'], [], "is a library"),
    ],
)
def test_a_batch_is_refused_whole(jarlet: Run, here: Path, rows: list[str], options: list[str], words: str) -> None:
    file = batch(here, *rows)
    before = seen(here)
    done = jarlet("batch", file.name, *options)
    assert done.returncode == 2, done.stderr
    assert re.search(words, done.stderr), done.stderr
    assert seen(here) == before


def test_each_replaces_nothing(jarlet: Run, here: Path) -> None:
    command = (
        "--predicate",
        "sh -c 'grep -q [.]class $1 && echo FAIL-a && echo FAIL-b' sh {jar}",
        "--failures-as",
        "FAIL-(.)",
    )
    arguments = ("reduce", "in.jar", *command, "--each", "-o", "bugs", "-q", "--algorithm", "binary")
    assert jarlet(*arguments, "--granularity", "class").returncode == 0
    before = seen(here / "bugs")
    assert {"1.jar", "1.json", "2.jar", "2.json"} <= before.keys()
    done = jarlet(*arguments, "--granularity", "class")
    assert done.returncode == 2
    assert "is not empty" in done.stderr
    assert seen(here / "bugs") == before


def test_what_is_removed_during_the_run_is_there_at_its_end(jarlet: Run, here: Path) -> None:
    out, report = here / "results" / "out.jar", here / "reports" / "report.json"
    out.parent.mkdir()
    report.parent.mkdir()
    predicate = f"sh -c 'rm -rf {here}/results {here}/reports; grep -q [.]class $1' sh {{jar}}"
    done = jarlet("reduce", "in.jar", "--predicate", predicate, *TRUE[2:], "-o", out, "--report", report)
    assert done.returncode == 0, done.stderr
    left = json.loads(report.read_text())["output"]
    with zipfile.ZipFile(out) as archive:
        assert sum(info.file_size for info in archive.infolist()) == left["bytes"]


def test_the_longest_name_that_there_can_be(jarlet: Run, here: Path) -> None:
    name = "x" * 250 + ".jar"
    done = jarlet("reduce", "in.jar", *TRUE, "-o", name)
    assert done.returncode == 0, done.stderr
    assert (here / name).exists()
    done = jarlet("graph", "in.jar", "-o", f"xx{name}")
    assert (done.returncode, len(done.stderr.splitlines())) == (2, 1)
    assert "File name too long" in done.stderr


def test_an_output_that_is_there_is_replaced_and_only_at_the_end(jarlet: Run, here: Path) -> None:
    assert jarlet("graph", "lib.jar", "-o", "graph.dot").returncode == 0
    before = (here / "graph.dot").read_bytes()
    assert jarlet("graph", "none.jar", "-o", "graph.dot").returncode == 2
    assert (here / "graph.dot").read_bytes() == before
    for kind in ("dot", "json", "graphml", "svg", "png", "dot"):
        assert jarlet("graph", "in.jar", "--format", kind, "-o", "graph.dot").returncode == 0
    assert (here / "graph.dot").read_bytes() == before


def test_the_window_s_exports_keep_off_the_input(jarlet: Run, here: Path) -> None:
    before = seen(here)
    jar = str(here / "in.jar")
    lines: list[dict[str, object]] = [{"command": "open", "paths": [jar]}]
    process = subprocess.Popen(
        [sys.executable, "-m", "core.command_loop"],
        cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
    )  # fmt: skip
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        for line in lines:
            process.stdin.write(json.dumps(line) + "\n")
        process.stdin.flush()
        events = (json.loads(line) for line in process.stdout)
        assert next(event for event in events if event["event"] == "opened")
        for what in ("jar", "svg", "dot"):
            command = {"command": "export", "what": what, "path": str(here / "hard.jar")}
            process.stdin.write(json.dumps(command) + "\n")
            process.stdin.flush()
            failed = next(event for event in events if event["event"] in ("failed", "exported"))
            assert "is the input itself" in failed["message"]
        command = {"command": "export_step", "step": {}, "path": jar}
        process.stdin.write(json.dumps(command) + "\n")
        process.stdin.flush()
        failed = next(event for event in events if event["event"] in ("failed", "exported"))
        assert "is the input itself" in failed["message"]
    finally:
        process.stdin.close()
        process.wait(patience())
        process.stdout.close()
    assert seen(here) == before
