"""The marks on a scene: its nodes, boxes and lines that stand out, painted below and above the nodes."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from app.engine.opened_jar import Floats, Ints
from app.graph.paint import overlay
from app.graph.paint.drawing import Painting
from app.graph.paint.graph_style import worn_style
from app.graph.scene.scene import Scene, drawn_lines, drawn_ways


@dataclass(frozen=True, slots=True)
class Marks:
    """Nodes, boxes and lines of a scene that stand out, by their numbers there; -1 = none."""

    selected: int
    box: int
    """The box of a component."""
    edge: tuple[float, float, float, float] | None
    """The line, in scene units, that the user chose."""
    cuts: Ints
    """Edges to cut: rows *from, to, class edges*, until anything is selected."""
    path: Ints
    """Nodes of a path."""
    found: Ints
    """Hits of a search."""
    named: Ints
    """Pairs of nodes: the first names the second in strings alone."""
    needs: Floats
    """Lines to the dependencies of the selected node, as they are drawn."""
    needed_by: Floats
    """Lines from its dependents."""
    path_lines: Floats

    @property
    def lit(self) -> bool:
        """Return True if some edges stand out, and all others are to be paled."""
        return bool(len(self.cuts) or len(self.needs) or len(self.needed_by))

    @property
    def unchosen(self) -> Marks:
        """Return the marks without what the user chose."""
        return replace(NO_MARKS, path=self.path, path_lines=self.path_lines, found=self.found, named=self.named)

    def lined(self, scene: Scene) -> Marks:
        """Return these marks with the lines of the selected node and of the path."""
        plain = self.selected < 0 or scene.view == "treemap"
        needs, needed_by = (_NO_LINES, _NO_LINES) if plain else drawn_ways(scene, self.selected)
        along = drawn_lines(scene, self.path[:-1], self.path[1:])
        return replace(self, needs=needs, needed_by=needed_by, path_lines=along)

    def told(self, hover: int) -> Ints:
        """Return the nodes to be named first: the selected one, the one under the pointer, path and hits."""
        return np.concatenate([[self.selected, hover], self.path, self.found]).astype(np.int32)

    def paint_below(self, painting: Painting, curved: bool) -> None:
        """Paint what lies below the nodes."""
        if len(self.cuts):
            overlay.cut_lines(painting, self.cuts)
        overlay.relations(painting, (self.needs, self.needed_by), curved)

    def paint_above(self, painting: Painting, curved: bool, focused: bool) -> None:
        """Paint what lies above the nodes; ``focused``: the keyboard is at the selected one."""
        overlay.named(painting, self.named)
        if len(self.cuts):
            overlay.cut_marks(painting, self.cuts)
        overlay.path(painting, self.path, self.path_lines, curved)
        overlay.rings(painting, self.found, worn_style().found)
        if self.box >= 0:
            overlay.box_edges(painting, self.box)
            overlay.box(painting, self.box)
        if self.edge is not None:
            overlay.edge(painting, self.edge, curved)
        if self.selected >= 0:
            overlay.neighbours(painting, self.selected)
            overlay.selected(painting, self.selected, focused)


_NO_NODES, _NO_LINES = np.zeros(0, np.int32), np.zeros((0, 4))
NO_MARKS = Marks(
    -1, -1, None, np.zeros((0, 3), np.int32), _NO_NODES, _NO_NODES, np.zeros((0, 2), np.int32),
    _NO_LINES, _NO_LINES, _NO_LINES,
)  # fmt: skip
"""Nothing is marked."""
