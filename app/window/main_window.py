"""The main window: makes its parts, the commands and the presenters, and says who serves whom."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import SignalInstance
from PySide6.QtGui import QAction, QCloseEvent, QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QApplication, QMenu

from app.bug.bug_presenter import BugPresenter
from app.bug.centre import BesideCommands
from app.bug.report import ReportPresenter
from app.engine.controller import Controller
from app.engine.run_state import EngineState
from app.panels.tab_order import OrderedWindow
from app.theme import icons
from app.user_settings import UserSettings
from app.widgets import made
from app.window.bookmarks import Bookmarks, Recent
from app.window.bug_queue import BugQueue, Notifier, QueuePresenter
from app.window.commands.actions import Commands, WindowActions
from app.window.commands.file_commands import FileCommands, open_folder
from app.window.commands.leaving import UnexportedResult
from app.window.commands.menu_commands import EditCommands, HelpCommands
from app.window.commands.named_files import DropGuard, FileChooser, FormFiles
from app.window.commands.run_commands import RunCommands
from app.window.commands.window_state import WindowState, window_title
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

_MINIMAP = "graph/minimap"


def serve(signal: SignalInstance, *slots: Callable[..., object]) -> None:
    """Connect a signal to slots, which are served in this order."""
    for slot in slots:
        signal.connect(slot)


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
        self._connect_engine()
        self._connect_panels()
        self._connect_commands()
        self.preferences.restore()
        self.parts.restore(self.settings)  # after the theme, which decides how much room everything needs
        self.actions_by_id["minimap"].setChecked(self.settings.value(_MINIMAP, "true") != "false")
        self.loading.show_phase(self.controller.state.phase)
        self.running.show_phase()
        self.parts.empty.show_recent(self.recent.inputs)
        self.selection.clear()
        self._show_title()
        self.controller.start_engine()

    # -- making -------------------------------------------------------------------------

    def _make_shared(self) -> None:
        """Make the objects that commands and presenters both need."""
        parts, controller = self.parts, self.controller
        self.pins = Pins(self)
        self.queue = BugQueue(controller, self)
        self.several = Several(lambda: MainWindow(self.settings))
        self.selection = Selection(controller.state, parts.tree, parts.graph, self)
        form, state = parts.run.form, controller.state
        self.inspecting = InspectorPresenter(
            controller, form, parts.tree, parts.inspector, parts.centre.source, self.selection
        )
        self.pinning = PinPresenter(
            state, self.pins, lambda: form.settings().granularity, parts.tree, self.inspecting, parts.messages
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
            file=FileCommands(controller, chooser, parts.messages, parts.graph, self, parts.steps.selected_step),
            edit=EditCommands(self.selection, self.pins, parts),
            reduce=reduce,
            explore=Explorer(controller, parts, self.selection, chooser, self.inspecting),
            beside=BesideCommands(controller, parts.centre, reduce.settings),
            report=ReportPresenter(controller, parts.report, parts.centre),
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
        self.unexported = UnexportedResult(controller, self.queue, self.commands.file.export_result, self)
        self.loading = LoadingPresenter(controller, parts.pages, parts.empty, parts.centre)
        shown = (parts.graph, parts.tree, parts.components, parts.search)
        self.jar = JarPresenter(controller, shown, parts.facts, self.recent)
        self.asking = GraphQueries(controller, parts.graph, parts.tree, parts.search, parts.messages.tell)
        self.states = StatesPresenter(controller, parts.graph, parts.tree, parts.components, parts.steps)
        self.failures = FailurePresenter(form, parts.failures, parts.log_tabs, self.queue)
        lists = (parts.progress, parts.question, parts.steps, self.failures)
        self.running = RunPresenter(state, parts.run, parts.probes, self.states, lists, self)
        self.notifier = Notifier(self)
        self.trial = TrialPresenter(controller, self.selection, parts.messages, parts.probes)
        self.lacking = MissingLibraries(controller, lambda: form.library.paths)
        self.results = ResultPresenter(state, parts.messages, parts.probes, self.pins, self.lacking)
        self.one_each = QueuePresenter(self.queue, parts.run, self.running, self.results, self.notifier)
        self.hanging = HangPresenter(state, parts.messages, form.may_hang, self)
        self.staleness = StalenessPresenter(state, parts, self.results, self.running, self.commands.reduce)

    # -- who serves whom: a line each, in the order in which they are served ------------

    def _connect_engine(self) -> None:
        control, parts = self.controller, self.parts
        reduce = self.commands.reduce
        serve(control.phase_changed, self.running.show_phase, self.loading.show_phase, self._show_moment)
        control.loading.connect(self.loading.show_loaded)

        serve(
            control.opened,
            self.results.jar_opened,
            self.inspecting.forget,
            self.queue.clear,
            self.pinning.jar_opened,
            self.jar.show_jar,
            self.states.jar_opened,
            lambda _: parts.show_situation("explore" if parts.run.form.problem()[0] else "reduce"),
            self.running.jar_opened,
            self.selection.clear,
            self.sessions.jar_opened,
            self.bug.jar_opened,
            self.commands.beside.jar_opened,
            self._show_moment,
        )

        serve(control.phase_changed, self.staleness.phase_changed, self.hanging.phase_changed)
        control.progressed.connect(self.hanging.progressed)
        control.checked.connect(self.hanging.over)
        serve(
            control.run_started,
            self.results.begun,
            self.states.run_started,
            parts.show_progress,
            reduce.run_started,
            self.pinning.show_caveat,
            self.running.show,
            self.bug.run_started,
        )
        serve(control.progressed, self.running.show, self._show_title)
        serve(control.run_finished, self.running.run_finished, self.one_each.run_finished, self.unexported.run_finished)
        control.opened.connect(self.unexported.forget)
        control.run_failed.connect(self.results.run_failed)
        serve(control.run_finished, reduce.run_finished, self._show_moment)
        serve(control.checked, self.running.checked, self.results.checked, self.bug.checked)

        control.placed.connect(self.states.placed)
        control.crossed.connect(parts.graph.set_cells)
        control.told.connect(parts.messages.tell)
        control.exported.connect(self.commands.file.exported)
        control.algorithms.connect(self.preferences.offer_algorithms)
        control.presets.connect(self.preferences.offer_presets)
        serve(control.left_open, self.sessions.left_open, parts.empty.show_sessions)
        control.restored.connect(self.sessions.restored)
        serve(control.crashed, self.queue.clear, self.sessions.crashed)

    def _connect_panels(self) -> None:
        parts, commands = self.parts, self.commands
        parts.empty.open_wanted.connect(commands.file.choose_jar)
        parts.empty.folder_wanted.connect(commands.file.choose_folder)
        serve(parts.empty.tools_wanted, commands.file.choose_jar, commands.beside.run_tools_next)
        parts.run.best.file_of = commands.file.result_file
        parts.empty.sample_wanted.connect(commands.file.open_sample)
        parts.empty.recent_wanted.connect(commands.file.open_paths)
        parts.empty.session_wanted.connect(self.controller.open_session)
        parts.steps.export_wanted.connect(commands.file.export_step)
        parts.steps.go_on_wanted.connect(commands.file.open_step)

        parts.run.check_wanted.connect(commands.reduce.check)
        parts.run.start_wanted.connect(commands.reduce.start)
        parts.run.pause_wanted.connect(commands.reduce.pause_or_resume)
        parts.run.stop_wanted.connect(commands.reduce.stop)
        parts.run.without_wanted.connect(commands.reduce.leave_out)
        parts.failures.chosen.connect(commands.reduce.keep_failure)
        parts.failures.queued.connect(commands.reduce.queue_failures)
        parts.failures.each_wanted.connect(commands.reduce.queue_each)
        parts.failures.table.doubleClicked.connect(lambda: parts.centre.show_failures(parts.failures.selected()))
        commands.beside.settings_wanted.connect(parts.run.form.set_settings)
        commands.beside.start_wanted.connect(commands.reduce.start)
        commands.beside.running.connect(parts.background.show_runs)
        parts.background.stop_wanted.connect(commands.beside.stop)
        commands.beside.step_wanted.connect(commands.file.open_step)
        commands.report.folder_wanted.connect(commands.file.export_folder)
        parts.centre.bug.report_wanted.connect(commands.report.show)
        commands.beside.test_wanted.connect(commands.file.export_test)
        form, what = parts.run.form, parts.run.form.what
        serve(form.changed, self.running.show_lists_soon, self.staleness.form_changed)
        what.fetch_wanted.connect(self.controller.fetch)
        what.help_wanted.connect(commands.help.show_page)
        what.trial_wanted.connect(lambda: self.trial.ask(commands.reduce.complete, commands.reduce.settings))
        self.trial.output_wanted.connect(lambda: parts.show_log(parts.probes))

        parts.tree.item_selected.connect(self.selection.select_in_tree)
        parts.tree.item_activated.connect(self.selection.go_to)
        parts.tree.member_selected.connect(self.selection.select_member)
        parts.tree.members_wanted.connect(self.inspecting.ask_members)
        parts.tree.pins_wanted.connect(self.pins.toggle)
        parts.tree.first_wanted.connect(self.pins.toggle_first)
        parts.tree.asked.connect(commands.edit.tree_asked)
        parts.graph.item_selected.connect(self.selection.select_in_graph)
        parts.graph.layout_wanted.connect(self.controller.lay_out)
        parts.graph.pins_wanted.connect(self.pins.toggle)
        parts.graph.first_wanted.connect(self.pins.toggle_first)
        serve(parts.graph.inspect_wanted, self.selection.select_in_graph, lambda _: commands.edit.inspect())
        parts.components.component_selected.connect(parts.graph.select_component)
        parts.search.found.connect(parts.graph.set_found)
        parts.search.went_to.connect(self.selection.go_to)
        parts.search.member_wanted.connect(self.selection.select_name)
        parts.search.left.connect(parts.graph.focus_canvas)
        parts.steps.looked.connect(self.states.look_at)

        parts.inspector.item_wanted.connect(self.selection.select_name)
        parts.inspector_dock.visibilityChanged.connect(self.inspecting.seen)

    def _connect_commands(self) -> None:
        parts, commands = self.parts, self.commands
        self.appearance.changed.connect(self.table.set_theme)
        commands.file.window_wanted.connect(self.open_beside)
        commands.file.predicate_found.connect(parts.run.form.set_predicate)
        commands.file.predicate_left.connect(parts.run.form.leave_predicate)
        serve(commands.file.command_wanted, parts.run.form.what.use_program, lambda _: parts.show_form())
        commands.fill.form_wanted.connect(parts.show_form)
        commands.fill.libraries_added.connect(commands.reduce.check)
        commands.fill.known_chosen.connect(self.queue.ask_bugs)
        commands.reduce.form_wanted.connect(parts.show_form)
        commands.reduce.result_wanted.connect(commands.file.export_jar)
        serve(commands.file.result_written, self.results.result_written, self.unexported.forget)
        commands.report.copied.connect(self.unexported.forget)
        commands.file.may_leave = lambda: self.unexported.may_leave("&Open the other jar")

        serve(self.pins.changed, self.pinning.show, lambda: parts.graph.set_wishes(self.pins.names, self.pins.first))
        self.pinning.changed_in_run.connect(commands.reduce.keep_changes)
        self.pinning.apply_wanted.connect(commands.reduce.apply_changes)
        self.selection.changed.connect(self._show_moment)
        self.selection.looked_at.connect(self.inspecting.look_at)
        self.selection.members_wanted.connect(self.inspecting.ask_members)
        self.inspecting.members.connect(self.selection.show_members)
        self.inspecting.conflicts.connect(self.pinning.show_conflicts)

        serve(
            self.running.step_accepted,
            self.inspecting.step_accepted,
            self.bug.refresh,
            self.asking.step_accepted,
            self._show_moment,
        )
        self.results.jar_wanted.connect(commands.file.export_jar)
        self.results.bug_wanted.connect(commands.file.export_bug)
        self.results.output_wanted.connect(lambda: parts.show_log(parts.probes))
        self.results.exit_wanted.connect(self.staleness.use_exit)
        self.results.limit_wanted.connect(self.staleness.set_timeout)
        self.results.library_wanted.connect(commands.fill.add_libraries)
        self.results.known_wanted.connect(commands.fill.choose_known)
        self.results.command_wanted.connect(self.staleness.change_command)
        self.results.check_wanted.connect(commands.reduce.check)
        self.results.start_wanted.connect(commands.reduce.start)
        self.results.without_wanted.connect(commands.reduce.start_without)
        self.results.bug_shown.connect(lambda: parts.show_situation("bug"))
        self.results.failures_wanted.connect(lambda: parts.show_log(parts.failures))
        self.hanging.stop_wanted.connect(commands.reduce.stop)
        self.hanging.limit_wanted.connect(self.staleness.set_timeout)
        self.sessions.start_wanted.connect(commands.reduce.start)
        self.sessions.form_wanted.connect(parts.show_form)
        self.sessions.jar_wanted.connect(commands.file.export_jar)
        self.sessions.open_wanted.connect(lambda path: commands.file.open_paths([path]))
        self.sessions.folder_wanted.connect(open_folder)
        self.preferences.decompiler_chosen.connect(self.inspecting.set_decompiler)

    # -- the window itself --------------------------------------------------------------

    def _show_moment(self) -> None:
        """Show which actions are possible, the selection, and the title."""
        moment = WindowState.of(self.controller.state, bool(self.selection.name))
        self.table.show(moment)
        self.parts.selection.setText(self.selection.summary)
        self._show_title()

    def _show_title(self) -> None:
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

    def dropEvent(self, event: QDropEvent) -> None:
        event.acceptProposedAction()
        self.commands.file.drop(event.mimeData())

    def closeEvent(self, event: QCloseEvent) -> None:
        if not self.unexported.may_close():
            event.ignore()
            return
        self.parts.remember(self.settings)
        self.settings.set_value(_MINIMAP, "true" if self.actions_by_id["minimap"].isChecked() else "false")
        self.hide()  # the engine may need a moment to end what it runs
        self.commands.file.close()
        self.settings.wait()
        self.controller.shut_down()
        event.accept()
