"""The furniture of the main window: centre, docks, bars; and how their sizes are remembered."""

from __future__ import annotations

from PySide6.QtCore import QByteArray, QSize, Qt, QTimer
from PySide6.QtGui import QColor
from PySide6.QtWidgets import (
    QDockWidget,
    QLabel,
    QMainWindow,
    QSizePolicy,
    QStackedWidget,
    QTabWidget,
    QToolBar,
    QWidget,
)

from app.bug.centre import CentrePages
from app.bug.report import ReportPage
from app.graph.view import GraphView
from app.panels.empty_page import EmptyPage
from app.panels.find_panel import FindPanel
from app.panels.form.run_panel import RunPanel
from app.panels.inspector import Inspector
from app.panels.lists.component_list import ComponentList
from app.panels.lists.failure_list import FailureList
from app.panels.lists.probe_table import ProbeTable
from app.panels.lists.step_list import StepList
from app.panels.message_bar import BackgroundButton, MessageBar
from app.panels.progress.progress_panel import ProgressPanel
from app.panels.progress.question_view import QuestionView
from app.panels.search_box import SearchBox
from app.panels.tree.class_tree import ClassTree
from app.theme.theme import Theme
from app.user_settings import UserSettings
from app.widgets import beside, column_of, made

LAYOUT_VERSION = 3
"""Raised when the docks change, so that an old saved layout is not forced on new docks."""

_SIZE = (1280, 800)
_TITLE_BAR = 40
"""Pixels that the title bar of a window may take."""
_INSPECTOR_HEIGHT = 330
_WIDE = 1800
"""Width in pixels from which progress and inspector have room beside each other."""


