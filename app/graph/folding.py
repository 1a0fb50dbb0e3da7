"""Packages and groups of packages that open and close in place."""

from __future__ import annotations

import numpy as np
from PySide6.QtWidgets import QWidget

from app.engine.opened_jar import Floats, OpenedJar, Places
from app.graph.scene.camera import Camera
from app.graph.scene.scene import Scene
from app.graph.stage import GraphStage


class GraphFolding(GraphStage):
    """A stage whose packages can be opened; the engine places what comes of it."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._folded = ""
        """The folder that the user opened or closed last, until its places are here."""
        self.canvas.frame_activated.connect(self._frame_activated)
        self.canvas.fold_wanted.connect(self._fold_wanted)
        self.head.open_all_wanted.connect(self.open_all)
        self.head.close_all_wanted.connect(self.close_all)

    def set_jar(self, jar: OpenedJar) -> None:
        """Another jar: its places will follow."""
        self._folded = ""
        super().set_jar(jar)

    def set_places(self, places: Places) -> None:
        """Places for one view; a class that was to be shown in its package is brought into view."""
        super().set_places(places)
        scene = self._scenes.get("packages")
        if places.view == "packages" and places.request and scene is not None and self._item >= 0:
            node = int(scene.node_of_item[self._item])
            if node >= scene.cards and self.view == "packages":
                self.canvas.select(node)

    def open_folder(self, name: str) -> None:
        """Show what is in a package, or in a group of packages, in its place."""
        self._fold(self._opened() | {name}, name)

    def close_folder(self, name: str) -> None:
        """Back to one card."""
        self._fold(self._opened() - {name}, name)

    def open_all(self) -> None:
        """Show the classes of all packages, as many as can be looked at."""
        self.show_view("packages")
        self.ask("packages", open_all=True)

    def close_all(self) -> None:
        """One card a package."""
        self.show_view("packages")
        self.ask("packages", open=tuple(name for name in self._opened() if name.endswith("/*")))

    def _opened(self) -> set[str]:
        scene = self._scenes.get("packages")
        return set(scene.frame_names) if scene is not None else set()

    def _fold(self, opened: set[str], name: str) -> None:
        self._folded = name
        self.ask("packages", open=tuple(sorted(opened)))

    def _show(self, before: Scene | None) -> None:
        camera, touched = self.canvas.camera, self.canvas.touched
        name, self._folded = (self._folded, "") if self.view == "packages" else ("", self._folded)
        super()._show(before)
        scene = self.canvas.scene
        old = _folder_rect(before, name) if before is not None and name else None
        new = _folder_rect(scene, name) if scene is not None and name else None
        if old is None or new is None or scene is None or not self.canvas.isVisible():
            return
        # The folder stays where it was on the screen; then, if need be, the camera follows it.
        at = camera.to_pixel(float(old[0]), float(old[1]))
        there = Camera(camera.scale, at[0] - new[0] * camera.scale, at[1] - new[1] * camera.scale)
        self.canvas.place_camera(there)
        if not touched:
            self.canvas.fit()
        else:
            self.canvas.touched = True
            self.canvas.bring_in(tuple(new.tolist()))

    def _frame_activated(self, frame: int) -> None:
        scene = self.canvas.scene
        if scene is not None:
            self.close_folder(scene.frame_names[frame])

    def _fold_wanted(self, opening: bool) -> None:
        scene, node = self.canvas.scene, self.canvas.selected
        if scene is None or node < 0:
            return
        if opening:
            if node < scene.cards:
                self.open_folder(scene.names[node])
            return
        x, y, w, h = scene.rects[node].tolist()
        frames = scene.frames
        around = (frames[:, 0] <= x) & (frames[:, 1] <= y)
        around &= (frames[:, 0] + frames[:, 2] >= x + w) & (frames[:, 1] + frames[:, 3] >= y + h)
        inside = np.flatnonzero(around)
        if len(inside):
            self.close_folder(scene.frame_names[int(inside[np.argmin(frames[inside, 2] * frames[inside, 3])])])

    def show_members(self, node: int) -> None:
        """Show the classes of a package among all classes."""
        scene = self.canvas.scene
        if scene is None:
            return
        members = scene.members.of(node)
        self.show_view("components")
        if self.view == "components" and self.canvas.scene is not None:
            self.canvas.set_found(members)
            self.canvas.show_area(self.canvas.scene.around(members))
            self.focus_canvas()

    def show_in_package(self, item: int) -> None:
        """Show a class in its opened package."""
        assert self._jar is not None
        self._item = item
        self.show_view("packages")
        scene = self._scenes["packages"]
        node = int(scene.node_of_item[item])
        if 0 <= node < scene.cards:
            package = self._jar.names[item].rpartition("/")[0]
            groups = {f"{package[:at]}/*" for at in range(len(package) + 1) if at == len(package) or package[at] == "/"}
            self._fold(self._opened() | groups | {package, "/*"}, scene.names[node])
        else:
            self.select_item(item)

    def show_in(self, view: str, item: int) -> None:
        """Show a class in another view."""
        self.show_view(view)
        self.select_item(item)


def _folder_rect(scene: Scene | None, name: str) -> Floats | None:
    """Where a folder is drawn, closed or open."""
    if scene is None:
        return None
    if name in scene.names:
        rect: Floats = scene.rects[scene.names.index(name)]
        return rect
    if name in scene.frame_names:
        framed: Floats = scene.frames[scene.frame_names.index(name)]
        return framed
    return None
