"""All views of one jar: which is shown, the matrix, the context menu."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QWidget

from app.graph import menu
from app.graph.scene.cells import Cells
from app.graph.trail import GraphTrail


class GraphView(GraphTrail):
    """What the window sees of the graph."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.canvas.node_activated.connect(self._node_activated)
        self.canvas.menu_wanted.connect(self._menu_wanted)
        self.canvas.escaped.connect(self._escaped)
        self.matrix.escaped.connect(self._escaped)
        self.matrix.row_selected.connect(self._row_selected)
        self.matrix.row_activated.connect(self._row_activated)
        self.matrix.told.connect(self._matrix_told)
        self.head.rows_changed.connect(self._ask_cells)

    # -- views --------------------------------------------------------------------------

    def show_view(self, view: str) -> None:
        """Switch the view; what the engine has not placed yet is asked for and shown once it comes."""
        if self._jar is None:
            return
        if view == "focus":
            if self._item >= 0:
                self.focus(self._item)
            elif self._focus:
                self._remember()
                super().show_view("focus")
            else:
                self.path_bar.tell("Select a class first: the focus shows what is near it.", False)
                self.head.show_view(self.view)
            return
        if view != self.view:
            self._remember()
        if view == "matrix":
            self._show_matrix()
            return
        if view == "force" and view not in self._scenes and self._wanted != view:
            self.caption.set_text(f"Placing {self._jar.classes:,} classes …")
            self.ask("force")
        super().show_view(view)

    def _escaped(self) -> None:
        """The path first, then the focus, then the selection."""
        if self.path_bar.isVisible():
            self.clear_path()
        elif self.view == "focus" and self._history:
            self.back()
        elif self.view == "matrix":
            self.matrix.select(-1)
            self._row_selected(-1)
        else:
            self.canvas.choose(-1)

    def _node_activated(self, node: int) -> None:
        scene = self.canvas.scene
        if scene is None:
            return
        if node < scene.cards:
            self.open_folder(scene.names[node])
        elif self.view == "focus":
            self.focus(int(scene.item_of_node[node]))
        else:
            self.canvas.show_area(scene.around(np.array([node], np.int32)))

    def _menu_wanted(self, where: QPoint, node: int, frame: int) -> None:
        menu.build(self, node, frame).popup(where)

    # -- matrix -------------------------------------------------------------------------

    def set_cells(self, cells: Cells) -> None:
        """The matrix from the engine; shown if it is wanted."""
        if self._jar is None or cells.request < self._latest.get("matrix", 0):
            return
        self.matrix.set_cells(cells)
        self.matrix.set_states(self._states)
        if self._wanted == "matrix" or self.view == "matrix":
            self._show_matrix()

    def _show_matrix(self) -> None:
        if self.matrix.cells is None or self.matrix.cells.rows != self.head.rows:
            self._wanted = "matrix"
            self._ask_cells()
            self.head.show_view(self.view)
            return
        if self.view in self._scenes and self.canvas.touched:
            self._cameras[self.view] = self.canvas.camera
        self.view, self._wanted = "matrix", ""
        self.head.show_view("matrix")
        self._pages.setCurrentWidget(self.matrix)
        if self._item >= 0:
            self.matrix.select(int(self.matrix.cells.members[self._item]))
        self._matrix_told("")
        self.view_changed.emit("matrix")

    def _ask_cells(self) -> None:
        self.ask("matrix", rows=self.head.rows)

    def _matrix_told(self, words: str) -> None:
        cells = self.matrix.cells
        if not words and cells is not None:
            upward = int((cells.cells[:, 1] > cells.cells[:, 0]).sum())
            words = (
                f"{cells.size:,} {cells.rows}, {len(cells.cells):,} cells, {upward:,} of them above the "
                "diagonal; row needs column"
            )
        self.caption.set_text(words)

    def _row_selected(self, row: int) -> None:
        cells = self.matrix.cells
        self._item = int(cells.items.of(row)[0]) if cells and row >= 0 and cells.items.degree(row) == 1 else -1
        self.item_selected.emit(self._item)

    def _row_activated(self, row: int) -> None:
        cells = self.matrix.cells
        if cells is None or self._jar is None:
            return
        items = cells.items.of(row)
        if cells.rows == "classes":
            self.focus(int(items[0]))
        elif cells.rows == "components":
            self._remember()
            self.select_component(int(self._jar.components[items[0]]))
        else:
            self.show_view("packages")
            scene = self._scenes["packages"]
            node = int(scene.node_of_item[items[0]])
            self.canvas.choose(node if node < scene.cards else -1)
            self.canvas.show_area(scene.around(scene.node_of_item[items]))
