"""The folder that is handed on: jar, script, report; the script shows the failure wherever it lies."""

import contextlib
import json
import shutil
import subprocess
import zipfile
from threading import Event as Flag

import pytest

from app.cli import main
from core.protocol.events import Finished, Warned, Working
from core.protocol.settings import Settings
from core.service.bug_folder import write_bug, write_bug_folder
from core.service.script_trial import Tried
from core.service.source_memory import SourceMemory
from core.service.workspace import Workspace

RATIONAL = "sample/number/Rational"
CHECK = (
    f"#!/bin/sh\nunzip -p $JARLET_JAR {RATIONAL}.class | grep -q reciprocal && "
    "test ${JARLET_JAR##*/} = sample.jar && echo it is there\n"
)
"""A command that also reads the name of the jar."""


@pytest.mark.parametrize("command", ["'{}'", pytest.param("sh -c '{} && true'", marks=pytest.mark.guarded)])
def test_a_bug_folder_repeats_the_failure_in_an_empty_place(sample_jar, tmp_path, monkeypatch, capfd, command):
    monkeypatch.chdir(tmp_path)
    check = tmp_path / ("check.sh" if "sh -c" in command else "check it.sh")
    check.write_text(CHECK)
    check.chmod(0o755)
    options = [
        "--predicate",
        command.format(check),
        "--match",
        "it is there",
        "--algorithm",
        "binary",
        "--granularity",
        "class",
    ]
    assert main(["reduce", str(sample_jar), *options, "-o", "o.jar", "--bug-folder", "bug"]) == 0
    assert "Verified: run in an empty folder, the script shows what is wanted." in capfd.readouterr().out
    check.unlink()  # the folder has its own
    shutil.move(tmp_path / "bug", tmp_path / "else where")
    script = tmp_path / "else where" / "reproduce.sh"
    done = subprocess.run([str(script)], cwd="/", capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout.strip()) == (0, "it is there")
    unpacked = tmp_path / "unpacked"
    subprocess.run(["unzip", "-q", script.with_name("small.zip"), "-d", unpacked], check=True)
    done = subprocess.run([str(unpacked / script.name)], cwd="/", capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout.strip()) == (0, "it is there"), "script and command may be executed there too"
    with zipfile.ZipFile(tmp_path / "else where" / "small.jar") as jar:
        assert f"{RATIONAL}.class" in jar.namelist()
    report = (tmp_path / "else where" / "report.md").read_text()
    assert "#!/bin/sh" in report
    assert "cd work" not in report
    code = main(["reduce", str(sample_jar), *options[2:], "--predicate", "true", "--bug-folder", "else where"])
    assert code == 2, "nothing in it is replaced"


def test_a_failure_that_names_the_candidate_shows_in_the_script_too(sample_jar, tmp_path, monkeypatch, capfd):
    monkeypatch.chdir(tmp_path)
    check = tmp_path / "check.sh"
    (tmp_path / "rules.txt").write_text(f"in {tmp_path}/rules.txt")
    check.write_text(
        f"#!/bin/sh\nset -- $1 {tmp_path}/rules.txt\n"
        f"unzip -l $1 {RATIONAL}.class >/dev/null || exit 0\n"
        "echo java.io.IOException: no good: $1@Some.class\n"
        "printf '\\tat p.Tool.run(Tool.java:3)\\n'\n"
        "exit 1\n"
    )
    check.chmod(0o755)
    options = ["--failures-as", "traces", "--algorithm", "binary", "--granularity", "class", "--source-time", "0"]
    said = ["reduce", str(sample_jar), "--predicate", f"{check} {{jar}}", *options]
    assert main([*said, "-o", "o.jar", "--bug-folder", "bug"]) == 0
    told = capfd.readouterr().out
    assert "Verified: run in an empty folder, the script shows what is wanted." in told
    assert "Before you hand it on: files/rules.txt names a folder of this machine." in told


@pytest.mark.skipif(
    subprocess.run(["unshare", "-Urm", "true"], capture_output=True, check=False).returncode != 0,
    reason="this system hides no folders",
)
def test_a_script_that_needs_a_file_which_is_not_in_the_folder_is_not_verified(sample_jar, tmp_path, capfd):
    own = tmp_path / "own"
    own.mkdir()
    (own / "secret.txt").write_text(RATIONAL)
    (own / "where.txt").write_text(f"the secret: {own}/secret.txt")
    (own / "check.sh").write_text(f'unzip -l $1 "$(cat "$(cut -d " " -f 3 {own}/where.txt)").class"')
    options = ["--algorithm", "binary", "--granularity", "class", "--source-time", "0", "-o", str(tmp_path / "o.jar")]
    said = ["reduce", str(sample_jar), "--predicate", f"sh {own}/check.sh {{jar}}", *options]
    assert main([*said, "--bug-folder", str(tmp_path / "bug")]) == 1
    told = "".join(capfd.readouterr())
    assert f"the script shows what is wanted only where {own} is: it reads a file there" in told
    (own / "check.sh").write_text(f'unzip -l $1 "$(cat {own}/secret.txt).class"')
    assert main([*said, "--bug-folder", str(tmp_path / "other")]) == 0


