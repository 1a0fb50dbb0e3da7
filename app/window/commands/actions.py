"""Everything the menus, the tool bar and the shortcuts can do, in one table: words, keys, function and condition."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from operator import attrgetter
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMainWindow, QMenu, QToolBar

from app.bug.centre import BesideCommands
from app.bug.report import ReportPresenter
from app.theme import icons
from app.theme.theme import Theme
from app.widgets import made
from app.window.commands.file_commands import FileCommands
from app.window.commands.menu_commands import EditCommands, HelpCommands
from app.window.commands.named_files import FormFiles
from app.window.commands.run_commands import RunCommands
from app.window.commands.window_state import WindowState
from app.window.explore.explorer import Explorer
from app.window.layout import WindowLayout
from app.window.preferences import Appearance, PreferencesPresenter
from app.window.presenters.session_presenter import SessionPresenter


@dataclass(frozen=True, slots=True)
class Commands:
    """The user's commands, by menu, and the parts of the window that some of them concern alone."""

    parts: WindowLayout
    appearance: Appearance
    file: FileCommands
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
    """One action. ``does`` is the path of its method in :class:`Commands`, maybe with an argument behind a space; that
    of a checkable action takes the new state. ``enabled`` tells when it is possible; ``short`` is the text on the tool
    bar."""

    id: str
    menu: str
    text: str
    does: str
    shortcut: str = ""
    icon: str = ""
    tip: str = ""
    enabled: Callable[[WindowState], bool] = WindowState.always
    short: str = ""
    checkable: bool = False
    separator: bool = False
    """True if a separator comes before the action."""


MENUS = (("file", "&File"), ("edit", "&Edit"), ("view", "&View"), ("reduce", "&Reduce"), ("help", "&Help"))

SUBMENUS = {"go": ("view", "Go to")}
"""Menus within menus, each in the place of its first action: the menu around it, and the title."""

PARTS = {
    "classes": "classes", "components": "components", "reduction": "reduction", "progress": "progress",
    "probes": "runs", "search": "search", "steps": "steps", "failures": "failures", "inspector": "inspector",
}  # fmt: skip
"""The lists and docks that have a key, in its order, with their titles."""

