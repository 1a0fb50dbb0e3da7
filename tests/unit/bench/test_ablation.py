"""The heuristics that can be switched off, what a difference is, and one run without a heuristic."""

from __future__ import annotations

import hashlib
import importlib
import shutil
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace

import pytest

from core.batch.executors import Local
from core.errors import UsageError
from core.predicate.jvm.warm import WarmPredicate
from core.predicate.verdict import Outcome, Verdict
from tests.bench.suite import fresh
from tests.bench.suite.__main__ import main
from tests.bench.suite.ablation import BASE, Difference, _difference, bench_of, differences, table, verdict
from tests.bench.suite.corpus import Subject
from tests.bench.suite.corpus_bench import Bench, BenchRun
from tests.bench.suite.heuristics import HEURISTICS, Setting, chosen
from tests.bench.suite.programs import Program
from tests.bench.suite.switched_off import SharedAnswers, check_once
from tests.support.rows import rows

NOTES = Path(__file__).resolve().parents[2] / "bench" / "decisions"

SETTINGS = [setting for each in HEURISTICS for setting in each.settings]


@rows("setting", SETTINGS)
def test_each_setting_names_a_constant_and_another_value(setting: Setting) -> None:
    module = importlib.import_module(setting[0])
    before = getattr(module, setting[1])
    assert getattr(before, "__module__", setting[0]) in (setting[0], "core.reduction.control")  # where it is defined
    value = eval(setting[2], vars(module))
    assert value != before
    assert callable(value) == callable(before)


def test_each_heuristic_has_a_name_and_a_note() -> None:
    assert len({each.name for each in HEURISTICS}) == len(HEURISTICS)
    assert all(list(NOTES.glob(f"{each.note}-*.md")) for each in HEURISTICS)
    assert [each.name for each in chosen(["forecast"])] == ["forecast"]
    with pytest.raises(UsageError, match="no heuristic 'luck'"):
        chosen(["luck"])


def test_the_list_of_fresh_jars() -> None:
    found = fresh.load()
    assert len(found) == len({case.subject.name for case in found}) == 10
    assert {case.preset for case in found} == {"cfr", "procyon", "vineflower"}
    with pytest.raises(UsageError, match="no fresh case 'none'"):
        fresh.fresh(("none",))


def report(*steps: tuple[int, int], probes: int = 150) -> dict[str, object]:
    timeline = [{"probe": probe, "bytes": size} for probe, size in steps]
    return {"output": {"bytes": steps[-1][1]}, "timeline": timeline, "probes": {"run": probes}}


def test_probes_are_compared_at_the_bytes_that_both_reach() -> None:
    found = _difference(report((10, 500), (50, 200), (90, 100)), report((20, 400), (100, 200)))
    assert found == Difference(2.0, 2.0, same=False)
    assert _difference(report((10, 500)), report((10, 500))).same
    assert not _difference(report((10, 500)), report((10, 500), probes=149)).same


def test_a_heuristic_stays_where_it_brings_three_percent_on_a_set() -> None:
    same, larger, slower = Difference(1.0, 1.0, same=True), Difference(1.04, 1.0, False), Difference(1.0, 1.04, False)
    little, smaller = Difference(1.02, 1.02, same=False), Difference(0.9, 1.5, same=False)
    assert verdict([[same], [larger]]) == verdict([[slower], []]) == "stays"
    assert verdict([[little], [smaller]]) == "goes"
    assert verdict([[same], [same]]) == "no run differs"
    assert verdict([[], []]) == "not measured"


def test_answers_are_kept(tmp_path: Path) -> None:
    outcome = Outcome(Verdict.TIMED_OUT, 1.5, None, "killed", "out", "err", ("A.java: cannot",), 0.5, 0.25)
    with closing(SharedAnswers(tmp_path / "answers")) as answers:
        answers.put(b"key", outcome)
    with closing(SharedAnswers(tmp_path / "answers")) as answers:
        found, other = answers.get(b"key"), answers.get(b"other")
    assert found is not None
    assert (found.verdict, found.seconds, found.failures) == (Verdict.TIMED_OUT, 1.5, ("A.java: cannot",))
    assert found.stdout == ""
    assert other is None


def test_later_runs_know_the_check_that_the_first_run_ended_with(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    outcome = Outcome(Verdict.INTERESTING, 1.0, None, "", "", "", ("A.java: cold",))
    # resident processes find something else than the cold run, and the second command's find the same
    wrong, right = (
        SimpleNamespace(reference=name, _hosts=SimpleNamespace(using=number))
        for number, name in enumerate(("resident", "cold"))
    )
    monkeypatch.setattr(WarmPredicate, "trusting", lambda *_: (wrong, outcome))
    monkeypatch.setattr(WarmPredicate, "proved", lambda *_: right)
    with closing(SharedAnswers(tmp_path / "answers")) as answers:
        check_once(answers)
        WarmPredicate.trusting(None, (), tmp_path)  # type: ignore[arg-type]
        assert answers.check() == ("resident", outcome, 0)
        answers.put(b"key", outcome)
        WarmPredicate.proved(None, (None, outcome), (), tmp_path)  # type: ignore[arg-type]
        assert answers.check() == ("cold", outcome, 1)
        assert answers.get(b"key") is None


def test_the_table_goes_into_a_new_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    options = ["ablation", "--report-only", "--sets", "corpus", "--only", "calls", "--folder"]
    assert main([*options, str(tmp_path / "new"), "--cases", "oro-2.0.8-cfr"]) == 0
    assert (tmp_path / "new" / "ablation.md").read_text() == capsys.readouterr().out
    assert main([*options, str(tmp_path / "other"), "--cases", "oro-2.0.8-cfr,oro-2.0.8-cf"]) == 2
    assert "There is no case 'oro-2.0.8-cf' in corpus." in capsys.readouterr().err


@pytest.mark.slow
def test_a_run_without_a_heuristic(tmp_path: Path, sample_jar: Path) -> None:
    (tmp_path / "root").mkdir()
    shutil.copyfile(sample_jar, tmp_path / "root" / "sample.jar")
    digest = hashlib.sha256(sample_jar.read_bytes()).hexdigest()
    subject = Subject("sample", "none", "1", "sample.jar", digest, 3, 1000)
    case = Program(
        subject, "a test", "sh -c 'unzip -l {jar} | grep -q Rational.class && exit 3'", {"expect_exit": 3}, {}
    )
    bench = bench_of(Bench(tmp_path / "corpus", [case], (), 60.0, 20), chosen(["failure names", "freed items"]))
    told: list[str] = []
    with Local(lanes=1) as executor:
        assert bench.run(executor, told.append)
    assert len(told) == 3
    reports = [bench.report(BenchRun(case, name)) for name in bench.algorithms]
    assert bench.algorithms[0] == BASE
    assert all(each is not None and each["probes"]["run"] > 0 for each in reports)
    assert (bench.place(case) / "answers.sqlite").is_file()
    assert len(differences(bench, "freed items")) == 1
    tables = table({"corpus": bench}, chosen(["freed items"]))
    assert "| freed items | 017 | 1 |" in tables
    assert f"| corpus | {case.name} | " in tables
