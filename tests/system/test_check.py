"""What a check tells apart: real predicates on the full input as given and as we write it, in their folder and ours."""

import hashlib
import os
import subprocess
import threading
import time
import zipfile
from pathlib import Path

import pytest

import jarlet
from app.cli import main
from core.archive.jar import write_jar
from core.protocol import events
from core.protocol.settings import Settings
from core.service.workspace import Workspace
from tests.support.half_program import compiler, half_program
from tests.support.own_tools import tool
from tests.support.patience import patience


@pytest.fixture
def check(tmp_path):
    """``check(jar, command, runs=2, **settings)``: what the check says."""
    workspaces = []

    def run(jar, command, runs=2, **more):
        workspace = Workspace(lambda event: None, tmp_path / "temporary")
        workspaces.append(workspace)
        workspace.open([str(jar)])
        return workspace.check(Settings(predicate=str(command), **more), runs)

    yield run
    for workspace in workspaces:
        workspace.close()


@pytest.fixture
def packed(sample_jar, tmp_path):
    """The sample as another program packs it: other times, not compressed."""
    path = tmp_path / "packed.jar"
    with zipfile.ZipFile(sample_jar) as old, zipfile.ZipFile(path, "w", zipfile.ZIP_STORED) as new:
        for name in old.namelist():
            new.writestr(name, old.read(name))
    return path


def test_a_predicate_that_knows_the_file_is_interesting_as_given_only(check, script, packed):
    digest, size = hashlib.sha256(packed.read_bytes()).hexdigest(), packed.stat().st_size
    for number, body in enumerate((f'echo "{digest}  $1" | sha256sum -c -', f'test "$(stat -c %s "$1")" = {size}')):
        checked = check(packed, f"{script(body, f'{number}.sh')} {{jar}}")
        assert (checked.interesting, checked.stable) == (False, True)
        assert "interesting as it was given (exit code 0), but not as Jarlet writes it (exit code 1" in checked.message
        assert "look at the file itself" in checked.message
        assert subprocess.run(checked.command, shell=True, check=False, capture_output=True).returncode == 1


@pytest.mark.parametrize(("command", "interesting"), [("true {jar} | cat", True), ("false {jar} | cat", False)])
def test_operators_that_no_shell_reads_are_told_once(check, sample_jar, command, interesting):
    checked = check(sample_jar, command)
    assert checked.interesting is interesting
    said = f"No shell runs the command, so | is an argument of the program {command.split()[0]}. If a shell is meant"
    assert checked.message.count(said) == 1
    assert ("Warning: No shell" in checked.message) is interesting


def test_a_hang_of_the_full_input_is_waited_for_once(check, script, packed, tmp_path):
    log = tmp_path / "log"
    hangs = script(f'test "$(stat -c %s "$1")" -gt 100 || exit 0; echo run >>{log}; exec sleep 600')
    checked = check(packed, f"{hangs} {{jar}}", None, hangs=True, timeout=0.5)
    assert checked.interesting
    assert "hang at unknown" in checked.failures
    assert log.read_text() == "run\n"


def test_a_check_that_is_stopped_in_its_second_run_says_what_the_first_one_found(script, packed, tmp_path):
    seen = tmp_path / "seen"
    body = f"test -e {seen}.1 && {{ touch {seen}.2; exec sleep 600; }}; touch {seen}.1"
    workspace = Workspace(lambda event: None, tmp_path / "temporary")

    def stop() -> None:
        until = time.monotonic() + patience()
        while not seen.with_suffix(".2").exists() and time.monotonic() < until:
            time.sleep(0.02)
        workspace.control.cancel.set()

    workspace.open([str(packed)])
    stopper = threading.Thread(target=stop)
    stopper.start()
    try:
        checked = workspace.check(Settings(predicate=f"{script(body)} {{jar}}"), 2)
    finally:
        stopper.join()
        workspace.close()
    assert seen.with_suffix(".2").exists()
    assert (checked.interesting, checked.stable, checked.runs) == (True, True, 1)
    assert "not stable" not in checked.message


@pytest.mark.slow
@pytest.mark.skipif(not Path("/usr/bin/jarsigner").exists(), reason="there is no jarsigner")
def test_a_signed_input_is_told(check, sample_jar, tmp_path):
    signed = tmp_path / "signed.jar"
    signed.write_bytes(sample_jar.read_bytes())
    store = ("-keystore", "keys", "-storepass", "secret1")
    key = ["keytool", "-genkeypair", "-alias", "a", "-dname", "CN=a", "-keyalg", "EC", *store]
    subprocess.run(key, cwd=tmp_path, check=True, capture_output=True)
    subprocess.run(["jarsigner", *store, "signed.jar", "a"], cwd=tmp_path, check=True, capture_output=True)
    checked = check(signed, "jarsigner -verify {jar}", 1, match="^jar verified")
    assert checked.interesting, checked
    assert "It is signed: the signature cannot stay" in checked.message


