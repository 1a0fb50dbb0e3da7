"""The furniture of the main window: centre, docks, bars, theme; and how it is remembered."""

from __future__ import annotations

from PySide6.QtCore import QByteArray, QSettings, Qt
from PySide6.QtGui import QColor, QKeySequence
from PySide6.QtWidgets import (
    QApplication,
    QDockWidget,
    QLabel,
    QMenu,
    QSizePolicy,
    QSplitter,
    QStackedWidget,
    QTabWidget,
    QToolBar,
    QVBoxLayout,
    QWidget,
)

from app.engine.controller import Controller
from app.graph.view import GraphView
from app.panels.empty_page import EmptyPage
from app.panels.form.run_panel import RunPanel
from app.panels.inspector import Inspector
from app.panels.lists.component_list import ComponentList
from app.panels.lists.failure_list import FailureList
from app.panels.lists.probe_table import ProbeTable
from app.panels.lists.step_list import StepList
from app.panels.message_bar import MessageBar
from app.panels.progress.progress_panel import ProgressPanel
from app.panels.progress.question_view import QuestionView
from app.panels.search_box import SearchBox
from app.panels.tree.class_tree import ClassTree
from app.recent import Recent
from app.theme import icons, theme
from app.window import actions
from app.window.bug_queue import BugQueue
from app.window.file_commands import FileCommands
from app.window.inspector_queries import InspectorQueries
from app.window.pdf_export import PdfExport
from app.window.pins import Pins

LAYOUT_VERSION = 2
"""Raised when the docks change, so that an old saved layout is not forced on new docks."""


