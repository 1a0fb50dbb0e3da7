"""The command line as a user meets it: exit codes, what it prints and what it leaves behind."""

import json
import os
import signal
import subprocess
import sys
import time
import zipfile
from pathlib import Path

import pytest

from app import terminal
from app.cli import described, main
from app.commands import progress
from app.terminal import guarded_streams
from core.library.jdk import QUICK_TOOL
from core.protocol import events
from core.protocol.wire import PROTOCOL
from tests.support.patience import patience
from tests.support.rows import rows

ROOT = Path(__file__).resolve().parents[2]
RUNS_MAIN = "java -Xshare:auto -XX:TieredStopAtLevel=1 -cp {jar} sample.Main"
FAILURE = "ArithmeticException: zero has no reciprocal"
BINARY = ("--algorithm", "binary")
"""Whole classes by binary search: a handful of runs."""


def names(jar):
    with zipfile.ZipFile(jar) as archive:
        return set(archive.namelist())


def test_reduce_the_sample_and_see_it_still_fail(program, sample_jar, tmp_path, temporary):
    before = sample_jar.read_bytes()
    process = program(
        "reduce", sample_jar, "--predicate", RUNS_MAIN, "--match", FAILURE, *BINARY, "-o", "out.jar", "--report", "r"
    )
    _, err = process.communicate(timeout=patience())
    assert process.returncode == 0, err
    report = json.loads((tmp_path / "r").read_text())
    kept = names(tmp_path / "out.jar")
    assert {"sample/Main.class", "sample/number/Rational.class"} <= kept
    assert len(kept) == report["output"]["classes"] < report["input"]["classes"] / 4
    assert report["reason"] == "done"
    assert report["certificate"]["final_interesting"] == report["certificate"]["final_checks"] == 1
    sizes = [step["bytes"] for step in report["timeline"]]
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[-1] == report["output"]["bytes"]
    again = subprocess.run(
        RUNS_MAIN.replace("{jar}", str(tmp_path / "out.jar")).split(), capture_output=True, text=True, check=False
    )
    assert FAILURE in again.stderr
    with zipfile.ZipFile(sample_jar) as old, zipfile.ZipFile(tmp_path / "out.jar") as new:
        assert all(old.read(name) == new.read(name) for name in kept)
    assert sample_jar.read_bytes() == before
    assert list(temporary.iterdir()) == []


@pytest.mark.slow
def test_reduce_below_the_class_with_two_jobs(jarlet, sample_jar, tmp_path):
    command = "sh -c 'grep -aq reciprocal $1/sample/number/Rational.class && test -f $1/sample/Main.class' - {classes}"
    kept = ("--keep", "sample.number.Rational.toString:*")
    run = ("reduce", sample_jar, "--predicate", command, "--algorithm", "gbr", *kept)
    done = jarlet(*run, "-o", "one.jar", "--report", "report.json", "--session", "s")
    assert done.returncode == 0, done.stderr
    report = json.loads((tmp_path / "report.json").read_text())
    assert report["output"]["bytes"] < report["input"]["bytes"] / 20
    assert report["output"]["items"]["method"] >= report["output"]["items"]["code"]
    listing = subprocess.run(
        ["javap", *QUICK_TOOL, "-cp", "one.jar", "sample.number.Rational"],
        capture_output=True,
        text=True,
        check=True,
        cwd=tmp_path,
    )
    assert "java.lang.String toString()" in listing.stdout
    assert "compareTo" not in listing.stdout
    # what was answered is not run again, and several workers find the same
    done = jarlet("reduce", "--resume", "s.jarlet", "--jobs", "2", "-o", "two.jar", "--report", "report.md")
    assert done.returncode == 0, done.stderr
    assert "(0 of the search" in done.stdout
    assert (tmp_path / "two.jar").read_bytes() == (tmp_path / "one.jar").read_bytes()
    text = (tmp_path / "report.md").read_text()
    for part in ("# Failure on sample.jar, reduced", "exit code 0", "class sample.Main"):
        assert part in text


