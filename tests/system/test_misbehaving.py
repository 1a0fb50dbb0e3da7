"""Reductions with predicates that misbehave on some candidates: the result is right, and nothing is left behind."""

import json
import os
import subprocess
import sys
import time
import zipfile
from pathlib import Path

import pytest

from app.cli import main
from core.predicate.command import PredicateCommand
from core.predicate.condition import Condition
from core.predicate.limits import ProbeLimits
from core.predicate.predicate import CommandPredicate
from core.predicate.verdict import Verdict
from tests.support.files import script
from tests.support.patience import patience

ROOT = Path(__file__).resolve().parents[2]
NEEDED = {"sample/number/Rational.class", "sample/tree/Parser.class"}
ENTRIES = [("notes.txt", b"hello")]


def probe(folder, body, timeout=20.0, **limits):
    command = PredicateCommand.parse(f"{script(folder, body)} {{jar}}", folder)
    predicate = CommandPredicate(command, condition=Condition(), timeout=timeout, limits=ProbeLimits(**limits))
    return predicate.probe(ENTRIES, folder / "work")


BAD = {
    "hangs": (
        "grep -q [.]class $1 && mkdir {folder}/hung 2>/dev/null && exec sleep {marker}; exit 1",
        "timed out",
    ),  # once, since each takes its limit, and not on the jar without entries that the check runs
    "forks and hides": (
        "(env -i setsid sleep {marker} >/dev/null 2>&1 &); (setsid sleep {marker} >/dev/null 2>&1 &); exit 1",
        "not interesting",
    ),
    "prints a flood": ("yes {marker} | head -c 30000000; exit 1", "not interesting"),
    "fills the disk": ("head -c 60000000 /dev/zero >large; exit 1", "not interesting"),
    "deletes its folder": ('rm -rf "$JARLET_WORK"; exit 1', "not interesting"),
    "deletes its folder and is killed": ('rm -rf "$JARLET_WORK"; kill -KILL $$', "not interesting"),
    "dies of a signal": ("kill -SEGV $$", "not interesting"),
    "closes its outputs": ("exec >&- 2>&-; sleep 0.05; exit 1", "not interesting"),
    "leaves a folder that cannot be entered": ("mkdir -p locked/in; chmod 0 locked; exit 1", "not interesting"),
    "cannot tell": ("exit 125", "unresolved"),
}


@pytest.mark.parametrize("kind", [pytest.param(one, marks=[pytest.mark.slow] * (one == "hangs")) for one in BAD])
def test_what_misbehaves_on_candidates_that_are_not_interesting_does_not_spoil_the_result(
    kind, tmp_path, sample_jar, processes, monkeypatch, capsys
):
    marker = f"93{os.getpid()}"
    body, verdict = BAD[kind]
    wanted = " && ".join(f'grep -q {name} "$1"' for name in sorted(NEEDED))
    path = script(tmp_path, f"{wanted} && exit 0\n{body.format(marker=marker, folder=tmp_path)}")
    (tmp_path / "temporary").mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "temporary"))
    monkeypatch.chdir(tmp_path)
    limit = "5" if kind == "hangs" else "60"
    run = ["reduce", str(sample_jar), "--predicate", f"{path} {{jar}}", "--timeout", limit, "-q", "-o", "out.jar"]
    code = main([*run, "--algorithm", "binary", "--granularity", "class", "--report", "report.json"])
    assert (code, capsys.readouterr().err) == (0, "")
    with zipfile.ZipFile(tmp_path / "out.jar") as archive:
        assert set(archive.namelist()) >= NEEDED
        assert len(archive.namelist()) < 40
    verdicts = json.loads((tmp_path / "report.json").read_text())["probes"]["verdicts"]
    assert verdicts[verdict] > 0
    assert set(verdicts) - {"not interesting"} == {"interesting", verdict} - {"not interesting"}
    assert processes(f"sleep {marker}") == []
    assert list((tmp_path / "temporary").iterdir()) == []


def test_a_process_without_our_environment_is_found_by_its_folder(tmp_path, processes):
    marker = f"94{os.getpid()}"
    hidden = f"(env -i setsid sleep {marker} </dev/null >/dev/null 2>&1 &)"
    outcome = probe(tmp_path, f"mkdir deep; cd deep; {hidden}; cd ..; {hidden}; sleep 0.1; echo done")
    assert (outcome.verdict, outcome.stdout) == (Verdict.INTERESTING, "done\n")
    deadline = time.monotonic() + patience()
    while processes(f"sleep {marker}") and time.monotonic() < deadline:
        time.sleep(0.02)
    assert processes(f"sleep {marker}") == []


