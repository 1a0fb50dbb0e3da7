"""The user's pins: names of items with a wish for each, shown in the tree, with the limits of a pin."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from enum import Enum

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QAction, QKeySequence, QUndoCommand, QUndoStack

from app.engine.run_state import EngineState, RunState
from app.graph.view import GraphView
from app.panels.message_bar import MessageBar, MessageButton
from app.panels.tree.class_tree import ClassTree
from app.presenter import Presenter
from app.window.presenters.inspector_presenter import InspectorPresenter
from core.protocol.java_names import item_title, split

_SPECIAL = "*?["
_MEMBERS = ("[inner ", "[bootstrap ", "[final]")
"""Additions to the names of parts that go with members; all other parts are finer."""


class PinKind(Enum):
    """The user's wishes for an item."""

    KEEP = "keep"
    DROP = "drop first"


class Pins(QObject):
    """Names of items, as the engine has them, each with a wish. Every change goes through ``undo_stack``."""

    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.undo_stack = QUndoStack(self)
        self._wishes: dict[str, PinKind] = {}

    def __contains__(self, name: object) -> bool:
        return name in self._wishes

    def __len__(self) -> int:
        return len(self._wishes)

    @property
    def names(self) -> list[str]:
        """The names to keep, in the order of their pins."""
        return self._of(PinKind.KEEP)

    @property
    def first(self) -> list[str]:
        """The names that are to be dropped first, likewise."""
        return self._of(PinKind.DROP)

    def _of(self, wish: PinKind) -> list[str]:
        return [name for name, other in self._wishes.items() if other is wish]

    def owners(self) -> set[str]:
        """Return the classes that are pinned or have a pinned part."""
        return {split(name)[0] for name in self.names}

    def undo_actions(self, parent: QObject) -> tuple[QAction, QAction]:
        """Return the actions that undo and redo a change, with their shortcuts."""
        undo = self.undo_stack.createUndoAction(parent, "&Undo")
        redo = self.undo_stack.createRedoAction(parent, "&Redo")
        undo.setShortcut(QKeySequence("Ctrl+Z"))
        redo.setShortcuts([QKeySequence("Ctrl+Shift+Z"), QKeySequence("Ctrl+Y")])
        return undo, redo

    def toggle(self, names: Iterable[str], wish: PinKind = PinKind.KEEP) -> None:
        """Give the names that wish, in the place of another one; if all names have the wish, take it from them."""
        wanted = dict.fromkeys(names)
        if wanted:
            after = None if all(self._wishes.get(name) is wish for name in wanted) else wish
            before = {name: self._wishes.get(name) for name in wanted}
            self.undo_stack.push(_PinChange(self, {n: w for n, w in before.items() if w is not after}, after))

    def toggle_first(self, names: Iterable[str]) -> None:
        """Mark ``names`` as to be dropped first; if all of ``names`` have this mark, take it from them."""
        self.toggle(names, PinKind.DROP)

    def set_names(self, names: Iterable[str], first: Iterable[str] = ()) -> None:
        """Set other pins, of another jar or session. There is nothing to undo then."""
        self.undo_stack.clear()
        self._wishes = dict.fromkeys(first, PinKind.DROP) | dict.fromkeys(names, PinKind.KEEP)
        self.changed.emit()

    def apply(self, wishes: Mapping[str, PinKind | None]) -> None:
        """Set wishes (None = none), without a way back."""
        for name, wish in wishes.items():
            self._wishes.pop(name, None)
            if wish is not None:
                self._wishes[name] = wish
        self.changed.emit()

    def patterns(self, granularity: str) -> list[str]:
        """Return the settings' ``keep``: of a part also its class, which stays for it, and of a method its code."""
        found: dict[str, None] = {}
        for name in self.names:
            owner, rest = split(name)
            found[_escaped(owner)] = None
            if rest and granularity != "class":
                found[_escaped(name)] = None
                if rest.startswith(".") and rest.rfind(")") > 0 and "!" not in rest:
                    found[_escaped(f"{name}!code")] = None
        return list(found)

    def first_patterns(self, granularity: str) -> list[str]:
        """Return the settings' ``drop_first``, with parts only if the search removes parts."""
        return [_escaped(name) for name in self.first if granularity != "class" or not split(name)[1]]

    def caveat(self, granularity: str) -> str:
        """Return a sentence about a wish that the search cannot meet; empty = all wishes can be met."""
        parts, gone = ([name for name in names if split(name)[1]] for names in (self.names, self.first))
        for names, wish, aim in (
            (parts, "pinned, but only whole classes are removed: its class is kept whole", "keep less"),
            (gone, "to be dropped first, but only whole classes are removed", "drop it"),
        ):
            if names and granularity == "class":
                name = item_title(names[0], True)
                return f"{name} is {wish}. Choose the granularity “classes and members” to {aim}."
        inside = [name for name in self.names if split(name)[1] and split(name)[0] in self.first]
        if inside:
            return f"{item_title(inside[0], True)} is pinned, so its class cannot be dropped first."
        finer = [name for name in parts + gone if name.endswith("]") and not any(word in name for word in _MEMBERS)]
        if finer and granularity == "member":
            return (
                f"{item_title(finer[0], True)} is pinned, but the granularity is coarser: it is kept or removed "
                "with the member that it belongs to."
            )
        return ""


