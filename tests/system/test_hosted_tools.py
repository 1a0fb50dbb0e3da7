"""``jarlet host``: the same as ``java -jar``, by a process that stays for as long as a reduction."""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from threading import Event as Flag

import pytest

from app.cli import main
from app.commands.hosting import call
from core.archive.jar import read_jar
from core.model import class_model
from core.predicate.jvm.tool_calls import VARIABLE
from core.predicate.jvm.tool_hosts import ToolHosts
from core.protocol import events
from core.protocol.settings import Settings
from core.reduction.elements import WholeElements
from core.reduction.probing.time_limits import LEAST_RESIDENT, least_limit
from core.service.aims import aim_of
from core.service.searching import testers
from tests.support.files import jar_of, script
from tests.support.java import CompileJava

TOOL = """package t;
import java.io.*;
import java.nio.file.*;
public class Tool {
    static int runs = 0;
    public static void main(String[] words) throws Exception {
        runs++;
        System.out.println(new File("in.txt").getAbsolutePath() + " " + Path.of("in.txt").toAbsolutePath());
        System.err.println(new BufferedReader(new FileReader("in.txt")).readLine() + System.getenv("OF_RUN"));
        Files.writeString(Path.of("sub", "nio.txt"), String.join(",", words));
        try (FileWriter old = new FileWriter("sub/io.txt")) { old.write("old"); }
        Process child = new ProcessBuilder("pwd").start();
        System.out.println(new String(child.getInputStream().readAllBytes()));
        Runtime.getRuntime().addShutdownHook(new Thread(() -> System.out.println("hook")));
        File gone = new File("gone"); gone.createNewFile(); gone.deleteOnExit();
        System.setProperty("of.run", System.getProperty("of.run", "") + "x");
        System.out.println(System.getProperty("of.run"));
        switch (words[0]) {
            case "exit": try { System.exit(7); } finally { System.out.println("never"); }
            case "throw": throw new IllegalStateException("broken", new IOException("inside"));
            case "hang": Files.writeString(Path.of("hangs"), ""); Thread.sleep(1000000);
            case "close": System.out.println("last"); System.out.close(); return;
            case "rest": Thread.sleep(1000); break;
            case "count": System.out.println("runs " + runs);
            case "pid": System.out.println("pid " + ProcessHandle.current().pid());
            default: System.out.print("end");
        }
    }
}
"""

ONCE = """package t;
import java.nio.file.*;
public class Once {
    static boolean used;
    public static void main(String[] words) throws Exception {
        String pid = ProcessHandle.current().pid() + "\\n";
        Files.writeString(Path.of(words[0]), pid, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        System.out.println(used ? "works" : "breaks");
        used = true;
    }
}
"""
"""A tool that does not break a second time in one process, and tells in which process it ran."""


