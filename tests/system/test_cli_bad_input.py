"""The command line on inputs, commands and options that cannot be used: a sentence and an exit code."""

import os
import subprocess
import zipfile

import pytest

from tests.support.rows import rows

FAILURE = "ArithmeticException: zero has no reciprocal"
RUNS_MAIN = "java -Xshare:auto -XX:TieredStopAtLevel=1 -cp {jar} sample.Main"
BINARY = ("--algorithm", "binary")
"""Whole classes by binary search: a handful of runs."""


BAD_INPUTS = {
    "text.jar": ("just some text\n", "text.jar: this is not a jar"),
    "truncated.jar": (lambda jar: jar[: len(jar) // 2], "truncated.jar"),
    "folder/": (None, "there is no such file. Name a jar, a folder"),
}


@rows("command", ["inspect", "graph", "reduce", "check"])
@rows("name", BAD_INPUTS)
def test_inputs_that_cannot_be_read(jarlet, sample_jar, tmp_path, name, command):
    content, message = BAD_INPUTS[name]
    if callable(content):
        (tmp_path / name).write_bytes(content(sample_jar.read_bytes()))
    elif content:
        (tmp_path / name).write_text(content)
    more = ["--predicate", "true"] if command in ("reduce", "check") else []
    done = jarlet(command, tmp_path / name if content else name, *more)
    assert done.returncode == 2
    assert message in done.stderr
    assert done.stdout == ""


def test_an_encrypted_zip(jarlet, sample_jar, tmp_path):
    data = bytearray(sample_jar.read_bytes())
    for mark, flags in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        at = data.find(mark)
        while at >= 0:
            data[at + flags] |= 1
            at = data.find(mark, at + 4)
    (tmp_path / "secret.jar").write_bytes(data)
    done = jarlet("inspect", "secret.jar")
    assert done.returncode == 2
    assert "encrypted" in done.stderr


def test_a_broken_class_is_kept_whole_and_reported(jarlet, sample_jar, tmp_path):
    broken = b"\xca\xfe\xba\xbe and then nothing of the kind"
    with zipfile.ZipFile(sample_jar) as old, zipfile.ZipFile(tmp_path / "broken.jar", "w") as new:
        for name in old.namelist():
            new.writestr(name, old.read(name))
        new.writestr("odd/Broken.class", broken)
    assert "odd/Broken.class" in jarlet("inspect", "broken.jar").stdout
    done = jarlet(
        "reduce",
        "broken.jar",
        "--predicate",
        RUNS_MAIN,
        "--match",
        FAILURE,
        *BINARY,
        "-o",
        "out.jar",
    )
    assert done.returncode == 0
    assert "odd/Broken.class: this class file cannot be parsed" in done.stderr
    with zipfile.ZipFile(tmp_path / "out.jar") as archive:
        assert archive.read("odd/Broken.class") == broken


def test_an_input_that_is_not_interesting(jarlet, sample_jar, tmp_path):
    done = jarlet("reduce", sample_jar, "--predicate", "sh -c 'echo seen; exit 3'", "-o", "out.jar")
    assert done.returncode == 1
    assert "not interesting: exit code 3, wanted 0. " in done.stderr, "what is wanted is said once"
    assert "seen" in done.stderr
    assert not (tmp_path / "out.jar").exists()
    line = next(line for line in done.stderr.splitlines() if "To repeat it by hand: " in line)
    again = subprocess.run(line.partition(": ")[2], shell=True, capture_output=True, text=True, check=False)
    assert (again.returncode, again.stdout) == (3, "seen\n")


@pytest.mark.parametrize("quiet", [[], ["-q"]])
def test_an_empty_result_is_no_result(jarlet, sample_jar, tmp_path, quiet):
    report = tmp_path / "report.md"
    done = jarlet(
        "reduce",
        sample_jar,
        "--predicate",
        "true",
        "--no-evidence",
        "-o",
        tmp_path / "o.jar",
        "--report",
        report,
        *quiet,
    )
    assert done.returncode == 1
    assert "There is nothing to reduce: an empty jar is interesting too" in done.stderr
    assert not report.exists()


def test_a_failure_of_a_wrong_name_is_told_with_the_likely_ones_and_no_output(jarlet, sample_jar, tmp_path):
    script = tmp_path / "many.sh"
    names = "".join(f"echo 'java.lang.Error: number {word}'; " for word in ("one", "two", "three", "four", "five"))
    script.write_text(f"#!/bin/sh\n{names}\nyes noise | head -n 3000\n")
    script.chmod(0o755)
    command = ("--predicate", "./many.sh {jar}", "--failures-as", "Error: .*")
    for name in ("check", "reduce"):
        done = jarlet(name, sample_jar, *command, "--failures", "chosen number")
        said = done.stdout + done.stderr
        assert done.returncode == 1
        assert said.count(" or 'Error: number ") == 2, "three likely names"
        assert "'jarlet check' with the same options, but without --failures, lists what there is: 5 names." in said
        assert "noise" not in said
    listed = jarlet("check", sample_jar, *command).stdout
    assert all(f"Error: number {word}" in listed for word in ("one", "two", "three", "four", "five"))


def test_of_a_long_output_the_end_is_shown(jarlet, sample_jar, tmp_path):
    script = tmp_path / "long.sh"
    script.write_text("#!/bin/sh\nseq 3000\nexit 3\n")
    script.chmod(0o755)
    lines = jarlet("check", sample_jar, "--predicate", "./long.sh {jar}").stdout.splitlines()
    at = lines.index("--- standard output, its last 20 lines ---")
    assert lines[at + 1 : at + 21] == [str(number) for number in range(2981, 3001)]


def test_a_command_that_does_not_exist(jarlet, sample_jar):
    done = jarlet("reduce", sample_jar, "--predicate", "no-such-command {jar}")
    assert done.returncode == 2
    assert "no program 'no-such-command' on the PATH" in done.stderr


def test_a_command_that_hangs_and_forks(jarlet, sample_jar, tmp_path, processes):
    marker = f"300.{os.getpid()}"
    script = tmp_path / "hang.sh"
    script.write_text(f"#!/bin/sh\nsleep {marker} &\n(setsid sleep {marker} &)\nsleep {marker}\n")
    script.chmod(0o755)
    done = jarlet("reduce", sample_jar, "--predicate", "./hang.sh {jar}", "--timeout", "1")
    assert done.returncode == 1
    assert "does not end on the full input: killed after " in done.stderr
    assert processes(marker) == []


def test_a_predicate_that_changes_its_answer_is_noticed(jarlet, sample_jar, tmp_path):
    done = jarlet("reduce", sample_jar, "--predicate", "sh -c 'date +%N'", "--preserve", "out", "-o", "o.jar")
    assert done.returncode == 1
    assert "not stable" in done.stderr
    repeat = done.stderr.partition("To repeat it by hand: ")[2].partition("\n")[0]
    again = subprocess.run(repeat, shell=True, capture_output=True, text=True, check=False)
    assert again.returncode == 0, again.stderr
    assert again.stdout.strip().isdigit()


@pytest.mark.parametrize("command", ["check", "reduce"])
def test_a_predicate_that_deletes_the_folder_of_all_runs_is_told_so(jarlet, sample_jar, command):
    delete = "sh -c 'rm -rf \"$(dirname $JARLET_WORK)\"'"
    done = jarlet(command, sample_jar, "--predicate", delete)
    assert done.returncode == 2
    assert "The command has deleted " in done.stderr
    assert "crash.txt" not in done.stderr
    lines = [line for line in done.stderr.strip().splitlines() if "JaCoCo" not in line]  # which tests do not fetch
    assert lines[0].startswith("Checking whether ")
    assert len(lines) == 2


@rows(
    ("arguments", "message"),
    [
        (["reduce"], "Name an input"),
        (["reduce", "SAMPLE"], "Say what the failure is"),
        (["reduce", "--sample", "--algorithm", "best"], "There is no algorithm 'best'"),
        (["reduce", "--sample", "--timeout", "-1"], "The timeout must be a number of seconds, more than 0"),
        (["reduce", "--sample", "--jobs", "0"], "The jobs must be a whole number from 1"),
        (["reduce", "--sample", "--algorithm", "gbr", "--granularity", "class"], "choose granularity member or full"),
        (["reduce", "--sample", "--algorithm", "closures/best"], "closures/wprobdd"),
        (["reduce", "SAMPLE", "--preset", "none"], "There is no preset 'none'"),
        (["reduce", "SAMPLE", "--preset", "vinflower"], "Did you mean vineflower?"),
        (["reduce", "--sample", "--algorithm", "closures/ddmn"], "Did you mean closures/ddmin?"),
        (["reduce", "--sample", "--granularity", "members"], "Did you mean member?"),
        (["reduce", "SAMPLE", "--preset", "run", "--set", "Main=a.B"], "Did you mean main?"),
        (["reduce", "SAMPLE", "--preset", "run"], "needs a setting: main"),
        (["reduce", "--resume", "none.jarlet"], "none.jarlet: there is no such session."),
        (["reduce", "--sample", "--match", "("], "not a regular expression"),
        (["reduce", "SAMPLE", "--predicate", "true", "-o", "SAMPLE"], "is the input itself"),
        (["reduce", "--sample", "-o", "no/such/folder/out.jar"], "no/such/folder does not exist: make it first"),
        (["reduce", "--sample", "--preserve", "colour"], "Cannot preserve colour"),
        (["reduce", "SAMPLE", "--preset", "none.toml"], "none.toml cannot be read: No such file or directory."),
        (["reduce", "--sample", "--report", "r.docx"], "a report's name ends in .json, .md, .html, but this one is"),
        (["reduce", "SAMPLE", "--predicate", "/tmp {jar}"], "/tmp is a folder"),
        (["check", "--sample", "--runs", "two"], "argument --runs: a whole number is needed, not 'two'"),
        (["sample", "SAMPLE", "-o", "samples", "--count", "0"], "--count 0: write 1 or more."),
        (["graph", "SAMPLE", "--format", "gif"], "invalid choice"),
        (["inspect"], "INPUT"),
        (["reduec", "x.jar"], "Did you mean reduce?"),
        (["reduce", "SAMPLE", "--preset", "cfr", "--preset", "procyon"], "--preset: this option may be given once"),
        (["reduce", "SAMPLE", "--predicate", "true", "--inputs", "none"], "read (No such file or directory)."),
        (["x.jar"], "no display"),
    ],
)
def test_bad_use_is_a_sentence_and_exit_code_2(jarlet, sample_jar, arguments, message):
    done = jarlet(*[sample_jar if word == "SAMPLE" else word for word in arguments])
    assert done.returncode == 2
    assert message in done.stderr
