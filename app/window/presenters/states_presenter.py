"""Shows which classes are kept: in the best so far, in an accepted step, or in one of two that are compared."""

from __future__ import annotations

from app.engine.controller import Controller
from app.engine.opened_jar import Places
from app.engine.runs import StepSummary
from app.graph.view import GraphView
from app.panels.lists.component_list import ComponentList
from app.panels.lists.step_list import StepList
from app.panels.tree.class_tree import ClassTree


class StatesPresenter:
    """A presenter that colours the graph, the tree and the components."""

    def __init__(
        self, controller: Controller, graph: GraphView, tree: ClassTree, components: ComponentList, steps: StepList
    ) -> None:
        self._controller, self._graph, self._tree, self._components = controller, graph, tree, components
        self._steps = steps
        self.looked: tuple[StepSummary | None, StepSummary | None] = (None, None)
        """The steps that are shown instead of the best so far; two = what they differ in."""

    def jar_opened(self) -> None:
        """Forget the steps: another input was opened."""
        self.looked = (None, None)
        self.show_lists()

    def run_started(self) -> None:
        """Show the reduction that begins."""
        self._steps.table.clearSelection()

    def run_finished(self) -> None:
        """Draw the states that came from the engine while classes moved."""
        self.show_lists()
        self._graph.show_offered()

    def placed(self, places: Places) -> None:
        """Offer the layout of a view: while a reduction runs, the shown one does not jump."""
        self._graph.offer_places(places, wait=self._controller.state.phase.reducing)

    def look_at(self, step: StepSummary | None, other: StepSummary | None) -> None:
        """Show a step, two steps compared, or (None) the best so far."""
        self.looked = (step, other)
        if step is not None and other is not None:
            self._controller.compare(step, other)
        state = self._controller.state
        if step is None or not state.steps:
            self._show_best()
            self.show_lists()
            return
        shown = state.states_between(step, step if other is None else other)
        self._graph.set_states(shown, None, False)
        self._tree.set_states(shown, best=False)
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
            self._tree.set_states(shown)
            self._components.set_states(shown)

    def _show_best(self) -> None:
        state = self._controller.state
        shown = state.states if state.steps else None
        self._graph.set_states(shown, state.counts() if state.steps else None, state.finished is not None)
