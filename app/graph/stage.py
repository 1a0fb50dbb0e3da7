"""One canvas for the scenes of all views: the shown view, its selection and its marks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from PySide6.QtCore import Signal
from PySide6.QtWidgets import QStackedWidget

from app import text
from app.engine.opened_jar import NO_JAR, Ints, OpenedJar
from app.engine.run_state import ItemState
from app.graph.canvas import GraphCanvas
from app.graph.head import VIEWS, Head
from app.graph.scene.camera import Camera
from app.graph.scene.scene import NO_SCENE, Scene, describe, empty_scene
from app.presenter import Presenter
from app.widgets import ElidedLabel
from app.words import STATE_WORDS
from core.protocol.commands import LayOut
from core.protocol.java_names import split

LAYING_OUT = "Laying out…"
"""Caption of a view without places."""


@dataclass(frozen=True, slots=True)
class SceneChange:
    """A scene came onto the canvas: the one that it replaces in its view, and how the canvas stood before."""

    before: Scene
    camera: Camera
    touched: bool


class GraphStage(Presenter):
    """The stage of one scene of one jar at a time, in item numbers."""

    item_selected = Signal(int)
    """Item chosen in the graph; -1 = none, or a package."""
    item_marked = Signal(int)
    """Item chosen elsewhere; -1 = none."""
    view_changed = Signal(str)
    scene_taken = Signal(Scene)
    """A scene that is ready now."""
    scene_shown = Signal(object)
    """A :class:`SceneChange`."""
    layout_wanted = Signal(LayOut)
    """Places are wanted from the engine."""
    states_shown = Signal()
    """Other states of the items."""

    _pages: QStackedWidget
    canvas: GraphCanvas
    _head: Head
    _caption: ElidedLabel

    def _set_up(self) -> None:
        self.jar = NO_JAR
        """The jar whose graph is shown."""
        self.scenes: dict[str, Scene] = {}
        """The scenes that are here, by view."""
        self._cameras: dict[str, Camera] = {}
        self._requests = 0
        self._latest: dict[str, int] = {}
        """Number of the last request for each view; those for ``matrix`` count too."""
        self.view = ""
        self.wanted = ""
        """The view that is to be shown as soon as its places are here."""
        self.item = -1
        """The class that is selected, -1 = none."""
        self.states: np.ndarray | None = None
        self.merges: Mapping[int, str] = {}
        """Lines on classes that became part of others, or took these in, by item."""
        self.finished = False
        self._found: Ints = np.zeros(0, np.int32)
        self._named: Ints = np.zeros((0, 2), np.int32)
        """Pairs of items: the first names the second in a string."""
        self.pinned: frozenset[str] = frozenset()
        self.first: frozenset[str] = frozenset()
        """Names of pinned items, and of those to drop first."""
        self.canvas.describer = self.describe

    # -- content ------------------------------------------------------------------------

    def set_jar(self, jar: OpenedJar) -> None:
        """Set the jar. Its places will follow."""
        self.jar = jar
        for kept in (self.scenes, self._cameras, self._latest):
            kept.clear()
        self.states, self.finished, self.item = None, False, -1
        self._found, self._named = np.zeros(0, np.int32), np.zeros((0, 2), np.int32)
        self.view = self.wanted = ""
        self.canvas.set_scene(empty_scene(jar))
        self._pages.setCurrentWidget(self.canvas)
        self._caption.set_text(LAYING_OUT)
        self._head.show_view("")
        for view in VIEWS:
            self._head.enable(view, False)

    def set_scene(self, scene: Scene) -> None:
        """Set the scene of one view. The first view to come is shown."""
        if not self.awaits(scene.view, scene.request):
            return
        before = self.scenes.get(scene.view, NO_SCENE)
        self.scenes[scene.view] = scene
        self._cameras.pop(scene.view, None)
        self._head.enable(scene.view, True)
        if scene.view == "components":
            for view in ("focus", "force", "matrix", "treemap"):
                self._head.enable(view, True)
        if not self.view or self.wanted == scene.view:
            self.wanted = ""
            self._enter(scene.view, before if self.view == scene.view else NO_SCENE)
        elif self.view == scene.view:
            self._show(before)
        self.scene_taken.emit(scene)

    def set_states(self, states: np.ndarray | None, finished: bool = False) -> None:
        """Set the states of the items; None: no run."""
        self.states, self.finished = states, finished
        self.canvas.set_states(states)
        self.states_shown.emit()

    def set_wishes(self, pinned: Iterable[str], first: Iterable[str]) -> None:
        """Set the names of pinned classes and members, and of those to drop first."""
        self.pinned, self.first = frozenset(pinned), frozenset(first)
        items = self.jar.numbers
        marked = []
        for names in (self.pinned, self.first):
            owners = {split(name)[0] for name in names}
            marked.append(np.array(sorted(items[name] for name in owners if name in items), np.int32))
        self.canvas.set_wishes(*marked)

    def ask(self, view: str, **more: Any) -> None:
        """Ask the engine for places of a view, with fields of :class:`LayOut`. Many open packages take their time."""
        if view == self.view == "packages":
            self._caption.set_text(LAYING_OUT)
        self._requests += 1
        self._latest[view] = self._requests
        self.layout_wanted.emit(LayOut(view, self._requests, **more))

    def awaits(self, view: str, request: int) -> bool:
        """Return True if an answer still counts: the answer is about this jar, and no later question was asked."""
        return self.jar.opened and request >= self._latest.get(view, 0)

    # -- views --------------------------------------------------------------------------

    def show_view(self, view: str) -> None:
        """Switch the view, as soon as there is one; the camera of the other is remembered."""
        there = view in self.scenes
        self.wanted = "" if there else view
        if there and view != self.view:
            self._enter(view, NO_SCENE)
        self._head.show_view(self.view)

    def leave_for_matrix(self) -> None:
        """Remember the camera of this view, since the matrix is shown now, which has none."""
        self._keep_camera()
        self.view, self.wanted = "matrix", ""
        self._head.show_view("matrix")

    def _keep_camera(self) -> None:
        if self.view in self.scenes and self.canvas.touched:
            self._cameras[self.view] = self.canvas.camera

    def _enter(self, view: str, before: Scene) -> None:
        changed = view != self.view
        if changed:
            self._keep_camera()
        self.view = view
        self._head.show_view(view)
        self._show(before)
        if changed:
            self.view_changed.emit(view)

    def _show(self, before: Scene) -> None:
        """Put the scene of the view on the canvas; ``before`` is the one that it replaces."""
        change = SceneChange(before, self.canvas.camera, self.canvas.touched)
        self._pages.setCurrentWidget(self.canvas)
        scene = self.scenes[self.view]
        camera = self._cameras.get(self.view)
        self.canvas.set_scene(scene, camera)
        self.canvas.touched = camera is not None
        self.canvas.set_states(self.states)
        self._mark_found()
        self._mark_named()
        if self.item >= 0:
            self.canvas.select(int(scene.node_of_item[self.item]))
        self._caption.set_text(_summary(scene))
        self.scene_shown.emit(change)

    # -- selection ----------------------------------------------------------------------

    def select_item(self, item: int, reveal: bool = True) -> None:
        """Select an item that was chosen elsewhere; -1 = none."""
        self.item = item
        if item >= 0:
            self._forget_found()
        self.item_marked.emit(item)
        node = int(self.canvas.scene.node_of_item[item]) if item >= 0 else -1
        self.canvas.select(node)
        if reveal and node >= 0:
            self.canvas.reveal(node)

    def select_package(self, items: Sequence[int]) -> None:
        """Select the card of a package or a jar that was chosen elsewhere, by its items; nothing if it has no card."""
        self.select_item(-1)
        scene = self.canvas.scene
        nodes = {*scene.node_of_item[list(items)].tolist()}
        node = nodes.pop() if len(nodes) == 1 else -1
        if 0 <= node < scene.cards:
            self.canvas.select(node)
            self.canvas.reveal(node)

    def tell_selected(self, item: int) -> None:
        """Tell that the user chose an item in the graph; -1 = none."""
        self.item = item
        self._forget_found()
        self.item_selected.emit(item)

    def set_found(self, items: Ints) -> None:
        """Mark the hits of the search, until something is chosen."""
        self._found = items
        self._mark_found()

    def set_named(self, pairs: Ints) -> None:
        """Show which items name others in strings alone."""
        self._named = pairs
        self._mark_named()

    def _mark_named(self) -> None:
        ends = self.canvas.scene.node_of_item[self._named]
        ends = ends[(ends >= 0).all(axis=1) & (ends[:, 0] != ends[:, 1])]
        self.canvas.mark(named=np.array(sorted(set(map(tuple, ends.tolist()))), np.int32).reshape(-1, 2))

    def _forget_found(self) -> None:
        if len(self._found):
            self.set_found(np.zeros(0, np.int32))

    def name_of(self, item: int) -> str:
        """Return the short name of an item."""
        return self.jar.simple[item]

    def describe(self, node: int) -> list[str]:
        """Return the description of a node: the name, then facts."""
        scene = self.canvas.scene
        lines = describe(scene, node, self.jar)
        if self.states is not None:
            if node >= scene.cards:
                item = int(scene.item_of_node[node])
                lines.append(STATE_WORDS[ItemState(int(self.states[item]))])
                lines += filter(None, [self.merges.get(item)])
            else:
                there = int((self.states[scene.members.of(node)] != ItemState.GONE).sum())
                lines.append(f"{there} left")
        return lines

    def _mark_found(self) -> None:
        scene = self.canvas.scene
        hit = np.zeros(scene.nodes + 1, np.bool_)
        hit[scene.node_of_item[self._found]] = True  # -1, no place, hits the spare one
        self.canvas.mark(found=np.flatnonzero(hit[:-1]).astype(np.int32))

    def node_selected(self, node: int) -> None:
        """Tell the item of the node that the user chose."""
        self.tell_selected(int(self.canvas.scene.item_of_node[node]) if node >= 0 else -1)


def _summary(scene: Scene) -> str:
    """Return a summary of a scene, in figures."""
    count = int((scene.rects[scene.cards :, 2] > 0).sum())
    classes = text.classes(count)
    if scene.view == "packages":
        jars = {name.partition("!/")[0] for name in (*scene.names, *scene.frame_names) if "!/" in name}
        closed = sum(name.endswith("!/*") for name in scene.names)
        groups = sum(name.endswith("/*") for name in scene.names) - closed
        opened = sum(not name.endswith("/*") for name in scene.frame_names)
        packages = scene.cards - groups - closed + opened
        shown = [text.counted(len(jars), "jar")] if len(jars) > 1 else []
        shown += [text.counted(packages, "package")] if packages or not (shown or groups or count) else []
        shown += [f"{opened} open"] if opened else []
        shown += [text.counted(groups, "group")] if groups else []
        shown += [classes] if count else []
        return ", ".join([*shown, text.counted(len(scene.lines), "dependency")])
    if scene.view == "components":
        return f"{classes}, {text.counted(len(scene.boxes), 'cycle')}"
    words = f"{classes}, {text.counted(len(scene.needs.targets), 'dependency')}"
    if scene.left_out:
        words += f" ({scene.left_out:,} more classes left out)"
    return words
