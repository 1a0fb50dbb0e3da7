"""Everything the menus, the tool bar and the shortcuts can do, in one table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from PySide6.QtCore import QT_TRANSLATE_NOOP, QCoreApplication
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMainWindow, QMenu, QToolBar

from app.theme import icons
from app.theme.theme import Theme

_CONTEXT = "actions"


@dataclass(frozen=True, slots=True)
class Spec:
    """One action. ``slot`` names a method of the window; ``short`` is the text on the tool bar."""

    id: str
    menu: str
    text: str
    slot: str
    shortcut: str = ""
    icon: str = ""
    tip: str = ""
    short: str = ""
    toolbar: bool = False
    labelled: bool = False
    """Whether the tool bar shows the text beside the icon."""
    checkable: bool = False
    separator: bool = False
    """Whether a separator comes before it."""


def _(text: str) -> str:
    return str(QT_TRANSLATE_NOOP(_CONTEXT, text))


MENUS = (
    ("file", _("&File")),
    ("edit", _("&Edit")),
    ("view", _("&View")),
    ("reduce", _("&Reduce")),
    ("help", _("&Help")),
)

ACTIONS = (
    Spec("open", "file", _("&Open jar…"), "choose_jar", "Ctrl+O", "open",
         _("Open a jar, war or zip"), _("Open"), True, True),
    Spec("open_folder", "file", _("Open class &folder…"), "choose_folder", "Ctrl+Shift+O", "",
         _("Open a folder of .class files")),
    Spec("open_session", "file", _("Ope&n session…"), "choose_session", "Ctrl+Alt+O", "",
         _("Go on with a reduction that was kept"), separator=True),
    Spec("save_session", "file", _("Save session &as…"), "save_session", "Ctrl+Alt+S", "",
         _("Keep this reduction in a folder of your choice")),
    Spec("sample", "file", _("Open the &sample"), "open_sample", "", "", _("A small program of our own that fails")),
    Spec("export_jar", "file", _("&Export reduced jar…"), "export_jar", "Ctrl+S", "export",
         _("Write the best so far as a jar"), _("Export"), separator=True),
    Spec("export_graph", "file", _("Export &graph…"), "export_graph", "Ctrl+Shift+S", "",
         _("Write what the graph shows as SVG, PNG, PDF, DOT or GraphML, or all of it as JSON")),
    Spec("export_report", "file", _("Export &report…"), "export_report", "Ctrl+Shift+E", "",
         _("Write the report of the last reduction as JSON")),
    Spec("export_bug", "file", _("Export &bug report…"), "export_bug", "Ctrl+Shift+B", "",
         _("Write what fails, how to repeat it and what is left, as Markdown or HTML")),
    Spec("preferences", "file", _("&Preferences…"), "show_preferences", "Ctrl+,", "settings",
         _("Theme, places of tools, defaults"), separator=True),
    Spec("quit", "file", _("&Quit"), "close", "Ctrl+Q", "", _("Quit Jarlet"), separator=True),
    Spec("pin", "edit", _("&Keep what is selected"), "pin_selected", "Ctrl+L", "",
         _("Pin the selected classes and members: they stay; K in the tree"), separator=True),
    Spec("drop_first", "edit", _("&Drop first what is selected"), "drop_first_selected", "Ctrl+D", "",
         _("Try without the selected classes and members before anything else; D in the tree")),
    Spec("inspect", "edit", _("&Inspect what is selected"), "inspect_selected", "Ctrl+E", "",
         _("Facts, what it needs and what needs it, bytecode and source")),
    Spec("copy_name", "edit", _("&Copy its name"), "copy_name", "Ctrl+Shift+C", "", _("The name as Java writes it")),
    Spec("packages", "view", _("&Packages"), "show_packages", "Ctrl+1", "", _("One card a package")),
    Spec("components", "view", _("&Classes and cycles"), "show_components", "Ctrl+2", "", _("One box a class")),
    Spec("focus", "view", _("Foc&us on the selected class"), "show_focus", "Ctrl+3", "",
         _("The selected class with what it needs and what needs it")),
    Spec("force", "view", _("Fo&rce-directed"), "show_force", "Ctrl+4", "",
         _("Classes that depend on each other lie near each other")),
    Spec("matrix", "view", _("Depende&ncy matrix"), "show_matrix", "Ctrl+5", "",
         _("Rows need columns; cycles stand above the diagonal")),
    Spec("back", "view", _("&Back"), "graph_back", "Alt+Left", "", _("Where the graph was before"), separator=True),
    Spec("open_all", "view", _("Open &all packages"), "open_all", "Ctrl+Shift+A", "",
         _("Show the classes of all packages in the package view")),
    Spec("close_all", "view", _("C&lose all packages"), "close_all", "Ctrl+Shift+W", "", _("One card a package")),
    Spec("why", "view", _("&Why is it kept?"), "why_kept", "Ctrl+I", "",
         _("The shortest chain from a class that must stay to the selected one")),
    Spec("fit", "view", _("&Fit"), "fit", "Ctrl+0", "fit", _("Show the whole graph; F in the graph"),
         separator=True),
    Spec("zoom_in", "view", _("Zoom &in"), "zoom_in", "Ctrl++", "zoom-in", _("Closer; + in the graph")),
    Spec("zoom_out", "view", _("Zoom &out"), "zoom_out", "Ctrl+-", "zoom-out", _("Farther; - in the graph")),
    Spec("find", "view", _("Fin&d class"), "find_class", "Ctrl+F", "search",
         _("Search classes by name"), separator=True),
    Spec("minimap", "view", _("&Minimap"), "set_minimap", "Ctrl+M", "", _("The whole graph in a corner"),
         checkable=True, separator=True),
    Spec("dark", "view", _("Dar&k theme"), "set_dark", "Ctrl+Shift+D", "", _("Light text on dark"),
         checkable=True),
    Spec("check", "reduce", _("&Check"), "check", "Ctrl+K", "check",
         _("Run the command on the whole jar"), _("Check"), True, True),
    Spec("start", "reduce", _("&Start"), "start", "Ctrl+R", "start", _("Start the reduction"), _("Start"), True, True),
    Spec("pause", "reduce", _("&Pause"), "pause_or_resume", "Ctrl+P", "pause",
         _("No new probe until you resume"), _("Pause"), True, True),
    Spec("stop", "reduce", _("S&top"), "stop", "Ctrl+.", "stop",
         _("End now and keep the best so far"), _("Stop"), True, True),
    Spec("enough", "reduce", _("Good &enough"), "good_enough", "Ctrl+G", "",
         _("Stop, and write the best so far as the result")),
    Spec("help", "help", _("&Help"), "show_help", "F1", "", _("How to use Jarlet")),
    Spec("shortcuts", "help", _("&Keyboard shortcuts"), "show_shortcuts", "Ctrl+F1", "", _("All shortcuts")),
    Spec("logs", "help", _("Show the &log files"), "show_logs", "", "", _("What went wrong, for a report")),
    Spec("about", "help", _("&About Jarlet"), "show_about", "", "", _("Versions and licences")),
)  # fmt: skip

TOOLBAR = ("open", "|", "check", "start", "pause", "stop", "|", "export_jar", "|", "fit", "zoom_in", "zoom_out")


def build(window: QMainWindow, toolbar: QToolBar) -> tuple[dict[str, QAction], dict[str, QMenu]]:
    """Make all actions, their menus and the tool bar; the actions and the menus by id."""
    made: dict[str, QAction] = {}
    menus: dict[str, QMenu] = {}
    for name, title in MENUS:
        menus[name] = window.menuBar().addMenu(_translated(title))
    for spec in ACTIONS:
        action = QAction(_translated(spec.text), window)
        action.setObjectName(spec.id)
        action.setCheckable(spec.checkable)
        if spec.shortcut:
            action.setShortcut(QKeySequence(spec.shortcut))
        if spec.id == "zoom_in":
            action.setShortcuts([QKeySequence("Ctrl++"), QKeySequence("Ctrl+=")])
        action.setIconText(_translated(spec.short or spec.text).replace("&", "").rstrip("…"))
        native = action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
        tip = _translated(spec.tip)
        action.setStatusTip(tip)
        action.setToolTip(f"{tip} ({native})" if native else tip)
        slot = getattr(window, spec.slot)
        (action.toggled if spec.checkable else action.triggered).connect(_call(slot, spec.checkable))
        if spec.separator:
            menus[spec.menu].addSeparator()
        menus[spec.menu].addAction(action)
        made[spec.id] = action
    for name in TOOLBAR:
        if name == "|":
            toolbar.addSeparator()
        else:
            toolbar.addAction(made[name])
    return made, menus


def tint(actions: Mapping[str, QAction], theme: Theme) -> None:
    """Icons in the theme's colours; those without a file keep their text."""
    for spec in ACTIONS:
        if spec.icon:
            actions[spec.id].setIcon(icons.icon(spec.icon, theme))


def _call(slot: object, with_value: bool) -> object:
    assert callable(slot)
    return (lambda value: slot(value)) if with_value else (lambda *_: slot())


def _translated(text: str) -> str:
    return QCoreApplication.translate(_CONTEXT, text)