@pytest.mark.parametrize(
    "wanted", [{"expect_exit": 1}, {"preserve": frozenset({"exit", "err"})}, {"failures_as": "traces"}]
)
def test_another_failure_on_the_jar_as_we_write_it_is_told(check, script, packed, wanted):
    body = f"""test "$(stat -c %s "$1")" = {packed.stat().st_size} && name=java.lang.IllegalStateException
printf '%s: bad\\n\\tat a.B.c(B.java:1)\\n' "${{name:-java.lang.SecurityException}}" >&2; exit 1"""
    checked = check(packed, f"{script(body)} {{jar}}", **wanted)
    assert checked.interesting, checked
    assert "Warning: as it was given it fails for another reason: as given there is" in checked.message
    assert "'java.lang.IllegalStateException: bad at a.B.c'" in checked.message
    assert "as Jarlet writes it there is 'java.lang.SecurityException: bad at a.B.c'" in checked.message


@pytest.mark.guarded
def test_before_a_reduction_for_the_same_output_the_input_is_run_as_given_too(script, packed, tmp_path):
    told = []
    workspace = Workspace(told.append, tmp_path / "temporary")
    workspace.open([str(packed)])
    command = f"{script('stat -c %s $1')} {{jar}}"
    workspace.reduce(Settings(predicate=command, preserve=frozenset({"out"}), max_probes=1))
    workspace.close()
    warnings = [event.message for event in told if isinstance(event, events.Warned)]
    assert any("as it was given it fails for another reason: the standard output" in each for each in warnings)


def test_a_failure_that_only_the_writing_makes_is_told(check, script, packed):
    checked = check(packed, f"{script(f'test $(stat -c %s $1) != {packed.stat().st_size}')} {{jar}}")
    assert "Warning: as it was given it is not interesting (exit code 1, wanted 0), only as" in checked.message


def test_that_all_is_well_and_how_many_jobs(check, sample_jar):
    checked = check(sample_jar, "sh -c 'sleep 0.1'")
    assert checked.interesting
    assert "2 times out of 2. Warning: an empty jar is interesting too" in checked.message, "doubts stand first"
    assert "The file as given is interesting too," in checked.message
    assert f"--jobs {len(os.sched_getaffinity(0))}." in checked.message
    assert checked.timeout >= 0.5


def test_a_script_that_needs_the_current_folder_is_told(check, script, sample_jar, tmp_path, monkeypatch):
    here = tmp_path / "here"
    here.mkdir()
    (here / "wanted.txt").write_text("sample")
    monkeypatch.chdir(here)
    command = f"{script('grep -q -f wanted.txt $1')} {{jar}}"
    checked = check(sample_jar, command)
    assert not checked.interesting
    assert f"In the current folder, {here}, it is interesting" in checked.message
    checked = check(sample_jar, "grep -q -f wanted.txt {jar}")
    assert "cannot see wanted.txt of the current folder: write {file:wanted.txt}" in checked.message
    assert sorted(path.name for path in here.iterdir()) == ["wanted.txt"]


def test_a_tool_that_finds_nothing_points_to_the_other_tools(check, sample_jar, tmp_path):
    preset = tmp_path / "silent.toml"
    preset.write_text(tool("silent", "true"))
    told = check(sample_jar, "", preset=str(preset)).message
    assert told.endswith(f" 'jarlet tools {sample_jar}' says which other tools fail on it."), told


def test_a_run_that_is_not_slow_is_told_so(check, sample_jar):
    checked = check(sample_jar, "java -Xshare:auto -cp {jar} sample.Main", slower_than=1000)
    assert not checked.interesting
    assert (
        "s, 1000 times what the median class takes. If it is slow all the same, give --slower-than" in checked.message
    )


def test_a_time_stamp_is_told(check, script, sample_jar):
    checked = check(sample_jar, script("date +%s.%N"), preserve=frozenset({"out"}))
    assert not checked.interesting
    assert "Only words with numbers differ: a time or a random one?" in checked.message


def test_a_missing_class_path_is_told(check, sample_jar):
    checked = check(sample_jar, "java -cp {jar} lib.Missing")
    assert "lib.Missing is missing: if it is a library's, name that with --classpath" in checked.message


