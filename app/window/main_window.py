"""The main window: makes its parts, the commands and the presenters; ``resources/wires.toml`` says who serves whom."""

from __future__ import annotations

from PySide6.QtGui import QAction, QCloseEvent, QDragEnterEvent, QDragLeaveEvent, QDropEvent
from PySide6.QtWidgets import QApplication, QMenu

from app import text
from app.bug.bug_presenter import BugPresenter
from app.bug.centre import BesideCommands
from app.bug.report import ReportPresenter
from app.engine import event_decoder
from app.engine.controller import Controller
from app.engine.run_state import EngineState, RunState
from app.panels.tab_order import OrderedWindow
from app.presenter import WIRES, called, wired
from app.theme import icons
from app.user_settings import UserSettings
from app.widgets import made
from app.window.bookmarks import Bookmarks, Recent
from app.window.bug_queue import BugQueue, Notifier, QueuePresenter
from app.window.commands.actions import Commands, WindowActions, conditions
from app.window.commands.export_commands import ExportCommands
from app.window.commands.file_commands import FileCommands
from app.window.commands.leaving import UnexportedResult
from app.window.commands.menu_commands import EditCommands, HelpCommands
from app.window.commands.named_files import DropGuard, FileChooser, FormFiles
from app.window.commands.run_commands import RunCommands
from app.window.explore.explorer import Explorer
from app.window.graph_queries import GraphQueries
from app.window.instance import Several, close_all
from app.window.layout import WindowLayout
from app.window.missing_libraries import MissingLibraries
from app.window.pins import PinPresenter, Pins
from app.window.preferences import Appearance, PreferencesPresenter
from app.window.presenters.check_presenter import FailurePresenter, HangPresenter, StalenessPresenter, TrialPresenter
from app.window.presenters.inspector_presenter import InspectorPresenter
from app.window.presenters.result_presenter import ResultPresenter
from app.window.presenters.run_presenter import JarPresenter, LoadingPresenter, RunPresenter, StatesPresenter
from app.window.presenters.session_presenter import SessionPresenter
from app.window.selection import Selection
from core.protocol import events

_MINIMAP = "graph/minimap"