def test_one_jar_a_failure(jarlet, sample_jar, tmp_path):
    # the names of a jar's entries stand in it as they are
    command = "grep -aoE 'sample/number/(Rational|Interval)[.]class' {jar}"
    named = ("--failures-as", "(Rational|Interval)", "--failures", "at least", "--preserve", "exit")
    done = jarlet("reduce", sample_jar, "--predicate", command, *named, *BINARY, "--each", "-q", "-o", "bugs")
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert [line.rpartition(": ")[2] for line in lines[:2]] == ["Interval", "Rational"]
    assert "2 failures, " in lines[2], "a table of bugs"
    for number, name in ((1, "Interval"), (2, "Rational")):
        kept = names(tmp_path / f"bugs/{number}.jar")
        assert f"sample/number/{name}.class" in kept
        report = json.loads((tmp_path / f"bugs/{number}.json").read_text())
        assert name in report["final"]["failures"]
        assert report["output"]["classes"] == len([one for one in kept if one.endswith(".class")]) < 10


def test_presets_are_listed_and_used(jarlet, sample_jar, tmp_path):
    listed = jarlet("presets")
    assert listed.returncode == 0
    assert {"run", "verify", "procyon"} <= {line.split()[0] for line in listed.stdout.splitlines() if line[0] != " "}
    assert "--set main=" in jarlet("presets", "run").stdout
    done = jarlet("reduce", sample_jar, "--preset", "run", "--set", "main=sample.Main", *BINARY, "-o", "out.jar")
    assert done.returncode == 0, done.stderr
    assert "sample/number/Rational.class" in names(tmp_path / "out.jar")


@pytest.mark.guarded
def test_events_as_lines_are_the_stream_of_the_engine(jarlet, sample_jar):
    done = jarlet("reduce", "--sample", "-o", "out.jar", "--json", "--algorithm", "closure")
    events = [json.loads(line) for line in done.stdout.splitlines()]
    kinds = [event["event"] for event in events]
    assert [kinds.index(kind) for kind in ("opened", "checked", "started", "trying", "probed", "finished")] == sorted(
        kinds.index(kind) for kind in ("opened", "checked", "started", "trying", "probed", "finished")
    )
    assert (kinds[0], events[0]["protocol"]) == ("versions", PROTOCOL)
    assert kinds[-1] == "finished"
    assert events[-1]["probes"] == sum(event["event"] == "probed" and event["origin"] == "run" for event in events)
    assert done.stderr == ""


@pytest.mark.slow
def test_the_same_input_gives_the_same_jar(jarlet, sample_jar, tmp_path):
    for name in ("one.jar", "two.jar"):
        assert jarlet("reduce", "--sample", *BINARY, "-q", "-o", name).returncode == 0
    assert (tmp_path / "one.jar").read_bytes() == (tmp_path / "two.jar").read_bytes()


@pytest.mark.guarded
def test_a_limit_keeps_the_best_so_far_and_says_so(jarlet, sample_jar, tmp_path):
    done = jarlet("reduce", "--sample", "-o", "out.jar", "--max-probes", "5", "--report", "r.json")
    assert done.returncode == 3
    assert json.loads((tmp_path / "r.json").read_text())["probes"]["run"] == 5
    assert (
        FAILURE
        in subprocess.run(
            ["java", "-cp", tmp_path / "out.jar", "sample.Main"], capture_output=True, text=True, check=False
        ).stderr
    )


@pytest.mark.parametrize(
    "number",
    [
        signal.SIGTERM,
        *(pytest.param(one, marks=pytest.mark.slow) for one in (signal.SIGINT, signal.SIGHUP, signal.SIGQUIT)),
    ],
)
def test_a_signal_keeps_the_best_so_far(program, sample_jar, tmp_path, temporary, processes, number):
    marker = f"0.3{os.getpid()}"
    script = tmp_path / "slow.sh"
    script.write_text(f"#!/bin/sh\nsleep {marker}\ngrep -q Rational.class $1\n")
    script.chmod(0o755)
    process = program(
        "reduce", sample_jar, "--predicate", "./slow.sh {jar}", "-o", "o.jar", "--json", "--algorithm", "ddmin"
    )
    for line in process.stdout:
        if json.loads(line)["event"] == "accepted":
            break
    process.send_signal(number)
    out, err = process.communicate(timeout=patience())
    assert process.returncode == 130, err
    assert json.loads(out.splitlines()[-1])["reason"] == "stopped"
    assert "sample/number/Rational.class" in names(tmp_path / "o.jar")
    assert processes(marker) == []
    assert list(temporary.iterdir()) == []


