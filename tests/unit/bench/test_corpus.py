"""The bench of the corpus: what it runs, leaves behind and refuses."""

from __future__ import annotations

import hashlib
import json
import shutil
import zipfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from core.batch.executors import Local
from core.errors import UsageError
from tests.bench.suite import corpus
from tests.bench.suite.__main__ import main
from tests.bench.suite.corpus import Case, Subject
from tests.bench.suite.corpus_bench import Bench, BenchRun
from tests.bench.suite.milestones import mean
from tests.bench.suite.plots import mean_steps
from tests.bench.suite.report import write_all

BROKEN = {
    "p/Breaks.java": "package p; public class Breaks extends Open { Near near; }",
    "p/Near.java": 'package p; public class Near { int near; String text() { return "near" + near; } }',
    "p/Open.java": "package p; public class Open { }",
    **{f"q/Far{i}.java": f"package q; public class Far{i} {{ Far{(i + 1) % 4} next; }}" for i in range(4)},
}
FINAL = {"p/Open.java": "package p; public final class Open { }"}
"""The supertype as it is in the jar."""


@pytest.fixture
def bench(tmp_path: Path, compile_java: Callable[..., Path], sample_jar: Path) -> Bench:
    """Two cases of the preset that verifies: one whose class cannot be loaded, one that has nothing wrong."""
    classes, later = compile_java(BROKEN), compile_java(FINAL)
    root = tmp_path / "bench" / "root"
    root.mkdir(parents=True)
    with zipfile.ZipFile(root / "broken.jar", "w") as archive:
        for path in sorted(classes.rglob("*.class")):
            newer = later / path.relative_to(classes)
            archive.write(newer if newer.exists() else path, path.relative_to(classes))
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
    assert all(
        report["kept"] == ["p/Breaks.class", "p/Near.class", "p/Open.class"] for report in found.values() if report
    )
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
        assert main(["corpus", "--folder", str(tmp_path / "none"), *words]) == 2
        assert message in capsys.readouterr().err
    assert not (tmp_path / "none").exists()
