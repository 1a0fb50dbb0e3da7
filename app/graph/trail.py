"""Following dependencies: the neighbourhood of a class, paths between two, why one is kept, and back again."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from PySide6.QtWidgets import QWidget

from app.engine.opened_jar import OpenedJar
from app.graph.folding import GraphFolding
from app.graph.scene import paths
from app.graph.scene.camera import Camera
from app.graph.scene.scene import Scene

HISTORY = 50


@dataclass(frozen=True, slots=True)
class _Place:
    """Where the user was."""

    view: str
    focus: tuple[int, ...]
    item: int


class GraphTrail(GraphFolding):
    """Remembers where the user came from."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.path_start = -1
        """The class from which a path is wanted, -1 = none."""
        self._focus: tuple[int, ...] = ()
        self._history: list[_Place] = []
        self.canvas.node_paired.connect(self._node_paired)
        self.canvas.went_back.connect(self.back)
        self.head.focus_changed.connect(self._focus_changed)
        self.path_bar.closed.connect(self.clear_path)
        self.path_bar.alone_wanted.connect(self._path_alone)

    def set_jar(self, jar: OpenedJar) -> None:
        """Another jar: its places will follow."""
        self.path_start, self._focus = -1, ()
        self._history.clear()
        super().set_jar(jar)

    def _show(self, before: Scene | None) -> None:
        super()._show(before)
        if self.view == "focus":
            self._centre_selected()

    # -- history ------------------------------------------------------------------------

    @property
    def can_go_back(self) -> bool:
        """Whether there was a view before this one."""
        return bool(self._history)

    def back(self) -> None:
        """To the view, or the class in focus, before this one."""
        if not self._history:
            return
        place = self._history.pop()
        kept = list(self._history)
        if place.view == "focus":
            self._item = place.item
            self._ask_focus(place.focus)
        else:
            self.show_view(place.view)
        self._history = kept
        if place.item != self._item:
            self.select_item(place.item, reveal=False)
            self.item_selected.emit(place.item)

    def _remember(self) -> None:
        if self.view:
            place = _Place(self.view, self._focus if self.view == "focus" else (), self._item)
            if not self._history or self._history[-1] != place:
                self._history = [*self._history, place][-HISTORY:]

    # -- focus and paths ----------------------------------------------------------------

    def focus(self, item: int) -> None:
        """Show a class with what it needs and what needs it."""
        if self._jar is None or not self._jar.is_class[item]:
            return
        if self.view != "focus" or self._focus != (item,):
            self._remember()
        if item not in self._path:
            self.clear_path()
        self._item = item
        self._ask_focus((item,))

    def _ask_focus(self, items: tuple[int, ...]) -> None:
        self._focus, self._wanted = items, "focus"
        head = self.head
        self.ask(
            "focus",
            items=tuple(items),
            depth=head.steps,
            needs=head.needs.isChecked(),
            needed_by=head.needed_by.isChecked(),
        )

    def _focus_changed(self) -> None:
        if len(self._focus) == 1:
            self._ask_focus(self._focus)

    def _centre_selected(self) -> None:
        """A neighbourhood too large to be read at once starts at its centre."""
        scene, canvas = self.canvas.scene, self.canvas
        if scene is None or len(self._focus) != 1:
            return
        node = int(scene.node_of_item[self._focus[0]])
        canvas.select(node)
        if node >= 0 and canvas.camera.scale < 0.45:
            x, y, w, h = scene.rects[node].tolist()
            canvas.place_camera(Camera(0.6).centred(x + w / 2, y + h / 2, canvas.width(), canvas.height()))

    def path_from(self, item: int) -> None:
        """A path from this class is wanted: to where, the user says next."""
        self.clear_path()
        self.path_start = item
        words = "Path from {0} to …: Ctrl + click a class, or choose “Path to here” in its menu."
        self.path_bar.tell(words.format(self.name_of(item)), False)

    def path_to(self, item: int) -> None:
        """Show the shortest path from the class that was chosen before."""
        if self._jar is not None and self.path_start >= 0:
            self._show_path(paths.path_between(self._jar, self.path_start, item))

    def _node_paired(self, node: int) -> None:
        scene = self.canvas.scene
        item = int(scene.item_of_node[node]) if scene is not None else -1
        if item < 0:
            return
        if self.path_start < 0 or self._path:
            self.path_start = self._item
        if self.path_start < 0:
            self.canvas.choose(node)
            self.path_from(item)
        else:
            self.path_to(item)

    def why(self, item: int = -1) -> None:
        """Say, and show as a path, why a class (the selected one) is kept."""
        item = item if item >= 0 else self._item
        if self._jar is None:
            return
        if item < 0 or not self._jar.is_class[item]:
            self.path_bar.tell("Select a class first, then ask why it is kept.", False)
        else:
            self.path_start = -1
            self._show_path(paths.why_kept(self._jar, item, self._states, self._finished))

    def clear_path(self) -> None:
        """Forget the path."""
        self._path, self.path_start = [], -1
        self.path_bar.hide()
        self._mark_path()

    def _show_path(self, found: paths.Found) -> None:
        self._path = found.items if len(found.items) > 1 else []
        self.path_bar.tell(found.sentence, len(self._path) > 1)
        if self.view == "matrix":
            self.show_view("components")
        self._mark_path()
        scene = self.canvas.scene
        if scene is not None and self.canvas.path:
            self.canvas.bring_in(scene.around(np.array(self.canvas.path, np.int32)))

    def _path_alone(self) -> None:
        if len(self._path) > 1:
            self._remember()
            self._ask_focus(tuple(self._path))
