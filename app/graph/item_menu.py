"""The entries on items that the menus of tree and graph share."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QMenu


class ItemSignals(QObject):
    """The requests of one of these menus."""

    pins = Signal(list)
    """Names to pin, or to let go of if all are pinned."""
    first = Signal(list)
    """Names to drop first, or no longer if all are to be."""
    impact = Signal(list, str)
    """Names of items, and ``with`` or ``around``."""
    bounds = Signal(list, bool)
    """Classes of one of two sets with dependencies to be shown between them; True = the second."""
    asked = Signal(str, int)
    """``focus``, ``why``, ``cycle`` or ``inspect``, and the class."""


def add(menu: QMenu, words: str, slot: Callable[..., object], *values: object, enabled: bool = True) -> None:
    """Add an entry that calls ``slot`` with these values."""
    action = menu.addAction(words)
    action.setEnabled(enabled)
    action.triggered.connect(lambda _=False: slot(*values))


def add_items(
    menu: QMenu,
    told: ItemSignals,
    names: list[str],
    rows: Sequence[list[int]],
    item: int,
    wishes: tuple[frozenset[str], frozenset[str]],
    in_cycle: bool = True,
) -> None:
    """Add the entries on items of these ``names``, whose classes are ``rows``, and on one ``item`` (-1 = none).
    ``wishes`` are the names that are pinned, and those to be dropped first."""
    if names:
        kept, first = (all(name in known for name in names) for known in wishes)
        add(menu, f"{'Un&pin' if kept else '&Pin'}\tCtrl+L", told.pins.emit, names)
        add(menu, f"{'Do not &drop first' if first else '&Drop first'}\tCtrl+D", told.first.emit, names)
        menu.addSeparator()
    if item >= 0:
        add(menu, "&Inspect", told.asked.emit, "inspect", item)
        add(menu, "&Focus on it", told.asked.emit, "focus", item)
        add(menu, "&Why is it kept?", told.asked.emit, "why", item)
        add(menu, "Shortest c&ycle through it", told.asked.emit, "cycle", item, enabled=in_cycle)
        menu.addSeparator()
    if names:
        add(menu, "What &goes with it", told.impact.emit, names, "with")
        add(menu, "&Smallest set around it", told.impact.emit, names, "around")
        if len(rows) == 2:
            add(menu, "&List dependencies between the two", _tell_bounds, told, *rows)
        items = [one for row in rows for one in row]
        add(menu, "List dependencies f&rom here", told.bounds.emit, items, False)
        add(menu, "List dependencies t&o here", told.bounds.emit, items, True)
        menu.addSeparator()


def _tell_bounds(told: ItemSignals, first: list[int], second: list[int]) -> None:
    told.bounds.emit(first, False)
    told.bounds.emit(second, True)
