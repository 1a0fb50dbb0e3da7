"""The lists beside the graph: rows that grow, selection, copy."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from pytestqt.qtbot import QtBot

from app.engine.run_state import RunState
from app.engine.runs import RunRecord, StepSummary
from app.panels.lists.failure_list import FailureList, FailureRow
from app.panels.lists.probe_table import ProbeTable
from app.panels.lists.step_list import StepList
from core.protocol import events
from core.protocol.run_words import EndReason
from core.protocol.settings import Settings


def probed(number: int, verdict: str, source: str = "run") -> events.Probed:
    return events.Probed(number, verdict, source, 0.25, 1.0, 12, 3400, None, "", "", "")


def test_rows_of_probes_are_copied_as_they_are_read(qtbot: QtBot) -> None:
    table = ProbeTable()
    qtbot.addWidget(table)
    probes = [probed(1, "interesting"), probed(2, "not interesting", "cache")]
    table.show_probes(probes)
    table.table.selectRow(1)
    qtbot.keyClick(table.table, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text() == "\t12\t3.4 kB\t– does not fail\tcache\t"
    assert table.output.toPlainText().startswith("Jar: does not fail\nNot run: ")
    probes.append(probed(3, "timed out"))
    table.show_probes(probes)
    assert table.model.rowCount() == 3
    assert table.table.selected_rows() == [1]
    table.show_probes([])
    assert table.model.rowCount() == 0


def test_all_columns_of_the_steps_of_two_reductions_are_seen_in_a_window_of_1280_pixels(qtbot: QtBot) -> None:
    steps = StepList()
    qtbot.addWidget(steps)
    first = StepSummary(91.0, 9, 12, 10_396, probe=2, run=1)
    run = RunRecord(1, Settings(predicate="x"), [first], EndReason.STOPPED)
    steps.show_state(RunState(runs=[run, replace(run, number=2)]))
    steps.resize(669, 150)
    steps.show()
    assert not steps.table.isColumnHidden(0)
    assert steps.table.horizontalHeader().length() <= steps.table.viewport().width()


def test_what_tells_two_failures_apart_is_not_cut(qtbot: QtBot) -> None:
    failures = FailureList()
    qtbot.addWidget(failures)
    names = [f"A.java: cannot find symbol; symbol: variable {name}; location: class Object" for name in ("_a", "_b")]
    failures.show_rows([FailureRow(name, "input") for name in names], True)
    metrics = failures.table.fontMetrics()
    for room in range(metrics.horizontalAdvance(names[0]) // 2, metrics.horizontalAdvance(names[0])):
        shown = [
            failures.shortened(name, lambda words, room=room: metrics.horizontalAdvance(words) <= room)
            for name in names
        ]
        assert shown[0] != shown[1]


def test_a_selected_failure_stays_selected_while_its_result_changes(qtbot: QtBot) -> None:
    failures = FailureList()
    qtbot.addWidget(failures)
    failures.show_rows([FailureRow("one", "input"), FailureRow("two", "probe 3", reducible=False)], True)
    assert not failures.note.isVisibleTo(failures)
    failures.table.selectRow(0)
    assert failures.keep.isEnabled()
    failures.show_rows(
        [FailureRow("one", "input", "bug-1.jar"), FailureRow("two", "probe 3", reducible=False), FailureRow("3", "")],
        True,
    )
    assert failures.selected() == ["one"]
    assert failures.model.words(0, 2) == "bug-1.jar"
    assert failures.model.rowCount() == 3
    failures.table.selectAll()
    assert not failures.too.isEnabled(), "the input does not show the second"
    failures.show_rows([FailureRow("four", "input")], True)
    assert failures.selected() == []
    assert not failures.keep.isEnabled()
