"""The main window: puts the panels around the graph and connects them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from PySide6.QtCore import QSettings, QTimer
from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import (
    QWidget,
)

from app import sample, text
from app.controller import Controller
from app.dialogs.about import AboutDialog
from app.dialogs.closing import ClosingDialog
from app.dialogs.shortcuts import ShortcutsDialog
from app.file_commands import dropped_paths
from app.frame import Frame
from app.jar import Jar, Places
from app.panels.run_settings import RunSettings
from app.state import Phase
from core.errors import JarletError
from core.run import events

_LISTS_MS = 110


class MainWindow(Frame):
    """Everything the user sees. The controller does the rest."""

    def __init__(self, settings: QSettings | None = None, controller: Controller | None = None) -> None:
        super().__init__(settings or QSettings("Jarlet", "Jarlet"), controller or Controller())
        self._view_chosen = False
        # Lists and chart follow more slowly than the graph, and not in the same breath.
        self._lists_later = QTimer(self)
        self._lists_later.setSingleShot(True)
        self._lists_later.setInterval(_LISTS_MS)
        self._lists_later.timeout.connect(self._show_lists)
        self._connect()
        self.restore()
        self._phase_changed(self.controller.state.phase)
        self._title()
        self.controller.start_engine()

    # -- connections --------------------------------------------------------------------

    def _connect(self) -> None:
        control, run = self.controller, self.run
        control.phase_changed.connect(self._phase_changed)
        control.loading.connect(self._loading)
        control.opened.connect(self._opened)
        control.placed.connect(self._placed)
        control.algorithms.connect(run.form.set_algorithms)
        control.checked.connect(self._checked)
        control.run_started.connect(self._run_started)
        control.progressed.connect(self._progressed)
        control.run_finished.connect(self._run_finished)
        control.exported.connect(self._exported)
        control.told.connect(self.messages.tell)
        control.crashed.connect(self._crashed)
        run.check_wanted.connect(self.check)
        run.start_wanted.connect(self.start)
        run.pause_wanted.connect(self.pause_or_resume)
        run.stop_wanted.connect(self.stop)
        self.empty.open_wanted.connect(self.choose_jar)
        self.empty.folder_wanted.connect(self.choose_folder)
        self.empty.sample_wanted.connect(self.open_sample)
        self.tree.item_selected.connect(lambda item: self._select(item, self.tree))
        self.tree.item_activated.connect(self._go_to)
        self.graph.item_selected.connect(lambda item: self._select(item, self.graph))
        self.components.component_selected.connect(self.graph.select_component)
        self.search.found.connect(self.graph.set_found)
        self.search.went_to.connect(self._go_to)
        self.search.left.connect(self.graph.canvas.setFocus)

    # -- commands (slots of the table of actions) ---------------------------------------

    def open_sample(self) -> None:
        """Open our own failing program and fill in its predicate."""
        try:
            jar, settings = sample.jar(), RunSettings(**sample.predicate())
        except (JarletError, OSError, KeyError, ValueError) as error:
            self.messages.tell(str(error), "error")
            return
        self.run.form.set_settings(settings)
        self.open_paths([str(jar)])

    def check(self) -> None:
        """Run the command on the whole jar."""
        if self._can_run():
            self.controller.check(self.run.form.settings().to_engine())

    def start(self) -> None:
        """Start the reduction."""
        if self._can_run():
            self.controller.reduce(self.run.form.settings().to_engine())

    def _can_run(self) -> bool:
        problem = self.run.form.settings().problem()
        if problem:
            self.messages.tell(problem, "warning")
            self.run_dock.show()
            self.run.form.command.setFocus()
        return not problem

    def pause_or_resume(self) -> None:
        """The one button for both."""
        if self.controller.state.phase is Phase.PAUSED:
            self.controller.resume()
        else:
            self.controller.pause()

    def stop(self) -> None:
        """End the check or the reduction."""
        self.controller.stop()

    def show_packages(self) -> None:
        """The package view."""
        self._view_chosen = True
        self.graph.show_view("packages")

    def show_components(self) -> None:
        """The view of classes and components."""
        self._view_chosen = True
        self.graph.show_view("components")

    def fit(self) -> None:
        """Show the whole graph."""
        self.graph.canvas.fit()

    def zoom_in(self) -> None:
        """Closer."""
        self.graph.canvas.zoom(1.25)

    def zoom_out(self) -> None:
        """Farther."""
        self.graph.canvas.zoom(0.8)

    def find_class(self) -> None:
        """To the search field."""
        self.search.focus()

    def show_about(self) -> None:
        """Versions and licences."""
        AboutDialog(self).exec()

    def show_shortcuts(self) -> None:
        """All keys."""
        ShortcutsDialog(self.actions_by_id.values(), self).exec()

    # -- what the controller says -------------------------------------------------------

    def _phase_changed(self, phase: Phase) -> None:
        state = self.controller.state
        self.run.show_phase(state)
        ready, some = phase is Phase.READY, state.jar is not None
        enabled = {
            "open": not phase.busy,
            "open_folder": not phase.busy,
            "sample": not phase.busy,
            "check": ready,
            "start": ready,
            "pause": phase in (Phase.RUNNING, Phase.PAUSED),
            "stop": phase.busy and phase is not Phase.STOPPING,
            "export_jar": some and phase not in (Phase.LOADING, Phase.DEAD),
            "export_graph": some and phase not in (Phase.LOADING, Phase.DEAD),
            "export_report": ready and state.finished is not None,
        }
        for name in ("packages", "components", "fit", "zoom_in", "zoom_out", "find"):
            enabled[name] = some
        for name, value in enabled.items():
            self.actions_by_id[name].setEnabled(value)
        paused = phase is Phase.PAUSED
        self.actions_by_id["pause"].setText(self.tr("&Resume") if paused else self.tr("&Pause"))
        self.actions_by_id["pause"].setIconText(self.tr("Resume") if paused else self.tr("Pause"))
        if phase is Phase.LOADING:
            self.empty.set_loading(Path(self.controller.paths[0]).name)
            self.pages.setCurrentWidget(self.empty)
        else:
            self.empty.set_loading(None)
            self.pages.setCurrentWidget(self.graph if some else self.empty)
        self._title()

    def _loading(self, done: int, total: int) -> None:
        self.empty.set_loading(Path(self.controller.paths[0]).name, done, total)

    def _opened(self, jar: Jar) -> None:
        self.messages.hide()
        self._view_chosen = False
        self.graph.set_jar(jar)
        self.tree.set_jar(jar)
        self.components.set_jar(jar)
        self.search.set_jar(jar)
        self.progress.show_state(self.controller.state)
        self.probes.show_probes([])
        self.run.show_progress(self.controller.state)
        self.selection.setText("")
        cycles = int((np.diff(jar.members.starts) > 1).sum())
        facts = [
            text.plural(jar.classes, "class", "classes"),
            text.plural(len(jar.edge_from), "dependency", "dependencies"),
            text.plural(cycles, "cycle"),
            self.tr("read in {0}").format(text.seconds(jar.seconds)),
        ]
        self.facts.setText(" · ".join(facts))
        self._title()

    def _placed(self, places: Places) -> None:
        self.graph.offer_places(places, wait=self.controller.state.phase.reducing)

    def _checked(self, event: events.Checked) -> None:
        self.run.show_progress(self.controller.state)
        words = [event.message, "", self.tr("To repeat it by hand:"), event.command]
        for title, output in ((self.tr("Output"), event.stdout), (self.tr("Errors"), event.stderr)):
            if output.strip():
                words += ["", title, output.rstrip()]
        self.probes.show_text("\n".join(words))
        if self.controller.state.phase is not Phase.RUNNING:
            fine = event.interesting and event.stable
            self.messages.tell(event.message, "good" if fine else "warning")

    def _run_started(self) -> None:
        self.messages.hide()
        if not self._view_chosen:
            self.graph.show_view("components")
        self._show_run()

    def _progressed(self) -> None:
        self._show_run()

    def _show_run(self) -> None:
        state = self.controller.state
        if state.changed:
            state.changed = False
            shown = state.states if state.steps else None
            self.graph.set_states(shown, state.counts() if state.steps else None)
        self.run.show_progress(state)
        self.probes.show_probes(state.probes)
        self._title()
        if not self._lists_later.isActive():
            self._lists_later.start()

    def _show_lists(self) -> None:
        state = self.controller.state
        shown = state.states if state.steps else None
        self.tree.set_states(shown)
        self.components.set_states(shown)
        self.progress.show_state(state)

    def _run_finished(self, event: events.Finished) -> None:
        self._show_run()
        self._show_lists()
        self.graph.show_offered()
        kinds = {"done": "good", "failed": "error"}
        self.messages.tell(
            event.message,
            kinds.get(event.reason, "info"),
            self.tr("Export jar…") if event.reason != "failed" else "",
            self.export_jar,
        )

    def _exported(self, event: events.Exported) -> None:
        words = self.tr("Written: {0} ({1}).").format(event.path, text.size(event.bytes))
        self.messages.tell(words, "good")

    def _crashed(self, sentence: str) -> None:
        self.messages.tell(sentence, "error", self.tr("Start it again"), self.controller.restart)

    # -- selection in step --------------------------------------------------------------

    def _select(self, item: int, origin: QWidget | None) -> None:
        if origin is not self.tree:
            self.tree.select_item(item)
        if origin is not self.graph:
            self.graph.select_item(item)
        self.selection.setText(self._facts_of(item))

    def _go_to(self, item: int) -> None:
        jar = self.controller.state.jar
        if jar is not None and jar.is_class[item]:
            self.graph.show_view("components")
        self._select(item, None)

    def _facts_of(self, item: int) -> str:
        jar = self.controller.state.jar
        if jar is None or item < 0:
            return ""
        facts = [jar.full[item], text.size(int(jar.sizes[item]))]
        if jar.is_class[item]:
            facts.append(self.tr("needs {0}").format(jar.needs.degree(item)))
            facts.append(self.tr("needed by {0}").format(jar.needed_by.degree(item)))
        return "   ·   ".join(facts)

    def _title(self) -> None:
        state = self.controller.state
        parts = ["Jarlet"]
        if state.jar is not None:
            parts.insert(0, state.jar.title)
            if state.phase.reducing and state.steps:
                best = state.best()
                parts.insert(0, self.tr("{0} of {1} classes").format(best.classes, state.jar.classes))
        self.setWindowTitle(" – ".join(parts))

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
            if not ClosingDialog(best, self).stop_wanted():
                event.ignore()
                return
        self.remember()
        self.hide()  # the engine may need a moment to end what it runs
        self.controller.shut_down()
        event.accept()