def test_after_kill_9_the_best_so_far_is_there_and_leftovers_are_swept(
    jarlet, program, sample_jar, tmp_path, temporary
):
    process = program("reduce", "--sample", "-o", "o.jar", "--json", "--algorithm", "ddmin")
    told = (json.loads(line)["event"] for line in process.stdout)
    assert "vouched" in told, "until the rest of the check has vouched for the input, nothing is written"
    assert "accepted" in told
    process.kill()
    process.communicate()
    assert "sample/number/Rational.class" in names(tmp_path / "o.jar")
    left = [path for path in temporary.glob("jarlet-*") if path.is_dir()]
    assert left
    jarlet("check", "--sample", "--runs", "1")
    assert not any(path.exists() for path in left)


def test_inspect_and_graph(jarlet, sample_jar, tmp_path):
    text = jarlet("inspect", sample_jar).stdout
    facts = json.loads(jarlet("inspect", sample_jar, "--json").stdout)
    assert f"{facts['classes']} classes in {facts['packages']} packages" in text
    graph = json.loads(jarlet("graph", sample_jar).stdout)
    assert len(graph["classes"]) == facts["classes"]
    assert len(graph["edges"]) == facts["dependencies"]
    for kind, start in (("dot", b"digraph"), ("graphml", b"<?xml"), ("svg", b"<?xml"), ("png", b"\x89PNG")):
        for words in (("--format", kind, "-o", "g"), ("-o", f"g.{kind}")):
            assert jarlet("graph", sample_jar, *words).returncode == 0
            assert start in (tmp_path / words[-1]).read_bytes()[:200]


def test_help_names_every_command(jarlet):
    text = jarlet("--help").stdout
    for command in ("reduce", "check", "inspect", "graph"):
        assert command in text
        assert jarlet(command, "--help").returncode == 0


@pytest.mark.parametrize("command", ["reduce", "check"])
def test_help_tells_what_becomes_of_processes_that_are_left(jarlet, command):
    text = " ".join(jarlet(command, "--help").stdout.split())
    assert "all processes that it started are killed. On Linux that includes daemons" in text
    assert " exit codes: 0 done" in text


PROCYON_FAILS = {
    "p/Rules.java": """
package p;
import java.util.*;
public class Rules {
    enum Name { A, B }
    enum Type { X, Y }
    private static final Map<Name, Map<Type, Map<String, Map<String, List<Rules>>>>> RULES = new EnumMap<>(Name.class);
    public static Map<String, List<Rules>> find(Name name, Type type, String language) {
        final Map<String, List<Rules>> rules = RULES.get(name).get(type).get(language);
        if (rules == null) throw new IllegalArgumentException(String.format("No rules for %s, %s", name, type));
        return rules;
    }
}
""",
    **{f"q/Other{i}.java": f"package q; public class Other{i} {{ Other{(i + 1) % 6} next; }}" for i in range(6)},
    "q/User.java": "package q; public class User { Other0 other; p.Rules rules; }",
}