class MainWindow(OrderedWindow):
    """Everything the user sees: ``parts`` are its widgets, ``commands`` the user's actions, by menu."""

    def __init__(self, settings: UserSettings | None = None, controller: Controller | None = None) -> None:
        super().__init__()
        self.settings = settings or UserSettings()
        self.controller = controller or Controller()
        self.controller.setParent(self)
        self.setWindowIcon(icons.emblem())
        self.setAcceptDrops(True)
        self.parts = WindowLayout(self)
        self.panels = self.parts.panels
        self.controller.room = self.parts.graph_room
        application = QApplication.instance()
        assert isinstance(application, QApplication)
        DropGuard(self)
        self.appearance = Appearance(self.settings, application, self)
        self._make_shared()
        self.commands = self._make_commands()
        self.actions_by_id = self._make_menus()
        self._make_presenters()
        self._connect()
        self.preferences.restore()
        self.parts.restore(self.settings)  # after the theme, which decides how much room everything needs
        self.actions_by_id["minimap"].setChecked(self.settings.value(_MINIMAP, "true") != "false")
        self.loading.show_phase(self.controller.state.phase)
        self.running.show_phase()
        self.parts.empty.show_recent(self.recent.inputs)
        self.selection.clear()
        self.show_title()
        self.controller.start_engine()

    # -- making -------------------------------------------------------------------------

    def _make_shared(self) -> None:
        """Make the objects that commands and presenters both need."""
        parts, controller = self.parts, self.controller
        self.pins = Pins(self)
        self.queue = BugQueue(controller, self)
        self.several = Several(lambda: MainWindow(self.settings))
        self.selection = Selection(controller.state, parts.tree, parts.graph)
        form, state = parts.run.form, controller.state
        self.inspecting = InspectorPresenter(
            controller, form, parts.tree, parts.inspector, parts.centre.source, self.selection
        )
        self.pinning = PinPresenter(
            state,
            self.pins,
            lambda: form.settings().granularity,
            parts.tree,
            parts.graph,
            self.inspecting,
            parts.messages,
        )
        self.sessions = SessionPresenter(controller, parts.messages, form, self.pinning)
        self.preferences = PreferencesPresenter(self, self.settings, controller, form, self.appearance)

    def _make_commands(self) -> Commands:
        parts, controller = self.parts, self.controller
        chooser = FileChooser(self, self.settings)
        reduce = RunCommands(controller, parts.run.form, self.pins, self.queue, chooser, parts.messages)
        self.bug = BugPresenter(controller, parts.centre.bug, reduce.settings)
        return Commands(
            parts=parts,
            appearance=self.appearance,
            file=FileCommands(controller, chooser, parts.messages),
            export=ExportCommands(controller, chooser, parts.messages, parts.graph, parts.steps.selected_step),
            edit=EditCommands(self.selection, self.pins, parts),
            reduce=reduce,
            explore=Explorer(controller, parts, self.selection, chooser, self.inspecting),
            beside=BesideCommands(controller, parts.centre, reduce.settings),
            report=ReportPresenter(controller, parts.report),
            fill=FormFiles(chooser, parts.run.form, parts.messages),
            sessions=self.sessions,
            preferences=self.preferences,
            quit=lambda: close_all(self),
            help=HelpCommands(self, parts.messages, lambda: self.actions_by_id.values()),
        )

    def _make_menus(self) -> dict[str, QAction]:
        """Return the table of actions, and the rows that are made elsewhere: undo, recent inputs, docks."""
        self.table = WindowActions(self, self.parts.toolbar, self.commands)
        self.menus = self.table.menus
        undo, redo = self.pins.undo_actions(self)
        self.menus["edit"].insertActions(self.menus["edit"].actions()[0], [undo, redo])
        self.recent_menu = made(QMenu("Re&cent", self), toolTipsVisible=True)
        self.menus["file"].insertMenu(self.table.by_id["sample"], self.recent_menu)
        self.recent = Recent(self.settings, self.recent_menu, self.commands.file.open_paths)
        bookmarks = self.menus["edit"].addMenu("&Bookmarks")
        self.bookmarks = Bookmarks(self.settings, self.controller.state, self.selection, bookmarks)
        panels = self.menus["panels"] = self.menus["view"].addMenu("Panels")
        for dock in self.parts.docks:
            panels.addAction(dock.toggleViewAction())
        self.parts.add_search()
        return {**self.table.by_id, "undo": undo, "redo": redo}

    def _make_presenters(self) -> None:
        parts, controller, form = self.parts, self.controller, self.parts.run.form
        state = controller.state
        self.unexported = UnexportedResult(controller, self.queue, self.commands.export.export_result, self)
        self.loading = LoadingPresenter(controller, parts.pages, parts.empty, parts.centre)
        shown = (parts.graph, parts.tree, parts.components, parts.search)
        self.jar = JarPresenter(controller, shown, parts.facts, self.recent)
        self.asking = GraphQueries(controller, parts.graph, parts.tree, parts.search, parts.messages.tell)
        self.states = StatesPresenter(controller, parts.graph, parts.tree, parts.components, parts.steps)
        self.failures = FailurePresenter(form, parts.failures, parts.log_tabs, self.queue)
        lists = (parts.progress, parts.question, parts.steps, self.failures)
        self.running = RunPresenter(state, parts.run, parts.probes, self.states, lists)
        self.notifier = Notifier(self)
        self.trial = TrialPresenter(controller, self.selection, parts.messages, parts.probes, self.commands.reduce)
        self.lacking = MissingLibraries(controller, lambda: form.library.paths)
        self.results = ResultPresenter(state, parts.messages, parts.probes, self.pins, self.lacking)
        self.one_each = QueuePresenter(self.queue, parts.run, self.results, self.notifier)
        self.hanging = HangPresenter(state, parts.messages, form.may_hang)
        self.staleness = StalenessPresenter(state, parts, self.results, self.running, self.commands.reduce)

    def _connect(self) -> None:
        """Connect the signals of all parts, as ``resources/wires.toml`` says."""
        kinds = vars(events) | vars(event_decoder)
        for name, slots in WIRES["events"].items():
            for slot in slots:
                self.controller.on(kinds[name]).connect(called(self, slot))
        wired(self, WIRES["window"])
        self.parts.run.best.file_of = self.commands.export.result_file
        self.commands.file.may_leave = lambda: self.unexported.may_leave("&Open the other jar")

    # -- the window itself --------------------------------------------------------------

    def show_moment(self) -> None:
        """Show which actions are possible, the selection, and the title."""
        state = self.controller.state
        ended, selected = state.finished is not None, bool(self.selection.name)
        holds = conditions(state.phase, state.jar.opened, ended, selected, state.reduced)
        self.table.show(holds, state.phase is EngineState.PAUSED)
        self.parts.selection.set_text(self.selection.summary)
        self.show_title()

    def show_title(self) -> None:
        """Show the input, and how far a reduction is."""
        self.setWindowTitle(window_title(self.controller.state))

    def take_paths(self, paths: list[str]) -> None:
        """Open files that another start of the program was given: here if nothing is open, else in another window."""
        if self.isVisible() and self.controller.state.phase is EngineState.EMPTY:
            self.commands.file.open_paths(paths)
            self.activateWindow()
        else:
            self.open_beside(paths)

    def open_beside(self, paths: list[str]) -> None:
        """Open another window with these files."""
        other = self.several.open(self)
        if paths and isinstance(other, MainWindow):
            other.commands.file.open_paths(paths)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if event.mimeData().hasUrls():
            event.acceptProposedAction()
            names = ", ".join(url.fileName() for url in event.mimeData().urls())
            self.parts.messages.tell(f"Drop anywhere in the window to open {names}.", about="drop")

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        self.parts.messages.withdraw("drop")

    def dropEvent(self, event: QDropEvent) -> None:
        event.acceptProposedAction()
        self.parts.messages.withdraw("drop")
        self.commands.file.drop(event.mimeData())

    def closeEvent(self, event: QCloseEvent) -> None:
        if not self.unexported.may_close():
            event.ignore()
            return
        self.parts.remember(self.settings)
        self.settings.set_value(_MINIMAP, "true" if self.actions_by_id["minimap"].isChecked() else "false")
        self.hide()  # the engine may need a moment to end what it runs
        self.commands.export.close()
        self.settings.wait()
        self.controller.shut_down()
        event.accept()


def window_title(state: RunState) -> str:
    """Return the input and, while a reduction runs, how far it is."""
    parts = ["Jarlet"]
    if state.jar.opened:
        parts.insert(0, state.jar.title)
        if state.phase.reducing and state.steps:
            parts.insert(0, f"{text.count(state.best().classes)} of {text.count(state.jar.classes)} classes")
    return " – ".join(parts)
