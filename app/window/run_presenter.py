"""What the window shows when the controller tells something: jar, check, progress, end, files."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from PySide6.QtCore import QSettings, QTimer

from app import preferences, text
from app.engine.controller import Controller
from app.engine.members import ClassMembers
from app.engine.opened_jar import OpenedJar, Places
from app.engine.run_state import EngineState
from app.window.run_commands import RunCommands
from core.protocol import events


class RunPresenter(RunCommands):
    """Slots of the controller's signals."""

    def __init__(self, settings: QSettings, controller: Controller) -> None:
        super().__init__(settings, controller)
        self._algorithms: events.Algorithms | None = None
        self._presets: events.Presets | None = None
        self._lists_later = QTimer(self)
        self._half_shown = False

    # -- what the controller says -------------------------------------------------------

    def _offer_algorithms(self, offered: events.Algorithms) -> None:
        first, self._algorithms = self._algorithms is None, offered
        self.run.form.set_algorithms(offered)
        if first:
            self.run.form.choose_algorithm(preferences.load(self.settings).algorithm)

    def _offer_presets(self, presets: events.Presets) -> None:
        self._presets = presets
        self.run.form.what.set_presets(presets)

    def _settings_changed(self) -> None:
        if not self._lists_later.isActive():
            self._lists_later.start()

    def _phase_changed(self, phase: EngineState) -> None:
        state = self.controller.state
        self.run.show_phase(state)
        ready, some = phase is EngineState.READY, state.jar is not None
        alive = some and phase not in (EngineState.LOADING, EngineState.DEAD)
        reported = ready and state.finished is not None
        enabled = {
            **dict.fromkeys(("open", "open_folder", "open_session", "sample"), not phase.busy),
            **dict.fromkeys(("check", "start"), ready),
            "pause": phase in (EngineState.RUNNING, EngineState.PAUSED),
            "stop": phase.busy and phase is not EngineState.STOPPING,
            "enough": phase in (EngineState.RUNNING, EngineState.PAUSED),
            **dict.fromkeys(("export_jar", "export_graph"), alive),
            **dict.fromkeys(("export_report", "export_bug"), reported),
            "save_session": ready,
        }
        views = ("focus", "force", "matrix", "back", "open_all", "close_all", "why", "minimap")
        for name in (*views, "packages", "components", "fit", "zoom_in", "zoom_out", "find"):
            enabled[name] = some
        for name, value in enabled.items():
            self.actions_by_id[name].setEnabled(value)
        self.recent_menu.setEnabled(not phase.busy)
        paused = phase is EngineState.PAUSED
        self.actions_by_id["pause"].setText("&Resume" if paused else "&Pause")
        self.actions_by_id["pause"].setIconText("Resume" if paused else "Pause")
        if phase is EngineState.LOADING:
            self.empty.set_loading(Path(self.controller.paths[0]).name)
            self.pages.setCurrentWidget(self.empty)
        else:
            self.empty.set_loading(None)
            self.pages.setCurrentWidget(self.graph if some else self.empty)
        self._title()

    def _loading(self, done: int, total: int) -> None:
        self.empty.set_loading(Path(self.controller.paths[0]).name, done, total)

    def _opened(self, jar: OpenedJar) -> None:
        self.messages.hide()
        self._view_chosen = False
        self._looked = (None, None)
        self.looking.forget()
        self.queue.clear()
        self._restore_pins()
        self.graph.set_jar(jar)
        self.tree.set_jar(jar)
        self.components.set_jar(jar)
        self.search.set_jar(jar)
        self.probes.show_probes([])
        self.run.show_progress(self.controller.state)
        self._look_at(-1, "")
        self._show_lists()
        cycles = int((np.diff(jar.members.starts) > 1).sum())
        facts = [
            text.plural(jar.classes, "class", "classes"),
            text.plural(len(jar.edge_from), "dependency", "dependencies"),
            text.plural(cycles, "cycle"),
            f"read in {text.seconds(jar.seconds)}",
        ]
        self.facts.setText(" · ".join(facts))
        if not self.controller.session:
            self.recent.add(self.controller.paths)
        self._title()
        QTimer.singleShot(0, self._offer_to_go_on)  # after the warnings of the jar, which are told next

    def _placed(self, places: Places) -> None:
        self.graph.offer_places(places, wait=self.controller.state.phase.reducing)

    def _members(self, found: list[ClassMembers]) -> None:
        self.tree.set_members(found)
        if self._name:  # its row may have come with them
            self.tree.select_member(self._item, self._name)

    def _checked(self, event: events.Checked) -> None:
        self.run.show_progress(self.controller.state)
        self._show_failures()
        words = [event.message]
        if event.command:
            words += ["", "To repeat it by hand:", event.command]
        for title, output in (("Output", event.stdout), ("Errors", event.stderr)):
            if output.strip():
                words += ["", title, output.rstrip()]
        self.probes.show_text("\n".join(words))
        if self.controller.state.phase is not EngineState.RUNNING:
            fine = event.interesting and event.stable
            message = event.message
            if len(event.failures) > 1:
                message += " " + f"It names {len(event.failures)} failures: see Failures below."
            self.messages.tell(message, "good" if fine else "warning")

    def _run_started(self) -> None:
        self.messages.hide()
        self.steps.table.clearSelection()
        if not self._view_chosen:
            self.graph.show_view("components")
        caveat = self.pins.caveat(self.run.form.settings().granularity)
        if caveat:
            self.messages.tell(caveat, "warning")
        self._show_run()

    def _show_run(self) -> None:
        state = self.controller.state
        if state.changed:
            state.changed = False
            if self._looked == (None, None):
                shown = state.states if state.steps else None
                self.graph.set_states(shown, state.counts() if state.steps else None, state.finished is not None)
        if state.accepted_new:
            state.accepted_new = False
            self.looking.step_accepted()
        self.run.show_progress(state)
        self.probes.show_probes(state.probes)
        self._title()
        if not self._lists_later.isActive():
            self._lists_later.start()

    def _show_next_lists(self) -> None:
        """The lists of classes, then those of the run, one after the other: all at once would be one long repaint."""
        self._half_shown = not self._half_shown
        if self._half_shown:
            self._show_class_lists()
            self._lists_later.start()
        else:
            self._show_run_lists()

    def _show_lists(self) -> None:
        self._show_class_lists()
        self._show_run_lists()

    def _show_class_lists(self) -> None:
        state = self.controller.state
        if self._looked == (None, None):
            shown = state.states if state.steps else None
            self.tree.set_states(shown)
            self.components.set_states(shown)

    def _show_run_lists(self) -> None:
        state = self.controller.state
        self.progress.show_state(state)
        self.question.show_state(state)
        self.steps.show_state(state)
        self._show_failures()

    def _run_finished(self, event: events.Finished) -> None:
        self._show_run()
        self._show_lists()
        self.graph.show_offered()
        self.looking.step_accepted()
        kinds = {"done": "good", "failed": "error"}
        message = event.message
        lost = self._pins_lost()
        if lost:
            message += " " + "Pinned, but not in the result: {}.".format(", ".join(lost[:3]))
        self.messages.tell(
            message,
            "warning" if lost else kinds.get(event.reason, "info"),
            "Export jar…" if event.reason != "failed" else "",
            self.export_jar,
            "Bug report…" if event.reason != "failed" else "",
            self.export_bug,
        )
        if self._taking:
            self._taking = False
            QTimer.singleShot(0, self.export_jar)

    def _exported(self, event: events.Exported) -> None:
        if self.printer.take(event):
            return
        if event.path == self._opens:
            self._opens = ""
            self.open_paths([event.path])
        elif event.path not in self.queue.files:
            self._written(event.path, event.bytes)

    def _written(self, path: str, octets: int) -> None:
        self.messages.tell(f"Written: {path} ({text.size(octets)}).", "good")

    def _crashed(self, sentence: str) -> None:
        session = self.controller.session if len(self.controller.state.steps) > 1 else ""
        self.queue.clear()

        self.messages.tell(
            sentence,
            "error",
            "Start it again",
            self.controller.restart,
            "Open its session again" if session else "",
            lambda: self.controller.restart(session),
        )

    def _title(self) -> None:
        state = self.controller.state
        parts = ["Jarlet"]
        if state.jar is not None:
            parts.insert(0, state.jar.title)
            if state.phase.reducing and state.steps:
                best = state.best()
                parts.insert(0, f"{best.classes} of {state.jar.classes} classes")
        self.setWindowTitle(" – ".join(parts))
