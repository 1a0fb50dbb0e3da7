"""The table of actions: what is possible when."""

from __future__ import annotations

from app.engine.run_state import EngineState
from app.window.commands.actions import ACTIONS, MENUS, SUBMENUS, TOOLBAR, conditions
from tests.support.rows import rows


def enabled(phase: EngineState, *, is_open: bool = True, result: bool = False, selected: bool = False) -> set[str]:
    holds = conditions(phase, is_open, result, selected, reduced=result)
    return {spec.id for spec in ACTIONS if holds[spec.enabled]}


STARTING = {"check", "start", "save_session", "open_nested"}
GOING = {spec.id for spec in ACTIONS if spec.id.startswith("go_")}
ANYTIME = {"open", "open_folder", "sample"}
"""Actions that open a jar: during a run, in a window of its own."""
OPENING = {"open_session", "sessions"}
ALWAYS = GOING | ANYTIME | {"new_window", "preferences", "quit", "dark", "help", "shortcuts", "logs", "about"}
EXPORTS = {"export_graph"}
RESULT = {"export_jar"}
EXPORTED_REPORTS = {"export_report", "export_bug", "export_folder"}
REPORTS = EXPORTED_REPORTS | {"report"}
SELECTED = {"pin", "drop_first", "inspect", "copy_name", "goes_with", "around"}
GRAPH = {spec.id for spec in ACTIONS if spec.menu == "view"} - {"dark"} - GOING


@rows(
    ("now", "possible"),
    [
        (enabled(EngineState.EMPTY, is_open=False), ALWAYS | OPENING),
        (enabled(EngineState.LOADING, is_open=False), ALWAYS | OPENING),
        (enabled(EngineState.READY), ALWAYS | OPENING | GRAPH | EXPORTS | STARTING),
        (
            enabled(EngineState.READY, result=True, selected=True),
            ALWAYS | OPENING | GRAPH | EXPORTS | RESULT | REPORTS | SELECTED | STARTING,
        ),
        (enabled(EngineState.CHECKING), ALWAYS | GRAPH | EXPORTS | {"stop"}),
        (enabled(EngineState.RUNNING, result=True), ALWAYS | GRAPH | EXPORTS | RESULT | {"pause", "stop", "enough"}),
        (enabled(EngineState.PAUSED), ALWAYS | GRAPH | EXPORTS | {"pause", "stop", "enough"}),
        (enabled(EngineState.STOPPING), ALWAYS | GRAPH | EXPORTS),
        (enabled(EngineState.DEAD, result=True), ALWAYS | OPENING | GRAPH),
    ],
)
def test_the_table_says_when_an_action_is_possible(now: set[str], possible: set[str]) -> None:
    assert now == possible


def test_a_run_that_removed_nothing_has_no_bug_report() -> None:
    holds = conditions(EngineState.READY, True, True, False, reduced=False)
    assert holds["reported"]
    assert not [spec.id for spec in ACTIONS if spec.id in {"export_bug", "export_folder"} and holds[spec.enabled]]


def test_the_table_is_whole() -> None:
    ids = [spec.id for spec in ACTIONS]
    assert len(ids) == len(set(ids))
    assert {spec.menu for spec in ACTIONS} == {*MENUS, *SUBMENUS}
    assert set(TOOLBAR) - {"|"} <= set(ids)
    assert not [spec.id for spec in ACTIONS if not spec.tip or spec.tip.endswith(".")]


def test_only_what_asks_for_more_ends_in_dots() -> None:
    asking = {
        "open",
        "open_folder",
        "open_session",
        "sessions",
        "save_session",
        "preferences",
        *EXPORTS,
        *RESULT,
        *EXPORTED_REPORTS,
    }
    assert {spec.id for spec in ACTIONS if spec.text.endswith("…")} == asking