class _PinChange(QUndoCommand):
    def __init__(self, pins: Pins, before: Mapping[str, PinKind | None], after: PinKind | None) -> None:
        names = list(before)
        what = item_title(names[0], True) if len(names) == 1 else f"{len(names)} items"
        words = {
            PinKind.KEEP: "Pin {0}",
            PinKind.DROP: "Drop {0} first",
            None: "Unpin {0}",
        }
        super().__init__(words[after].format(what))
        self._pins, self._before, self._after = pins, before, after

    def redo(self) -> None:
        self._pins.apply(dict.fromkeys(self._before, self._after))

    def undo(self) -> None:
        self._pins.apply(self._before)


def _escaped(name: str) -> str:
    """Return a pattern that matches this name alone."""
    return "".join(f"[{letter}]" if letter in _SPECIAL else letter for letter in name)


def unescaped(pattern: str) -> str:
    """Return the name that :func:`_escaped` made a pattern of."""
    for letter in _SPECIAL:
        pattern = pattern.replace(f"[{letter}]", letter)
    return pattern


class PinPresenter(Presenter):
    """A presenter that marks pins in the tree, and asks the engine if pins contradict each other. ``granularity`` is
    the form's."""

    changed_in_run = Signal()
    """Pins are others than the run that goes on was given."""
    apply_wanted = Signal()

    _state: RunState
    _pins: Pins
    _granularity: Callable[[], str]
    _tree: ClassTree
    _graph: GraphView
    _queries: InspectorPresenter
    _messages: MessageBar

    def _set_up(self) -> None:
        self._restored: tuple[list[str], list[str]] = ([], [])

    def restore(self, keep: list[str], drop_first: list[str]) -> None:
        """Keep the patterns of the session until its input is read."""
        self._restored = (keep, drop_first)

    def jar_opened(self) -> None:
        """Take the pins of the input's session, if it comes with one."""
        (keep, first), self._restored = self._restored, ([], [])
        self._pins.set_names(map(unescaped, keep), map(unescaped, first))

    def show(self) -> None:
        """Show the pins."""
        pins, granularity = self._pins, self._granularity()
        self._tree.model.set_pins(pins.names, pins.first)
        self._graph.stage.set_wishes(pins.names, pins.first)
        kept = [unescaped(pattern) for pattern in pins.patterns(granularity)]
        self._queries.ask_conflicts(kept, pins.first, granularity)
        if self._state.phase.reducing:
            self.changed_in_run.emit()
        if not self.show_caveat() and self._state.phase.reducing and len(pins):
            told, button = "The run that goes on does not know of these pins yet.", "Apply the pins now"
            if self._state.phase is EngineState.PAUSED:
                told = "Pins take effect when the reduction is resumed, from the smallest jar so far that has them."
                button = "Resume with the pins"
            self._messages.tell(told, "info", MessageButton(button, self.apply_wanted.emit), about="run")

    def show_caveat(self) -> bool:
        """Tell the wishes that cannot be fulfilled. Return True if there are any."""
        caveat = self._pins.caveat(self._granularity())
        if caveat:
            self._messages.tell(caveat, "warning")
        return bool(caveat)

    def show_conflicts(self, sentences: list[str]) -> None:
        """Show which items are to be dropped first but cannot go."""
        more = f" (and {len(sentences) - 1} more)" if sentences[1:] else ""
        self._messages.tell(sentences[0] + more, "warning")
