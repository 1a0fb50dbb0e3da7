"""All classes as rows that can be sorted: by bytes, by those that need them, by depth. Rows are made when they are
shown."""

from __future__ import annotations

from collections.abc import Sequence
from typing import overload

import numpy as np
from numpy.typing import NDArray

from app.engine.opened_jar import OpenedJar
from app.panels.lists.answer import Cell
from app.panels.lists.row_table import Column

COLUMNS = (
    Column("Class"),
    Column("Size", 78),
    Column("Needed by", 84),
    Column("Needs", 70),
    Column("Depth", 64),
    Column("In a cycle of", 96),
)


class ClassRows(Sequence[tuple[Cell, ...]]):
    """A row per class, those that most classes need first."""

    def __init__(self, jar: OpenedJar) -> None:
        items = np.flatnonzero(jar.is_class)
        needed = np.diff(jar.needed_by.starts)[items]
        order = np.argsort(-needed, kind="stable")
        self._jar, self.items = jar, items[order]
        cycle = np.zeros(len(order), np.int64)
        component = jar.components[self.items]
        cycle[component >= 0] = np.diff(jar.members.starts)[component[component >= 0]]
        self.columns = (
            np.arange(len(order)),
            jar.sizes[self.items],
            needed[order],
            np.diff(jar.needs.starts)[self.items],
            depths(jar)[self.items],
            np.where(cycle > 1, cycle, 0),
        )

    def __len__(self) -> int:
        return len(self.items)

    @overload
    def __getitem__(self, row: int) -> tuple[Cell, ...]: ...
    @overload
    def __getitem__(self, row: slice) -> list[tuple[Cell, ...]]: ...
    def __getitem__(self, row: int | slice) -> tuple[Cell, ...] | list[tuple[Cell, ...]]:
        if isinstance(row, slice):
            return [self[at] for at in range(*row.indices(len(self)))]
        return (self._jar.full[self.items[row]], *(int(column[row]) for column in self.columns[1:]))

    def ordered(self, column: int, descending: bool) -> list[int]:
        """Return the rows by a column."""
        if column == 0:
            names = self._jar.lowered
            return sorted(range(len(self)), key=lambda row: names[self.items[row]], reverse=descending)
        keys = self.columns[column]
        found: list[int] = np.argsort(-keys if descending else keys, kind="stable").tolist()
        return found


class RowNames(Sequence[tuple[str, ...]]):
    """The names behind the rows."""

    def __init__(self, jar: OpenedJar, items: NDArray[np.integer]) -> None:
        self._jar, self._items = jar, items

    def __len__(self) -> int:
        return len(self._items)

    @overload
    def __getitem__(self, row: int) -> tuple[str, ...]: ...
    @overload
    def __getitem__(self, row: slice) -> list[tuple[str, ...]]: ...
    def __getitem__(self, row: int | slice) -> tuple[str, ...] | list[tuple[str, ...]]:
        if isinstance(row, slice):
            return [self[at] for at in range(*row.indices(len(self)))]
        return (self._jar.names[self._items[row]],) * len(COLUMNS)


def depths(jar: OpenedJar) -> NDArray[np.int64]:
    """Return for each item the steps from the nearest class that nothing outside its own cycle needs."""
    component = jar.components
    across = component[jar.edge_from] != component[jar.edge_to]
    top = jar.is_class.copy()
    entered = np.unique(component[jar.edge_to[across]])
    top &= ~np.isin(component, entered)
    depth = np.where(top, 0, -1).astype(np.int64)
    front, step = top, 0
    while front.any():
        step += 1
        reached = np.zeros(jar.items, np.bool_)
        reached[jar.edge_to[front[jar.edge_from]]] = True
        front = reached & (depth < 0)
        depth[front] = step
    return np.maximum(depth, 0)
