"""The dependency structure matrix as arrays. No Qt."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from app import text
from app.engine.opened_jar import Adjacency, Ints, adjacency
from core.protocol import events
from core.protocol.java_names import java_name, package_name, shared, simple_name


@dataclass(frozen=True, slots=True)
class Cells:
    """Rows need columns, both in the same order."""

    rows: str
    """Kind of the rows: ``packages``, ``components`` or ``classes``."""
    names: list[str]
    """As Java writes them."""
    short: list[str]
    members: Ints
    """Row of each item, -1 = none."""
    items: Adjacency
    """Items of each row."""
    cells: Ints
    """Rows ``row, column, number of class edges``."""
    groups: Ints
    """Rows ``first row, number of rows`` of each cycle."""
    request: int

    @property
    def size(self) -> int:
        """Number of rows."""
        return len(self.names)

    def weight(self, row: int, column: int) -> int:
        """Return the number of class edges from the row's classes to the column's."""
        hit = (self.cells[:, 0] == row) & (self.cells[:, 1] == column)
        return int(self.cells[hit, 2].sum())

    def describe(self, row: int, column: int) -> str:
        """Return the content of a cell, in words."""
        if row == column:
            needs = int((self.cells[:, 0] == row).sum())
            needed = int((self.cells[:, 1] == row).sum())
            classes = self.items.degree(row)
            many = f", {text.classes(classes)}" if self.rows != "classes" else ""
            return f"{self.names[row]}{many}: needs {needs}, needed by {needed}"
        edges = self.weight(row, column)
        if not edges:
            return f"{self.names[row]} does not need {self.names[column]}"
        count = "" if self.rows == "classes" else f": {text.counted(edges, 'class dependency')}"
        return f"{self.names[row]} needs {self.names[column]}{count}"


def cells_from(event: events.Matrix) -> Cells:
    """Return the arrays of a ``matrix`` event."""
    members = np.array(event.members, np.int32)
    placed = np.flatnonzero(members >= 0).astype(np.int32)
    items = adjacency(members[placed], placed, len(event.names))
    packages = event.rows == "packages"
    names = [package_name(name) for name in event.names]
    if not packages:
        names = [java_name(name) for name in event.names]
    short = names if packages else [simple_name(name) for name in event.names]
    if event.rows == "components":
        sizes = np.diff(items.starts).tolist()
        short = [f"{s} + {n - 1}" if n > 1 else s for s, n in zip(short, sizes, strict=True)]
        names = [f"{s} + {n - 1}" if n > 1 else s for s, n in zip(names, sizes, strict=True)]
    return Cells(
        rows=event.rows,
        names=names,
        short=short,
        members=members,
        items=items,
        cells=np.array(event.cells, np.int32).reshape(-1, 3),
        groups=np.array(event.groups, np.int32).reshape(-1, 2),
        request=event.request,
    )


NO_CELLS = cells_from(events.Matrix("", [], [], [], []))
"""The matrix without rows, in the place of one until it is here."""


def without_prefix(names: list[str]) -> list[str]:
    """Return the names of packages without the packages that all of them lie in, if they are two or more."""
    parts = [name.split(".") for name in names]
    same = shared([one[:-1] for one in parts])
    return ["…" + ".".join(one[same:]) for one in parts] if len(parts) > 1 and same > 1 else names
