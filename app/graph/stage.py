"""The graph with its head and foot lines: scenes in and out, one canvas for all, the matrix beside it."""

from __future__ import annotations

from typing import Any

import numpy as np
from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from app.engine.opened_jar import Ints, OpenedJar, Places
from app.engine.run_state import ItemState
from app.graph.canvas import GraphCanvas
from app.graph.head import VIEWS, Head
from app.graph.legend import Legend
from app.graph.line import Line
from app.graph.matrix import MatrixView
from app.graph.paint.minimap import Minimap
from app.graph.path_bar import PathBar
from app.graph.scene.camera import Camera
from app.graph.scene.scene import Scene, describe, scene_of
from app.theme.theme import Theme
from core.protocol.commands import LayOut


class GraphStage(QWidget):
    """Shows one view of one jar at a time. Speaks in item numbers."""

    item_selected = Signal(int)
    """Item chosen in the graph; -1 = none, or a package."""
    view_changed = Signal(str)
    layout_wanted = Signal(LayOut)
    """Places are wanted from the engine."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.canvas = GraphCanvas()
        self.canvas.describer = self._describe
        self.minimap = Minimap(self.canvas)
        self.matrix = MatrixView()
        self.head, self.path_bar, self.legend, self.caption = Head(), PathBar(), Legend(), Line()
        self.view = ""
        self._jar: OpenedJar | None = None
        self._scenes: dict[str, Scene] = {}
        self._cameras: dict[str, Camera] = {}
        self._states: np.ndarray | None = None
        self._finished = False
        self._found: Ints = np.zeros(0, np.int32)
        self._item = -1
        self._path: list[int] = []
        self._offered: dict[str, Places] = {}
        self._wanted = ""
        self._left_out = 0
        self._requests = 0
        self._latest: dict[str, int] = {}
        self._build()

    def _build(self) -> None:
        self._pages = QStackedWidget()
        self._pages.addWidget(self.canvas)
        self._pages.addWidget(self.matrix)
        foot = QWidget()
        foot.setProperty("bar", True)
        row = QHBoxLayout(foot)
        row.setContentsMargins(12, 2, 10, 2)
        row.addWidget(self.caption, 1)
        row.addWidget(self.legend)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.head)
        column.addWidget(self.path_bar)
        column.addWidget(self._pages, 1)
        column.addWidget(foot)
        self.head.view_wanted.connect(self.show_view)
        self.canvas.node_selected.connect(self._node_selected)

    # -- content ------------------------------------------------------------------------

    def set_jar(self, jar: OpenedJar) -> None:
        """Another jar: its places will follow."""
        self._jar = jar
        for kept in (self._scenes, self._cameras, self._offered, self._latest):
            kept.clear()
        self._states, self._finished, self._item, self._path = None, False, -1, []
        self._found = np.zeros(0, np.int32)
        self.view = self._wanted = ""
        self.canvas.set_scene(None)
        self.minimap.set_scene(None)
        self.matrix.set_cells(None)
        self.path_bar.hide()
        self._pages.setCurrentWidget(self.canvas)
        self.legend.set_counts(None)
        self.caption.set_text("")
        self.head.show_view("")
        for view in VIEWS:
            self.head.enable(view, False)

    def set_places(self, places: Places) -> None:
        """Places for one view; the first view to come is shown."""
        if self._jar is None or places.request < self._latest.get(places.view, 0):
            return  # of another jar, or the user has asked for something else since
        before = self._scenes.get(places.view)
        self._scenes[places.view] = scene_of(self._jar, places)
        self._cameras.pop(places.view, None)
        self._left_out = places.left_out
        self.head.enable(places.view, True)
        if places.view == "components":
            for view in ("focus", "force", "matrix"):
                self.head.enable(view, True)
        if not self.view or self._wanted == places.view:
            self._wanted = ""
            self._enter(places.view, before if self.view == places.view else None)
        elif self.view == places.view:
            self._show(before)

    def offer_places(self, places: Places, wait: bool) -> None:
        """Places from the engine. Better ones for a view that has some are taken at once unless that would
        move what the user looks at; what the user asked for does not wait."""
        looked_at = self.view == places.view and self.canvas.touched
        asked = places.view in ("packages", "focus") and places.request > 0
        if places.view in self._scenes and (wait or looked_at) and not asked:
            self._offered[places.view] = places
        else:
            self._offered.pop(places.view, None)
            self.set_places(places)

    def show_offered(self) -> None:
        """Take the places that had to wait, if the user does not mind."""
        for places in list(self._offered.values()):
            del self._offered[places.view]
            self.offer_places(places, wait=False)

    def set_states(
        self, states: np.ndarray | None, counts: dict[ItemState, int] | None, finished: bool = False
    ) -> None:
        """States of the items and how many classes have each; None = no run."""
        self._states, self._finished = states, finished
        self.canvas.set_states(states)
        self.minimap.set_states(states)
        self.matrix.set_states(states)
        self.legend.set_counts(counts)

    def set_theme(self, theme: Theme) -> None:
        """Other colours."""
        for part in (self.canvas, self.minimap, self.matrix, self.legend):
            part.set_theme(theme)

    def ask(self, view: str, **wish: Any) -> None:
        """Ask the engine for places of a view, with fields of :class:`LayOut`; an answer to an earlier wish for it no
        longer counts."""
        self._requests += 1
        self._latest[view] = self._requests
        self.layout_wanted.emit(LayOut(view, self._requests, **wish))

    # -- views --------------------------------------------------------------------------

    def show_view(self, view: str) -> None:
        """Switch the view, as soon as there is one; the camera of the other is remembered."""
        self._wanted = "" if view in self._scenes else view
        if view in self._scenes and view != self.view:
            if view in self._offered and self._jar is not None:
                self._scenes[view] = scene_of(self._jar, self._offered.pop(view))
                self._cameras.pop(view, None)
            self._enter(view, None)
        self.head.show_view(self.view)

    def _enter(self, view: str, before: Scene | None) -> None:
        if self.view in self._scenes and self.view != view and self.canvas.touched:
            self._cameras[self.view] = self.canvas.camera
        changed, self.view = view != self.view, view
        self.head.show_view(view)
        self._show(before)
        if changed:
            self.view_changed.emit(view)

    def _show(self, before: Scene | None) -> None:
        """Put the scene of the view on the canvas; ``before`` is the one that it replaces."""
        self._pages.setCurrentWidget(self.canvas)
        scene = self._scenes[self.view]
        camera = self._cameras.get(self.view)
        self.canvas.set_scene(scene, camera)
        self.canvas.touched = camera is not None
        self.minimap.set_scene(scene)
        self.minimap.place()
        self.canvas.set_states(self._states)
        self.minimap.set_states(self._states)
        self._mark_found()
        self._mark_path()
        if self._item >= 0:
            self.canvas.select(int(scene.node_of_item[self._item]))
        self.caption.set_text(self._words(scene))

    def _words(self, scene: Scene) -> str:
        classes = int((scene.rects[scene.cards :, 2] > 0).sum())
        if scene.view == "packages":
            shown = [f"{scene.cards:,} packages"] if scene.cards or not classes else []
            shown += [f"{classes:,} classes"] if classes else []
            return ", ".join([*shown, f"{len(scene.lines):,} links"])
        if scene.view == "components":
            return f"{classes:,} classes, {len(scene.boxes):,} cycles"
        words = f"{classes:,} classes, {len(scene.needs.targets):,} dependencies"
        if scene.view == "focus" and self._left_out:
            words += f" ({self._left_out:,} more classes left out)"
        return words

    def fit(self) -> None:
        """Show everything."""
        self.matrix.fit() if self.view == "matrix" else self.canvas.fit()

    def zoom(self, factor: float) -> None:
        """Closer or farther."""
        self.matrix.zoom(factor) if self.view == "matrix" else self.canvas.zoom(factor)

    # -- selection ----------------------------------------------------------------------

    @property
    def selected_item(self) -> int:
        """The class that is selected, -1 = none."""
        return self._item

    def select_item(self, item: int, reveal: bool = True) -> None:
        """Select an item that was chosen elsewhere; -1 = none."""
        self._item = item
        if self.view == "matrix" and self.matrix.cells is not None and item >= 0:
            row = int(self.matrix.cells.members[item])
            self.matrix.select(row)
            self.matrix.reveal()
        scene = self.canvas.scene
        if scene is None:
            return
        node = int(scene.node_of_item[item]) if item >= 0 else -1
        self.canvas.select(node)
        if reveal and node >= 0:
            self.canvas.reveal(node)

    def visit(self, item: int) -> None:
        """Bring a class into view: in the view that is shown if it is to be seen there, else among all classes."""
        scene = self._scenes.get(self.view)
        node = int(scene.node_of_item[item]) if scene is not None else -1
        in_matrix = self.view == "matrix" and self.matrix.cells is not None and self.matrix.cells.rows == "classes"
        if not in_matrix and (node < 0 or scene is None or node < scene.cards):
            self.show_view("components")

    def select_component(self, component: int) -> None:
        """Show a component and mark it."""
        self.show_view("components")
        scene = self.canvas.scene
        if scene is None or self._jar is None or self.view != "components":
            return
        members = self._jar.members.of(component)
        box = np.flatnonzero(scene.box_components == component)
        if len(box):
            self.canvas.select_box(int(box[0]))
            self.canvas.show_area(tuple(scene.boxes[box[0]].tolist()))
        elif len(members):
            self.canvas.select(int(members[0]))
            self.canvas.show_area(scene.around(members))

    def set_found(self, items: Ints) -> None:
        """Mark what the search found."""
        self._found = items
        self._mark_found()

    def name_of(self, item: int) -> str:
        """The short name of an item."""
        return self._jar.simple[item] if self._jar else ""

    def _mark_found(self) -> None:
        scene = self.canvas.scene
        if scene is not None:
            hit = np.zeros(scene.nodes + 1, np.bool_)
            hit[scene.node_of_item[self._found]] = True  # -1, no place, hits the spare one
            self.canvas.set_found(np.flatnonzero(hit[:-1]).astype(np.int32))

    def _mark_path(self) -> None:
        scene = self.canvas.scene
        if scene is not None:
            nodes = [int(scene.node_of_item[item]) for item in self._path]
            self.canvas.set_path([n for i, n in enumerate(nodes) if n >= 0 and (not i or nodes[i - 1] != n)])

    def _node_selected(self, node: int) -> None:
        scene = self.canvas.scene
        self._item = int(scene.item_of_node[node]) if scene is not None and node >= 0 else -1
        self.item_selected.emit(self._item)

    def _describe(self, node: int) -> list[str]:
        scene = self.canvas.scene
        if scene is None or self._jar is None:
            return [""]
        lines = describe(scene, node, self._jar)
        if self._states is not None:
            if node >= scene.cards:
                lines.append(self.legend.words()[ItemState(int(self._states[scene.item_of_node[node]]))])
            else:
                there = int((self._states[scene.members.of(node)] != ItemState.GONE).sum())
                lines.append(f"{there} still there")
        return lines

    def focus_canvas(self) -> None:
        """The keyboard to the graph."""
        (self.matrix if self.view == "matrix" else self.canvas).setFocus(Qt.FocusReason.OtherFocusReason)
