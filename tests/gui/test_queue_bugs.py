"""The queue of reductions ends in a table of bugs; neutral names are a switch of the search."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot

from app.bug.dialogs import BugsDialog
from app.window.main_window import MainWindow
from core.known.canonical_form import FIRST, VERSION, form_of
from core.known.known_bugs import KnownBug, KnownBugs
from tests.support.gui_helpers import fill, open_jar, wait_idle

CLASS = "test -f {classes}/sample/number/Rational.class"
TWO_NAMES = f"sh -c '{CLASS} && echo BUG one; {CLASS} && echo BUG two; exit 0'"


@pytest.mark.slow
def test_two_failures_of_one_jar_are_one_bug(
    qtbot: QtBot, window: MainWindow, sample_jar: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    open_jar(qtbot, window, sample_jar)
    fill(window, TWO_NAMES, failures_as="BUG .*", algorithm="binary", granularity="class")
    window.actions_by_id["check"].trigger()
    wait_idle(qtbot, window)
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(tmp_path / "bugs"), ""))
    (tmp_path / "bugs").mkdir()
    with qtbot.waitSignal(window.queue.told) as told:
        window.parts.failures.queued.emit(["BUG one", "BUG two"])
    sentence, rows = told.args
    assert sentence == "2 failures, 1 bug."
    assert [row[:2] for row in rows] == [["bug", "failures"], ["1", "2"]]
    assert all(words.endswith(", bug 1") for words in window.queue.results.values())
    button = window.parts.messages.action_button
    qtbot.waitUntil(lambda: button.text() == "Show bugs…")
    button.click()
    dialog = window.results.bugs
    assert isinstance(dialog, BugsDialog)
    assert [dialog.model.words(0, column) for column in range(2)] == ["1", "2"]
    assert dialog.model.words(0, 4) == "BUG one"
    known = tmp_path / "known.json"
    form = form_of(tmp_path / "bugs" / "1.jar")
    KnownBugs((KnownBug(form.hash, "#412", form=VERSION), KnownBug("0" * 64, "#7", form=FIRST))).save(known)
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(known), ""))
    dialog.known.click()
    qtbot.waitUntil(lambda: "#412" in dialog.model.words(0, 5))
    assert "1 known bug cannot be compared" in dialog.sentence.text()
    assert "#7" in dialog.sentence.text()
    known.write_text("no list")
    dialog.known.click()
    qtbot.waitUntil(lambda: "known.json" in window.parts.messages.text.text())
    dialog.close()


@pytest.mark.guarded
def test_smaller_jars_that_do_not_fail_again_are_told(
    qtbot: QtBot, window: MainWindow, sample_jar: Path, tmp_path: Path
) -> None:
    seen, script = tmp_path / "seen", tmp_path / "once.sh"
    seen.mkdir()
    script.write_text(
        "test -f $2/sample/number/Rational.class || exit 0\n"
        f"key={seen}/$(find $2 -type f | sort | xargs cat | md5sum | cut -c1-16)\n"
        'test "$(find $2 -name "*.class" | wc -l)" -lt 64 && test -e $key && exit 0\n'
        "touch $key; echo BUG one"
    )
    open_jar(qtbot, window, sample_jar)
    fill(window, f"sh {script} {{jar}} {{classes}}", failures_as="BUG .*", algorithm="binary", granularity="class")
    with qtbot.waitSignal(window.queue.ended):
        window.queue.add(["BUG one"], window.parts.run.form.settings(), tmp_path)
    assert window.queue.results == {"BUG one": "smaller jars did not fail again"}
    assert window.parts.messages.kind == "warning"


def test_neutral_names_are_a_switch(window: MainWindow) -> None:
    form = window.parts.run.form
    assert not form.settings().rename
    form.search.declared.fields["rename"].write(True)
    assert form.settings().rename


def test_the_table_of_bugs_says_which_known_ones_cannot_be_compared(window: MainWindow) -> None:
    old = KnownBugs((KnownBug("0" * 64, "#7", form=FIRST),))
    head = ["bug", "failures", "bytes", "smallest jar", "failure", "known as"]
    window.results.bugs_told(f"1 failure, 1 bug. {old.untold}", [head, ["1", "1", "9", "1.jar", "a.jar", ""]])
    window.parts.messages.action_button.click()
    dialog = window.results.bugs
    assert isinstance(dialog, BugsDialog)
    assert "1 known bug cannot be compared" in dialog.sentence.text()
    dialog.close()
