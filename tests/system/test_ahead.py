"""A failure that is chosen by name: a reduction that never runs the full input."""

from __future__ import annotations

import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from core.protocol import events
from core.protocol.settings import Settings
from core.service.workspace import Workspace
from tests.support.files import jar_of

SOURCES = {
    "p/Broken.java": "package p; class Broken { int f() { return 1; } Near near; }",
    "p/Near.java": "package p; class Near { }",
    **{
        f"q/Far{n}.java": f'package q; public class Far{n} {{ String far() {{ return "{"far " * 50}{n}"; }} }}'
        for n in range(20)
    },
}
COMMAND = "sh -c 'unzip -l {{jar}} | grep -c class >> {log}; unzip -l {{jar}} | grep -q p/Broken.class && echo {says}'"


@pytest.fixture(scope="module")
def program(compile_java: Callable[..., Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A jar of 22 classes."""
    folder = compile_java(SOURCES)
    return jar_of(folder, tmp_path_factory.mktemp("ahead") / "program.jar")


@pytest.mark.parametrize(
    ("failures", "says", "more", "runs_all"),
    [
        ("chosen p.Broken: bad", "p.Broken: bad", {}, False),
        ("chosen p.Broken: bad, no new kinds", "p.Broken: bad", {}, True),
        ("same", "p.Broken: bad", {}, True),
        ("chosen p.Broken: bad", "p.Broken: bad", {"preserve": frozenset({"exit"})}, True),
        ("chosen p.Broken: bad", "p.Broken: bad", {"evidence": False}, True),
        ("chosen nothing: bad", "nothing: bad", {}, True),
    ],
)
def test_the_full_input_is_run_only_where_that_is_needed(
    program: Path, tmp_path: Path, failures: str, says: str, more: dict[str, object], runs_all: bool
) -> None:
    log, told = tmp_path / "log", list[events.Event]()
    workspace = Workspace(told.append)
    try:
        workspace.open([str(program)])
        command = COMMAND.format(log=log, says=says)
        settings = Settings(predicate=command, failures_as=r"^\S+: bad$", failures=failures, **more)  # type: ignore[arg-type]
        workspace.reduce(settings, tmp_path / "out.jar")
        report = workspace.last_report
    finally:
        workspace.close()
    assert report is not None
    assert zipfile.ZipFile(tmp_path / "out.jar").namelist() == ["p/Broken.class"]
    assert ("22" in log.read_text().split()) == runs_all
    assert report["certificate"]["full_input_run"] == runs_all
    assert report["final"]["chosen"] == ([says] if failures.startswith("chosen") else [])
    (checked,) = (event for event in told if isinstance(event, events.Checked))
    assert ("The full input was not run: 1 class around p.Broken" in checked.message) != runs_all
    assert ("That small input is interesting" in checked.message) != runs_all
    runs = report["probes"]
    # a run that was begun ahead of its turn may have been ended before its first line
    assert runs["total"] <= len(log.read_text().split()) <= runs["total"] + runs["speculated"]


def test_a_name_that_points_to_the_wrong_class_costs_a_few_probes(program: Path, tmp_path: Path) -> None:
    log = tmp_path / "log"
    workspace = Workspace(lambda event: None)
    try:
        workspace.open([str(program)])
        command = COMMAND.format(log=log, says="q.Far3: bad")
        workspace.reduce(
            Settings(predicate=command, failures_as=r"^\S+: bad$", failures="chosen q.Far3: bad"), tmp_path / "out.jar"
        )
        report = workspace.last_report
    finally:
        workspace.close()
    assert zipfile.ZipFile(tmp_path / "out.jar").namelist() == ["p/Broken.class"]
    assert log.read_text().split()[:2] == ["1", "22"]
    assert report is not None
    runs = report["probes"]
    assert runs["total"] <= len(log.read_text().split()) <= runs["total"] + runs["speculated"]
