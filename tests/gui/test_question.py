"""The question of the algorithm as it is drawn, and drawings as files."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.engine import event_decoder
from app.engine.run_state import RunState
from app.panels.progress.question_view import QuestionView, question_words
from app.theme.theme import DARK
from app.window.preferences import apply as wear
from core.protocol import events
from tests.support.gui_helpers import small_jar

BAR = 56
"""Pixels from the top to the middle of the bar."""


def state_of(*happened: events.Event) -> RunState:
    state = RunState()
    everything = (small_jar()[0], events.Started("gbr", 4, 7, 6, 2800), *happened)
    for event in everything:
        state.apply(event_decoder.decode(events.to_line(event)))
    return state


def test_one_candidate_is_no_list() -> None:
    assert question_words(events.Asked("first", 0, 1, 42, 1, 0, 1)) == "Trying a jar with 42 of them"
    assert (
        question_words(events.Asked("first", 0, 2, 42, 2, 0, 2)) == "Trying smaller jars: 1 of 2, at most 2 runs more"
    )


def test_a_bound_that_says_nothing_is_left_out() -> None:
    assert question_words(events.Asked("least", 25, 49, 9, 100, 0, 5)).endswith("positions left, at most 5 runs more")
    assert question_words(events.Asked("least", 25, 49, 9, 100, 0, 25)).endswith("positions left")


@pytest.mark.parametrize(
    ("asked", "within", "beyond", "words"),
    [
        (events.Asked("least", 25, 49, 9, 100, 0, 5), 0.45, 0.7, "Binary search: 25 of 100 positions left"),
        (events.Asked("first", 6, 10, 3, 10, 6), 0.8, 0.3, "Trying smaller jars: 7 of 10"),
    ],
)
def test_what_may_be_the_answer_is_coloured(
    qtbot: QtBot, qapp: QApplication, asked: events.Asked, within: float, beyond: float, words: str
) -> None:
    view = QuestionView()
    qtbot.addWidget(view)
    wear(qapp, DARK)
    view.resize(424, 160)  # 400 pixels for the bar
    trying = events.Trying(3, events.pack(0b111, 7), 3, 1200, 1, True)
    state = state_of(
        events.Searching(2, "items", "items", 100, 100), asked, events.Ended(2, 0, 0.5, "x", False), trying
    )
    view.show()
    view.show_state(state)
    assert view.accessibleDescription().startswith(f"Round 2: members and attributes: 100 items {words}")
    picture = view.grab().toImage()
    assert picture.pixelColor(12 + round(400 * within), BAR) == DARK.kept
    assert picture.pixelColor(12 + round(400 * beyond), BAR) == DARK.gone
    lanes = [picture.pixelColor(16, BAR + 25 + 20 * lane) for lane in range(2)]
    assert lanes[1] == DARK.trying, "the second worker runs a probe"
    assert lanes[0] != lanes[1]
