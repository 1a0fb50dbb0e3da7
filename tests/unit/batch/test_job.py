"""Looks and reductions with a bug folder, carried out in this process as processes of tasks do."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Event as Flag
from typing import Any

import pytest

from core.batch.job import Job, run
from core.batch.looks import look_at
from core.batch.tasks import DONE, INTERRUPTED, Done
from core.entries import Entries
from core.errors import OutputError
from core.predicate.jvm import process_pool
from core.predicate.jvm.tool_process import ToolCommand, ToolProcess
from core.predicate.tool_chain import StepsPredicate
from core.predicate.verdict import Outcome
from core.protocol.settings import Settings
from core.service.workspace import Workspace
from tests.support.files import jar_of
from tests.support.java import CompileJava
from tests.support.own_tools import only_tools, tool


@pytest.fixture
def workspace() -> Iterator[Workspace]:
    made = Workspace(lambda event: None)
    yield made
    made.close()


@pytest.fixture
def reduce(
    workspace: Workspace, sample_jar: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Callable[[Path], Done]:
    """``reduce(bug)``: the sample for a failure that each class shows, with a folder of the bug."""
    only_tools(monkeypatch, {"one": tool("one", "grep -aq class {jar} && echo FAIL always; true")})
    settings = Settings(
        preset="one", failures="chosen FAIL always", jobs=1, algorithm="binary", granularity="class", evidence=False
    )
    work = tmp_path / "work"

    def reduced(bug: Path) -> Done:
        workspace.begin()
        return run(Job("b", (sample_jar,), work / "b.jar", work / "b.json", settings, bug=bug), workspace)

    return reduced


@pytest.mark.guarded
def test_a_newer_bug_folder_takes_the_place_of_an_older_one_without_what_a_user_put_there(
    reduce: Callable[[Path], Done], tmp_path: Path
) -> None:
    bug = tmp_path / "bugs" / "b"
    first = reduce(bug)
    assert (first.exit, first.report is not None) == (DONE, True), first
    assert {"small.jar", "report.md"} <= {path.name for path in bug.iterdir()}
    again = reduce(bug)
    assert again.report is not None
    assert first.report is not None
    assert again.report["form"] == first.report["form"]
    assert [path.name for path in bug.parent.iterdir()] == ["b"], "the older one had nothing more"
    (bug / "mine.txt").write_text("of the user")
    reduce(bug)
    assert sorted(path.name for path in bug.parent.iterdir()) == ["b", "b-before-1"]
    assert not (bug / "mine.txt").exists()
    assert (bug.parent / "b-before-1" / "mine.txt").read_text() == "of the user"


def test_a_bug_folder_that_cannot_be_made_is_one_sentence(reduce: Callable[[Path], Done], tmp_path: Path) -> None:
    (tmp_path / "bugs").write_text("a file")
    with pytest.raises(OutputError, match=r"bugs/b: the folder of the bug cannot be made"):
        reduce(tmp_path / "bugs" / "b")


def test_a_look_that_was_ended_tells_of_no_failure(
    workspace: Workspace, sample_jar: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    only_tools(monkeypatch, {"one": tool("one", "echo FAIL always")})
    whole = look_at("a", sample_jar, "one", (), workspace)
    assert (whole.exit, whole.report is not None) == (DONE, True)
    workspace.stop()
    assert look_at("a", sample_jar, "one", (), workspace) == Done("a", INTERRUPTED)


def test_a_resident_compiler_looks_and_a_new_one_only_where_it_fails(
    workspace: Workspace, sample_jar: Path, compile_java: CompileJava, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    new: list[Path] = []
    resident: list[ToolCommand] = []

    def confirm(self: StepsPredicate, entries: Entries, work: Path, cancel: Flag | None = None) -> Outcome:
        new.append(work)
        return self.judged(self.run(entries, work, cancel), entries, work)

    def process(command: ToolCommand, *words: Any) -> ToolProcess:
        resident.append(command)
        return ToolProcess(command, *words)

    monkeypatch.setattr(StepsPredicate, "confirm", confirm)
    monkeypatch.setattr(process_pool, "ToolProcess", process)

    def kinds(jar: Path) -> int:
        report = look_at("a", jar, "javac", (), workspace).report
        assert report is not None
        assert not report["problem"]
        return len(report["kinds"])

    assert (kinds(sample_jar), kinds(sample_jar), new) == (0, 0, [])
    classes = compile_java({"p/Bad.java": "package p; public class Bad {}"})
    bad = classes / "p" / "Bad.class"
    bad.write_bytes(bad.read_bytes()[:-3])
    assert kinds(jar_of(classes, tmp_path / "bad.jar")) == 1
    assert len(new) == 1
    assert [command.program for command in resident] == ["warm.Uses", "javac"]