def test_missing_libraries_are_told_on_the_command_line_too(compile_java, tmp_path, capsys):
    half = half_program(compile_java, tmp_path)
    assert main(["check", str(half), "--predicate", compiler(tmp_path), "--failures-as", "javac"]) == 0
    said = "1 of 3 errors comes from the missing package org.lib. Libraries that the input uses are given with"
    assert f"{said} --classpath." in capsys.readouterr().out


def test_only_what_the_input_looks_for_is_missing(compile_java, tmp_path, script, capsys):
    half = half_program(compile_java, tmp_path)
    names = ("Gauge", "org.lib", "own.High", "a.B")
    lines = [f"echo 'Meter.java:1: error: package {name} does not exist'" for name in names]
    command = f"{script(chr(10).join([*lines, 'exit 1']))} {{jar}}"
    assert main(["check", str(half), "--predicate", command, "--failures-as", "javac"]) == 0
    said = "1 of 4 errors comes from the missing package org.lib."
    assert said in capsys.readouterr().out


def test_the_folder_of_a_failed_run_is_said_to_stay_until_the_next_one(sample_jar, capsys):
    assert main(["check", str(sample_jar), "--predicate", "false {jar}"]) == 1
    assert "stays until three more checks have failed.\nTo repeat it by hand: cd " in capsys.readouterr().out


def test_an_answer_that_changes_is_not_blamed_on_the_folder(check, script, sample_jar, tmp_path, monkeypatch):
    place = tmp_path / "place"
    place.mkdir()
    monkeypatch.chdir(place)
    counter = tmp_path / "counter"
    checked = check(sample_jar, script(f"echo x >>{counter}; test $(wc -l <{counter}) -ge 3"))
    assert (checked.interesting, checked.stable) == (False, False)
    assert "not stable: one run on the full input was interesting, another one was not" in checked.message
    assert "current folder" not in checked.message


def test_an_answer_that_changes_is_not_blamed_on_the_writing(check, script, sample_jar, tmp_path):
    counter = tmp_path / "counter"
    checked = check(sample_jar, script(f"echo x >>{counter}; test $(wc -l <{counter}) != 1"))
    assert (checked.interesting, checked.stable) == (False, False)
    assert "not stable: one run on the full input was interesting, another one was not" in checked.message


def test_folders_and_several_inputs_have_no_file_as_given(check, compile_java):
    classes = compile_java({"a/A.java": "package a; class A {}"})
    checked = check(classes, "true")
    assert checked.interesting
    assert "given" not in checked.message
    assert "current folder" not in check(classes, "false").message


SERVICE = "META-INF/services/q.Plugin"
TWO_JARS = {
    "q/Plugin.java": "package q; public interface Plugin {}",
    "q/A.java": "package q; public class A implements Plugin {}",
    "q/Main.java": """package q; public class Main { public static void main(String[] a) {
        for (Plugin each : java.util.ServiceLoader.load(Plugin.class)) System.out.println(each.getClass());
    } }""",
    "r/B.java": "package r; public class B implements q.Plugin {}",
}


@pytest.fixture
def two_jars(compile_java, tmp_path):
    classes = compile_java(TWO_JARS)
    paths = [tmp_path / "a.jar", tmp_path / "b.jar"]
    for path, package, provider in zip(paths, "qr", ("q.A", "r.B"), strict=True):
        files = ((file.relative_to(classes).as_posix(), file.read_bytes()) for file in (classes / package).glob("*"))
        write_jar(path, [*sorted(files), (SERVICE, provider.encode())])
    return paths


def test_several_inputs_on_a_class_path_are_compared_with_the_class_path_as_it_is(two_jars):
    with jarlet.open(two_jars) as jar:
        found = jar.check("java -cp {classpath} q.Main", preserve=["out"])
    assert found.interesting
    assert "The file as given is interesting too" in found.message


def test_a_command_that_looks_at_the_files_of_several_inputs_is_told(two_jars):
    with zipfile.ZipFile(two_jars[1], "a") as archive:
        archive.comment = b"as somebody else wrote it"
    with jarlet.open(two_jars) as jar:
        found = jar.check(["sh", "-c", '! cmp -s "$1" "$2"', "sh", "{jar:2}", str(two_jars[1])])
    assert found.interesting
    assert "as it was given it is not interesting" in found.message


def test_of_joined_inputs_the_one_jar_is_said_to_be_the_reference(two_jars):
    with jarlet.open(two_jars, merge=True) as jar:
        found = jar.check("test -f {jar}")
    assert found.interesting
    assert "The inputs are joined to one jar" in found.message
