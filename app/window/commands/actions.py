"""The actions of the menus, the tool bar and the shortcuts: the table is ``resources/actions.toml``."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMainWindow, QMenu, QToolBar

from app.bug.centre import BesideCommands
from app.bug.report import ReportPresenter
from app.engine.run_state import EngineState
from app.presenter import called
from app.theme import icons
from app.theme.theme import Theme
from app.widgets import made
from app.window.commands.export_commands import ExportCommands
from app.window.commands.file_commands import FileCommands
from app.window.commands.menu_commands import EditCommands, HelpCommands
from app.window.commands.named_files import FormFiles
from app.window.commands.run_commands import RunCommands
from app.window.explore.explorer import Explorer
from app.window.layout import WindowLayout
from app.window.preferences import Appearance, PreferencesPresenter
from app.window.presenters.session_presenter import SessionPresenter
from resources import path


@dataclass(frozen=True, slots=True)
class Commands:
    """The user's commands, by menu, and the parts of the window that some of them concern alone."""

    parts: WindowLayout
    appearance: Appearance
    file: FileCommands
    export: ExportCommands
    edit: EditCommands
    reduce: RunCommands
    help: HelpCommands
    beside: BesideCommands
    report: ReportPresenter
    explore: Explorer
    fill: FormFiles
    sessions: SessionPresenter
    preferences: PreferencesPresenter
    quit: Callable[[], None]


@dataclass(frozen=True, slots=True)
class ActionSpec:
    """One action, as ``resources/actions.toml`` declares it and its fields."""

    id: str
    menu: str
    text: str
    does: str
    shortcut: str = ""
    icon: str = ""
    tip: str = ""
    enabled: str = "always"
    short: str = ""
    checkable: bool = False
    separator: bool = False


_TABLE = tomllib.loads(path("actions.toml").read_text(encoding="utf-8"))
MENUS: dict[str, str] = _TABLE["menus"]
SUBMENUS: dict[str, list[str]] = _TABLE["submenus"]
TOOLBAR: list[str] = _TABLE["toolbar"]
ACTIONS = [ActionSpec(**row) for row in _TABLE["actions"]]


class WindowActions:
    """The actions of the table, in the menus and on the tool bar of a window.

    ``by_id`` has the actions, ``menus`` the menus. :meth:`show` alone enables and disables them.
    """

    def __init__(self, window: QMainWindow, toolbar: QToolBar, commands: Commands) -> None:
        self.by_id: dict[str, QAction] = {}
        self.menus: dict[str, QMenu] = {name: window.menuBar().addMenu(title) for name, title in MENUS.items()}
        for spec in ACTIONS:
            action = self.by_id[spec.id] = _action(spec, window, commands)
            if spec.menu not in self.menus:
                around, title = SUBMENUS[spec.menu]
                self.menus[spec.menu] = self.menus[around].addMenu(title)
            if spec.separator:
                self.menus[spec.menu].addSeparator()
            self.menus[spec.menu].addAction(action)
        self.by_id["zoom_in"].setShortcuts([QKeySequence("Ctrl++"), QKeySequence("Ctrl+=")])
        for name in TOOLBAR:
            if name == "|":
                toolbar.addSeparator()
                continue
            toolbar.addAction(self.by_id[name])
            button: Any = toolbar.widgetForAction(self.by_id[name])
            button.setAccessibleName(self.by_id[name].iconText())
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            if name in _TABLE["icon_only"]:
                button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonIconOnly)

    def show(self, holds: Mapping[str, bool], paused: bool) -> None:
        """Enable the actions that are possible while these conditions hold."""
        for spec in ACTIONS:
            self.by_id[spec.id].setEnabled(holds[spec.enabled])
        words = "Resume" if paused else "Pause"
        self.by_id["pause"].setText(f"&{words}")
        self.by_id["pause"].setIconText(words)

    def set_theme(self, theme: Theme) -> None:
        """Set icons in the theme's colours; actions without a file keep their text. The dark theme's action is checked
        if it is on.
        """
        self.by_id["dark"].setChecked(theme.dark)
        for spec in ACTIONS:
            if spec.icon:
                self.by_id[spec.id].setIcon(icons.icon(spec.icon, theme))


def conditions(phase: EngineState, opened: bool, ended: bool, selected: bool, reduced: bool) -> dict[str, bool]:
    """Return the conditions in the table of actions, each with True if it holds at this moment.

    ``opened``: an input has been read; ``ended``: a reduction of it has ended, so that there is a report; ``selected``:
    so is a class or a member; ``reduced``: something smaller than the input failed, so that there is a jar to write.
    """
    ready = phase is EngineState.READY
    exportable = opened and phase not in (EngineState.LOADING, EngineState.DEAD)
    reported = ready and ended
    return {
        "always": True,
        "idle": not phase.busy,
        "ready": ready,
        "pausable": phase in (EngineState.RUNNING, EngineState.PAUSED),
        "stoppable": phase.busy and phase is not EngineState.STOPPING,
        "exportable": exportable,
        "has_jar": exportable and reduced,
        "reported": reported,
        "bug_found": reported and reduced,
        "drawn": opened,
        "chosen": selected,
    }


def _action(spec: ActionSpec, window: QMainWindow, commands: Commands) -> QAction:
    action = made(QAction(spec.text, window), objectName=spec.id, checkable=spec.checkable)
    if spec.shortcut:
        action.setShortcut(QKeySequence(spec.shortcut))
    action.setIconText((spec.short or spec.text).replace("&", "").rstrip("…"))
    native = action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
    action.setStatusTip(spec.tip)
    action.setToolTip(f"{spec.tip} ({native})" if native else spec.tip)
    slot = called(commands, spec.does)
    if spec.checkable:
        action.toggled.connect(slot)
    else:
        action.triggered.connect(lambda *_: slot())
    return action
