"""Shows what is pinned, and says what a pin cannot do."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, Signal

from app.engine.run_state import EngineState, RunState
from app.panels.message_bar import MessageBar, MessageButton
from app.panels.tree.class_tree import ClassTree
from app.window.inspector_queries import InspectorQueries
from app.window.pins import Pins, unescaped


class PinPresenter(QObject):
    """A presenter that marks pins in the tree, and asks the engine if pins contradict each other. ``granularity`` is
    the form's."""

    changed_in_run = Signal()
    """Pins are others than the run that goes on was given."""
    apply_wanted = Signal()

    def __init__(
        self,
        state: RunState,
        pins: Pins,
        granularity: Callable[[], str],
        tree: ClassTree,
        queries: InspectorQueries,
        messages: MessageBar,
    ) -> None:
        super().__init__(tree)
        self._state, self._pins, self._granularity = state, pins, granularity
        self._tree, self._queries, self._messages = tree, queries, messages
        self._restored: tuple[list[str], list[str]] = ([], [])

    def restore(self, keep: list[str], drop_first: list[str]) -> None:
        """Keep the patterns of the session whose input is read next."""
        self._restored = (keep, drop_first)

    def jar_opened(self) -> None:
        """Take the pins of the input's session, if it comes with one."""
        (keep, first), self._restored = self._restored, ([], [])
        self._pins.set_names(map(unescaped, keep), map(unescaped, first))

    def show(self) -> None:
        """Show the pins."""
        pins, granularity = self._pins, self._granularity()
        self._tree.set_pins(pins.names, pins.first)
        kept = [unescaped(pattern) for pattern in pins.patterns(granularity)]
        self._queries.ask_conflicts(kept, pins.first, granularity)
        if self._state.phase.reducing:
            self.changed_in_run.emit()
        if not self.show_caveat() and self._state.phase.reducing and len(pins):
            self._messages.tell(
                "Pins take effect when the reduction is resumed, from the smallest jar so far that has them."
                if self._state.phase is EngineState.PAUSED
                else "The run that goes on does not know of these pins yet.",
                "info",
                MessageButton(
                    "Resume with the pins" if self._state.phase is EngineState.PAUSED else "Apply the pins now",
                    self.apply_wanted.emit,
                ),
                about="run",
            )

    def show_caveat(self) -> bool:
        """Say what cannot be done as it is wished; whether there is such a thing."""
        caveat = self._pins.caveat(self._granularity())
        if caveat:
            self._messages.tell(caveat, "warning")
        return bool(caveat)

    def show_conflicts(self, sentences: list[str]) -> None:
        """Show which items are to be dropped first but cannot go."""
        more = f" (and {len(sentences) - 1} more)" if sentences[1:] else ""
        self._messages.tell(sentences[0] + more, "warning")
