"""The dependency structure matrix and how the user walks through it, by pointer and keyboard."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPointF, Qt, Signal
from PySide6.QtGui import QHelpEvent, QKeyEvent, QMouseEvent, QWheelEvent
from PySide6.QtWidgets import QApplication, QToolTip

from app.graph.paint.matrix_picture import MatrixPicture


class MatrixView(MatrixPicture):
    """Pan by dragging, zoom to the pointer by wheel, walk by arrow keys."""

    row_selected = Signal(int)
    cell_selected = Signal(int, int)
    """Row and column that the user chose."""
    row_activated = Signal(int)
    escaped = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._drag: QPointF | None = None
        self._dragging = False
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    # -- pointer and keyboard -----------------------------------------------------------

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() in (Qt.MouseButton.LeftButton, Qt.MouseButton.MiddleButton):
            self._drag, self._dragging = event.position(), False

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        here = event.position()
        if self._drag is not None and event.buttons() != Qt.MouseButton.NoButton:
            if self._dragging or (here - self._drag).manhattanLength() >= QApplication.startDragDistance():
                self._dragging = True
                self._move(self.camera.moved(here.x() - self._drag.x(), here.y() - self._drag.y()))
                self._drag = here
            return
        cell = self.cell_at(here)
        if cell != self.hover:
            self.hover = cell
            shown = cell if cell[0] >= 0 else self.selected
            self.told.emit(self.cells.describe(*shown) if self.cells and shown[0] >= 0 else "")
            self.update()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        dragged, self._drag, self._dragging = self._dragging, None, False
        if not dragged and event.button() == Qt.MouseButton.LeftButton:
            self._choose(*self.cell_at(event.position()))

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        row, _ = self.cell_at(event.position())
        if row >= 0:
            self.row_activated.emit(row)

    def leaveEvent(self, event: QEvent) -> None:
        self.hover = (-1, -1)
        self.update()

    def wheelEvent(self, event: QWheelEvent) -> None:
        self.zoom(1.0016 ** event.angleDelta().y(), event.position())
        event.accept()

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            cell = self.cell_at(QPointF(event.pos()))
            if self.cells is None or cell[0] < 0:
                QToolTip.hideText()
            else:
                QToolTip.showText(event.globalPos(), self.cells.describe(*cell), self)
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        steps = {
            Qt.Key.Key_Left: (0, -1), Qt.Key.Key_Right: (0, 1), Qt.Key.Key_Up: (-1, 0), Qt.Key.Key_Down: (1, 0),
        }  # fmt: skip
        key = Qt.Key(event.key())
        if self.cells is None or not self.cells.size:
            super().keyPressEvent(event)
        elif key in steps:
            row, column = self.selected if self.selected[0] >= 0 else (0, 0)
            last = self.cells.size - 1
            self._choose(min(max(row + steps[key][0], 0), last), min(max(column + steps[key][1], 0), last))
            self.reveal()
        elif key in (Qt.Key.Key_Plus, Qt.Key.Key_Equal):
            self.zoom(1.25)
        elif key == Qt.Key.Key_Minus:
            self.zoom(0.8)
        elif key in (Qt.Key.Key_F, Qt.Key.Key_Home, Qt.Key.Key_0):
            self.fit()
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.selected[0] >= 0:
            self.row_activated.emit(self.selected[0])
        elif key == Qt.Key.Key_Escape:
            self.escaped.emit()
        else:
            super().keyPressEvent(event)

    def _choose(self, row: int, column: int) -> None:
        self.select(row, column)
        self.row_selected.emit(row)
        self.cell_selected.emit(row, column)
