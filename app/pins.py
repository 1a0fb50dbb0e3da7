"""What the user wants kept: pinned items, with undo and redo."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QUndoCommand, QUndoStack

from app.members import item_title, split

_SPECIAL = "*?["
_MEMBERS = ("[inner ", "[bootstrap ", "[final]")
"""Additions to names that parts have which go with members; all others are finer."""


class Pins(QObject):
    """Names of items, as the engine has them. Every change goes through ``undo_stack``."""

    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.undo_stack = QUndoStack(self)
        self._names: dict[str, None] = {}

    def __contains__(self, name: object) -> bool:
        return name in self._names

    def __len__(self) -> int:
        return len(self._names)

    @property
    def names(self) -> list[str]:
        """The pinned names in the order in which they were pinned."""
        return list(self._names)

    def owners(self) -> set[str]:
        """The classes that are pinned or have a pinned part."""
        return {split(name)[0] for name in self._names}

    def toggle(self, names: Iterable[str]) -> None:
        """Pins the names; if all of them are pinned, lets go of them."""
        wanted = list(names)
        if wanted:
            add = not all(name in self._names for name in wanted)
            changed = [name for name in wanted if (name in self._names) != add]
            self.undo_stack.push(_Change(self, changed, add))

    def set_names(self, names: Iterable[str]) -> None:
        """Other pins, of another jar or session: there is nothing to undo."""
        self.undo_stack.clear()
        self._names = dict.fromkeys(names)
        self.changed.emit()

    def apply(self, names: Iterable[str], add: bool) -> None:
        """Pins names or lets go of them, without a way back."""
        for name in names:
            if add:
                self._names[name] = None
            else:
                self._names.pop(name, None)
        self.changed.emit()

    def patterns(self, granularity: str) -> list[str]:
        """The settings' ``keep``: of a part also its class, which stays for it, and of a method its code."""
        found: dict[str, None] = {}
        for name in self._names:
            owner, rest = split(name)
            found[_escaped(owner)] = None
            if rest and granularity != "class":
                found[_escaped(name)] = None
                if rest.startswith(".") and rest.rfind(")") > 0 and "!" not in rest:
                    found[_escaped(f"{name}!code")] = None
        return list(found)

    def caveat(self, granularity: str) -> str:
        """What the search cannot keep as it is pinned, in a sentence; empty = nothing."""
        parts = [name for name in self._names if split(name)[1]]
        if parts and granularity == "class":
            return self.tr(
                "{0} is pinned, but only whole classes go: its class is kept whole instead. "
                "Choose “classes and members” to keep less."
            ).format(item_title(parts[0], True))
        finer = [name for name in parts if name.endswith("]") and not any(word in name for word in _MEMBERS)]
        if finer and granularity == "member":
            return self.tr(
                "{0} is pinned, which is finer than members: it stays as long as what it belongs to does."
            ).format(item_title(finer[0], True))
        return ""


class _Change(QUndoCommand):
    def __init__(self, pins: Pins, names: list[str], add: bool) -> None:
        what = item_title(names[0], True) if len(names) == 1 else pins.tr("{0} items").format(len(names))
        super().__init__((pins.tr("Keep {0}") if add else pins.tr("Do not keep {0}")).format(what))
        self._pins, self._changed, self._add = pins, names, add

    def redo(self) -> None:
        self._pins.apply(self._changed, self._add)

    def undo(self) -> None:
        self._pins.apply(self._changed, not self._add)


def _escaped(name: str) -> str:
    """A pattern that matches this name alone."""
    return "".join(f"[{letter}]" if letter in _SPECIAL else letter for letter in name)


def unescaped(pattern: str) -> str:
    """The name that :func:`_escaped` made a pattern of."""
    for letter in _SPECIAL:
        pattern = pattern.replace(f"[{letter}]", letter)
    return pattern