ACTIONS = (
    ActionSpec("open", "file", "&Open jar…", "file.choose_jar", "Ctrl+O", "open",
               "Open a jar, war or zip", WindowState.always, "Open"),
    ActionSpec("open_folder", "file", "Open class &folder…", "file.choose_folder", "Ctrl+Shift+O", "",
               "Open a folder of .class files"),
    ActionSpec("open_nested", "file", "Open nested &jars", "file.open_nested", "", "",
               "Read the input again with the jars inside it opened, so that their classes can be removed too",
               WindowState.ready),
    ActionSpec("new_window", "file", "New w&indow", "file.new_window", "Ctrl+N", "",
               "Open a window for another jar, with an engine of its own"),
    ActionSpec("open_session", "file", "Ope&n session…", "file.choose_session", "Ctrl+Alt+O", "",
               "Open a saved reduction, to resume it", WindowState.idle, separator=True),
    ActionSpec("sessions", "file", "Sessions and resul&ts…", "sessions.show_all", "Ctrl+Alt+R", "",
               "Show interrupted and finished reductions, to open one or its folder", WindowState.idle),
    ActionSpec("save_session", "file", "Save session &as…", "file.save_session", "Ctrl+Alt+S", "",
               "Save this reduction in a folder of your choice", WindowState.ready),
    ActionSpec("sample", "file", "Open the &sample", "file.open_sample", "", "",
               "Open a small program that fails, which comes with Jarlet"),
    ActionSpec("export_jar", "file", "&Export reduced jar…", "file.export_jar", "Ctrl+S", "export",
               "Write the selected step, or else the smallest result, as a jar", WindowState.has_jar, "Export",
               separator=True),
    ActionSpec("export_graph", "file", "Export &graph…", "file.export_graph", "Ctrl+Shift+S", "",
               "Write the shown view as SVG, PNG, PDF, DOT or GraphML, or the whole graph as JSON",
               WindowState.exportable),
    ActionSpec("export_report", "file", "Export &report as JSON…", "file.export_report", "Ctrl+Shift+E", "",
               "Write the report of the last reduction as JSON", WindowState.reported),
    ActionSpec("export_bug", "file", "Export &bug report…", "file.export_bug", "Ctrl+Shift+B", "",
               "Write the failure, how to reproduce it and what is left, as Markdown or HTML", WindowState.bug_found),
    ActionSpec("report", "file", "Sho&w bug report", "report.show", "Ctrl+B", "",
               "Show the report of the last reduction, to copy as an issue or export", WindowState.bug_found),
    ActionSpec("export_folder", "file", "Export bug fol&der…", "file.export_folder", "Ctrl+Alt+B", "",
               "Write the reduced jar, a script that repeats the failure, the report and the source",
               WindowState.bug_found),
    ActionSpec("preferences", "file", "&Preferences…", "preferences.ask", "Ctrl+,", "settings",
               "Set the theme, the tools and the defaults", separator=True),
    ActionSpec("quit", "file", "&Quit", "quit", "Ctrl+Q", "", "Quit Jarlet", separator=True),
    ActionSpec("pin", "edit", "&Pin selection", "edit.pin", "Ctrl+L", "",
               "Keep the selected classes and members in every jar that is tried; K in the tree", WindowState.chosen,
               separator=True),
    ActionSpec("drop_first", "edit", "&Drop selection first", "edit.drop_first", "Ctrl+D", "",
               "Remove the selected classes and members before anything else; D in the tree", WindowState.chosen),
    ActionSpec("inspect", "edit", "&Inspect selection", "parts.show_inspector", "Ctrl+E", "",
               "Show facts, dependencies, bytecode and source of the selection", WindowState.chosen),
    ActionSpec("copy_name", "edit", "&Copy name", "edit.copy_name", "Ctrl+Shift+C", "",
               "Copy the selected name as Java writes it", WindowState.chosen),
    ActionSpec("goes_with", "edit", "What &goes with it", "explore.goes_with", "Ctrl+Shift+G", "",
               "List all that cannot stay when the selection goes, with bytes and rules", WindowState.chosen,
               separator=True),
    ActionSpec("around", "edit", "S&mallest set around it", "explore.around", "Ctrl+Shift+R", "",
               "List the smallest valid set that has the selection, and write it as a jar", WindowState.chosen),
    ActionSpec("packages", "view", "&Packages", "parts.centre.show_view packages", "Ctrl+1", "",
               "One card per package", WindowState.drawn),
    ActionSpec("components", "view", "&Classes and cycles", "parts.centre.show_view components", "Ctrl+2", "",
               "One box per class", WindowState.drawn),
    ActionSpec("focus", "view", "Foc&us on the selected class", "parts.centre.show_view focus", "Ctrl+3", "",
               "The selected class, what it needs and what needs it", WindowState.drawn),
    ActionSpec("force", "view", "Fo&rce-directed layout", "parts.centre.show_view force", "Ctrl+4", "",
               "Classes that depend on each other lie close together", WindowState.drawn),
    ActionSpec("matrix", "view", "Depende&ncy matrix", "parts.centre.show_view matrix", "Ctrl+5", "",
               "Rows depend on columns; cycles stand above the diagonal", WindowState.drawn),
    ActionSpec("treemap", "view", "Si&zes", "parts.centre.show_view treemap", "Ctrl+8", "",
               "One rectangle per class; its area is the class's bytes", WindowState.drawn),
    ActionSpec("bug", "view", "Bu&g in the source", "beside.show_bug", "Ctrl+6", "",
               "The failure in the source of the smallest jar", WindowState.drawn, separator=True),
    ActionSpec("tools", "view", "Which &tools fail", "beside.show_tools", "Ctrl+7", "",
               "All installed tools on the same jar", WindowState.drawn),
    ActionSpec("back", "view", "&Back", "parts.graph.back", "Alt+Left", "",
               "Return to the previous view of the graph", WindowState.drawn, separator=True),
    ActionSpec("open_all", "view", "Open &all packages", "parts.graph.open_all", "Ctrl+Shift+A", "",
               "Show the classes of all packages in the package view", WindowState.drawn),
    ActionSpec("close_all", "view", "C&lose all packages", "parts.graph.close_all", "Ctrl+Shift+W", "",
               "Show one card per package in the package view", WindowState.drawn),
    ActionSpec("cycles", "view", "C&ycles of packages", "explore.show_cycles", "Ctrl+Shift+Y", "",
               "List the cycles among packages, and the edges to cut", WindowState.drawn),
    ActionSpec("rank", "view", "Classes by size, dependents, depth", "explore.rank_classes",
               "Ctrl+Shift+J", "", "List all classes; a column's head sorts by it", WindowState.drawn),
    ActionSpec("why", "view", "&Why is it kept?", "parts.graph.why", "Ctrl+I", "",
               "Show the shortest dependency path from a class that must stay to the selected one",
               WindowState.drawn),
    ActionSpec("fit", "view", "&Fit to window", "parts.graph.fit", "Ctrl+0", "fit",
               "Show the whole graph; F in the graph", WindowState.drawn, "Fit", separator=True),
    ActionSpec("zoom_in", "view", "Zoom &in", "parts.graph.zoom_in", "Ctrl++", "zoom-in",
               "Enlarge the graph; + in the graph", WindowState.drawn),
    ActionSpec("zoom_out", "view", "Zoom &out", "parts.graph.zoom_out", "Ctrl+-", "zoom-out",
               "Shrink the graph; - in the graph", WindowState.drawn),
    ActionSpec("find", "view", "Fin&d class or member", "parts.search.focus", "Ctrl+F", "search",
               "Search classes and members by name", WindowState.drawn, separator=True),
    ActionSpec("find_code", "view", "Find &string or code", "parts.show_find", "Ctrl+Shift+F", "",
               "Find a text in strings, bytecode or decompiled source", WindowState.drawn),
    *(
        ActionSpec(f"go_{part}", "go", f"Go to {title}", f"parts.show_part {part}",
                   f"Alt+{number}", "", f"Show {title} and move the keyboard there")
        for number, (part, title) in enumerate(PARTS.items(), 1)
    ),
    ActionSpec("minimap", "view", "&Minimap", "parts.graph.minimap.set_wanted", "Ctrl+M", "",
               "Show the whole graph in a corner", WindowState.drawn, checkable=True, separator=True),
    ActionSpec("dark", "view", "Dar&k theme", "appearance.set_dark", "Ctrl+Shift+D", "",
               "Show light text on a dark background", checkable=True),
    ActionSpec("check", "reduce", "&Check", "reduce.check", "Ctrl+K", "check",
               "Run the command on the whole jar", WindowState.ready),
    ActionSpec("start", "reduce", "&Start", "reduce.start", "Ctrl+R", "start",
               "Start the reduction", WindowState.ready),
    ActionSpec("pause", "reduce", "&Pause", "reduce.pause_or_resume", "Ctrl+P", "pause",
               "Start no new run until you resume", WindowState.pausable),
    ActionSpec("stop", "reduce", "S&top", "reduce.stop", "Ctrl+.", "stop",
               "Stop now and keep the smallest so far", WindowState.stoppable),
    ActionSpec("enough", "reduce", "Stop and &use this result", "reduce.use_result", "Ctrl+G", "",
               "Stop, and export the smallest so far as the result", WindowState.pausable),
    ActionSpec("help", "help", "&Help", "help.show_page start", "F1", "", "Show how to use Jarlet"),
    ActionSpec("shortcuts", "help", "&Keyboard shortcuts", "help.show_page shortcuts", "Ctrl+F1", "",
               "Show all keyboard shortcuts"),
    ActionSpec("logs", "help", "Open the &log folder", "help.show_logs", "", "",
               "Open the folder with the log files, for a bug report"),
    ActionSpec("about", "help", "&About Jarlet", "help.show_about", "", "", "Show versions and licences"),
)  # fmt: skip

