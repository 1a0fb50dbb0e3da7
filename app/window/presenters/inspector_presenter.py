"""Shows the selected class or member in the inspector."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, Signal

from app.engine.members import state_in
from app.engine.run_state import ItemState, RunState
from app.panels.inspector import Inspector
from app.window.inspector_queries import InspectorQueries
from app.window.selection import Selection
from core.protocol import events
from core.protocol.java_names import split

_LEAST_HEIGHT = 240
"""Below so many pixels no code can be read."""


class InspectorPresenter(QObject):
    """A presenter that keeps the inspector in step with the selection and the engine's answers. ``item_of`` gives the
    number of a class by its name, -1 = none."""

    room_wanted = Signal()
    """The inspector came to be seen, and is too low."""

    def __init__(
        self,
        state: RunState,
        selection: Selection,
        queries: InspectorQueries,
        inspector: Inspector,
        item_of: Callable[[str], int],
    ) -> None:
        super().__init__(inspector)
        self._state, self._selection, self._queries, self._inspector = state, selection, queries, inspector
        self._item_of = item_of
        inspector.state_of = self.state_of

    def seen(self) -> None:
        """Ask for facts only while the inspector is visible and not covered."""
        visible = self._inspector.isVisible() and not self._inspector.visibleRegion().isEmpty()
        if visible == self._queries.active:
            return
        self._queries.active = visible
        if visible and self._inspector.height() < _LEAST_HEIGHT:
            self.room_wanted.emit()
        self._queries.ask_soon()
        self._queries.ask_tied()
        self.show_states()

    def show_item(self) -> None:
        """Show another item, or an item that has changed."""
        self._inspector.look_at(self._queries.name, self._facts)

    def show_relations(self, event: events.Inspected) -> None:
        """Show the needs of the item, and the items that need it."""
        self._inspector.show_ties(event, self._facts)

    def show_states(self) -> None:
        """Show the state of each shown item: kept, needed or gone."""
        if self._queries.active:
            self._inspector.show_states()

    def state_of(self, name: str) -> ItemState | None:
        """Return the state of a class or a member; None before a run, and where it is not known."""
        owner = split(name)[0]
        item = self._item_of(owner)
        if item < 0 or not self._state.steps:
            return None
        of_class = ItemState(int(self._state.states[item]))
        if name == owner or of_class is ItemState.GONE:
            return of_class
        members = self._queries.known.get(owner)
        return state_in(members, name, self._state.proved) if members is not None else None

    @property
    def _facts(self) -> list[str]:
        return self._selection.facts if self._queries.name else []