@pytest.fixture(scope="module")
def tool(compile_java: CompileJava, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A jar that tells where it runs and in what."""
    folder = tmp_path_factory.mktemp("tool")
    classes = compile_java({"t/Tool.java": TOOL})
    jar = folder / "tool.jar"
    subprocess.run(["jar", "--create", "--file", jar, "--main-class", "t.Tool", "-C", classes, "."], check=True)
    return jar


@pytest.fixture
def hosts(tmp_path: Path) -> Iterator[ToolHosts]:
    """The resident processes of a reduction."""
    found = ToolHosts()
    yield found
    found.close()


SOURCES = f"PYTHONPATH={Path(__file__).resolve().parents[2]}"
ENTRIES = [("a/A.class", b"1")]


def environment_of_run(variables: Mapping[str, str]) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": SOURCES.partition("=")[2], "OF_RUN": " variable", **variables}


def run(words: list[object], folder: Path, variables: Mapping[str, str]) -> tuple[int, str, str, dict[str, str]]:
    """Run a command in a new folder. Return exit code, outputs, and the files that it leaves."""
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "sub").mkdir(parents=True)
    (folder / "in.txt").write_text("text")
    done = subprocess.run(
        list(map(str, words)),
        cwd=folder,
        capture_output=True,
        text=True,
        env=environment_of_run(variables),
        check=False,
        stdin=subprocess.DEVNULL,
    )
    files = {str(path.relative_to(folder)): path.read_text() for path in folder.rglob("*") if path.is_file()}
    return done.returncode, done.stdout, done.stderr, files


@pytest.mark.parametrize(
    "way", ["end", "exit", *(pytest.param(each, marks=pytest.mark.guarded) for each in ("throw", "close"))]
)
def test_a_resident_run_is_as_one_by_java(tool: Path, hosts: ToolHosts, tmp_path: Path, way: str) -> None:
    place = tmp_path / "run"
    own = run(["java", "-jar", tool, way, "a b"], place, {})
    for _ in range(2):
        variables = hosts.environment(tmp_path, cold=False)
        assert run(hosted(tool, way), place, variables) == own


def hosted(tool: Path, word: str) -> list[object]:
    return [sys.executable, "-m", "app", "host", tool, word, "a b"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["-cp", "x", "tool.jar"], "-cp is not for jarlet host, which runs jars as java -jar does."),
        (["--module-path=x", "tool.jar"], "--module-path=x is not for jarlet host"),
        (["-Xmx1g"], "jarlet host needs the jar of a tool"),
        (["-g", "javac", "A.java"], "write jarlet host javac -g"),
        (["tool.jar"], "java cannot be run: No such file or directory."),
        (["javac", "A.java"], "javac cannot be run: No such file or directory."),
    ],
)
def test_what_cannot_be_hosted_is_one_sentence(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], tmp_path: Path, words: list[str], said: str
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert call(words) == 2
    assert said in capfd.readouterr().err


def told(name: str, output: str) -> int:
    """The number behind a word of the tool's output."""
    return int(output.partition(f"{name} ")[2].split()[0])


def kept_for(runs: int, tool: Path, place: Path, variables: dict[str, str]) -> int:
    """Return the number of a process that has run the tool so many times, with its classes kept. On a machine with much
    to do a process may be replaced in between."""
    for _ in range(20):
        output = run(hosted(tool, "count"), place, variables)[1]
        if told("runs", output) == runs:
            return told("pid", output)
    raise AssertionError(f"no process has run the tool {runs} times")


def test_a_process_stays_until_a_call_hangs_and_ends_with_the_reduction(
    tool: Path, hosts: ToolHosts, tmp_path: Path
) -> None:
    variables, place = hosts.environment(tmp_path, cold=False), tmp_path / "run"
    assert (
        Path(variables[VARIABLE]).stat().st_mode & 0o777,
        Path(variables[VARIABLE]).parent.stat().st_mode & 0o777,
    ) == (0o600, 0o700)
    first = kept_for(3, tool, place, variables)
    words = list(map(str, hosted(tool, "hang")))
    caller = subprocess.Popen(
        words, cwd=place, env=environment_of_run(variables), stdin=subprocess.DEVNULL, stderr=subprocess.PIPE
    )
    with caller:
        while not (place / "hangs").exists():
            pass
        caller.kill()
    third = kept_for(2, tool, place, variables)
    assert third != first
    hosts.close()
    assert not Path(variables[VARIABLE]).exists()
    last = told("pid", run(hosted(tool, "pid"), place, variables)[1])
    for number in (first, third):
        assert not Path(f"/proc/{number}").exists()
    assert last not in (first, third)


@pytest.mark.guarded
def test_a_tool_that_keeps_a_state_gets_new_classes_for_each_run_and_cold_runs_share_nothing(
    compile_java: CompileJava, tmp_path: Path
) -> None:
    jar, log, script = tmp_path / "once.jar", tmp_path / "pids", tmp_path / "breaks.sh"
    subprocess.run(
        ["jar", "--create", "--file", jar, "--main-class", "t.Once", "-C", compile_java({"t/Once.java": ONCE}), "."],
        check=True,
    )
    script.write_text(f"#!/bin/sh\n{SOURCES} {sys.executable} -m app host {jar} {log} | grep breaks\n")
    script.chmod(0o755)
    predicate = aim_of(Settings(predicate=str(script))).predicate(100.0)
    try:
        calibrated, outcome = predicate.calibrated(ENTRIES, tmp_path / "check")
        assert outcome.interesting
        assert calibrated.probe(ENTRIES, tmp_path / "probe").interesting
        assert calibrated.confirm(ENTRIES, tmp_path / "confirmation").interesting
    finally:
        predicate.close()
    cold, kept, again, new, *more, last = log.read_text().split()
    assert kept == again
    assert more == [new, new], "two runs of the full input, and the probe"
    assert len({cold, kept, new, last}) == 4


def test_the_limits_of_a_probe_leave_time_for_work_in_a_resident_process(tool: Path, tmp_path: Path) -> None:
    words = " ".join(map(str, [sys.executable, "-m", "app", "host", tool, "rest"]))
    command = script(tmp_path, f"mkdir sub; echo text >in.txt; {SOURCES} {words}")
    model = class_model.build(read_jar([tool]))
    with contextlib.closing(aim_of(Settings(predicate=str(command))).predicate(60.0)) as predicate:
        found, outcome = predicate.calibrated(model.entries(model.full), tmp_path / "work")
        assert least_limit(found) == LEAST_RESIDENT, "after a hang a new process has to start"
        quick = replace(outcome, processor=0.01, busiest=0.01, idle=0.0)
        limits = testers.Testers(found, quick, tmp_path, len(model.items), 1, left=lambda: None, fixed=False)
        job = limits.of(WholeElements(model)).prepare(model.full, 1)
        assert job(Flag(), None).interesting
        slow = replace(outcome, seconds=90.0)
        limits = testers.Testers(
            found.limited(1.0), slow, tmp_path, len(model.items), 1, left=lambda: None, fixed=False
        )
        limits.limits.note(events.Probed(1, "interesting", "run", 0.1, 0.0, 1, 1, 0, "", "", ""))
        limits.of(WholeElements(model))
        assert (limits.confirming().timeout or 0.0) >= 4 * 90.0, "quick probes leave time for another start of the tool"


HANGS_ONCE = """package t;
import java.nio.file.*;
import java.util.zip.*;
public class Fragile {
    public static void main(String[] words) throws Exception {
        try (ZipFile jar = new ZipFile(words[1])) {
            Path hung = Path.of(words[0]);
            if (jar.getEntry("p/C5.class") == null && !Files.exists(hung)) {
                Files.writeString(hung, ProcessHandle.current().pid() + "");
                while (true) Thread.sleep(1000);
            }
            System.out.println(jar.getEntry("p/C3.class") != null ? "breaks" : "works");
        }
    }
}
"""
"""A tool that fails on one class, and hangs on the first jar without another one."""


@pytest.mark.guarded
def test_a_resident_tool_that_hangs_once_is_ended_and_the_reduction_goes_on(
    compile_java: CompileJava, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, processes: Callable[[str], list[int]]
) -> None:
    monkeypatch.chdir(tmp_path)
    classes = compile_java({f"p/C{number}.java": f"package p; class C{number} {{}}" for number in range(8)})
    jar, tool, hung = jar_of(classes, tmp_path / "in.jar"), tmp_path / "fragile.jar", tmp_path / "hung"
    made = compile_java({"t/Fragile.java": HANGS_ONCE})
    subprocess.run(["jar", "--create", "--file", tool, "--main-class", "t.Fragile", "-C", made, "."], check=True)
    host = f'{SOURCES} {sys.executable} -m app host {tool} {hung} "$JARLET_JAR"'
    check = script(tmp_path, f"{host} | grep breaks")
    assert main(["reduce", str(jar), "--predicate", str(check), "-o", "out.jar", "--algorithm", "ddmin"]) == 0
    with zipfile.ZipFile("out.jar") as small:
        assert [name for name in small.namelist() if name.endswith(".class")] == ["p/C3.class"]
    assert not Path(f"/proc/{hung.read_text()}").exists()
    assert not processes(str(tool))
