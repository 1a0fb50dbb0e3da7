"""The graph of the open jar: canvas and matrix, head and foot lines, an object for each thing done with them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from PySide6.QtCore import QPoint, QRect, Qt, Signal
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QStackedWidget, QWidget

from app.engine.opened_jar import Floats, OpenedJar
from app.engine.run_state import ItemState
from app.graph.canvas import GraphCanvas
from app.graph.edge_presenter import EdgePresenter
from app.graph.folding import LeftPresenter, PackageFolding
from app.graph.head import Head
from app.graph.item_menu import ItemSignals
from app.graph.legend import Legend
from app.graph.matrix import MatrixPresenter, MatrixView
from app.graph.menu import GraphMenu
from app.graph.minimap import Minimap
from app.graph.navigation import AreaFit, Navigation
from app.graph.paint.drawing import WholePicture
from app.graph.paint.graph_style import UsedItems, sums_of, tints_of
from app.graph.path_presenter import PathBar, PathPresenter
from app.graph.scene.cells import NO_CELLS
from app.graph.scene.relations import Relation
from app.graph.scene.scene import Scene
from app.graph.stage import GraphStage
from app.presenter import WIRES, wired
from app.widgets import ElidedLabel, column_of, row_of
from app.words import COMPARED_WORDS, STEP_WORDS

_CLOSER = 1.25


class GraphView(QWidget):
    """The graph as the window uses it, in item numbers."""

    used_wanted = Signal()
    """Request for the items that a run of the full input used."""
    tinted = Signal(object)
    """The colour of each item; None: by state."""

    def __init__(self) -> None:
        super().__init__()
        self.canvas, self.matrix = GraphCanvas(), MatrixView()
        self.minimap = Minimap(self.canvas)
        self.head, self.path_bar, self.legend, self.caption = Head(), PathBar(), Legend(), ElidedLabel(figures=True)
        pages = self._lay_out()
        self.stage = GraphStage(pages, self.canvas, self.head, self.caption)
        self.matrix_presenter = MatrixPresenter(self.stage, pages, self.matrix, self.head, self.caption)
        self.navigation = Navigation(self.stage, self.matrix_presenter, self.head, self.caption)
        self.folding = PackageFolding(self.stage, self.navigation)
        self.paths = PathPresenter(self.stage, self.navigation, self.path_bar)
        self.menu = GraphMenu(self.stage, self.navigation, self.folding, self.paths, ItemSignals(self))
        self.edges = EdgePresenter(self.stage, self.matrix, self.path_bar)
        self.left = LeftPresenter(self.stage, self.navigation, self.head)
        self.areas = AreaFit(self.stage)
        self._used = UsedItems()
        self._shares: Floats | None = None
        """Share of each item in the best so far, from 0 to 1; None = all of every item."""
        self._merges: Mapping[int, str] = {}
        self.set_scene, self.show_view = self.stage.set_scene, self.navigation.show_view
        wired(self, WIRES["graph"])

    def _lay_out(self) -> QStackedWidget:
        pages = QStackedWidget()
        pages.addWidget(self.canvas)
        pages.addWidget(self.matrix)
        self._foot = foot = QWidget()
        foot.setProperty("bar", True)
        row_of(
            self.head.colours,
            self.head.only_left,
            self.head.by_name,
            10,
            (self.caption, 1),
            self.legend,
            owner=foot,
            margins=(12, 2, 10, 2),
        )
        column_of(self.head, self.path_bar, (pages, 1), foot, owner=self, spacing=0)
        return pages

    # -- content ------------------------------------------------------------------------

    def set_jar(self, jar: OpenedJar) -> None:
        """Set the jar. Its places will follow."""
        self.navigation.forget()
        self.folding.forget()
        self.stage.set_jar(jar)
        self.paths.clear()
        self.left.forget()
        self._used, self._shares = UsedItems(), None
        self._merges = {}
        self._show_left(False)
        self.stage.set_wishes((), ())
        self.matrix.set_cells(NO_CELLS)
        self.legend.set_counts(None)

    def set_states(
        self, states: np.ndarray | None, counts: dict[ItemState, int] | None, finished: bool = False
    ) -> None:
        """Set the states of the items. ``counts`` has the number of classes in each state of the best so far; None: no
        run, or an earlier step is shown.
        """
        begun = (states is None) is not (self.stage.states is None)
        self.stage.set_states(states, finished)
        if begun:
            self.show_colours()
        self._show_left(counts is not None)
        self.matrix.set_states(states)
        shown = states if counts is None else None
        steps = {} if shown is None else COMPARED_WORDS if (shown == ItemState.TRYING).any() else STEP_WORDS
        self.legend.set_counts(counts, steps)

    def set_left(self, sizes: Sequence[int] | None, merges: Mapping[int, str]) -> None:
        """Set the bytes of each item in the best so far, None for all of them, and lines on classes that were merged
        there.
        """
        if sizes is None:
            self._shares = None
        elif len(sizes) == self.stage.jar.items:
            self._shares = np.minimum(1.0, np.array(sizes) / np.maximum(self.stage.jar.sizes, 1))
        self._merges = merges
        self._show_left(self.legend.counted)

    def _show_left(self, best: bool) -> None:
        """Show the remaining share of each class, if the ``best`` so far is shown."""
        self.canvas.set_shares(self._shares if best else None)
        self.stage.merges = self._merges if best else {}

    def set_used(self, used: UsedItems) -> None:
        """Set the items that a run of the full input used, as far as they are known."""
        self._used = used
        self.show_colours()

    @property
    def colours(self) -> str:
        """Return the meaning of the colours: ``state``, ``package``, ``size`` or ``used``."""
        return str(self.head.colours.currentData())

    def choose_colours(self) -> None:
        """Show the colours of the user's choice; ask what ran if these tell it."""
        self.show_colours()
        if self.colours == "used":
            self.used_wanted.emit()

    def show_colours(self) -> None:
        """Show the chosen colours in all views, and explain them."""
        jar = self.stage.jar
        tints, words = tints_of(jar, self.colours, self._used)
        if tints is None and self.view == "treemap" and self.stage.states is None:
            tints, words = tints_of(jar, "package", self._used)
        self.canvas.set_tints(tints)
        self.matrix.set_tints(tints)
        self.tinted.emit(tints)
        self.legend.set_colours(words)

    def sums(self) -> list[tuple[str | int, ...]]:
        """Return heads, then the bytes of each colour by jar and by package; empty if the colours are of the states."""
        colours, tints, jar = self.legend.colours, self.canvas.tints, self.stage.jar
        if tints is None:
            return []
        return [("Part", "All", *dict(colours).values()), *sums_of(jar, tints, colours)]

    def heads_height(self) -> int:
        """Return the pixels above and below the canvas."""
        return self.head.sizeHint().height() + self._foot.sizeHint().height()

    # -- what is shown ------------------------------------------------------------------

    @property
    def view(self) -> str:
        """The view that is shown, empty before the first."""
        return self.stage.view

    @property
    def picture(self) -> GraphCanvas | MatrixView:
        """The picture of the view that is shown."""
        return self.matrix if self.view == "matrix" else self.canvas

    @property
    def scenes(self) -> Mapping[str, Scene]:
        """The scenes there are, by view."""
        return self.stage.scenes

    def set_named(self, ends: Sequence[int]) -> None:
        """Show dashed edges: item numbers *from, to, from, to, ...*."""
        self.stage.set_named(np.array(ends, np.int32).reshape(-1, 2))

    def draw_together(self, items: tuple[int, ...]) -> None:
        """Show some classes as a graph of their own."""
        self.navigation.remember()
        self.navigation.ask_together(items)

    def mark_cuts(self, cuts: Sequence[Relation], nodes: str) -> None:
        """Mark the lightest edges to cut, in the view of ``classes``, or of packages and jars."""
        self.navigation.show_view("components" if nodes == "classes" else "packages")
        self.edges.mark_cuts(cuts)

    def mark_cells(self, cuts: Sequence[Relation]) -> None:
        """Outline edges between packages as those to cut, in the matrix."""
        self.head.set_rows("packages")
        self.navigation.show_view("matrix")
        self.edges.mark_cells(cuts)

    def whole(self) -> WholePicture | None:
        """Return all of the view that is shown, with the legend below, to be drawn into a file."""
        picture = self.picture.whole(self.stage.jar.title)
        if picture is None:
            return None
        wide, high = picture.size
        strip = QRect(0, high, wide, self.legend.sizeHint().height())

        def legend(painter: QPainter) -> None:
            painter.fillRect(strip, self.palette().window())
            self.legend.draw(painter, strip)

        size, stages = (wide, high + strip.height()), (*picture.stages, legend)
        return picture._replace(size=size, stages=stages, rows=self.sums())

    def fit(self) -> None:
        """Show everything."""
        self.picture.fit()

    def zoom_in(self) -> None:
        """Enlarge the graph."""
        self.picture.zoom(_CLOSER)

    def zoom_out(self) -> None:
        """Shrink the graph."""
        self.picture.zoom(1 / _CLOSER)

    def focus_canvas(self) -> None:
        """Move the keyboard focus to the graph."""
        self.picture.setFocus(Qt.FocusReason.OtherFocusReason)

    # -- pointer and keyboard -----------------------------------------------------------

    def escape(self) -> None:
        """Leave the path first, then the focus, then the selection."""
        if self.path_bar.isVisible():
            self.paths.clear()
        elif self.view == "focus" and self.navigation.can_go_back:
            self.navigation.back()
        elif self.view == "matrix":
            self.matrix.select(-1)
            self.matrix_presenter.select_row(-1)
        else:
            self.canvas.choose(-1)

    def open_node(self, node: int) -> None:
        """Open a package, or go to a class."""
        scene = self.canvas.scene
        if node < scene.cards:
            self.folding.open_folder(scene.names[node])
        elif self.view == "focus":
            self.navigation.focus(int(scene.item_of_node[node]))
        else:
            self.canvas.show_area(scene.around(np.array([node], np.int32)))

    def show_menu(self, where: QPoint, node: int, frame: int) -> None:
        """Show the menu of a node and the frame around it."""
        self.menu.build(self, node, frame).popup(where)
