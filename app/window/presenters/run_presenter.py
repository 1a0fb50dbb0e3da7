"""Shows the reading of an input, the progress of a reduction, and the kept classes: of the best so far, of a step, or
of one of two steps."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import numpy as np
from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLabel, QStackedWidget, QWidget

from app import text
from app.engine.controller import Controller
from app.engine.opened_jar import OpenedJar
from app.engine.run_state import EngineState, RunState
from app.engine.runs import StepSummary, key_of
from app.graph.view import GraphView
from app.panels.empty_page import EmptyPage
from app.panels.form.run_panel import RunPanel
from app.panels.lists.component_list import ComponentList
from app.panels.lists.probe_table import ProbeTable
from app.panels.lists.step_list import StepList
from app.panels.tree.class_tree import ClassTree
from app.presenter import Presenter
from app.widgets import Soon
from app.window.bookmarks import Recent
from core.protocol import events
from core.protocol.questions.items import Compare


class ShowsJar(Protocol):
    """A part of the window that shows an input."""

    def set_jar(self, jar: OpenedJar) -> None:
        """Show another one."""


@dataclass(eq=False)
class LoadingPresenter:
    """A presenter that chooses between the empty page, with the progress of the reading, and the view of the input."""

    _controller: Controller
    _pages: QStackedWidget
    _empty: EmptyPage
    _view: QWidget

    def show_phase(self, phase: EngineState) -> None:
        """Show the page for the engine's state."""
        loading = phase is EngineState.LOADING
        self._empty.set_loading(self._name if loading else None)
        opened = self._controller.state.jar.opened and not loading
        self._pages.setCurrentWidget(self._view if opened else self._empty)

    def show_loaded(self, event: events.Loading) -> None:
        """Show the number of class files of the input that are read."""
        self._empty.set_loading(self._name, event.done, event.total)

    @property
    def _name(self) -> str:
        return Path(self._controller.paths[0]).name


@dataclass(eq=False)
class JarPresenter:
    """A presenter that gives an input to some parts, and shows the input's size on the status bar."""

    _controller: Controller
    _parts: Sequence[ShowsJar]
    _facts: QLabel
    _recent: Recent

    def show_jar(self, jar: OpenedJar) -> None:
        """Show another input."""
        for part in self._parts:
            part.set_jar(jar)
        self._facts.setText(jar_facts(jar))
        if not self._controller.session:
            self._recent.add(self._controller.paths)


def jar_facts(jar: OpenedJar) -> str:
    """Return classes, dependencies and cycles of an input, and its reading time, in one line."""
    facts = [
        text.classes(jar.classes),
        text.counted(len(jar.edge_from), "dependency"),
        text.counted(int((np.diff(jar.members.starts) > 1).sum()), "cycle"),
        f"read in {text.seconds(jar.seconds)}",
    ]
    return " · ".join(facts)


@dataclass(eq=False)
class StatesPresenter:
    """A presenter that colours the graph, the tree and the components."""

    _controller: Controller
    _graph: GraphView
    _tree: ClassTree
    _components: ComponentList
    _steps: StepList
    looked: tuple[StepSummary | None, StepSummary | None] = (None, None)
    """The steps shown instead of the best so far; two = their difference."""

    def jar_opened(self) -> None:
        """Forget the steps: another input was opened."""
        self.looked = (None, None)
        self.show_lists()

    def run_started(self) -> None:
        """Show the reduction that begins."""
        self._steps.table.clearSelection()

    def look_at(self, step: StepSummary | None, other: StepSummary | None) -> None:
        """Show a step, two steps compared, or (None) the best so far."""
        self.looked = (step, other)
        if step is not None and other is not None:
            self._controller.ask(
                Compare(key_of(step), key_of(other)), self._steps.show_changes, self._steps.words.setPlainText
            )
        state = self._controller.state
        if step is None or not state.steps:
            self._show_best()
            self.show_lists()
            return
        shown = state.states_between(step, step if other is None else other)
        self._graph.set_states(shown, None, False)
        self._tree.model.set_states(shown, best=False)
        self._components.set_states(shown)

    def show_graph(self) -> None:
        """Show the best so far in the graph, if it has changed."""
        state = self._controller.state
        if state.changed:
            state.changed = False
            if self.looked == (None, None):
                self._show_best()

    def show_lists(self) -> None:
        """Show the best so far in the lists of classes."""
        state = self._controller.state
        self._tree.model.proved = state.proved
        if self.looked == (None, None):
            shown = state.states if state.steps else None
            self._tree.model.set_states(shown)
            self._components.set_states(shown)

    def _show_best(self) -> None:
        state = self._controller.state
        shown = state.states if state.steps else None
        self._graph.set_states(shown, state.counts() if state.steps else None, state.finished is not None)


_LISTS_MS = 55
"""Lists and chart follow more slowly than the graph, and not in the same breath."""


class ShowsRun(Protocol):
    """A part of the window that shows a reduction."""

    def show_state(self, state: RunState) -> None:
        """Show the progress of the reduction."""


class RunPresenter(Presenter):
    """A presenter of the model's progress: graph, figures and probes at once, the ``lists`` a little later."""

    step_accepted = Signal()
    """The best so far is another than before."""

    _state: RunState
    _panel: RunPanel
    _probes: ProbeTable
    _states: StatesPresenter
    _lists: Sequence[ShowsRun]

    def _set_up(self) -> None:
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
