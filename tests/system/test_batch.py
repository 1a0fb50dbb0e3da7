"""``jarlet batch`` and ``jarlet bench corpus`` as a user meets them: exit codes, what they leave behind."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import signal
import time
import zipfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from app import cli
from app.bench.corpus_bench import Bench, BenchRun
from app.bench.milestones import mean
from app.bench.plots import mean_steps
from app.bench.report import write_all
from core.batch import corpus
from core.batch.corpus import Case, Subject
from core.batch.executors import Local
from core.errors import UsageError
from tests.support.patience import patience

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
    assert len(done.stderr.splitlines()) == 4
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


@pytest.mark.parametrize(
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


BROKEN = {
    "p/Breaks.java": "package p; public class Breaks extends Gone { Near near; }",
    "p/Near.java": 'package p; public class Near { int near; String text() { return "near" + near; } }',
    "p/Gone.java": "package p; public class Gone { }",
    **{f"q/Far{i}.java": f"package q; public class Far{i} {{ Far{(i + 1) % 4} next; }}" for i in range(4)},
}


@pytest.fixture
def bench(tmp_path: Path, compile_java: Callable[..., Path], sample_jar: Path) -> Bench:
    """Two cases of the preset that verifies: one whose class cannot be loaded, one that has nothing wrong."""
    classes = compile_java(BROKEN)
    root = tmp_path / "bench" / "root"
    root.mkdir(parents=True)
    with zipfile.ZipFile(root / "broken.jar", "w") as archive:
        for path in sorted(classes.rglob("*.class")):
            if path.name != "Gone.class":
                archive.write(path, path.relative_to(classes))
    shutil.copyfile(sample_jar, root / "sound.jar")
    cases = []
    for name in ("broken", "sound"):
        digest = hashlib.sha256((root / f"{name}.jar").read_bytes()).hexdigest()
        cases.append(Case(Subject(name, "none", "1", f"{name}.jar", digest, 5, 1000, {"verify": 1}), "verify"))
    return Bench(tmp_path / "bench", cases, ("closure", "binary"), 60.0)


@pytest.mark.slow
def test_the_corpus_bench(bench: Bench) -> None:
    told: list[str] = []
    with Local(2) as executor:
        assert bench.run(executor, told.append)
    broken, sound = bench.cases
    found = {name: bench.report(BenchRun(broken, name)) for name in bench.algorithms}
    assert all(report is not None and report["reason"] == "done" for report in found.values())
    assert all(report["kept"] == ["p/Breaks.class", "p/Near.class"] for report in found.values() if report)
    assert bench.skipped(broken) == ""
    assert "not interesting" in bench.skipped(sound)
    assert sum("sound-verify is skipped" in line for line in told) == 1
    assert not list(bench.place(broken).glob("*.jarlet"))
    text = write_all(bench)
    # a table with a row for each algorithm; one with a row for each case comes after it
    found_rows = [line.split("|")[1:-1] for line in text.splitlines() if line.startswith("| broken")]
    rows = [row for row in found_rows if row[2].strip().startswith("`")]
    assert [row[2].strip() for row in rows] == ["`closure`", "`binary`"]
    assert "over 1 case that" in text
    assert "* sound-verify: " in text
    assert (bench.folder / "tables.md").read_text() == text
    for name in ("reduction", "probes", "frequency"):
        picture = (bench.folder / f"{name}.svg").read_text()
        assert picture.count("<polyline") == 2
    # what was interrupted has not ended
    cut = bench.place(broken) / "binary.json"
    whole = cut.read_text()
    cut.write_text(whole.replace('"reason": "done"', '"reason": "stopped"'))
    assert bench.report(BenchRun(broken, "binary")) is None
    # one that went on counts with all its parts, and not where it is seen what was left when
    report = json.loads(whole)
    report["probes"]["recalled"], report["seconds"]["before"] = 1000, 5000.0
    cut.write_text(json.dumps(report))
    row = next(line for line in write_all(bench).splitlines() if "`binary`+" in line).split("|")
    assert int(row[6]) == 1000 + report["probes"]["run"]
    assert float(row[7]) >= 5000
    assert "Bytes left after probes" not in write_all(bench)
    cut.write_text(whole)
    # what has ended is not run again
    times = {path: path.stat().st_mtime_ns for path in bench.folder.rglob("*.json")}
    with Local(1) as executor:
        assert bench.run(executor, told.append)
    assert {path: path.stat().st_mtime_ns for path in bench.folder.rglob("*.json")} == times


def test_tables_can_be_written_before_the_first_run(bench: Bench) -> None:
    text = write_all(bench)
    assert "; at most 60 s a run; delta debugging as published." in text
    assert "; ;" not in text
    assert "over 0 cases" in text
    assert not (bench.folder / "reduction.svg").exists()


def test_the_list_of_the_corpus() -> None:
    found = corpus.cases()
    assert len({case.name for case in found}) == len(found) > 60
    assert [case.weight for case in found] == sorted(case.weight for case in found)
    assert [case.name for case in corpus.cases(["3"])] == [case.name for case in found[:3]]
    assert {case.preset for case in corpus.cases(["gson"])} == {"procyon", "fernflower", "cfr", "vineflower"}
    assert [case.name for case in corpus.cases(["gson-cfr"])] == ["gson-cfr"]
    assert {case.preset for case in corpus.cases(presets=["cfr"])} == {"cfr"}
    standard = corpus.cases(["standard"])
    assert Counter(case.preset for case in standard) == {"procyon": 10, "cfr": 10, "vineflower": 10}
    assert len({case.subject.package for case in standard}) >= 20
    with pytest.raises(UsageError, match="None of the standard cases is for fernflower"):
        corpus.cases(["standard"], ["fernflower"])
    with pytest.raises(UsageError, match="no case 'gsom'"):
        corpus.cases(["gsom"])
    with pytest.raises(UsageError, match="no cases for jad"):
        corpus.cases(presets=["jad"])


def test_means() -> None:
    assert mean([0.01, 1.0]) == pytest.approx(0.1)
    runs = [[(1.0, 0.5), (3.0, 0.1)], [(2.0, 0.3)]]
    points = mean_steps(runs, 4.0)
    assert points[0] == (0.0, 1.0)
    assert [(at, pytest.approx(share)) for at, share in points[2::2]] == [(1.0, 0.75), (2.0, 0.4), (3.0, 0.2)]
    assert points[-1] == (4.0, pytest.approx(0.2))
    assert mean_steps([[(9.0, 0.1)]], 4.0) == [(0.0, 1.0), (4.0, 1.0)]


def test_the_bench_refuses_what_it_does_not_know(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for words, message in (
        (["--cases", "nothing"], "no case 'nothing'"),
        (["--algorithms", "best"], "There is no algorithm 'best'"),
        (["--presets", "jad"], "no cases for jad"),
        (["--parallel", "0"], "it is 0"),
    ):
        assert cli.main(["bench", "corpus", "--folder", str(tmp_path / "none"), *words]) == 2
        assert message in capsys.readouterr().err
    assert not (tmp_path / "none").exists()