TOOLBAR = ("open", "|", "export_jar", "|", "fit", "zoom_in", "zoom_out")
_ICON_ONLY = ("fit", "zoom_in", "zoom_out")


class WindowActions:
    """The actions of the table, in the menus and on the tool bar of a window.

    ``by_id`` has the actions, ``menus`` the menus. :meth:`show` alone enables and disables them.
    """

    def __init__(self, window: QMainWindow, toolbar: QToolBar, commands: Commands) -> None:
        self.by_id: dict[str, QAction] = {}
        self.menus: dict[str, QMenu] = {name: window.menuBar().addMenu(title) for name, title in MENUS}
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
            if name in _ICON_ONLY:
                button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonIconOnly)

    def show(self, state: WindowState) -> None:
        """Enable the actions that are possible at this moment."""
        for spec in ACTIONS:
            self.by_id[spec.id].setEnabled(spec.enabled(state))
        words = "Resume" if state.paused() else "Pause"
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


def _action(spec: ActionSpec, window: QMainWindow, commands: Commands) -> QAction:
    action = made(QAction(spec.text, window), objectName=spec.id, checkable=spec.checkable)
    if spec.shortcut:
        action.setShortcut(QKeySequence(spec.shortcut))
    action.setIconText((spec.short or spec.text).replace("&", "").rstrip("…"))
    native = action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
    action.setStatusTip(spec.tip)
    action.setToolTip(f"{spec.tip} ({native})" if native else spec.tip)
    path, *arguments = spec.does.split()
    method = attrgetter(path)(commands)
    if spec.checkable:
        action.toggled.connect(lambda value: method(value))
    else:
        action.triggered.connect(lambda *_: method(*arguments))
    return action
