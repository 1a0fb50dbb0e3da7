"""What a run says of itself: in what its result is minimal, what ended it, what it took. Load changes nothing."""

from __future__ import annotations

import json
import random
import time

import pytest

from app.cli import main
from core.archive.packer import Packer
from core.predicate.predicate import Predicate
from core.predicate.verdict import Outcome, Verdict
from core.protocol.settings import Settings
from core.report.reduction_report import PARTS
from core.service.head_start import HeadStart
from core.service.workspace import Workspace
from core.store.fingerprint import Fingerprint

RATIONAL = "sample/number/Rational"
GREP = f"sh -c 'unzip -p {{jar}} {RATIONAL}.class | grep -q reciprocal'"


@pytest.fixture
def run(tmp_path, monkeypatch, capfd):
    """``run(...)``: exit code and both outputs of ``jarlet reduce JAR ...`` in ``tmp_path``."""
    monkeypatch.chdir(tmp_path)

    def command(*arguments):
        code = main(["reduce", *map(str, arguments)])
        return code, *capfd.readouterr()

    return command


class Loaded(Predicate):
    """The grep as a predicate of this process, on a machine that is now quick, now slow."""

    packer = Packer()
    timeout = None
    reference = None

    def __init__(self, slow: float) -> None:
        self._slow = slow
        self._random = random.Random(slow)

    def calibrated(self, entries, work, cancel=None):
        return self, self.probe(entries, work, cancel)

    def limited(self, timeout):
        return self

    def observed(self, environment):
        return self

    def relative_to(self, reference):
        return self

    def repacked(self, packer):
        return self

    def portable(self):
        return self

    def probe(self, entries, work, cancel=None, seconds=None) -> Outcome:
        lasted = self._random.uniform(0, self._slow)
        time.sleep(lasted / 1000)
        data = dict(entries).get(f"{RATIONAL}.class", b"")
        # not monotone: what is left besides decides as well
        yes = b"reciprocal" in data and sum(map(len, dict(entries).values())) % 7 != 3
        return Outcome(Verdict.INTERESTING if yes else Verdict.NOT_INTERESTING, lasted, int(not yes), "")

    confirm = probe

    def shell_line(self, work) -> str:
        return ""

    def versions(self):
        return {}

    def describe(self) -> str:
        return ""

    def close(self) -> None:
        """Holds nothing."""


@pytest.mark.slow
def test_neither_load_nor_workers_change_what_auto_finds(sample_jar, tmp_path, monkeypatch):
    found = []
    for jobs, slow in ((1, 0.02), (1, 20.0), (4, 0.02), (2, 20.0)):
        loaded = Loaded(slow)
        monkeypatch.setattr("core.service.preparation.mark_of", lambda *_: Fingerprint({}))
        workspace = Workspace(lambda event: None, begun=HeadStart(tmp_path, lambda *_, loaded=loaded: loaded))
        workspace.open([str(sample_jar)])
        out = tmp_path / "out.jar"
        settings = Settings(predicate="loaded", jobs=jobs, check_runs=1)
        counts = workspace.reduce(settings, out).counts
        report = workspace.last_report
        found.append(
            (
                out.read_bytes(),
                (counts.probes, counts.cached, counts.invalid, counts.verdicts, counts.contradictions),
                [(phase["reason"], phase["probes"], phase["gained"]) for phase in report["phases"]],
                report["certificate"],
            )
        )
        workspace.close()
    assert found[0][1][0] > 15
    assert all(one == found[0] for one in found[1:])


def test_a_report_says_in_what_the_result_is_minimal_and_counts_all_runs(run, sample_jar, tmp_path):
    log = tmp_path / "log"
    command = f"sh -c 'echo >>{log}; unzip -p {{jar}} {RATIONAL}.class | grep -q reciprocal'"
    code, out, _ = run(sample_jar, "--predicate", command, "-o", "o.jar", "--report", "r.json", "--jobs", "1")
    report = json.loads((tmp_path / "r.json").read_text())
    assert code == 0
    levels = report["certificate"]["one_minimal"]
    assert levels["classes"] == levels["items"] == "yes"
    assert levels["instructions"] == "yes" or levels["instructions"].startswith("not checked")
    probes, seconds = report["probes"], report["seconds"]
    assert (
        probes["total"] == len(log.read_text().splitlines()) == probes["check"] + probes["run"] + probes["confirmation"]
    )
    assert probes["check"] >= 1
    assert probes["confirmation"] >= 1
    assert seconds["total"] == pytest.approx(sum(seconds[name] for name in PARTS), abs=0.01)
    assert seconds["check"] > 0
    assert f"{probes['total']} probes" in out
    assert "1-minimal (no single one can go): classes: yes; items: yes; instructions: " in out


@pytest.mark.guarded
def test_a_run_that_a_limit_ended_says_so(run, sample_jar, tmp_path):
    limited = (sample_jar, "--predicate", GREP, "-o", "o.jar", "--max-probes", "3")
    quick = ("--algorithm", "binary", "--granularity", "class")
    for kind, more in (("json", ()), ("md", quick), ("html", quick)):
        code, out, _ = run(*limited, *more, "--report", f"r.{kind}")
        assert code == 3
        assert "Cut short by the limit of probes" in out
        text = (tmp_path / f"r.{kind}").read_text()
        if kind == "json":
            levels = json.loads(text)["certificate"]["one_minimal"]
            assert set(levels.values()) == {"not checked, ended by the limit of probes"}
        else:
            assert "cut short by the limit of probes" in text
            assert "not checked, ended by the limit of probes" in text


def test_a_time_limit_ends_the_check_too(run, sample_jar, tmp_path):
    code, _, err = run(
        sample_jar, "--predicate", "sh -c 'sleep 100000'", "-o", "o.jar", "--time-limit", "0.5", "--report", "r.md"
    )
    assert code == 3
    assert "The time limit of 0.5 s ended the check of the input" in err
    assert "Traceback" not in err
    assert not (tmp_path / "o.jar").exists()
    assert not (tmp_path / "r.md").exists()


def test_what_the_check_took_counts_to_the_limit(run, sample_jar, tmp_path):
    code, _, err = run(
        sample_jar, "--predicate", "sh -c 'sleep .5; grep -q [.]class $1' sh {jar}",
        "-o", "o.jar", "--time-limit", "2", "--report", "r.json", "--algorithm", "naive", "--granularity", "class",
    )  # fmt: skip
    assert code == 3, err
    if "ended the check" not in err:  # on a machine that is busy enough
        seconds = json.loads((tmp_path / "r.json").read_text())["seconds"]
        assert seconds["check"] >= 0.5
        assert seconds["search"] < 2 - 0.25, "what the check took is left to the search"


def test_delta_debugging_of_classes_is_minimal_in_classes_alone(run, sample_jar, tmp_path):
    run(
        sample_jar, "--predicate", GREP, "-o", "o.jar", "--report", "r.json",
        "--algorithm", "ddmin", "--granularity", "class",
    )  # fmt: skip
    levels = json.loads((tmp_path / "r.json").read_text())["certificate"]["one_minimal"]
    untried = "not checked, no phase tried them"
    assert levels == {"classes": "yes", "items": untried, "instructions": untried}