@pytest.mark.parametrize(
    "body",
    [
        "head -c 100000000 /dev/zero >large; exit $?",
        "exec head -c 100000000 /dev/zero >large",
        "dd if=/dev/zero of=large bs=1M count=100",
    ],
    ids=["a child", "itself", "a library's write"],
)
def test_a_file_that_grows_too_large_is_a_verdict_with_a_message(tmp_path, body):
    for number in range(5):  # whether the system or our own look at the folder comes first
        folder = tmp_path / str(number)
        folder.mkdir()
        outcome = probe(folder, f"sleep 0.02; {body}", written=1 << 20)
        assert outcome.verdict is Verdict.UNRESOLVED, outcome
        assert outcome.exit is None
        assert outcome.detail.startswith(
            ("killed: it wrote a file of more than 1 MB", "killed: it wrote more than 1 MB")
        )
        assert (folder / "work" / "large").stat().st_size <= 100_000_000


def test_a_program_that_copes_with_the_limit_of_file_size_gets_its_own_verdict(tmp_path):
    body = (
        "import signal\nsignal.signal(signal.SIGXFSZ, signal.SIG_IGN)\ntry:\n open('f', 'wb').write(b'x' * 9000000)\n"
    )
    body += "except OSError as error:\n print(error.strerror)\n"
    (tmp_path / "copes.py").write_text(f"import time\ntime.sleep(0.1)\n{body}")
    outcome = probe(tmp_path, f"exec {sys.executable} {tmp_path}/copes.py", written=8 << 20)
    assert (outcome.verdict, outcome.stdout) == (Verdict.INTERESTING, "File too large\n")


def test_our_own_limit_of_file_size_is_a_sentence(tmp_path, sample_jar):
    code = (
        "import resource, sys; resource.setrlimit(resource.RLIMIT_FSIZE, (20000, 20000))\n"
        "from app.cli import main; sys.exit(main(sys.argv[1:]))"
    )
    run = ["reduce", str(sample_jar), "--predicate", "true", "-o", "out.jar", "-q"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "TMPDIR": str(tmp_path)}
    environment.pop("COVERAGE_PROCESS_START", None)  # what measures lines could not write its data
    command = [sys.executable, "-B", "-c", code, *run]
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 2, done.stderr
    assert "File too large" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.slow
@pytest.mark.parametrize(
    ("body", "told"),
    [
        ("yes", "printed more than 1024 MB"),
        ("head -c 1200000000 /dev/zero; exit 0", "printed more than 1024 MB"),
        ("head -c 1200000000 /dev/zero >&2; exit 1", "printed more than 1024 MB"),
        ("head -c 1200000000 /dev/zero >large", ""),
        ("for i in 1 2 3 4 5; do head -c 1000000000 /dev/zero >large$i; done; sleep 1", "wrote"),
    ],
)
def test_a_gigabyte(tmp_path, sample_jar, body, told):
    """By the limits that a user has who sets none, and within a bounded memory of ours."""
    path = script(tmp_path, body)
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "TMPDIR": str(tmp_path)}
    command = [sys.executable, "-m", "app", "check", str(sample_jar), "--predicate", f"{path} {{jar}}", "--runs", "1"]
    with (tmp_path / "said").open("wb") as said:
        child = subprocess.Popen(command, cwd=tmp_path, env=environment, stdout=said, stderr=subprocess.STDOUT)
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
    text = (tmp_path / "said").read_text()
    assert child.returncode == (1 if told else 0), text
    assert told in text
    assert usage.ru_maxrss < 400_000, f"{usage.ru_maxrss} KB"


@pytest.mark.parametrize("quiet", [[], ["-q"]])
def test_an_answer_that_changes_during_the_reduction_is_told(tmp_path, sample_jar, monkeypatch, capsys, quiet):
    """Each candidate but the full input is interesting once, and never again: the input is left, with a warning."""
    seen = tmp_path / "seen"
    seen.mkdir()
    text = f"""digest=$(sha256sum <"$1" | cut -c 1-64); [ -e {seen}/full ] || echo $digest >{seen}/full
grep -q $digest {seen}/full && exit 0
[ -e {seen}/$digest ] && exit 1
touch {seen}/$digest; grep -q Rational.class "$1" """
    monkeypatch.chdir(tmp_path)
    run = ["reduce", str(sample_jar), "--predicate", f"{script(tmp_path, text)} {{jar}}", "--algorithm", "ddmin"]
    code = main([*run, "--granularity", "class", "-o", "out.jar", "--report", "r.json", *quiet])
    said = capsys.readouterr().err
    assert code == 0, said
    assert "Warning: the predicate is not stable" in said
    assert (len(said.splitlines()) == 1) == bool(quiet), said
    report = json.loads((tmp_path / "r.json").read_text())
    assert report["certificate"]["flaky"] > 1
    assert report["output"]["classes"] == report["input"]["classes"]
