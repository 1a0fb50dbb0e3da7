"""Edges, cells of the matrix, packages and cycles at the user's pointer: a line above the graph describes each, and the
lists of class edges show its own."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from PySide6.QtCore import Signal

from app import text
from app.graph.matrix import MatrixView
from app.graph.paint.overlay import CUTS_MOST
from app.graph.path_presenter import PathBar
from app.graph.scene.relations import PackageSet, Relation, set_title
from app.graph.scene.scene import Scene
from app.graph.stage import GraphStage
from app.presenter import Presenter
from core.protocol.java_names import package_name


class EdgePresenter(Presenter):
    """The presenter of one marked edge, cell, package or cycle."""

    relation_chosen = Signal(Relation)
    package_chosen = Signal(PackageSet)
    cycle_chosen = Signal(list)
    """Items of the classes of a cycle."""
    told = Signal()
    """The line is about something here: earlier marks are past."""

    _stage: GraphStage
    _matrix: MatrixView
    _bar: PathBar

    def _set_up(self) -> None:
        self._relation: Relation | None = None
        self._told = False
        """True while the line is about something in the view that is shown."""

    def tell_heaviest(self, relation: Relation, words: str) -> None:
        """Add the heaviest class edge, in words, to the line of a relation that is still chosen."""
        if relation == self._relation and self._bar.isVisible():
            self._bar.tell(f"{relation.sentence(self._stage.jar)}. {words}", lists=True)

    def mark_cuts(self, cuts: Sequence[Relation]) -> None:
        """Mark the lightest of the edges to cut, as many as can be told apart. ``cuts`` has the lightest first."""
        self._stage.canvas.choose(-1)
        self._draw_cuts(cuts[:CUTS_MOST])
        many = text.counted(len(cuts), "edge")
        few = f"The {CUTS_MOST} lightest of {many} to cut; a row of the list shows its own."
        self._tell(few if len(cuts) > CUTS_MOST else f"{many} to cut, so that no cycle is left.")

    def mark_cut(self, cut: Relation) -> None:
        """Mark one edge between packages or classes, if the shown view has both ends."""
        members = self._matrix.cells.members
        if not cut.sources or not cut.targets:
            return
        if self._stage.view == "matrix":
            self._matrix.select(int(members[cut.sources[0]]), int(members[cut.targets[0]]))
            self._matrix.reveal()
        elif self._draw_cuts([cut]):
            self._tell(f"{cut.sentence(self._stage.jar)}.")

    def mark_cells(self, cuts: Sequence[Relation]) -> None:
        """Outline the edges to cut in the matrix, which is shown as soon as it is there."""
        self._matrix.cuts = [(cut.sources[0], cut.targets[0]) for cut in cuts if cut.sources and cut.targets]
        self._matrix.update()
        self._told_cells()

    def _told_cells(self) -> None:
        if self._stage.view == "matrix" and self._matrix.cuts:
            many = text.counted(len(self._matrix.cuts), "cell")
            self._tell(f"{many} with an outline are the edges to cut; without them there is no cycle.")

    def _tell(self, sentence: str, relation: Relation | None = None) -> None:
        self.told.emit()
        self._relation, self._told = relation, True
        self._bar.tell(sentence, lists=True)

    def _draw_cuts(self, cuts: Sequence[Relation]) -> bool:
        """Mark edges between nodes of their own in the scene. Return True if there is one."""
        canvas = self._stage.canvas
        scene = canvas.scene
        if self._stage.view in ("matrix", "treemap"):
            return False
        rows = []
        for cut in cuts:
            nodes = [scene.node_of_item[list(items)] for items in (cut.sources, cut.targets)]
            if all(len(found) and found[0] >= 0 and (found == found[0]).all() for found in nodes):
                rows.append((int(nodes[0][0]), int(nodes[1][0]), len(cut.pairs(self._stage.jar))))
        shown = np.array([row for row in rows if row[0] != row[1]], np.int32).reshape(-1, 3)
        canvas.select(-1)
        canvas.mark(cuts=shown)
        if len(shown):
            canvas.show_area(scene.around(np.unique(shown[:, :2])))
        return bool(len(shown))

    def show(self, relation: Relation) -> None:
        """Take a relation that was chosen here or elsewhere."""
        self._tell(relation.sentence(self._stage.jar), relation)
        self.relation_chosen.emit(relation)

    def view_changed(self) -> None:
        """Forget what the line was about, since another view is shown."""
        if self._told:
            self._bar.hide()
        self._relation, self._told = None, False
        self._told_cells()

    def cleared(self) -> None:
        """Forget what the line was about: it is closed."""
        self._relation, self._told = None, False
        self._stage.canvas.mark(edge=None)
        self._stage.canvas.select_box(-1)
        self._matrix.cuts = []
        self._matrix.update()

    def edge_chosen(self, line: int) -> None:
        """Take a line of the scene."""
        scene = self._stage.canvas.scene
        self._stage.canvas.mark(edge=tuple(scene.lines[line].tolist()))
        ends = [self._end(scene, int(node)) for node in (scene.line_from[line], scene.line_to[line])]
        self.show(Relation(ends[0][0], ends[1][0], ends[0][1], ends[1][1]))

    def cell_selected(self, row: int, column: int) -> None:
        """Take a cell of the matrix."""
        cells, jar = self._matrix.cells, self._stage.jar
        if row < 0:
            return
        sides = [tuple(cells.items.of(place).tolist()) for place in (row, column)]
        if row != column:
            relation = Relation(cells.short[row], cells.short[column], *sides)
            if len(relation.pairs(jar)) or len(relation.turned().pairs(jar)):
                self.show(relation)
        elif cells.rows == "packages":
            self.package_chosen.emit(PackageSet(cells.names[row], sides[0]))
        elif cells.rows == "components" and len(sides[0]) > 1:
            self.cycle_chosen.emit(list(sides[0]))

    def item_marked(self, item: int) -> None:
        """Leave the edge once a class is chosen, wherever that is."""
        if item >= 0 and self._stage.view != "matrix":
            self.leave()

    def leave(self) -> None:
        """Leave the edge that is marked: something else is asked."""
        if self._told:
            self._bar.hide()
            self.cleared()

    def node_selected(self, node: int) -> None:
        """Leave the edge for a node, and take a package."""
        scene = self._stage.canvas.scene
        if node >= 0:
            self.view_changed()
        if 0 <= node < scene.cards:
            items = tuple(scene.members.of(node).tolist())
            self.package_chosen.emit(PackageSet(package_name(scene.names[node].removesuffix("/*")), items))

    def box_chosen(self, box: int) -> None:
        """Take the box of a cycle."""
        scene = self._stage.canvas.scene
        items = scene.item_of_node[np.flatnonzero(scene.node_box == box)]
        classes = text.classes(len(items))
        self._tell(f"A cycle of {classes}; the list has its edges, the menu of a class its shortest cycle.")
        self.cycle_chosen.emit(items.tolist())

    def _end(self, scene: Scene, node: int) -> tuple[str, tuple[int, ...]]:
        """Return title and items of the block that a node stands for."""
        box = int(scene.node_box[node])
        nodes = np.flatnonzero(scene.node_box == box) if box >= 0 else np.array([node])
        items = tuple(np.concatenate([scene.members.of(int(one)) for one in nodes]).tolist())
        cards = [one for one in nodes.tolist() if one < scene.cards]
        if len(cards) == 1 == len(nodes):
            return package_name(scene.names[node].removesuffix("/*")), items
        if cards:
            return f"{package_name(scene.names[cards[0]].removesuffix('/*'))} + {len(cards) - 1}", items
        return set_title(self._stage.jar, items), items
