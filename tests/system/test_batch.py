"""``jarlet batch`` as a user meets it: exit codes, what they leave behind."""

from __future__ import annotations

import json
import os
import signal
import time
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from app import cli
from tests.support.patience import patience
from tests.support.rows import rows

ROOT = Path(__file__).resolve().parents[2]
Jarlet = Callable[..., Any]


def listed(tmp_path: Path, text: str, sample: Path) -> Path:
    file = tmp_path / "jobs.toml"
    file.write_text(text.replace("SAMPLE", str(sample)))
    return file


JOBS = """
predicate = "grep -q Rational.class {jar}"
granularity = "class"
algorithm = "binary"

[[job]]
input = "SAMPLE"
output = "small/one.jar"

[[job]]
name = "absent"
input = "absent.jar"

[[job]]
input = "SAMPLE"
output = "small/two.jar"
predicate = "grep -q NoSuch.class {jar}"

[[job]]
input = ["SAMPLE"]
output = "small/three.jar"
report = "three-report.json"
algorithm = "ddmin"
max_probes = 3
"""


def test_jobs_that_fail_do_not_stop_the_others_and_none_is_done_twice(
    jarlet: Jarlet, tmp_path: Path, sample_jar: Path
) -> None:
    listed(tmp_path, JOBS, sample_jar)
    done = jarlet("batch", "jobs.toml", "--parallel", "2")
    assert done.returncode == 2
    results = json.loads((tmp_path / "jobs-results.json").read_text())
    states = {job["name"]: job["state"] for job in results["jobs"]}
    assert states == {"one": "done", "absent": "failed", "two": "not interesting", "three": "limit"}
    assert [line.split()[0] for line in done.stdout.splitlines()[1:5]] == list(states)
    assert "absent.jar: there is no such file" in done.stdout
    assert done.stderr.count(" of 4: ") == 4
    one, three = results["jobs"][0], results["jobs"][3]
    with zipfile.ZipFile(tmp_path / "small" / "one.jar") as archive:
        assert one["to"]["classes"] == len([name for name in archive.namelist() if name.endswith(".class")])
    probes = json.loads((tmp_path / "three-report.json").read_text())["probes"]
    assert (probes["run"], probes["total"]) == (3, three["probes"])
    # alone, the same job finds the same
    alone = jarlet(
        "reduce", sample_jar, "--predicate", "grep -q Rational.class {jar}", "--granularity", "class",
        "--algorithm", "binary", "-o", "alone.jar", "-q",
    )  # fmt: skip
    assert alone.returncode == 0
    assert (tmp_path / "alone.jar").read_bytes() == (tmp_path / "small" / "one.jar").read_bytes()

    before = (tmp_path / "small" / "one.jarlet" / "journal.sqlite").stat().st_mtime_ns
    again = jarlet("batch", "jobs.toml", "-q", "--results", "again.json")
    assert again.returncode == 2
    assert again.stderr == ""
    repeated = json.loads((tmp_path / "again.json").read_text())["jobs"]
    assert [job["before"] for job in repeated] == [True, False, False, True]
    assert [job["state"] for job in repeated] == list(states.values())
    assert (tmp_path / "small" / "one.jarlet" / "journal.sqlite").stat().st_mtime_ns == before


SLOW = """
predicate = "./slow.sh {jar}"
algorithm = "ddmin"

[[job]]
input = "SAMPLE"
output = "one.jar"

[[job]]
input = "SAMPLE"
output = "two.jar"

[[job]]
input = "SAMPLE"
output = "three.jar"
"""


@pytest.fixture
def slow_jobs(tmp_path: Path, sample_jar: Path) -> str:
    """A list of jobs whose probes are slow while there is a file ``slow``; the marker of their command lines."""
    marker = f"0.5{os.getpid()}"
    (tmp_path / "slow").touch()
    script = tmp_path / "slow.sh"
    script.write_text(f"#!/bin/sh\n[ -e {tmp_path}/slow ] && sleep {marker}\ngrep -q Rational.class $1\n")
    script.chmod(0o755)
    listed(tmp_path, SLOW, sample_jar)
    return marker


def _accepted(*jars: Path) -> None:
    end = time.monotonic() + patience(600)
    while not all((jar.with_suffix(".jarlet") / "best.jar").exists() for jar in jars):
        assert time.monotonic() < end, "no step was accepted"
        time.sleep(0.05)


@pytest.mark.slow
def test_ctrl_c_ends_all_gently_and_they_go_on(
    jarlet: Jarlet, program: Jarlet, tmp_path: Path, slow_jobs: str, processes: Callable[[str], list[int]]
) -> None:
    process = program("batch", "jobs.toml", "--parallel", "2")
    _accepted(tmp_path / "one.jar", tmp_path / "two.jar")
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=patience())
    assert process.returncode == 130
    assert processes(slow_jobs) == []
    results = json.loads((tmp_path / "jobs-results.json").read_text())["jobs"]
    assert [job["state"] for job in results] == ["stopped"] * 3
    assert "to" in results[0]
    assert "to" not in results[2]
    with zipfile.ZipFile(tmp_path / "one.jar") as archive:
        assert any(name.endswith("Rational.class") for name in archive.namelist())
    # the same job goes on: what was answered is not asked again
    (tmp_path / "slow").unlink()
    jobs = (tmp_path / "jobs.toml").read_text().split("[[job]]")
    (tmp_path / "jobs.toml").write_text("[[job]]".join([jobs[0], jobs[2]]))
    assert jarlet("batch", "jobs.toml").returncode == 0
    assert json.loads((tmp_path / "two.json").read_text())["probes"]["recalled"] > 0


@pytest.mark.slow
def test_no_job_outlives_a_batch_that_is_killed(
    program: Jarlet, tmp_path: Path, slow_jobs: str, processes: Callable[[str], list[int]]
) -> None:
    process = program("batch", "jobs.toml")
    _accepted(tmp_path / "one.jar")
    process.kill()
    process.communicate()
    end = time.monotonic() + patience()
    while not (tmp_path / "one.json").exists() or processes(slow_jobs):
        assert time.monotonic() < end, "the job did not end"
        time.sleep(0.05)
    assert json.loads((tmp_path / "one.json").read_text())["reason"] == "stopped"


@rows(
    ("text", "message"),
    [
        (None, "cannot be read"),
        ("job = ", "this is not TOML"),
        ("algorithm = 'binary'", "there are no jobs"),
        ("[[job]]\noutput = 'a.jar'", "It has no input"),
        ("[[job]]\ninput = 'a.jar'", "job 1 (a.jar): Say what the failure is"),
        ("[[job]]\ninput = 'a.jar'\npredicate = 'x'\ncolour = 1", "Unknown settings: colour"),
        ("[[job]]\ninput = 'a.jar'\npredicate = 'x'\njobs = 'many'", "The jobs must be a whole number"),
        ("predicate = 'x'\n[[job]]\ninput = 'a.jar'\n[[job]]\ninput = 'a.jar'", "is named by two jobs"),
        ("predicate = 'x'\n[[job]]\ninput = 'a.jar'\noutput = 'a.jar'", "is the output of job a and the input"),
        ("predicate = 'x'\n[[job]]\ninput = 'a.jar'\nname = 3", "must be a text"),
    ],
)
def test_a_list_that_cannot_be_used(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str | None, message: str
) -> None:
    file = tmp_path / "jobs.toml"
    if text is not None:
        file.write_text(text)
    assert cli.main(["batch", str(file)]) == 2
    assert message in capsys.readouterr().err
    assert not (tmp_path / "jobs-results.json").exists()
