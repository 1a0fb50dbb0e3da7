"""The furniture of the main window: centre, docks, bars, theme; and how it is remembered."""

from __future__ import annotations

from PySide6.QtCore import QByteArray, QSettings, Qt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import (
    QApplication,
    QDockWidget,
    QLabel,
    QSizePolicy,
    QSplitter,
    QStackedWidget,
    QToolBar,
    QVBoxLayout,
    QWidget,
)

from app import actions, icons, theme
from app.controller import Controller
from app.file_commands import FileCommands
from app.graph.view import GraphView
from app.panels.class_tree import ClassTree
from app.panels.component_list import ComponentList
from app.panels.empty_page import EmptyPage
from app.panels.message_bar import MessageBar
from app.panels.probe_table import ProbeTable
from app.panels.progress_panel import ProgressPanel
from app.panels.run_panel import RunPanel
from app.panels.search_box import SearchBox

LAYOUT_VERSION = 1
"""Raised when the docks change, so that an old saved layout is not forced on new docks."""


class Frame(FileCommands):
    """All widgets of the main window, in their places. Connects nothing but the table of actions."""

    def __init__(self, settings: QSettings, controller: Controller) -> None:
        super().__init__()
        self.settings, self.controller = settings, controller
        self.controller.setParent(self)
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
        self.log = QSplitter(Qt.Orientation.Horizontal)
        self.log.addWidget(self.progress)
        self.log.addWidget(self.probes)
        self.log.setSizes([330, 650])
        self.setCorner(Qt.Corner.BottomLeftCorner, areas.BottomDockWidgetArea)
        self.setCorner(Qt.Corner.BottomRightCorner, areas.RightDockWidgetArea)
        self.setTabPosition(areas.AllDockWidgetAreas, self.tabPosition(areas.TopDockWidgetArea))
        left, right, bottom = areas.LeftDockWidgetArea, areas.RightDockWidgetArea, areas.BottomDockWidgetArea
        self.tree_dock = self._dock("tree", self.tr("Classes"), self.tree, left)
        self.components_dock = self._dock("components", self.tr("Components"), self.components, left)
        self.run_dock = self._dock("run", self.tr("Reduction"), self.run, right)
        self.progress_dock = self._dock("progress", self.tr("Progress"), self.log, bottom)
        self.tabifyDockWidget(self.tree_dock, self.components_dock)
        self.tree_dock.raise_()
        self.resizeDocks([self.tree_dock, self.run_dock], [258, 300], Qt.Orientation.Horizontal)
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
        bar = QToolBar(self.tr("Tool bar"))
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
        view = self.menus["view"]
        view.addSeparator()
        for dock in (self.tree_dock, self.components_dock, self.run_dock, self.progress_dock):
            view.addAction(dock.toggleViewAction())
        self.facts, self.selection = QLabel(), QLabel()
        self.statusBar().addWidget(self.selection, 1)
        self.statusBar().addPermanentWidget(self.facts)
        self.statusBar().setSizeGripEnabled(False)

    def set_dark(self, dark: bool) -> None:
        """Switch between the light and the dark theme."""
        chosen = theme.DARK if dark else theme.LIGHT
        application = QApplication.instance()
        assert isinstance(application, QApplication)
        theme.apply(application, chosen)
        actions.tint(self.actions_by_id, chosen)
        for part in (self.graph, self.tree, self.progress, self.probes):
            part.set_theme(chosen)
        self.components.set_gone_colour(QColor(chosen.muted))
        self.settings.setValue("theme", chosen.name)

    def restore(self) -> None:
        """Theme, size and docks as they were last time."""
        self.resize(1280, 800)
        geometry = self.settings.value("window/geometry")
        if isinstance(geometry, QByteArray):
            self.restoreGeometry(geometry)
        docks = self.settings.value("window/docks")
        if isinstance(docks, QByteArray):
            self.restoreState(docks, LAYOUT_VERSION)
        application = QApplication.instance()
        assert isinstance(application, QApplication)
        name = str(self.settings.value("theme", "") or "")
        dark = name == "dark" if name else theme.system_prefers_dark(application)
        self.actions_by_id["dark"].blockSignals(True)
        self.actions_by_id["dark"].setChecked(dark)
        self.actions_by_id["dark"].blockSignals(False)
        self.set_dark(dark)

    def remember(self) -> None:
        """Keep size and docks for the next time."""
        self.settings.setValue("window/geometry", self.saveGeometry())
        self.settings.setValue("window/docks", self.saveState(LAYOUT_VERSION))