class WindowLayout:
    """All widgets of the main window, in their places. Connects nothing."""

    def __init__(self, window: QMainWindow) -> None:
        self._window = window
        self._beside, self._adapts = False, True
        window.setDockNestingEnabled(True)
        self._build_centre()
        self._build_docks()
        self._build_bars()

    def _build_centre(self) -> None:
        self.messages = MessageBar()
        self.empty = EmptyPage()
        self.graph = GraphView()
        self.pages = QStackedWidget()
        self.pages.addWidget(self.empty)
        self.centre = CentrePages(self.graph)
        self.pages.addWidget(self.centre)
        centre = QWidget()
        column_of(self.messages, (self.pages, 1), owner=centre, spacing=0)
        self._window.setCentralWidget(centre)

    def _build_docks(self) -> None:
        areas = Qt.DockWidgetArea
        self.tree, self.components, self.run = ClassTree(), ComponentList(), RunPanel()
        self.progress, self.probes = ProgressPanel(), ProbeTable()
        self.question, self.steps, self.failures = QuestionView(), StepList(), FailureList()
        self.report = ReportPage(low=True)
        self.inspector, self.find = Inspector(), FindPanel()
        self.log_tabs = made(QTabWidget(), documentMode=True)
        for one in (self.log_tabs, self.log_tabs.tabBar()):
            one.setAccessibleName("Lists of the run")
        for part, title in (
            (self.probes, "Runs"),
            (self.question, "Search"),
            (self.steps, "Steps"),
            (self.failures, "Failures"),
            (self.report, "Report"),
        ):
            self.log_tabs.addTab(part, title)
        self.log = beside(self.progress, self.log_tabs, sizes=[330, 650])
        self._window.setCorner(Qt.Corner.BottomLeftCorner, areas.BottomDockWidgetArea)
        self._window.setCorner(Qt.Corner.BottomRightCorner, areas.RightDockWidgetArea)
        self._window.setTabPosition(areas.AllDockWidgetAreas, self._window.tabPosition(areas.TopDockWidgetArea))
        left, right, bottom = areas.LeftDockWidgetArea, areas.RightDockWidgetArea, areas.BottomDockWidgetArea
        self.tree_dock = self._dock("tree", "Classes", self.tree, left)
        self.components_dock = self._dock("components", "Components", self.components, left)
        self.run_dock = self._dock("run", "Reduction", self.run, right)
        self.progress_dock = self._dock("progress", "Progress", self.log, bottom)
        self.inspector_dock = self._dock("inspector", "Inspector", self.inspector, bottom)
        self.find_dock = self._dock("find", "Find", self.find, left)
        self._window.tabifyDockWidget(self.tree_dock, self.components_dock)
        self._window.tabifyDockWidget(self.components_dock, self.find_dock)
        self._window.tabifyDockWidget(self.progress_dock, self.inspector_dock)
        self.tree_dock.raise_()
        self.progress_dock.raise_()

    def _dock(self, name: str, title: str, widget: QWidget, area: Qt.DockWidgetArea) -> QDockWidget:
        dock = made(QDockWidget(title, self._window), objectName=name, widget=widget)
        features = QDockWidget.DockWidgetFeature
        dock.setFeatures(features.DockWidgetMovable | features.DockWidgetClosable)
        self._window.addDockWidget(area, dock)
        return dock

    @property
    def docks(self) -> tuple[QDockWidget, ...]:
        """The docks, in the order of the view menu."""
        return (
            self.tree_dock, self.components_dock, self.find_dock, self.run_dock, self.progress_dock,
            self.inspector_dock,
        )  # fmt: skip

    @property
    def panels(self) -> tuple[QWidget, ...]:
        """The parts of the window in the order in which they are read: from the left, the bottom last."""
        return (
            self.toolbar, self.tree_dock, self.components_dock, self.find_dock, self.messages, self.pages,
            self.run_dock, self.progress_dock, self.inspector_dock,
        )  # fmt: skip

    def _build_bars(self) -> None:
        self.toolbar = made(
            QToolBar("Tool bar"),
            objectName="toolbar",
            movable=False,
            toolButtonStyle=Qt.ToolButtonStyle.ToolButtonTextBesideIcon,
        )
        self._window.addToolBar(self.toolbar)
        self.search = SearchBox()
        self.facts, self.selection = QLabel(), QLabel()
        self.status_bar = self._window.statusBar()
        self.status_bar.addWidget(self.selection, 1)
        self.background = BackgroundButton()
        self.status_bar.addPermanentWidget(self.background)
        self.status_bar.addPermanentWidget(self.facts)
        self.status_bar.setSizeGripEnabled(False)

    def add_search(self) -> None:
        """Add the search field at the right end of the tool bar, once the bar's buttons are there."""
        room = QWidget()
        room.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self.toolbar.addWidget(room)
        self.toolbar.addWidget(self.search)

    def set_theme(self, theme: Theme) -> None:
        """Give the theme to all widgets that paint themselves."""
        for part in (
            self.graph,
            self.centre,
            self.search,
            self.tree,
            self.progress,
            self.probes,
            self.question,
            self.inspector,
        ):
            part.set_theme(theme)
        self.components.set_gone_colour(QColor(theme.muted))

    def set_stale(self, stale: bool) -> None:
        """Grey the panels of the last input while another one is being read."""
        for part in (self.tree, self.components, self.log, self.inspector, self.search):
            part.setEnabled(not stale)

    def graph_room(self) -> tuple[int, int]:
        """Return width and height that the graph has in the window, in pixels, shown or not."""
        if self.graph.canvas.isVisible():
            return self.graph.canvas.width(), self.graph.canvas.height()
        heads = self.centre.tabBar().sizeHint().height() + self.graph.heads_height()
        return self.pages.width(), max(0, self.pages.height() - heads)

    def show_form(self) -> None:
        """Show the form of the reduction."""
        self.run_dock.show()
        self.run_dock.raise_()

    def show_part(self, name: str) -> None:
        """Show a dock or a list of the run and give it the keyboard."""
        docks = {
            "classes": (self.tree_dock, self.tree.tree), "components": (self.components_dock, self.components.table),
            "reduction": (self.run_dock, self.run.form.what.kind), "progress": (self.progress_dock, self.progress.up),
            "inspector": (self.inspector_dock, self.inspector.tabs.tabBar()),
        }  # fmt: skip
        lists = {
            "probes": (self.probes, self.probes.table), "search": (self.question, self.log_tabs.tabBar()),
            "steps": (self.steps, self.steps.table), "failures": (self.failures, self.failures.table),
        }  # fmt: skip
        if name in lists:
            self.progress_dock.show()
            self.progress_dock.raise_()
            page, focus = lists[name]
            self.log_tabs.setCurrentWidget(page)
        else:
            dock, focus = docks[name]
            dock.show()
            dock.raise_()
        focus.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def fit_width(self, width: int) -> None:
        """Put progress and inspector beside each other if there is room, else one behind the other. Docks moved by the
        user stay.
        """
        beside = width >= _WIDE
        if beside == self._beside or not self._adapts:
            return
        self._beside = beside
        if beside:
            # Split with a dock that is one of several tabs, Qt would make it another tab.
            for dock in (self.progress_dock, self.inspector_dock):
                self._window.removeDockWidget(dock)
                bottom = Qt.DockWidgetArea.BottomDockWidgetArea
                self._window.addDockWidget(bottom, dock, Qt.Orientation.Horizontal)
                dock.show()
            QTimer.singleShot(0, self._window, self._share_bottom)  # once the layout has the dock
        else:
            self._window.tabifyDockWidget(self.progress_dock, self.inspector_dock)
            self.progress_dock.raise_()

    def _share_bottom(self) -> None:
        """Give three fifths to the progress, two to the inspector."""
        if self._beside:
            width = self._window.width()
            docks = [self.progress_dock, self.inspector_dock]
            self._window.resizeDocks(docks, [3 * width // 5, 2 * width // 5], Qt.Orientation.Horizontal)

    def show_log(self, tab: QWidget) -> None:
        """Show one of the lists beside the chart, such as the probes with the output of the runs."""
        self.progress_dock.show()
        self.progress_dock.raise_()
        self.log_tabs.setCurrentWidget(tab)

    def show_progress(self) -> None:
        """Show the lists of a reduction that begins. It has no report yet."""
        self.progress_dock.raise_()
        if self.log_tabs.currentWidget() is self.report:
            self.log_tabs.setCurrentWidget(self.probes)

    def show_report(self) -> None:
        """Show the report among the lists beside the chart, if these are in sight."""
        self.log_tabs.setCurrentWidget(self.report)

    def show_inspector(self) -> None:
        """Show the inspector and move the keyboard focus there."""
        self.inspector_dock.show()
        self.inspector_dock.raise_()
        self.inspector.tabs.tabBar().setFocus()

    def show_answers(self) -> None:
        """Show the last answer in the inspector."""
        self.inspector_dock.show()
        self.inspector_dock.raise_()
        self.inspector.show_answers()

    def show_find(self) -> None:
        """Show the panel that finds texts in the code, ready to type."""
        self.find_dock.show()
        self.find_dock.raise_()
        self.find.field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.find.field.selectAll()

    def raise_inspector(self) -> None:
        """Make the inspector high enough to read code."""
        self._window.resizeDocks([self.inspector_dock], [_INSPECTOR_HEIGHT], Qt.Orientation.Vertical)

    def restore(self, settings: UserSettings) -> None:
        """Restore size and docks of the last time."""
        layout = self._window.layout()
        if layout is not None:
            layout.activate()  # or a least size from before the theme still holds
        self._window.resize(self._first_size())
        geometry, docks = settings.value("window/geometry"), settings.value("window/docks")
        if isinstance(geometry, QByteArray):
            self._window.restoreGeometry(geometry)
        self._adapts = not isinstance(docks, QByteArray)
        if isinstance(docks, QByteArray):
            self._window.restoreState(docks, LAYOUT_VERSION)
        else:
            self._window.resizeDocks([self.tree_dock, self.run_dock], [282, 270], Qt.Orientation.Horizontal)
            self._window.resizeDocks([self.progress_dock], [232], Qt.Orientation.Vertical)

    def _first_size(self) -> QSize:
        """Return the size of a first start: the screen's title bar and task bar keep their room."""
        screen = self._window.screen().availableSize()
        return QSize(*_SIZE).boundedTo(QSize(screen.width(), screen.height() - _TITLE_BAR))

    def remember(self, settings: UserSettings) -> None:
        """Keep size and docks for the next time."""
        settings.set_value("window/geometry", self._window.saveGeometry())
        settings.set_value("window/docks", self._window.saveState(LAYOUT_VERSION))
