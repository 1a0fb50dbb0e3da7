"""The dependency structure matrix: how the user walks through it, and how it stands among the views."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QEvent, QPointF, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QStackedWidget, QWidget

from app import text
from app.graph.head import Head
from app.graph.paint.matrix_picture import MatrixPicture
from app.graph.paint.walked import ARROWS
from app.graph.scene.camera import DIRECTIONS, Camera
from app.graph.scene.cells import Cells
from app.graph.stage import GraphStage
from app.presenter import Presenter
from app.widgets import ElidedLabel

_ONE_ROW = {"packages": "package", "components": "component", "classes": "class"}
"""Words for one row, by the words for several."""


class MatrixPresenter(Presenter):
    """A presenter that keeps the matrix in step with the stage."""

    _stage: GraphStage
    _pages: QStackedWidget
    matrix: MatrixView
    _head: Head
    _caption: ElidedLabel

    def set_cells(self, cells: Cells) -> None:
        """Set the matrix from the engine, and show the matrix if it is wanted."""
        stage = self._stage
        if not stage.awaits("matrix", cells.request):
            return
        self.matrix.set_cells(cells)
        self.matrix.set_states(stage.states)
        if stage.wanted == "matrix" or stage.view == "matrix":
            self.show()

    def show(self) -> None:
        """Show the matrix, as soon as it is there."""
        stage, cells = self._stage, self.matrix.cells
        if cells.rows != self._head.rows:
            stage.wanted = "matrix"
            self.ask()
            self._head.show_view(stage.view)
            return
        stage.leave_for_matrix()
        self._pages.setCurrentWidget(self.matrix)
        if stage.item >= 0:
            self.matrix.select(int(cells.members[stage.item]))
        self.describe("")
        stage.view_changed.emit("matrix")

    def select_row(self, row: int) -> None:
        """Take the row that the user chose; -1 = none."""
        cells = self.matrix.cells
        single = row >= 0 and cells.items.degree(row) == 1
        self._stage.tell_selected(int(cells.items.of(row)[0]) if single else -1)

    def mark(self, item: int) -> None:
        """Mark the row of an item that was chosen elsewhere."""
        if self._stage.view == "matrix" and item >= 0:
            self.matrix.select(int(self.matrix.cells.members[item]))
            self.matrix.reveal()

    def ask(self) -> None:
        """Ask for the matrix of the chosen rows."""
        self._stage.ask("matrix", rows=self._head.rows)

    def describe(self, words: str) -> None:
        """Show the words on a cell; of none the summary."""
        cells = self.matrix.cells
        if not words and cells.size:
            upward = int((cells.cells[:, 1] > cells.cells[:, 0]).sum())
            rows = text.counted(cells.size, _ONE_ROW[cells.rows])
            words = (
                f"{rows}, {text.counted(len(cells.cells), 'cell')}, {upward:,} of them above the diagonal; "
                "the row of a cell needs its column"
            )
        self._caption.set_text(words)


_LARGEST = 40.0
"""Pixels of a row at the closest."""


class MatrixView(MatrixPicture):
    """Pan by dragging, zoom to the pointer by wheel, walk by arrow keys."""

    row_selected = Signal(int)
    cell_selected = Signal(int, int)
    """Row and column that the user chose."""
    row_activated = Signal(int)
    told = Signal(str)
    """Description of the cell that is selected or under the pointer; empty = nothing."""

    def select(self, row: int, column: int | None = None) -> None:
        """Mark a row and a column (its own), without telling."""
        self.selected = (row, row if column is None else column)
        if row >= 0:
            words = self.cells.describe(*self.selected)
            self.setAccessibleDescription(words)
            self.told.emit(words)
        self.update()

    def pixel_of(self, row: int, column: int) -> tuple[float, float]:
        """Return the pixel in the middle of a cell."""
        return self.camera.to_pixel((column + 0.5) * self.stretch, row + 0.5)

    def zoom(self, factor: float, at: QPointF | None = None) -> None:
        """Zoom in or out; the cell ``at`` (default: the middle) stays where it is."""
        least = min(4.0, max(min(self.width(), self.height()) - self.head, 40) / max(self.cells.size, 1) / 2)
        point = at or QPointF(self.width() / 2, self.height() / 2)
        self._move(self.camera.zoomed(factor, point.x(), point.y(), least, _LARGEST))

    def _move(self, camera: Camera) -> None:
        """Move, but not so far that nothing is left in sight."""
        full = self.cells.size * camera.scale
        x = min(max(camera.x, self.head + 60 - full * self.stretch), self.width() - 60.0)
        y = min(max(camera.y, self.head + 60 - full), self.height() - 60.0)
        self.camera, self._touched = Camera(camera.scale, x, y), True
        self.update()

    def reveal(self) -> None:
        """Bring the selected cell into view."""
        row, column = self.selected
        if row < 0:
            return
        x, y = self.pixel_of(row, column)
        dx = max(self.head + 14 - x, 0.0) + min(self.width() - 14 - x, 0.0)
        dy = max(self.head + 14 - y, 0.0) + min(self.height() - 14 - y, 0.0)
        if dx or dy:
            self._move(self.camera.moved(dx, dy))

    def cell_at(self, point: QPointF) -> tuple[int, int]:
        """Return row and column under a pixel; on the names the diagonal's cell, elsewhere (-1, -1)."""
        x, y = self.camera.to_scene(point.x(), point.y())
        column, row = int(np.floor(x / self.stretch)), int(np.floor(y))
        if point.x() < self.camera.x and point.y() >= self.head:
            column = row
        elif point.y() < self.head and point.x() >= self.head:
            row = column
        elif point.x() < self.head:
            return -1, -1
        size = self.cells.size
        return (row, column) if 0 <= row < size and 0 <= column < size else (-1, -1)

    def _point(self, here: QPointF) -> None:
        cell = self.cell_at(here)
        if cell != self.hover:
            self.hover = cell
            shown = cell if cell[0] >= 0 else self.selected
            self.told.emit(self.cells.describe(*shown) if shown[0] >= 0 else "")
            self.update()

    def _click(self, event: QMouseEvent) -> None:
        self._choose(*self.cell_at(event.position()))

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        row, _ = self.cell_at(event.position())
        if row >= 0:
            self.row_activated.emit(row)

    def leaveEvent(self, event: QEvent) -> None:
        self.hover = (-1, -1)
        self.update()

    def _hint(self, here: QPointF) -> str:
        cell = self.cell_at(here)
        return self.cells.describe(*cell) if cell[0] >= 0 else ""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = Qt.Key(event.key())
        if not self.cells.size:
            QWidget.keyPressEvent(self, event)
        elif key in ARROWS:
            way = DIRECTIONS[ARROWS[key]][::-1]
            place = np.add(self.selected if self.selected[0] >= 0 else (0, 0), way).astype(int)
            self._choose(*np.clip(place, 0, self.cells.size - 1).tolist())
            self.reveal()
        elif key == Qt.Key.Key_0:
            self.fit()
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.selected[0] >= 0:
            self.row_activated.emit(self.selected[0])
        else:
            super().keyPressEvent(event)

    def _choose(self, row: int, column: int) -> None:
        self.select(row, column)
        self.row_selected.emit(row)
        self.cell_selected.emit(row, column)
