"""Resident processes that misbehave, wear out, or cannot be started."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from core.library.jdk import find_jdk
from core.predicate.jvm.process_pool import ProcessPool
from core.predicate.jvm.tool_process import (
    OWN,
    HostError,
    HostInterruptedError,
    ToolCall,
    ToolCommand,
    ToolProcess,
)
from tests.support.java import CompileJava
from tests.support.patience import patience

PROGRAM = """package t;
import java.nio.file.*;
public class Program {
    static byte[][] kept;
    public static void main(String[] words) throws Exception {
        Files.writeString(Path.of(words[1]), "x", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        switch (words[0]) {
            case "hang": new ProcessBuilder("sleep", words[2]).start().waitFor();
            case "end": if (!Files.exists(Path.of(words[2]))) Runtime.getRuntime().halt(3); break;
            case "fill": kept = new byte[][] {new byte[28 << 20], new byte[8 << 20]};
        }
        System.out.print(words[0]);
    }
}
"""


@pytest.fixture(scope="module")
def command(compile_java: CompileJava) -> ToolCommand:
    """A program that hangs, ends its process or keeps memory when told."""
    options = ("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xshare:auto", "-Xmx48m")
    place = str(compile_java({"t/Program.java": PROGRAM}))
    return ToolCommand(str(find_jdk().java), options, "t.Program", class_path=place, way=OWN)


@pytest.fixture
def pool(tmp_path: Path) -> Iterator[ProcessPool]:
    (tmp_path / "hosts").mkdir()
    found = ProcessPool(tmp_path / "hosts")
    yield found
    found.close()
    assert list((tmp_path / "hosts").iterdir()) == [], "a process that fails is ended as well"


def told(tmp_path: Path, *words: str) -> ToolCall:
    return ToolCall((words[0], str(tmp_path / "runs"), *words[1:]), "", {})


@pytest.mark.slow
def test_what_hangs_is_killed_with_what_it_started(
    command: ToolCommand, pool: ProcessPool, tmp_path: Path, processes: Callable[[str], list[int]]
) -> None:
    seconds = f"6{os.getpid()}"
    with pytest.raises(HostInterruptedError, match="out of time"):
        pool.ask(command, told(tmp_path, "hang", seconds), 3.0)
    cancel = threading.Event()
    threading.Timer(0.2, cancel.set).start()
    with pytest.raises(HostInterruptedError, match="cancelled"):
        pool.ask(command, told(tmp_path, "hang", seconds), None, cancel)
    assert pool.pids(command) == []
    start = time.monotonic()
    while processes(f"sleep {seconds}") and time.monotonic() - start < patience():
        time.sleep(0.02)  # killed, and on its way out
    assert processes(f"sleep {seconds}") == []


@pytest.mark.parametrize("java", ["/no/such/program", "/bin/false"])
def test_what_cannot_be_started_is_soon_no_longer_tried(java: str, command: ToolCommand, pool: ProcessPool) -> None:
    wrong = replace(command, java=java)
    for _ in range(3):
        with pytest.raises(HostError, match="needs JDK"):
            pool.ask(wrong, ToolCall((), "", {}), 20.0)
    with pytest.raises(HostError, match="one after another"):
        pool.ask(wrong, ToolCall((), "", {}), 20.0)


@pytest.mark.slow
def test_after_a_rest_a_process_is_tried_again(command: ToolCommand, pool: ProcessPool, tmp_path: Path) -> None:
    works, runs = tmp_path / "works", tmp_path / "runs"
    runs.touch()
    call = told(tmp_path, "end", str(works))

    def tried(requests: int) -> int:
        before = runs.stat().st_size
        for _ in range(requests):
            with pytest.raises(HostError):
                pool.ask(command, call, 60.0)
        return runs.stat().st_size - before

    assert tried(3) == 3
    assert tried(16) == 0  # turned down
    assert tried(1) == 1
    assert tried(32) == 0  # twice as long
    works.touch()
    assert [pool.ask(command, call, 60.0).out for _ in range(2)] == [b"end", b"end"]
    works.unlink()
    assert tried(4) == 3  # then it rests again, not for longer
    assert tried(15) == 0
    assert tried(1) == 1


@pytest.mark.slow
def test_a_process_that_holds_on_to_memory_is_replaced(command: ToolCommand, pool: ProcessPool, tmp_path: Path) -> None:
    for _ in range(2):
        assert pool.ask(command, told(tmp_path, "stay"), 60.0).out == b"stay"
    (first,) = pool.pids(command)
    assert pool.ask(command, told(tmp_path, "fill"), 60.0).out == b"fill"
    assert pool.pids(command) == []
    assert pool.ask(command, told(tmp_path, "stay"), 60.0).out == b"stay"
    assert pool.pids(command) != [first]


@pytest.mark.slow
def test_a_process_is_replaced_after_many_runs(command: ToolCommand, pool: ProcessPool, tmp_path: Path) -> None:
    for _ in range(2000):
        last = pool.ask(command, told(tmp_path, "stay"), 60.0)
    assert (last.code, last.out, pool.pids(command)) == (0, b"stay", [])


@pytest.mark.slow
def test_processes_of_few_commands_stay(command: ToolCommand, pool: ProcessPool) -> None:
    commands = [replace(command, arguments=(str(number),)) for number in range(5)]
    for each in commands:
        pool.expect(each)
        pool.prepare(each)
        pool.expect(commands[0])
    assert [len(pool.pids(each)) for each in commands] == [1, 0, 0, 1, 1]
    pool.close()
    assert not any(pool.pids(each) for each in commands)
    with pytest.raises(HostError, match="closed"):
        pool.ask(command, ToolCall((), "", {}))


def test_a_process_that_is_ended_twice_closes_no_file_of_others(command: ToolCommand, tmp_path: Path) -> None:
    process = ToolProcess(command, tmp_path)
    process.kill()
    others = [os.open(tmp_path, os.O_RDONLY) for _ in range(8)]
    process.kill()
    for other in others:
        os.close(other)
