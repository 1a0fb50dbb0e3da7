"""The graph with its head line: view switch, legend; items in and out, nodes inside."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QButtonGroup, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from app.graph.camera import Camera
from app.graph.canvas import GraphCanvas
from app.graph.legend import Legend
from app.graph.scene import Scene, describe, scene_of
from app.jar import Ints, Jar, Places
from app.state import ItemState
from app.theme import Theme

VIEWS = ("packages", "components")


class GraphView(QWidget):
    """Both views of one jar on one canvas. Speaks in item numbers."""

    item_selected = Signal(int)
    """Item chosen in the graph; -1 = none. In the package view: none."""
    view_changed = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.canvas = GraphCanvas()
        self.canvas.describer = self._describe
        self.canvas.node_selected.connect(self._node_selected)
        self.canvas.node_activated.connect(self._node_activated)
        self.legend = Legend()
        self.caption = QLabel()
        self.caption.setProperty("muted", True)
        self.view = ""
        self._jar: Jar | None = None
        self._scenes: dict[str, Scene] = {}
        self._cameras: dict[str, Camera] = {}
        self._states: np.ndarray | None = None
        self._found: Ints = np.zeros(0, np.int32)
        self._item = -1
        self._offered: Places | None = None
        self._wanted = ""
        self._build()

    def _build(self) -> None:
        bar = QWidget()
        bar.setProperty("bar", True)
        row = QHBoxLayout(bar)
        row.setContentsMargins(10, 6, 10, 6)
        row.setSpacing(0)
        self._buttons = QButtonGroup(self)
        titles = {"packages": self.tr("&Packages"), "components": self.tr("C&lasses and cycles")}
        tips = {
            "packages": self.tr("One card a package (Ctrl+1). Double-click one to see its classes."),
            "components": self.tr(
                "One box a class; classes that depend on each other in a cycle share a frame (Ctrl+2)"
            ),
        }
        for number, name in enumerate(VIEWS):
            button = QPushButton(titles[name])
            button.setCheckable(True)
            button.setProperty("segment", True)
            button.setToolTip(tips[name])
            button.setAccessibleName(titles[name].replace("&", ""))
            button.clicked.connect(lambda _=False, view=name: self.show_view(view))
            self._buttons.addButton(button, number)
            row.addWidget(button)
        row.addSpacing(12)
        row.addWidget(self.caption)
        row.addStretch(1)
        row.addWidget(self.legend)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(bar)
        column.addWidget(self.canvas, 1)

    # -- content ------------------------------------------------------------------------

    def set_jar(self, jar: Jar) -> None:
        """Another jar: its places will follow."""
        self._jar = jar
        self._scenes.clear()
        self._cameras.clear()
        self._states, self._item, self._offered = None, -1, None
        self._found = np.zeros(0, np.int32)
        self.view = self._wanted = ""
        self.canvas.set_scene(None)
        self.legend.set_counts(None)
        self.caption.show()
        self.caption.setText("")
        for button in self._buttons.buttons():
            button.setEnabled(False)

    def set_places(self, places: Places) -> None:
        """Places for one view; the first view to come is shown."""
        if self._jar is None:
            return
        self._scenes[places.view] = scene_of(self._jar, places)
        self._cameras.pop(places.view, None)
        self._buttons.button(VIEWS.index(places.view)).setEnabled(True)
        if not self.view or self._wanted == places.view:
            self.show_view(places.view)
        elif self.view == places.view:
            self._show()

    def offer_places(self, places: Places, wait: bool) -> None:
        """Better places for a view that has some: taken at once unless that would move what the user looks at."""
        looked_at = self.view == places.view and self.canvas.touched
        if places.view in self._scenes and (wait or looked_at):
            self._offered = places
        else:
            self.set_places(places)

    def show_offered(self) -> None:
        """Take the places that had to wait, if the user does not mind."""
        places, self._offered = self._offered, None
        if places is not None:
            self.offer_places(places, wait=False)

    def set_states(self, states: np.ndarray | None, counts: dict[ItemState, int] | None) -> None:
        """States of the items and how many classes have each; None = no run."""
        self._states = states
        self.canvas.set_states(states)
        self.legend.set_counts(counts)
        self.caption.setVisible(counts is None)  # a small window has no room for both

    def set_theme(self, theme: Theme) -> None:
        """Other colours."""
        self.canvas.set_theme(theme)
        self.legend.set_theme(theme)

    # -- views --------------------------------------------------------------------------

    def show_view(self, view: str) -> None:
        """Switch to ``packages`` or ``components``, as soon as there is one; the camera of the other is remembered."""
        self._wanted = "" if view in self._scenes else view
        if view in self._scenes and view != self.view:
            if self._offered is not None and self._offered.view == view:
                self._scenes[view] = scene_of(self._jar, self._offered) if self._jar else self._scenes[view]
                self._offered = None
                self._cameras.pop(view, None)
            if self.view and self.canvas.touched:
                self._cameras[self.view] = self.canvas.camera
            self.view = view
            self._show()
            self.view_changed.emit(view)
        if self.view:
            self._buttons.button(VIEWS.index(self.view)).setChecked(True)

    def _show(self) -> None:
        scene = self._scenes[self.view]
        camera = self._cameras.get(self.view)
        self.canvas.set_scene(scene, camera)
        self.canvas.touched = camera is not None
        self.canvas.set_states(self._states)
        self._mark_found()
        if self._item >= 0:
            self.canvas.select(int(scene.node_of_item[self._item]))
        shown = int((scene.rects[:, 2] > 0).sum())
        if self.view == "packages":
            words = self.tr("{0} packages, {1} links").format(shown, len(scene.lines))
        else:
            words = self.tr("{0} classes, {1} cycles").format(shown, len(scene.boxes))
        self.caption.setText(words)

    # -- selection ----------------------------------------------------------------------

    def select_item(self, item: int, reveal: bool = True) -> None:
        """Select an item that was chosen elsewhere; -1 = none."""
        self._item = item
        scene = self.canvas.scene
        if scene is None:
            return
        node = int(scene.node_of_item[item]) if item >= 0 else -1
        self.canvas.select(node)
        if reveal and node >= 0:
            self.canvas.reveal(node)

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

    def _mark_found(self) -> None:
        scene = self.canvas.scene
        if scene is not None:
            hit = np.zeros(scene.nodes + 1, np.bool_)
            hit[scene.node_of_item[self._found]] = True  # -1, no place, hits the spare one
            self.canvas.set_found(np.flatnonzero(hit[:-1]).astype(np.int32))

    def _node_selected(self, node: int) -> None:
        self._item = node if self.view == "components" else -1
        self.item_selected.emit(self._item)

    def _node_activated(self, node: int) -> None:
        scene = self.canvas.scene
        if scene is None:
            return
        if self.view == "packages":
            members = scene.members.of(node)
            self.show_view("components")
            if self.view == "components" and self.canvas.scene is not None:
                self.canvas.set_found(members)
                self.canvas.show_area(self.canvas.scene.around(members))
                self.canvas.setFocus(Qt.FocusReason.OtherFocusReason)
        else:
            self.canvas.show_area(scene.around(np.array([node], np.int32)))

    def _describe(self, node: int) -> list[str]:
        scene = self.canvas.scene
        if scene is None or self._jar is None:
            return [""]
        lines = describe(scene, node, self._jar)
        if self._states is not None:
            words = self.legend.words()
            if scene.view == "components":
                lines.append(words[ItemState(int(self._states[node]))])
            else:
                there = int((self._states[scene.members.of(node)] != ItemState.GONE).sum())
                lines.append(self.tr("{0} still there").format(there))
        return lines