@pytest.mark.slow
def test_a_decompilers_bug_is_reduced_with_procyon_and_javac(jarlet, compile_java, tmp_path):
    if not Path("/usr/bin/procyon").exists():
        pytest.skip("procyon-decompiler is not installed (packaging/setup.sh --test installs it)")
    script = ROOT / "resources" / "predicates" / "procyon-javac.sh"
    done = jarlet(
        "reduce", compile_java(PROCYON_FAILS), "--predicate", f"{script} {{jar}}", "--preserve", "out",
        "--algorithm", "binary", "-o", "out.jar", "--timeout", "100",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert names(tmp_path / "out.jar") == {"p/Rules.class", "p/Rules$Name.class", "p/Rules$Type.class"}


def test_the_model_below_the_class(jarlet, sample_jar, tmp_path):
    facts = json.loads(jarlet("inspect", sample_jar, "--granularity", "full", "--json").stdout)["model"]
    assert facts["items"]["class"] == 64
    assert facts["items"]["method"] > facts["items"]["field"] > 0
    assert 0.85 < facts["edge_share"] < 1
    assert {"S1", "K3", "M3"} <= facts["clauses_by_rule"].keys()
    done = jarlet("sample", sample_jar, "--count", "3", "--seed", "4", "-o", "samples")
    assert done.returncode == 0
    jars = sorted((tmp_path / "samples").iterdir())
    assert [path.name for path in jars] == ["sample-1.jar", "sample-2.jar", "sample-3.jar"]
    assert all(zipfile.is_zipfile(path) for path in jars)


def test_why(jarlet, sample_jar):
    needed = jarlet("why", sample_jar, "fji/I").stdout
    assert "fji.A is a subtype of fji.I: a class that implements an interface needs it [H1]" in needed
    chain = jarlet("why", sample_jar, "fji.I", "fji.A<fji.I").stdout.splitlines()
    assert chain == [
        "fji.A is a subtype of fji.I stays, so fji.I must:",
        "  fji.A is a subtype of fji.I -> fji.I: a class that implements an interface needs it [H1]",
    ]
    done = jarlet("why", sample_jar, "fji/Q")
    assert done.returncode == 2
    assert "There is no item 'fji/Q'" in done.stderr


@rows("command", described())
def test_every_command_says_what_it_takes(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([command, "--help"]) == 0
    assert f"jarlet {command}" in capsys.readouterr().out


def test_a_reduction_that_an_empty_jar_would_end_ends_at_once(sample_jar, tmp_path, capfd):
    wanted = ["reduce", str(sample_jar), "--predicate", "echo boom", "-o", str(tmp_path / "out.jar"), "-q"]
    assert main(wanted) == 1
    assert "There is nothing to reduce: an empty jar is interesting too" in capfd.readouterr().err
    assert main([*wanted, "--keep", "sample.Main", *BINARY]) == 0, "what is pinned stays, so the result is not empty"


def test_what_goes_on_is_told_where_nothing_was_printed(sample_jar, monkeypatch, capfd):
    monkeypatch.setattr(terminal, "SILENT", 0.3)
    assert main(["check", str(sample_jar), "--predicate", "sh -c 'sleep 1; : {jar}'", "--runs", "1"]) == 0
    assert "Still checking whether the full input shows what is asked for, for " in capfd.readouterr().err


def test_a_long_start_of_the_program_is_told(sample_jar, monkeypatch, capfd):
    said = []

    class Slow:
        """The module of the command is there once the line was printed."""

        @staticmethod
        def find_spec(name, path=None, target=None):
            deadline = time.monotonic() + patience()
            waits = name == "app.commands.reducing"
            while waits and "Still running" not in "".join(said) and time.monotonic() < deadline:
                said.append(capfd.readouterr().err)
                time.sleep(0.05)

    monkeypatch.setattr(terminal, "SILENT", 0.1)
    monkeypatch.delitem(sys.modules, "app.commands.reducing", raising=False)
    monkeypatch.setattr(sys, "meta_path", [Slow, *sys.meta_path])
    assert main(["check", str(sample_jar), "--predicate", "sh -c ': {jar}'", "--runs", "1"]) == 0
    assert "Still running 'jarlet check', for " in "".join(said)


def test_a_beat_tells_of_the_probe_that_runs_and_of_the_last_one(monkeypatch, capfd):
    monkeypatch.setattr(terminal, "SILENT", 0.1)
    with guarded_streams(), progress.Heartbeat(lambda event: None) as beat:
        beat(events.Trying(1, "", 3, 500, 0, False))
        beat(events.Ended(1, 0, 2.0, "interesting", False))
        beat(events.Trying(2, "", 1, 100, 0, False))
        deadline = time.monotonic() + patience()
        while "probe 2" not in (said := capfd.readouterr().err) and time.monotonic() < deadline:
            time.sleep(0.05)
    assert "Still running probe 2 (1 class, 100 B), for " in said
    assert said.rstrip().endswith("Last: probe 1, interesting after 2.0 s.")
    with guarded_streams(), terminal.told_while("working"), terminal.told_while("looking for g:a:1"):
        while "Still looking for g:a:1, for 0 s." not in capfd.readouterr().err and time.monotonic() < deadline:
            time.sleep(0.05)
    assert time.monotonic() < deadline


def test_silence_counts_from_the_start_of_the_program(capfd):
    began = time.monotonic() - 60
    with guarded_streams(began), terminal.told_while("starting", began=began), terminal.told_while("no", quiet=True):
        time.sleep(2 * terminal.SILENT / 8)
        assert capfd.readouterr().err == ""
    with guarded_streams(began), terminal.told_while("starting", began=began):
        while not (said := capfd.readouterr().err) and time.monotonic() < began + 60 + patience():
            time.sleep(0.05)
    assert said.startswith("Still starting, for 6")
