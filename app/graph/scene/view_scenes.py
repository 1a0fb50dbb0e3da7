"""The scenes of one jar's views; for each its camera, the last request. No Qt."""

from __future__ import annotations

from dataclasses import dataclass, field

from app.engine.opened_jar import NO_JAR, OpenedJar
from app.graph.scene.camera import Camera
from app.graph.scene.scene import NO_SCENE, Scene


@dataclass
class ViewScenes:
    """Keyed by the view: ``packages``, ``components``, ``focus``, ``force``; requests for ``matrix`` count too."""

    jar: OpenedJar = NO_JAR
    by_view: dict[str, Scene] = field(default_factory=dict)
    cameras: dict[str, Camera] = field(default_factory=dict)
    _requests: int = 0
    _latest: dict[str, int] = field(default_factory=dict)

    def set_jar(self, jar: OpenedJar) -> None:
        """Set the jar. Its places will follow."""
        self.jar = jar
        for kept in (self.by_view, self.cameras, self._latest):
            kept.clear()

    def next_request(self, view: str) -> int:
        """Return the number of a new request; the answers to earlier ones for this view no longer count."""
        self._requests += 1
        self._latest[view] = self._requests
        return self._requests

    def awaits(self, view: str, request: int) -> bool:
        """Return True if an answer still counts: the answer is about this jar, and no later question was asked."""
        return self.jar.opened and request >= self._latest.get(view, 0)

    def take(self, scene: Scene) -> Scene:
        """Take the scene of a view; return the scene that it replaces."""
        before = self.by_view.get(scene.view, NO_SCENE)
        self.by_view[scene.view] = scene
        self.cameras.pop(scene.view, None)
        return before
