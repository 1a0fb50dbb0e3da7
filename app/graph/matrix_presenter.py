"""The matrix among the views: asks for its cells, shows it in place of the canvas, says what is in it."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QStackedWidget

from app import text
from app.graph.head import Head
from app.graph.matrix import MatrixView
from app.graph.scene.cells import Cells
from app.graph.stage import GraphStage
from app.widgets import ElidedLabel

_ONE_ROW = {"packages": "package", "components": "component", "classes": "class"}
"""Words for one row, by the words for several."""


class MatrixPresenter(QObject):
    """A presenter that keeps the matrix in step with the stage."""

    row_activated = Signal(object, int)
    """:class:`Cells` and the row of them that was double-clicked."""

    def __init__(
        self, stage: GraphStage, pages: QStackedWidget, matrix: MatrixView, head: Head, caption: ElidedLabel
    ) -> None:
        super().__init__(stage)
        self._stage, self._pages, self.matrix, self._head, self._caption = stage, pages, matrix, head, caption
        matrix.row_selected.connect(self.select_row)
        matrix.row_activated.connect(self._activated)
        matrix.told.connect(self._describe)
        head.rows_changed.connect(self._ask)
        stage.item_marked.connect(self._mark)

    def set_cells(self, cells: Cells) -> None:
        """Set the matrix from the engine, and show the matrix if it is wanted."""
        stage = self._stage
        if not stage.scenes.awaits("matrix", cells.request):
            return
        self.matrix.set_cells(cells)
        self.matrix.set_states(stage.states)
        if stage.wanted == "matrix" or stage.view == "matrix":
            self.show()

    def show(self) -> None:
        """Show the matrix, as soon as it is there."""
        stage, cells = self._stage, self.matrix.cells
        if cells is None or cells.rows != self._head.rows:
            stage.wanted = "matrix"
            self._ask()
            self._head.show_view(stage.view)
            return
        stage.leave_for("matrix")
        self._pages.setCurrentWidget(self.matrix)
        if stage.item >= 0:
            self.matrix.select(int(cells.members[stage.item]))
        self._describe("")
        stage.view_changed.emit("matrix")

    def select_row(self, row: int) -> None:
        """Take the row that the user chose; -1 = none."""
        cells = self.matrix.cells
        single = cells is not None and row >= 0 and cells.items.degree(row) == 1
        self._stage.tell_selected(int(cells.items.of(row)[0]) if cells is not None and single else -1)

    def _mark(self, item: int) -> None:
        """Mark the row of an item that was chosen elsewhere."""
        if self._stage.view == "matrix" and self.matrix.cells is not None and item >= 0:
            self.matrix.select(int(self.matrix.cells.members[item]))
            self.matrix.reveal()

    def _activated(self, row: int) -> None:
        if self.matrix.cells is not None and self._stage.jar is not None:
            self.row_activated.emit(self.matrix.cells, row)

    def _ask(self) -> None:
        self._stage.ask("matrix", rows=self._head.rows)

    def _describe(self, words: str) -> None:
        cells = self.matrix.cells
        if not words and cells is not None:
            upward = int((cells.cells[:, 1] > cells.cells[:, 0]).sum())
            rows = text.plural(cells.size, _ONE_ROW[cells.rows], cells.rows)
            words = (
                f"{rows}, {text.plural(len(cells.cells), 'cell')}, {upward:,} of them above the diagonal; "
                "the row of a cell needs its column"
            )
        self._caption.set_text(words)
