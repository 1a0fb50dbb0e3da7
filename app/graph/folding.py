"""Packages that open and close in the graph, and the limit to remaining items."""

from __future__ import annotations

import numpy as np

from app.engine.opened_jar import Floats
from app.engine.run_state import ItemState
from app.graph.head import Head
from app.graph.navigation import Navigation
from app.graph.paint.package_painting import frame_at
from app.graph.scene.camera import Camera
from app.graph.scene.scene import NO_SCENE, Scene
from app.graph.stage import GraphStage, SceneChange
from app.presenter import Presenter
from app.widgets import Soon


class PackageFolding(Presenter):
    """The opening and closing of packages: requests for other places, with the opened package kept where it was."""

    _stage: GraphStage
    _navigation: Navigation

    def _set_up(self) -> None:
        self._folded = ""
        """The folder that the user opened or closed last, until its places are here."""

    def forget(self) -> None:
        """Forget the previous jar."""
        self._folded = ""

    def open_folder(self, name: str) -> None:
        """Show the content of a package, or of a group of packages, in its place."""
        self._fold(self._opened() | {name}, name)

    def close_folder(self, name: str) -> None:
        """Show the folder as one card again."""
        self._fold(self._opened() - {name}, name)

    def open_all(self) -> None:
        """Show the classes of all packages, as many as can be looked at."""
        self._navigation.show_view("packages")
        self._stage.ask("packages", open_all=True)

    def close_all(self) -> None:
        """Show one card per package."""
        self._navigation.show_view("packages")
        self._stage.ask("packages", open=tuple(name for name in self._opened() if name.endswith("/*")))

    def show_in_package(self, item: int) -> None:
        """Show a class in its opened package."""
        stage = self._stage
        stage.item = item
        self._navigation.show_view("packages")
        scene = stage.scenes["packages"]
        node = int(scene.node_of_item[item])
        if 0 <= node < scene.cards:
            jar, mark, _ = scene.names[node].rpartition("!/")
            package = jar + mark + stage.jar.names[item].rpartition("!/")[2].rpartition("/")[0]
            groups = {f"{package[:at]}/*" for at in range(len(package) + 1) if at == len(package) or package[at] == "/"}
            self._fold(self._opened() | groups | {package, "/*"}, scene.names[node])
        else:
            stage.select_item(item)

    def _opened(self) -> set[str]:
        return set(self._stage.scenes.get("packages", NO_SCENE).frame_names)

    def _fold(self, opened: set[str], name: str) -> None:
        self._folded = name
        self._stage.ask("packages", open=tuple(sorted(opened)))

    def keep_in_place(self, change: SceneChange) -> None:
        """Keep the folder where it was on the screen; then, if need be, let the camera follow the folder."""
        canvas, before = self._stage.canvas, change.before
        if self._stage.view != "packages":
            return
        name, self._folded = self._folded, ""
        old, new = _folder_rect(before, name), _folder_rect(canvas.scene, name)
        if old is None or new is None or not canvas.isVisible():
            return
        camera = change.camera
        at = camera.to_pixel(float(old[0]), float(old[1]))
        canvas.place_camera(Camera(camera.scale, at[0] - new[0] * camera.scale, at[1] - new[1] * camera.scale))
        if not change.touched:
            canvas.fit()
        else:
            canvas.touched = True
            canvas.bring_in(tuple(new.tolist()))

    def select_in_package(self, scene: Scene) -> None:
        """Bring a class into view that was to be shown in its package."""
        stage = self._stage
        if scene.view == stage.view == "packages" and scene.request and stage.item >= 0:
            node = int(scene.node_of_item[stage.item])
            if node >= scene.cards:
                stage.canvas.select(node)

    def frame_activated(self, frame: int) -> None:
        """Close a folder by its title."""
        scene = self._stage.canvas.scene
        self.close_folder(scene.frame_names[frame])

    def fold_wanted(self, opening: bool) -> None:
        """Open the selected folder, or close that around the selected node."""
        scene, node = self._stage.canvas.scene, self._stage.canvas.marks.selected
        if node < 0:
            return
        if opening:
            if node < scene.cards:
                self.open_folder(scene.names[node])
            return
        x, y, w, h = scene.rects[node].tolist()
        if (frame := frame_at(scene, x + w / 2, y + h / 2, head_only=False)) >= 0:
            self.close_folder(scene.frame_names[frame])


def _folder_rect(scene: Scene, name: str) -> Floats | None:
    """Return the rectangle of a folder, closed or open; None without a name."""
    for rects, names in ((scene.rects, scene.names), (scene.frames, scene.frame_names)):
        if name and name in names:
            rect: Floats = rects[names.index(name)]
            return rect
    return None


_AGAIN_MS = 700
"""While a reduction runs, the rest is laid out at most this often."""


class LeftPresenter(Presenter):
    """The presenter of the head's box for the rest of the input. Another view, chosen by the user, ends this mode."""

    _stage: GraphStage
    _navigation: Navigation
    _head: Head

    def _set_up(self) -> None:
        self._shown: tuple[int, ...] = ()
        self._soon = Soon(self, _AGAIN_MS, self._follow)

    def forget(self) -> None:
        """Forget the previous jar: every item is whole."""
        self._shown = ()
        self.end()
        self._head.only_left.hide()

    def _left(self) -> tuple[int, ...]:
        states, jar = self._stage.states, self._stage.jar
        if states is None:
            return ()
        return tuple(np.flatnonzero((states != ItemState.GONE) & jar.is_class & (jar.components >= 0)).tolist())

    def changed(self) -> None:
        """Follow the states: offer the mode once something is gone."""
        states, jar = self._stage.states, self._stage.jar
        some_gone = states is not None and bool((states[jar.is_class] == ItemState.GONE).any())
        self._head.only_left.setVisible(some_gone)
        if not some_gone:
            self.end()
        elif self._head.only_left.isChecked():
            self._soon.ask()

    def toggled(self, wanted: bool) -> None:
        """Show the rest alone, or the view of before again."""
        if wanted:
            self._navigation.remember()
            self._shown = ()
            self._follow()
        elif self._shown:
            self._shown = ()
            self._navigation.back()

    def _follow(self) -> None:
        left = self._left()
        if self._head.only_left.isChecked() and left and left != self._shown:
            self._shown = left
            self._navigation.ask_together(left)

    def end(self) -> None:
        """End the mode, since the user looks at something else."""
        self._shown = ()
        self._head.only_left.setChecked(False)
