"""Paths between two classes, and why a class is kept: marked in the graph, told in the bar above it."""

from __future__ import annotations

import numpy as np
from PySide6.QtWidgets import QWidget

from app import text
from app.graph.navigation import Navigation
from app.graph.scene.relations import Found, cycle_through, path_between, shortest, why_kept
from app.graph.stage import GraphStage
from app.presenter import Presenter
from app.widgets import ElidedLabel, button, row_of


class PathBar(QWidget):
    """Hidden until there is something to say."""

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("bar", True)
        self.line = ElidedLabel()
        self.alone = button("Show only this path", "Show only the classes of this path, one below the other")
        self.listing = button("List", "Show the class edges, with their rules, in the inspector")
        self.close_button = button("Clear", "Remove the path from the graph (Esc)")
        row_of((self.line, 1), self.alone, self.listing, self.close_button, owner=self, margins=(12, 5, 10, 5))
        self.hide()

    def tell(self, sentence: str, *, path: bool = False, lists: bool = False) -> None:
        """Show a sentence. With ``path`` there are classes to show alone, with ``lists`` class edges to list."""
        self.line.set_text(sentence)
        self.alone.setVisible(path)
        self.listing.setVisible(lists)
        self.show()


class PathPresenter(Presenter):
    """The presenter of one marked path at a time."""

    _stage: GraphStage
    _navigation: Navigation
    _bar: PathBar

    def _set_up(self) -> None:
        self.start = -1
        """The class from which a path is wanted, -1 = none."""
        self.items: list[int] = []
        """The path that is marked."""

    def clear(self) -> None:
        """Forget the path."""
        self._bar.hide()
        self.forget()

    def forget(self) -> None:
        """Forget the path: the bar tells something else."""
        self.items, self.start = [], -1
        self.mark()

    def begin(self, item: int) -> None:
        """Begin a path from this class; the user chooses its end next."""
        self.clear()
        self.start = item
        name = self._stage.name_of(item)
        self._bar.tell(f"Path from {name}: Ctrl + click its end, or choose “Path to here” in the menu of a class.")

    def end(self, item: int) -> None:
        """Show the shortest path from the class that was chosen before."""
        if self.start >= 0:
            self._show(path_between(self._stage.jar, self.start, item))

    def why(self, item: int = -1) -> None:
        """Say, and show as a path, why a class (the selected one) is kept."""
        stage = self._stage
        item = item if item >= 0 else stage.item
        if not stage.jar.opened:
            return
        if item < 0 or not stage.jar.is_class[item]:
            self._bar.tell("Select a class first, then ask why it is kept.")
        else:
            self.start = -1
            self._show(why_kept(stage.jar, item, stage.states, stage.finished))

    def cycle(self, item: int) -> None:
        """Show the shortest cycle through a class."""
        self.start = -1
        self._show(cycle_through(self._stage.jar, item))

    def package_cycle(self, node: int) -> None:
        """Show the shortest cycle through a package."""
        scene = self._stage.canvas.scene
        found = shortest(scene.needs, scene.needs.of(node), node)
        self.clear()
        if found is None:
            self._bar.tell(f"{scene.titles[node]} is in no cycle of packages.")
            return
        nodes = [node, *found]
        self.items = [int(scene.members.of(one)[0]) for one in nodes]
        steps = text.counted(len(found), "step")
        self._bar.tell(f"Shortest cycle, {steps}: {' → '.join(scene.titles[one] for one in nodes)}")
        self.mark()

    def show_alone(self) -> None:
        """Show only the classes of the path."""
        if len(self.items) > 1:
            self._navigation.remember()
            self._navigation.ask_focus(tuple(self.items))

    def node_paired(self, node: int) -> None:
        """Begin a path at a node, or end the begun one there."""
        stage = self._stage
        scene = stage.canvas.scene
        item = int(scene.item_of_node[node])
        if item < 0:
            return
        if self.start < 0 or self.items:
            self.start = stage.item
        if self.start < 0:
            stage.canvas.choose(node)
            self.begin(item)
        else:
            self.end(item)

    def focus_moved(self, item: int) -> None:
        """Forget the path, unless the class in focus is on it."""
        if item not in self.items:
            self.clear()

    def _show(self, found: Found) -> None:
        canvas = self._stage.canvas
        self.items = found.items if len(found.items) > 1 else []
        self._bar.tell(found.sentence, path=len(self.items) > 1)
        if self._stage.view == "matrix":
            self._navigation.show_view("components")
        self.mark()
        if len(canvas.marks.path):
            canvas.bring_in(canvas.scene.around(canvas.marks.path))

    def mark(self) -> None:
        """Mark the path in the view."""
        canvas = self._stage.canvas
        nodes = canvas.scene.node_of_item[self.items].tolist()
        shown = [n for i, n in enumerate(nodes) if n >= 0 and (not i or nodes[i - 1] != n)]
        canvas.mark(path=np.array(shown, np.int32))
