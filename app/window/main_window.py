"""The main window: puts the panels around the graph and connects them."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QSettings, QUrl
from PySide6.QtGui import QCloseEvent, QDesktopServices, QDragEnterEvent, QDropEvent

from app import preferences, sample, text
from app.crashlog import log_folder
from app.dialogs.about import AboutDialog
from app.dialogs.closing import ClosingDialog
from app.dialogs.help import HelpDialog
from app.dialogs.preferences_dialog import PreferencesDialog
from app.dialogs.shortcuts import ShortcutsDialog
from app.engine.controller import Controller
from app.window.file_commands import SESSION, dropped_paths
from app.window.run_presenter import RunPresenter
from core.errors import JarletError
from core.protocol.settings import Settings

_LISTS_MS = 55


class MainWindow(RunPresenter):
    """Everything the user sees. The controller does the rest."""

    def __init__(self, settings: QSettings | None = None, controller: Controller | None = None) -> None:
        super().__init__(settings or QSettings("Jarlet", "Jarlet"), controller or Controller())
        self._help: HelpDialog | None = None
        # Lists and chart follow more slowly than the graph, and not in the same breath.
        self._lists_later.setSingleShot(True)
        self._lists_later.setInterval(_LISTS_MS)
        self._lists_later.timeout.connect(self._show_next_lists)
        self._connect()
        self.restore()
        self._prefer(preferences.load(self.settings), first=True)
        self._phase_changed(self.controller.state.phase)
        self._look_at(-1, "")
        self._title()
        self.controller.start_engine()

    # -- connections --------------------------------------------------------------------

    def _connect(self) -> None:
        control, run = self.controller, self.run
        for signal, slot in (
            (control.phase_changed, self._phase_changed),
            (control.loading, self._loading),
            (control.opened, self._opened),
            (control.placed, self._placed),
            (control.crossed, self.graph.set_cells),
            (control.algorithms, self._offer_algorithms),
            (control.presets, self._offer_presets),
            (control.checked, self._checked),
            (control.run_started, self._run_started),
            (control.progressed, self._show_run),
            (control.run_finished, self._run_finished),
            (control.exported, self._exported),
            (control.restored, self._restored),
            (control.left_open, self._left_open),
            (control.compared, self.steps.show_changes),
            (control.told, self.messages.tell),
            (control.crashed, self._crashed),
            (run.check_wanted, self.check),
            (run.start_wanted, self.start),
            (run.pause_wanted, self.pause_or_resume),
            (run.stop_wanted, self.stop),
            (run.enough_wanted, self.good_enough),
            (run.form.what.fetch_wanted, control.fetch),
            (run.form.what.help_wanted, self.show_page),
            (self.empty.open_wanted, self.choose_jar),
            (self.empty.folder_wanted, self.choose_folder),
            (self.empty.sample_wanted, self.open_sample),
            (self.tree.item_activated, self._go_to),
            (self.tree.member_selected, self._select_member),
            (self.tree.members_wanted, self.looking.ask_members),
            (self.tree.pins_wanted, self.pins.toggle),
            (self.tree.first_wanted, self.pins.toggle_first),
            (self.tree.asked, self._menu_asked),
            (self.graph.layout_wanted, control.lay_out),
            (self.components.component_selected, self.graph.select_component),
            (self.search.found, self.graph.set_found),
            (self.search.went_to, self._go_to),
            (self.search.left, self.graph.focus_canvas),
            (self.pins.changed, self._pins_changed),
            (self.looking.changed, self._looked_changed),
            (self.looking.members, self._members),
            (self.looking.states_changed, self._show_item_states),
            (self.looking.conflicts, self._tell_conflicts),
            (self.looking.listed, self.inspector.show_code),
            (self.inspector.kind_wanted, self.looking.ask_soon),
            (self.inspector.item_wanted, self._select_name),
            (self.inspector_dock.visibilityChanged, self._inspector_seen),
            (self.steps.looked, self._look_at_step),
            (self.steps.export_wanted, self.export_step),
            (self.steps.go_on_wanted, self._go_on_from),
            (self.failures.chosen, self._keep_failure),
            (self.failures.queued, self._queue_failures),
            (self.queue.changed, self._show_failures),
            (self.printer.written, self._written),
        ):
            signal.connect(slot)
        self.tree.item_selected.connect(lambda item: self._select(item, self.tree))
        self.graph.item_selected.connect(lambda item: self._select(item, self.graph))
        self.looking.inspected.connect(lambda event: self.inspector.show_ties(event, self._ties_facts()))
        self.queue.ended.connect(lambda words: self.messages.tell(words, "good"))
        self.printer.failed.connect(lambda words: self.messages.tell(words, "error"))
        run.form.changed.connect(self._settings_changed)
        self.looking.class_path = lambda: run.form.library.paths
        self.looking.shown_classes = self.tree.shown_members
        self.looking.tied_classes = self._tied_classes
        self.inspector.state_of = self._state_of
        self.looking.wants_code = lambda: self.inspector.kind

    # -- commands (slots of the table of actions) ---------------------------------------

    def open_paths(self, paths: list[str]) -> None:
        """Open files as one input; the folder of a session as that."""
        if len(paths) == 1 and paths[0].rstrip("/").endswith(SESSION) and Path(paths[0]).is_dir():
            self.controller.open_session(paths[0])
        else:
            self.controller.open(paths)

    def open_sample(self) -> None:
        """Open our own failing program and fill in its predicate."""
        try:
            now = self.run.form.search.values()
            jar, settings = sample.jar(), Settings(**now, **sample.predicate())
        except (JarletError, OSError, KeyError, ValueError) as error:
            self.messages.tell(str(error), "error")
            return
        self.run.form.set_settings(settings)
        self.open_paths([str(jar)])

    def show_about(self) -> None:
        """Versions and licences."""
        AboutDialog(self).exec()

    def show_shortcuts(self) -> None:
        """All keys."""
        ShortcutsDialog(self.actions_by_id.values(), self).exec()

    def show_help(self) -> None:
        """The help pages."""
        self.show_page("start")

    def show_page(self, name: str) -> None:
        """A help page."""
        if self._help is None:
            self._help = HelpDialog(self.actions_by_id.values(), self)
        self._help.open_page(name)
        self._help.show()
        self._help.activateWindow()

    def show_logs(self) -> None:
        """The folder of the log files."""
        QDesktopServices.openUrl(QUrl.fromLocalFile(str(log_folder())))
        self.messages.tell(f"The log files are in {log_folder()}.", "info")

    def show_preferences(self) -> None:
        """Ask for the preferences and keep them."""
        now = preferences.load(self.settings)
        dialog = PreferencesDialog(now, self._algorithms, self._presets, self)
        if dialog.exec():
            wanted = dialog.preferences()
            preferences.save(self.settings, wanted)
            self._prefer(wanted)
        dialog.deleteLater()

    def _prefer(self, wanted: preferences.Preferences, first: bool = False) -> None:
        if not first:
            self.actions_by_id["dark"].setChecked(self.dark_wanted(wanted.theme))
            self.settings.setValue("theme", wanted.theme)
        self.looking.decompiler = wanted.decompiler
        self.controller.configure(dict(wanted.tools))
        search = self.run.form.search
        if wanted.algorithm or not first:
            search.choose_algorithm(wanted.algorithm or (self._algorithms.default if self._algorithms else ""))
        if wanted.granularity:
            search.granularity.setCurrentIndex(search.granularity.findData(wanted.granularity))
        search.jobs.setValue(wanted.jobs)

    # -- coming and going ---------------------------------------------------------------

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if dropped_paths(event.mimeData()):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        paths = dropped_paths(event.mimeData())
        if paths:
            event.acceptProposedAction()
            self.open_paths(paths)

    def closeEvent(self, event: QCloseEvent) -> None:
        state = self.controller.state
        if state.phase.reducing:
            best = text.plural(state.best().classes, "class", "classes")
            if not ClosingDialog(best, bool(self.controller.session), self).stop_wanted():
                event.ignore()
                return
        self.remember()
        self.hide()  # the engine may need a moment to end what it runs
        self.printer.close()
        self.controller.shut_down()
        event.accept()
