"""The list of programs that must still run, what is made for their commands, and how runs are summed up."""

from __future__ import annotations

import dataclasses
import hashlib
import shutil
from pathlib import Path

import pytest

from core.batch.executors import Local
from core.errors import InputError, UsageError
from core.protocol.settings import Settings
from core.service.meaning import understood
from tests.bench.suite.corpus import Store, Subject
from tests.bench.suite.corpus_bench import Bench, BenchRun
from tests.bench.suite.milestones import Course, Moment, milestones, step_rows
from tests.bench.suite.plots import bars
from tests.bench.suite.programs import Program, load, programs
from tests.bench.suite.report import RESULTS, write_all


def test_the_list_of_programs() -> None:
    found = load()
    assert len(found) == len({program.name for program in found}) == 10
    assert [program.weight for program in programs()] == sorted(program.weight for program in found)
    assert [program.name for program in programs(["2"])] == ["jtidy", "bsh"]
    assert [program.name for program in programs(["h2"])] == ["h2"]
    with pytest.raises(UsageError, match="no program 'h3': choose among ant, antlr"):
        programs(["h3"])


def test_each_says_what_must_stay_the_same(tmp_path: Path) -> None:
    store = Store(tmp_path)
    for program in load():
        settings = understood(Settings(**program.asked(store, tmp_path)))
        assert settings.preserve or settings.match or settings.failures_as
        assert "{library}" not in settings.predicate
        assert "{tools}" not in settings.predicate
        assert "{jar}" in settings.predicate


@pytest.fixture
def program(tmp_path: Path, sample_jar: Path) -> Program:
    """A program that lists the entries of its input and fails without one of them."""
    (tmp_path / "root").mkdir()
    shutil.copyfile(sample_jar, tmp_path / "root" / "sample.jar")
    digest = hashlib.sha256(sample_jar.read_bytes()).hexdigest()
    subject = Subject("sample", "none", "1", "sample.jar", digest, 3, 1000)
    return Program(
        subject,
        "a test",
        "sh -c '[ \"$(cat {file:made} {file:given})\" = JARLET-given ] && unzip -l {jar} >/dev/null && exit 3'",
        {"expect_exit": 3},
        {"given": "-given\n"},
        "sh -c 'test -f {jar} && printf JARLET > made'",
    )


def test_files_are_made_once(program: Program, tmp_path: Path) -> None:
    store, folder = Store(tmp_path), tmp_path / "case"
    assert program.get(store, folder) == []
    made = folder / "files" / "made"
    assert made.read_text() == "JARLET"
    made.write_text("kept")
    program.get(store, folder)
    assert made.read_text() == "kept"
    assert str(made.resolve()) in str(program.asked(store, folder)["predicate"])


def test_what_cannot_be_made_is_told(program: Program, tmp_path: Path) -> None:
    broken = dataclasses.replace(program, prepare="sh -c 'echo no such thing >&2; exit 1'")
    with pytest.raises(InputError, match=r"sample: sh .*no such thing"):
        broken.get(Store(tmp_path), tmp_path / "case")


def test_the_longest_bar_is_the_kind_that_takes_most() -> None:
    drawn = bars({"merging": 0.3, "native": 0.01, "throws": 0.0})
    assert [drawn.index(name) for name in ("merging", "native", "throws")] == sorted(
        drawn.index(name) for name in ("merging", "native", "throws")
    )
    assert ">30.0%<" in drawn
    assert ">1.0%<" in drawn


@pytest.mark.guarded
def test_a_bench_of_programs(program: Program, tmp_path: Path) -> None:
    bench = Bench(tmp_path, [program], ("binary", "closure"), 60.0, 50, classic=False)
    told: list[str] = []
    with Local(1) as executor:
        assert bench.run(executor, told.append)
    assert len(told) == 2
    probes = bench.probes_of(BenchRun(program, "binary"))
    assert probes
    assert {verdict for verdict, _ in probes} <= {"interesting", "not interesting"}
    text = write_all(bench)
    assert "| sample | a test | `binary` |" in text
    assert "`closure`: classes left after 5 probes are at most 2 times those that `binary` ends with in 1 of 1" in text
    assert all((tmp_path / name).is_file() for name in RESULTS)
    assert (tmp_path / "steps.csv").read_text().startswith("case,algorithm,probe,seconds,bytes,classes\nsample,binary,")


def course(program: Program, name: str, *moments: Moment, hung: float = 0.0) -> Course:
    return Course(program, name, moments, 150, 90.0, hung)


def test_milestones(program: Program, tmp_path: Path) -> None:
    fast = course(program, "auto", Moment(2.0, 1, 0.5, 0.4), Moment(20.0, 90, 0.1, 0.05), hung=0.25)
    slow = course(program, "binary", Moment(40.0, 12, 0.8, 0.2))
    assert fast.after_probes(12).bytes == 0.5
    assert fast.after_probes(0).bytes == 1.0
    assert fast.after_seconds(30.0).classes == 0.05
    assert fast.longest == 70.0
    assert slow.longest == 50.0
    bench = Bench(tmp_path, [program], ("auto", "binary"), 60.0, 100)
    lines = milestones(bench, [fast, slow])
    mean = next(line for line in lines if line.startswith("| `auto`"))
    assert mean == "| `auto` | 50.0% | 50.0% | 10.0% | 50.0% | 50.0% | 10.0% | 10.0% | 10.0% | 10.0% | 25.0% | 70 s |"
    assert lines[-1].endswith("`binary` ends with in 1 of 1 (sample 2.00).")
    assert step_rows([slow]).splitlines()[1] == "sample,binary,12,40.000,0.800000,0.200000"