@pytest.mark.parametrize(
    ("match", "verified"), [pytest.param("no class .* in .*rules", True, marks=pytest.mark.guarded), (None, False)]
)
def test_a_script_that_says_the_same_of_an_empty_jar_is_not_verified(sample_jar, tmp_path, capfd, match, verified):
    (tmp_path / "rules").touch()
    check = tmp_path / "check.sh"
    told = f"echo no class {RATIONAL} in {tmp_path}/rules"
    check.write_text(f"#!/bin/sh\nunzip -l $1 {RATIONAL}.class >/dev/null && {told}\n{'' if match else 'exit 0'}\n")
    options = ["--algorithm", "binary", "--granularity", "class", "--source-time", "0", "-o", str(tmp_path / "o.jar")]
    options += ["--match", match] if match else ["--keep", "sample.Main"]
    code = main(
        [
            "reduce",
            str(sample_jar),
            "--predicate",
            f"sh {check} {{jar}}",
            *options,
            "--bug-folder",
            str(tmp_path / "bug"),
        ]
    )
    told = "".join(capfd.readouterr())
    assert (code == 0, "Verified: " in told, "says the same of an empty jar" in told) == (
        verified,
        verified,
        not verified,
    )


@pytest.mark.guarded
def test_what_is_done_for_a_folder_is_told_with_the_limit_of_its_runs(sample_jar, tmp_path):
    said = []
    command = f"sh -c 'unzip -p {{jar}} {RATIONAL}.class | grep -q reciprocal'"
    with contextlib.closing(Workspace(said.append, tmp_path / "work")) as workspace:
        workspace.open([str(sample_jar)])
        workspace.reduce(
            Settings(predicate=command, algorithm="binary", granularity="class", timeout=30, source_time=0)
        )
        assert isinstance(said[-1], Finished)
        last = [event.message for event in said if isinstance(event, Working)][-1]
        assert last == "confirming and writing the result", "no longer that a model is built"
        assert write_bug_folder(workspace, tmp_path / "bug", Flag(), SourceMemory()).shown
    told = [event.message for event in said if isinstance(event, Working)]
    for what in (
        f"writing {tmp_path / 'bug'}",
        "trying the script on the result and on an empty jar, 30 s",
    ):
        assert any(message.startswith(what) for message in told), told


@pytest.mark.guarded
def test_for_a_folder_whose_time_is_over_nothing_is_run(sample_jar, tmp_path):
    said, over = [], Flag()
    command = f"sh -c 'unzip -p {{jar}} {RATIONAL}.class | grep -q reciprocal'"
    with contextlib.closing(Workspace(said.append, tmp_path / "work")) as workspace:
        workspace.open([str(sample_jar)])
        workspace.reduce(Settings(predicate=command, algorithm="binary", granularity="class"))
        over.set()
        tried = write_bug_folder(workspace, tmp_path / "bug", over, SourceMemory())
    assert tried == Tried("Not verified: the time was over, or the trial was stopped, before the script ended.")
    report = json.loads((tmp_path / "bug" / "report.json").read_text())
    assert report["source"] == {"sentence": "No Java source was looked for: no time was left for it."}
    assert not (tmp_path / "bug" / "source").exists()
    assert any("for the bug folder nothing is run" in e.message for e in said if isinstance(e, Warned))


@pytest.mark.guarded
def test_the_end_of_the_time_ends_the_trial_of_the_script(sample_jar, tmp_path, processes):
    proof, over = tmp_path / "proof", Flag()
    proof.touch()
    hangs = f"test -e {proof} || sleep 90087.5"
    command = f"sh -c '{hangs}; unzip -p {{jar}} {RATIONAL}.class | grep -q reciprocal'"
    with contextlib.closing(Workspace([].append, tmp_path / "work")) as workspace:
        workspace.open([str(sample_jar)])
        workspace.reduce(Settings(predicate=command, algorithm="binary", granularity="class", source_time=0))
        proof.unlink()
        over.is_set = lambda: bool(processes("sleep 90087.5"))
        tried = write_bug(workspace.last_report, workspace.entries, tmp_path / "bug", over, emit=lambda event: None)
    assert tried == Tried("Not verified: the time was over, or the trial was stopped, before the script ended.")
    assert (tmp_path / "bug" / "reproduce.sh").exists()
    assert not processes("sleep 90087.5")


def test_a_report_that_cannot_be_written_leaves_the_jar_and_the_summary(sample_jar, tmp_path, monkeypatch, capfd):
    monkeypatch.chdir(tmp_path)
    check = tmp_path / "check.sh"
    check.write_text(f"#!/bin/sh\nmkdir -p {tmp_path}/r.md\nunzip -l $1 | grep -q {RATIONAL}\n")
    check.chmod(0o755)
    options = ["--predicate", f"{check} {{jar}}", "--algorithm", "binary", "--granularity", "class"]
    assert main(["reduce", str(sample_jar), *options, "-o", "o.jar", "--report", "r.md"]) == 2
    out, err = capfd.readouterr()
    assert out.startswith("o.jar: "), "the jar is there"
    assert (tmp_path / "o.jar").exists()
    assert err.splitlines()[-1].startswith("jarlet: r.md: ")
