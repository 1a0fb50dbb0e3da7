"""An edge that was clicked: who needs whom, and why."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QObject, Signal

from app import text
from app.graph.path_bar import PathBar
from app.graph.stage import GraphStage
from core.protocol import events
from core.protocol.java_names import item_title, simple_name

_SHOWN_REASONS = 12
"""Reasons in the tool tip; the line has room for fewer."""


class EdgePresenter(QObject):
    """The presenter of one marked edge, with its reasons in the bar above the graph."""

    reasons_wanted = Signal(list, list)
    """Names of classes: why do the first need the second?"""

    def __init__(self, stage: GraphStage, bar: PathBar) -> None:
        super().__init__(stage)
        self._stage, self._bar = stage, bar
        self._head = ""
        stage.canvas.edge_chosen.connect(self._chosen)
        stage.canvas.box_chosen.connect(self._box_chosen)

    def show_reasons(self, event: events.EdgeExplained) -> None:
        """Show the reasons of the edge that was chosen."""
        if not self._head:
            return
        if event.state == "building":
            self._bar.tell(f"{self._head}: computing why, once per jar…", False)
        elif event.state == "failed":
            self._bar.tell(f"{self._head}: {event.problem}", False)
        else:
            self._bar.tell(_sentence(self._head, event), False)

    def _chosen(self, line: int) -> None:
        scene, jar = self._stage.canvas.scene, self._stage.jar
        if scene is None or jar is None:
            return
        self._stage.canvas.select_edge(tuple(scene.lines[line].tolist()))
        ends = [self._items(int(node)) for node in (scene.line_from[line], scene.line_to[line])]
        inside = np.zeros((2, jar.items), np.bool_)
        for side, items in enumerate(ends):
            inside[side, items] = True
        meant = np.flatnonzero(inside[0][jar.edge_from] & inside[1][jar.edge_to])
        sources, targets = (np.unique(side[meant]).tolist() for side in (jar.edge_from, jar.edge_to))
        if not sources:
            return
        names = [_ends([jar.names[item] for item in side]) for side in (sources, targets)]
        count = text.plural(len(meant), "class dependency", "class dependencies")
        self._head = f"{names[0]} → {names[1]} ({count})"
        self._bar.tell(self._head, False)
        self.reasons_wanted.emit([jar.names[item] for item in sources], [jar.names[item] for item in targets])

    def _box_chosen(self, box: int) -> None:
        scene, jar = self._stage.canvas.scene, self._stage.jar
        if scene is None or jar is None:
            return
        self._head = ""
        items = scene.item_of_node[np.flatnonzero(scene.node_box == box)]
        inside = np.zeros(jar.items, np.bool_)
        inside[items] = True
        count = int((inside[jar.edge_from] & inside[jar.edge_to] & (jar.edge_from != jar.edge_to)).sum())
        self._bar.tell(
            f"A cycle of {text.plural(len(items), 'class', 'classes')} with "
            f"{text.plural(count, 'dependency', 'dependencies')} among them; the menu of a class shows its "
            "shortest cycle.",
            False,
        )

    def _items(self, node: int) -> np.ndarray:
        """Return the items of the block that a node stands for."""
        scene = self._stage.canvas.scene
        assert scene is not None
        box = int(scene.node_box[node])
        nodes = np.flatnonzero(scene.node_box == box) if box >= 0 else np.array([node])
        return np.concatenate([scene.members.of(int(one)) for one in nodes])


def _ends(names: list[str]) -> str:
    first = simple_name(names[0])
    return first if len(names) == 1 else f"{first} + {len(names) - 1}"


def _sentence(head: str, event: events.EdgeExplained) -> str:
    """Return a sentence such as ``A → B (1 class dependency): A.m() needs B.n() (a call needs its method); ...``."""
    if not event.reasons:
        return f"{head}: it is named there, but nothing needs it directly: only what is called in between does."
    words = [
        f"{item_title(part)} needs {item_title(other)} ({rule})" for part, other, rule in event.reasons[:_SHOWN_REASONS]
    ]
    more = event.more + len(event.reasons) - len(words)
    return f"{head}: " + "; ".join(words) + (f"; and {more} more" if more else "")