class WindowLayout(FileCommands):
    """All widgets of the main window, in their places. Connects nothing but the table of actions."""

    def __init__(self, settings: QSettings, controller: Controller) -> None:
        super().__init__()
        self.settings, self.controller = settings, controller
        self.controller.setParent(self)
        self.pins = Pins(self)
        self.looking = InspectorQueries(controller, self)
        self.queue = BugQueue(controller, self)
        self.printer = PdfExport(controller, self)
        self.setWindowIcon(icons.emblem())
        self.setAcceptDrops(True)
        self.setDockNestingEnabled(True)
        self._build_centre()
        self._build_docks()
        self._build_bars()

    def _build_centre(self) -> None:
        self.messages = MessageBar()
        self.empty = EmptyPage()
        self.graph = GraphView()
        self.pages = QStackedWidget()
        self.pages.addWidget(self.empty)
        self.pages.addWidget(self.graph)
        centre = QWidget()
        column = QVBoxLayout(centre)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.messages)
        column.addWidget(self.pages, 1)
        self.setCentralWidget(centre)

    def _build_docks(self) -> None:
        areas = Qt.DockWidgetArea
        self.tree, self.components, self.run = ClassTree(), ComponentList(), RunPanel()
        self.progress, self.probes = ProgressPanel(), ProbeTable()
        self.question, self.steps, self.failures = QuestionView(), StepList(), FailureList()
        self.inspector = Inspector()
        self.log_tabs = QTabWidget()
        self.log_tabs.setDocumentMode(True)
        for one in (self.log_tabs, self.log_tabs.tabBar()):
            one.setAccessibleName("Lists of the run")
        for part, title in (
            (self.probes, "Probes"),
            (self.question, "Search"),
            (self.steps, "Steps"),
            (self.failures, "Failures"),
        ):
            self.log_tabs.addTab(part, title)
        self.log = QSplitter(Qt.Orientation.Horizontal)
        self.log.addWidget(self.progress)
        self.log.addWidget(self.log_tabs)
        self.log.setSizes([330, 650])
        self.setCorner(Qt.Corner.BottomLeftCorner, areas.BottomDockWidgetArea)
        self.setCorner(Qt.Corner.BottomRightCorner, areas.RightDockWidgetArea)
        self.setTabPosition(areas.AllDockWidgetAreas, self.tabPosition(areas.TopDockWidgetArea))
        left, right, bottom = areas.LeftDockWidgetArea, areas.RightDockWidgetArea, areas.BottomDockWidgetArea
        self.tree_dock = self._dock("tree", "Classes", self.tree, left)
        self.components_dock = self._dock("components", "Components", self.components, left)
        self.run_dock = self._dock("run", "Reduction", self.run, right)
        self.progress_dock = self._dock("progress", "Progress", self.log, bottom)
        self.inspector_dock = self._dock("inspector", "Inspector", self.inspector, bottom)
        self.tabifyDockWidget(self.tree_dock, self.components_dock)
        self.tabifyDockWidget(self.progress_dock, self.inspector_dock)
        self.tree_dock.raise_()
        self.progress_dock.raise_()
        self.resizeDocks([self.tree_dock, self.run_dock], [270, 300], Qt.Orientation.Horizontal)
        self.resizeDocks([self.progress_dock], [232], Qt.Orientation.Vertical)

    def _dock(self, name: str, title: str, widget: QWidget, area: Qt.DockWidgetArea) -> QDockWidget:
        dock = QDockWidget(title, self)
        dock.setObjectName(name)
        dock.setWidget(widget)
        features = QDockWidget.DockWidgetFeature
        dock.setFeatures(features.DockWidgetMovable | features.DockWidgetClosable)
        self.addDockWidget(area, dock)
        return dock

    def _build_bars(self) -> None:
        bar = QToolBar("Tool bar")
        bar.setObjectName("toolbar")
        bar.setMovable(False)
        bar.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.addToolBar(bar)
        self.actions_by_id, self.menus = actions.build(self, bar)
        for name in ("fit", "zoom_in", "zoom_out"):
            button = bar.widgetForAction(self.actions_by_id[name])
            button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonIconOnly)  # type: ignore[attr-defined]
        for action in self.actions_by_id.values():
            button = bar.widgetForAction(action)
            if button is not None:
                button.setAccessibleName(action.iconText())
                button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        room = QWidget()
        room.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        bar.addWidget(room)
        self.search = SearchBox()
        bar.addWidget(self.search)
        undo = self.pins.undo_stack.createUndoAction(self, "&Undo")
        redo = self.pins.undo_stack.createRedoAction(self, "&Redo")
        undo.setShortcut(QKeySequence("Ctrl+Z"))
        redo.setShortcuts([QKeySequence("Ctrl+Shift+Z"), QKeySequence("Ctrl+Y")])
        first = self.menus["edit"].actions()[0]
        self.menus["edit"].insertActions(first, [undo, redo])
        self.actions_by_id |= {"undo": undo, "redo": redo}
        self.recent_menu = QMenu("Re&cent", self)
        self.recent_menu.setToolTipsVisible(True)
        self.menus["file"].insertMenu(self.actions_by_id["sample"], self.recent_menu)
        self.recent = Recent(self.settings, self.recent_menu, self.open_paths)
        view = self.menus["view"]
        view.addSeparator()
        for dock in (self.tree_dock, self.components_dock, self.run_dock, self.progress_dock, self.inspector_dock):
            view.addAction(dock.toggleViewAction())
        self.facts, self.selection = QLabel(), QLabel()
        self.statusBar().addWidget(self.selection, 1)
        self.statusBar().addPermanentWidget(self.facts)
        self.statusBar().setSizeGripEnabled(False)

    def set_dark(self, dark: bool) -> None:
        """Switch between the light and the dark theme, from now on."""
        self._dress(dark)
        self.settings.setValue("theme", "dark" if dark else "light")

    def _dress(self, dark: bool) -> None:
        chosen = theme.DARK if dark else theme.LIGHT
        application = QApplication.instance()
        assert isinstance(application, QApplication)
        theme.apply(application, chosen)
        actions.tint(self.actions_by_id, chosen)
        for part in (self.graph, self.tree, self.progress, self.probes, self.question, self.inspector):
            part.set_theme(chosen)
        self.run.form.what.set_theme()
        self.components.set_gone_colour(QColor(chosen.muted))

    def restore(self) -> None:
        """Theme, size and docks as they were last time."""
        self.resize(1280, 800)
        geometry = self.settings.value("window/geometry")
        if isinstance(geometry, QByteArray):
            self.restoreGeometry(geometry)
        docks = self.settings.value("window/docks")
        if isinstance(docks, QByteArray):
            self.restoreState(docks, LAYOUT_VERSION)
        dark = self.dark_wanted(str(self.settings.value("theme", "") or "system"))
        self.actions_by_id["dark"].blockSignals(True)
        self.actions_by_id["dark"].setChecked(dark)
        self.actions_by_id["dark"].blockSignals(False)
        self._dress(dark)
        self.actions_by_id["minimap"].setChecked(self.settings.value("graph/minimap", "true") != "false")

    def dark_wanted(self, name: str) -> bool:
        """Whether a theme's name (``system``, ``light``, ``dark``) asks for light text on dark."""
        application = QApplication.instance()
        assert isinstance(application, QApplication)
        if name in theme.THEMES:
            return name == "dark"
        if self._system_dark is None:
            self._system_dark = theme.system_prefers_dark(application)
        return self._system_dark

    _system_dark: bool | None = None

    def remember(self) -> None:
        """Keep size and docks for the next time."""
        self.settings.setValue("graph/minimap", "true" if self.actions_by_id["minimap"].isChecked() else "false")
        self.settings.setValue("window/geometry", self.saveGeometry())
        self.settings.setValue("window/docks", self.saveState(LAYOUT_VERSION))
