"""Findings of a walk through the window that no other test shows; the list of all is in ``README.md`` beside this."""

from __future__ import annotations

import re
from pathlib import Path
from types import SimpleNamespace

import pytest
from pytestqt.qtbot import QtBot

import app.sample
from app.bug.centre import BesideCommands, CentrePages
from app.engine.controller import Controller
from app.graph.view import GraphView
from app.panels.empty_page import EmptyPage
from app.panels.form.run_form import RunForm
from app.panels.inspector import Inspector
from app.panels.message_bar import MessageBar
from app.window.presenters.session_presenter import SessionPresenter
from core.errors import InputError
from core.protocol import events
from core.protocol.settings import Settings
from tests.support.gui_helpers import small_jar
from tests.support.run_events import apply

ROOT = Path(__file__).resolve().parents[2]


def test_each_finding_has_tests_that_there_are() -> None:
    """The tables of README.md name all findings, and each row has tests by file and name."""
    text = (ROOT / "tests/gui/README.md").read_text(encoding="utf-8").partition("## What the window promises")[0]
    rows = re.findall(r"^\| (\d+) \| [^|]+ \| ([^|]+) \|$", text, re.MULTILINE)
    assert [int(number) for number, _ in rows] == [*range(1, 38), *range(1, 23)]
    answers = re.findall(r"^\| ([^|]+) \| [1-3] \| [^|]+ \| ([^|]+) \|$", text, re.MULTILINE)
    assert len(answers) == 9
    later = re.findall(r"^\| ([^|`]+) \| (`[^|]+) \|$", text, re.MULTILINE)
    assert len(later) == 44
    for number, tests in [*rows, *answers, *later]:
        named = re.findall(r"`([\w/]+)`: ((?:`\w+`(?:, )?)+)", tests)
        assert named, f"finding {number} has no test"
        for file, names in named:
            path = ROOT / "tests" / (f"{file}.py" if "/" in file else f"gui/{file}.py")
            text = path.read_text(encoding="utf-8")
            for name in re.findall(r"`(\w+)`", names):
                assert f"def test_{name}(" in text, f"finding {number}: {path.name} has no test {name}"


def test_the_sample_that_is_not_built_names_the_command_that_builds_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "packaging").mkdir()
    (tmp_path / "packaging" / "build_sample.py").touch()
    monkeypatch.setattr(app.sample, "path", lambda name: tmp_path / name)
    monkeypatch.setattr(app.sample, "built", lambda: tmp_path / "build" / "sample.jar")
    with pytest.raises(InputError, match="make sample"):
        app.sample.jar()
    assert re.search(r"^sample:", (ROOT / "Makefile").read_text(), re.MULTILINE)


def test_a_long_name_is_read_at_both_ends_while_the_jar_is_read(qtbot: QtBot) -> None:
    page = EmptyPage()
    qtbot.addWidget(page)
    page.set_loading(f"begin-{'middle-' * 20}end.jar")
    shown = page.title.text()
    assert shown.startswith("Reading begin-")
    assert shown.endswith("end.jar…")
    assert page.title.fontMetrics().horizontalAdvance(shown) <= 620
    page.set_loading(None)
    assert page.title.text() == "Open a jar, or drop one here"
    assert not page.steps.isHidden()
    page.show_recent([[str(ROOT / "Makefile")]])
    assert page.steps.isHidden(), "whoever was here before wants what was open"
    page.resize(700, 120)
    page.show()
    bar = page.area.verticalScrollBar()
    qtbot.waitUntil(lambda: bar.maximum() > 0)
    bar.setValue(bar.maximum())
    page.set_loading("app.jar")
    assert bar.value() == 0, "the name of the jar is in sight"


def test_the_cells_of_a_small_matrix_use_the_page_and_each_row_has_its_name(qtbot: QtBot, view: GraphView) -> None:
    view.show_view("matrix")
    qtbot.waitUntil(lambda: view.view == "matrix" and view.matrix.cells is not None)
    matrix = view.matrix
    assert matrix.cells is not None
    assert matrix.stretch > 1, "cells are wider than high, as the page is"
    assert matrix.camera.scale >= matrix.fontMetrics().height(), "there is room for each name"


def test_another_jar_leaves_the_empty_page_of_the_bug(qtbot: QtBot, controller: Controller) -> None:
    pages = CentrePages(GraphView())
    qtbot.addWidget(pages)
    beside = BesideCommands(controller, pages, lambda: Settings(predicate="true"))
    pages.show_bug()
    beside.jar_opened()
    assert pages.currentWidget() is pages.graph


def test_the_jar_of_an_interrupted_session_is_exported_without_a_run(
    qtbot: QtBot, controller: Controller, messages: MessageBar, tmp_path: Path
) -> None:
    form = RunForm()
    qtbot.addWidget(form)
    pins = SimpleNamespace(restore=lambda keep, first: None)
    sessions = SessionPresenter(controller, messages, form, pins)  # type: ignore[arg-type]
    settings = Settings(predicate="true {jar}")
    controller.session = str(tmp_path)
    apply(controller.state, events.Restored(str(tmp_path), settings, True, ["small.jar"], best=900))
    apply(controller.state, small_jar()[0])
    sessions.restored(events.Restored(str(tmp_path), settings, True, ["small.jar"], best=900))
    sessions.jar_opened()
    qtbot.waitUntil(lambda: messages.action_button.text() == "Start")
    assert messages.other_button.text() == "Export jar…"
    with qtbot.waitSignal(sessions.jar_wanted):
        messages.other_button.click()


def test_relations_that_are_not_there_yet_are_told(qtbot: QtBot) -> None:
    inspector = Inspector()
    qtbot.addWidget(inspector)
    inspector.look_at("a/B", ["needs 38"])
    for tree in (inspector.needs, inspector.needed_by):
        first = tree.topLevelItem(0)
        assert first is not None
        assert first.text(0) == "Computing…"
