"""The furniture of the main window: centre, docks, bars; and how their sizes are remembered."""

from __future__ import annotations

from PySide6.QtCore import QByteArray, QSize, Qt
from PySide6.QtWidgets import (
    QDockWidget,
    QLabel,
    QMainWindow,
    QSizePolicy,
    QStackedWidget,
    QTabBar,
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
from app.user_settings import UserSettings
from app.widgets import ElidedLabel, Soon, beside, made
from app.window.situations import SITUATIONS, Situations

_SIZE = (1280, 800)
_TITLE_BAR = 40
"""Pixels that the title bar of a window may take."""
_TREE, _FORM, _BELOW, _STRIP = 235, 270, 195, 1
"""Pixels of the docks unless the user drags them: width of tree and form, height of inspector and open progress, and
of a strip of tabs, which is no lower than these."""
_STATUS = 32
"""Height of the row of messages, in pixels: nothing above moves when one comes."""
_SIDE = 8
"""Pixels beside the words on what is selected."""
_LEAST = 392
"""Least width of the page, in pixels."""
_SETTLED_MS = 20
"""Milliseconds until docks have their places after one is shown or hidden."""


class WindowLayout:
    """All widgets of the main window, in their places. Connects nothing."""

    def __init__(self, window: QMainWindow) -> None:
        self._window = window
        self._situations = Situations(window)
        window.setDockNestingEnabled(True)
        self._left_bars = Soon(window, _SETTLED_MS, self._hide_left_bars)
        self._build_centre()
        self._entered = Soon(window, 2 * _SETTLED_MS, self.graph.canvas.refit)
        self._build_docks()
        self._build_bars()

    def _build_centre(self) -> None:
        self.empty = EmptyPage()
        self.graph = GraphView()
        self.pages = QStackedWidget()
        self.pages.addWidget(self.empty)
        self.centre = made(CentrePages(self.graph), tabBarDoubleClicked=lambda _: self.show_alone())
        self.pages.addWidget(self.centre)
        self._window.setCentralWidget(self.pages)

    def _build_docks(self) -> None:
        areas = Qt.DockWidgetArea
        self.tree, self.components, self.run = ClassTree(), ComponentList(), RunPanel()
        self.progress, self.probes = ProgressPanel(), ProbeTable()
        self.question, self.steps, self.failures = QuestionView(), StepList(), FailureList()
        self.report = ReportPage(low=True)
        self.inspector, self.find = Inspector(), FindPanel()
        self.log_tabs = made(QTabWidget(), documentMode=True)
        self.log_tabs.tabBarClicked.connect(self._log_clicked)
        for one in (self.log_tabs, self.log_tabs.tabBar()):
            one.setAccessibleName("Lists of the run")
        for part, title in (
            (beside(self.progress, self.question, sizes=[600, 400]), "Progress"),
            (self.probes, "Runs"),
            (self.steps, "Steps"),
            (self.failures, "Failures"),
            (self.report, "Report"),
        ):
            self.log_tabs.addTab(part, title)
        self.log_tabs.setMinimumSize(_LEAST, self.log_tabs.tabBar().sizeHint().height())  # no higher: a strip of tabs
        self.centre.setMinimumWidth(_LEAST)
        self._window.setCorner(Qt.Corner.BottomLeftCorner, areas.LeftDockWidgetArea)
        self._window.setCorner(Qt.Corner.BottomRightCorner, areas.RightDockWidgetArea)
        self._window.setTabPosition(areas.AllDockWidgetAreas, self._window.tabPosition(areas.TopDockWidgetArea))
        left, right, bottom = areas.LeftDockWidgetArea, areas.RightDockWidgetArea, areas.BottomDockWidgetArea
        self.tree_dock = self._dock("tree", "Classes", self.tree, left)
        self.components_dock = self._dock("components", "Components", self.components, left)
        self.run_dock = self._dock("run", "Reduction", self.run, right)
        self.progress_dock = self._dock("progress", "Results", self.log_tabs, bottom)
        self.inspector_dock = self._dock("inspector", "Inspector", self.inspector, bottom)
        self.find_dock = self._dock("find", "Find", self.find, bottom)
        self._window.tabifyDockWidget(self.tree_dock, self.components_dock)
        self._window.tabifyDockWidget(self.progress_dock, self.inspector_dock)
        self._window.tabifyDockWidget(self.inspector_dock, self.find_dock)
        self.progress_dock.setTitleBarWidget(QWidget())  # the tabs say it all
        for dock in self.docks:
            dock.hide()
            dock.visibilityChanged.connect(self._left_bars.ask)

    def _hide_left_bars(self) -> None:
        """Hide the bars of tabs that Qt leaves at the places of hidden docks."""
        docks = [dock for dock in self.docks if not dock.isHidden()]
        shown = {dock.windowTitle() for dock in docks}
        for bar in self._window.findChildren(QTabBar, options=Qt.FindChildOption.FindDirectChildrenOnly):
            several = len(shown.intersection(map(bar.tabText, range(bar.count())))) > 1
            covers = any(bar.geometry().intersects(part.geometry()) for part in (self.pages, *docks))
            bar.setVisible(several and not covers)

    def _dock(self, name: str, title: str, widget: QWidget, area: Qt.DockWidgetArea) -> QDockWidget:
        dock = made(QDockWidget(title, self._window), objectName=name, widget=widget)
        features = QDockWidget.DockWidgetFeature
        dock.setFeatures(features.DockWidgetMovable | features.DockWidgetClosable)
        self._window.addDockWidget(area, dock)
        return dock

    @property
    def situation(self) -> str:
        """The situation whose docks are in sight."""
        return self._situations.name

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
            self.toolbar, self.tree_dock, self.components_dock, self.pages, self.run_dock,
            self.progress_dock, self.inspector_dock, self.find_dock, self.status_bar,
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
        self.facts, self.selection = QLabel(), ElidedLabel()
        self.selection.setContentsMargins(_SIDE, 0, _SIDE, 0)
        self.status_bar = self._window.statusBar()
        self.status_bar.setFixedHeight(_STATUS)
        self.messages = made(MessageBar(), shown=self._tell)
        for label in (self.selection, self.messages):
            self.status_bar.addWidget(label, 1)
        self.background = BackgroundButton()
        self.status_bar.addPermanentWidget(self.background)
        self.status_bar.addPermanentWidget(self.facts)
        self.status_bar.setSizeGripEnabled(False)

    def _tell(self, told: bool) -> None:
        """Give a message the room of what is selected and of the input's facts."""
        self.selection.setHidden(told)
        self.facts.setHidden(told)

    def add_search(self) -> None:
        """Add the search field at the right end of the tool bar, once the bar's buttons are there."""
        room = QWidget()
        room.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self.toolbar.addWidget(room)
        self.toolbar.addWidget(self.search)

    def set_stale(self, stale: bool) -> None:
        """Grey the panels of the last input while another one is being read."""
        for part in (self.tree, self.components, self.log_tabs, self.inspector, self.search):
            part.setEnabled(not stale)

    def graph_room(self) -> tuple[int, int]:
        """Return width and height that the graph has in the window, in pixels, shown or not."""
        if self.graph.canvas.isVisible():
            return self.graph.canvas.width(), self.graph.canvas.height()
        heads = self.centre.tabBar().sizeHint().height() + self.graph.heads_height()
        docks = (_TREE, _BELOW) if self.situation == "start" else (0, 0)  # they come with the input
        return max(0, self.pages.width() - docks[0]), max(0, self.pages.height() - heads - docks[1])

    def show_form(self) -> None:
        """Show the form of the reduction."""
        self.show_situation("reduce")
        self._bring(self.run_dock)

    def jar_opened(self) -> None:
        """Show a newly opened input: its graph, or the reduction if the form says what fails."""
        self.show_situation("explore" if self.run.form.problem()[0] else "reduce")

    def show_situation(self, name: str) -> None:
        """Show the docks of a situation as the user left them there, at first those of :data:`SITUATIONS`."""
        if name == "bug":
            self.centre.show_bug()
            self.log_tabs.setCurrentWidget(self.report)
        elif name == "explore" and self.centre.currentWidget() is self.centre.bug:
            self.centre.show_graph()
        for action in self.toolbar.actions():
            if action.objectName() in SITUATIONS:
                made(action, checkable=True, checked=action.objectName() == name)
        if name != self.situation:
            self._entered.ask()
        if self._situations.enter(name, self.docks):
            self.tree_dock.raise_()
            docks, sides = [self.tree_dock, self.run_dock], Qt.Orientation.Horizontal
            self._window.resizeDocks(docks, [_TREE, _FORM], sides)
            self._raise_bottom(_STRIP if name == "reduce" else _BELOW)

    def show_alone(self) -> None:
        """Show the page without docks, or the docks of before again."""
        self.show_situation(self._situations.beside_alone())

    def _raise_bottom(self, height: int) -> None:
        docks = [self.progress_dock, self.inspector_dock, self.find_dock]
        self._window.resizeDocks(docks, [height] * 3, Qt.Orientation.Vertical)

    def _log_clicked(self, tab: int) -> None:
        """Open the panel of a tab of the strip, or close the panel if it is open."""
        low = self.log_tabs.height() < 2 * self.log_tabs.minimumHeight()
        if low or tab == self.log_tabs.currentIndex():
            self._raise_bottom(_BELOW if low else _STRIP)

    @staticmethod
    def _bring(dock: QDockWidget) -> None:
        dock.show()
        dock.raise_()

    def show_part(self, name: str) -> None:
        """Show a dock or a list of the run and give it the keyboard."""
        docks = {
            "classes": (self.tree_dock, self.tree.tree), "components": (self.components_dock, self.components.table),
            "reduction": (self.run_dock, self.run.form.what.kind),
            "inspector": (self.inspector_dock, self.inspector.needs),
        }  # fmt: skip
        lists = {
            "progress": self.progress.up, "probes": self.probes.table, "steps": self.steps.table,
            "failures": self.failures.table,
        }  # fmt: skip
        if name in lists:
            focus: QWidget = lists[name]
            self.show_log(focus)
        else:
            dock, focus = docks[name]
            self._bring(dock)
        focus.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def show_log(self, part: QWidget) -> None:
        """Show the list of the run that has a widget, such as the probes with the output of the runs."""
        self._bring(self.progress_dock)
        pages = [self.log_tabs.widget(tab) for tab in range(self.log_tabs.count())]
        tab = next(tab for tab, page in enumerate(pages) if page is part or (page and page.isAncestorOf(part)))
        if self.log_tabs.height() < 2 * self.log_tabs.minimumHeight():
            self._log_clicked(tab)
        self.log_tabs.setCurrentIndex(tab)

    def show_progress(self) -> None:
        """Show the lists of a reduction that begins. It has no report yet."""
        self.show_situation("reduce")
        if self.log_tabs.currentWidget() is self.report:
            self.log_tabs.setCurrentIndex(0)

    def show_inspector(self) -> None:
        """Show the inspector and move the keyboard focus there."""
        self._bring(self.inspector_dock)
        self.inspector.needs.setFocus()

    def show_answers(self) -> None:
        """Show the last answer in the inspector."""
        self._bring(self.inspector_dock)
        self.inspector.show_answers()

    def show_find(self) -> None:
        """Show the panel that finds texts in the code, ready to type."""
        self._bring(self.find_dock)
        self.find.field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.find.field.selectAll()

    def restore(self, settings: UserSettings) -> None:
        """Restore size and docks of the last time."""
        self._left_bars.ask()
        layout = self._window.layout()
        if layout is not None:
            layout.activate()  # or a least size from before the theme still holds
        self._window.resize(self._first_size())
        geometry = settings.value("window/geometry")
        if isinstance(geometry, QByteArray):
            self._window.restoreGeometry(geometry)
        self._situations.restore(settings)

    def _first_size(self) -> QSize:
        """Return the size of a first start: the screen's title bar and task bar keep their room."""
        screen = self._window.screen().availableSize()
        return QSize(*_SIZE).boundedTo(QSize(screen.width(), screen.height() - _TITLE_BAR))

    def remember(self, settings: UserSettings) -> None:
        """Keep size and docks for the next time."""
        settings.set_value("window/geometry", self._window.saveGeometry())
        self._situations.remember(settings)
