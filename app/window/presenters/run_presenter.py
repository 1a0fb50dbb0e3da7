"""Shows how a reduction goes on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from PySide6.QtCore import QObject, Signal

from app.engine.run_state import RunState
from app.panels.form.run_panel import RunPanel
from app.panels.lists.probe_table import ProbeTable
from app.widgets import Soon
from app.window.presenters.states_presenter import StatesPresenter

_LISTS_MS = 55
"""Lists and chart follow more slowly than the graph, and not in the same breath."""


class ShowsRun(Protocol):
    """A part of the window that shows a reduction."""

    def show_state(self, state: RunState) -> None:
        """Show the progress of the reduction."""


class RunPresenter(QObject):
    """A presenter of the model's progress: graph, figures and probes at once, the ``lists`` a little later."""

    step_accepted = Signal()
    """The best so far is another than before."""

    def __init__(
        self,
        state: RunState,
        panel: RunPanel,
        probes: ProbeTable,
        states: StatesPresenter,
        lists: Sequence[ShowsRun],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._state, self._panel, self._probes, self._states, self._lists = state, panel, probes, states, lists
        self._class_lists_shown = False
        self._later = Soon(self, _LISTS_MS, self._show_next_lists)

    def jar_opened(self) -> None:
        """Forget the last run: another input was opened."""
        self._probes.show_probes([])
        self._panel.show_progress(self._state)
        self.show_lists()

    def show_phase(self) -> None:
        """Show the possible actions in the run panel."""
        self._panel.show_phase(self._state)

    def show(self) -> None:
        """Show the events of the run that the model took in."""
        state = self._state
        self._states.show_graph()
        if state.accepted_new:
            state.accepted_new = False
            self.step_accepted.emit()
        self._panel.show_progress(state)
        self._probes.show_probes(state.probes)
        self.show_lists_soon()

    def run_finished(self) -> None:
        """Show the whole result at once."""
        self.show()
        self._states.run_finished()
        self.show_lists()
        self.step_accepted.emit()

    def checked(self) -> None:
        """Show the findings of the check, in the run panel and in the lists."""
        self._panel.show_progress(self._state)
        self.show_lists()

    def show_lists(self) -> None:
        """Show the lists of the run now."""
        for part in self._lists:
            part.show_state(self._state)

    def show_lists_soon(self) -> None:
        """Show all lists before long."""
        self._later.ask()

    def _show_next_lists(self) -> None:
        """Show the lists of classes, then those of the run, one after the other. All lists at once would be one long
        repaint."""
        self._class_lists_shown = not self._class_lists_shown
        if self._class_lists_shown:
            self._states.show_lists()
            self._later.start()
        else:
            self.show_lists()
