"""From scene units to the pixels of a widget and back: pan, zoom to a point, fit."""

from __future__ import annotations

from dataclasses import dataclass, replace

from app.engine.opened_jar import Floats

SMALLEST, LARGEST = 0.005, 8.0
MARGIN, AREA_MARGIN = 28.0, 12.0
"""Pixels around a whole scene, and around one that fills the room with areas."""


@dataclass(frozen=True, slots=True)
class Camera:
    """``pixel = scene * scale + offset``."""

    scale: float = 1.0
    x: float = 0.0
    y: float = 0.0

    def to_pixel(self, x: float, y: float) -> tuple[float, float]:
        """Return the pixel that shows a point of the scene."""
        return x * self.scale + self.x, y * self.scale + self.y

    def to_scene(self, px: float, py: float) -> tuple[float, float]:
        """Return the point of the scene under a pixel."""
        return (px - self.x) / self.scale, (py - self.y) / self.scale

    def rects(self, rects: Floats) -> Floats:
        """Return the rows x, y, width, height in pixels."""
        shown: Floats = rects * self.scale
        shown[:, 0] += self.x
        shown[:, 1] += self.y
        return shown

    def lines(self, lines: Floats) -> Floats:
        """Return the rows x1, y1, x2, y2 in pixels."""
        shown: Floats = lines * self.scale
        shown[:, 0::2] += self.x
        shown[:, 1::2] += self.y
        return shown

    def moved(self, dx: float, dy: float) -> Camera:
        """Return the camera with the picture moved by pixels."""
        return replace(self, x=self.x + dx, y=self.y + dy)

    def zoomed(self, factor: float, px: float, py: float) -> Camera:
        """Return the camera closer by ``factor``; the point of the scene under pixel ``px``, ``py`` stays there."""
        scale = min(LARGEST, max(SMALLEST, self.scale * factor))
        ratio = scale / self.scale
        return Camera(scale, px - (px - self.x) * ratio, py - (py - self.y) * ratio)

    def centred(self, x: float, y: float, width: float, height: float) -> Camera:
        """Return a camera of the same scale with a point of the scene in the middle of the widget."""
        return replace(self, x=width / 2 - x * self.scale, y=height / 2 - y * self.scale)

    def reaching(
        self, bounds: tuple[float, float, float, float], width: float, height: float, margin: float = 0
    ) -> Camera:
        """Return the camera moved as little as brings ``bounds`` (scene units) and ``margin`` pixels around them into
        the widget."""
        left, top = (at - margin for at in self.to_pixel(*bounds[:2]))
        right, bottom = (at + margin for at in self.to_pixel(bounds[0] + bounds[2], bounds[1] + bounds[3]))
        return self.moved(max(0.0, -left) or min(0.0, width - right), max(0.0, -top) or min(0.0, height - bottom))

    def between(self, other: Camera, share: float) -> Camera:
        """Return a camera on the way to ``other``."""
        scale = self.scale * (other.scale / self.scale) ** share
        return Camera(scale, self.x + (other.x - self.x) * share, self.y + (other.y - self.y) * share)


def fitting(
    bounds: tuple[float, float, float, float], width: float, height: float, margin: float = MARGIN, most: float = 1.6
) -> Camera:
    """Show ``bounds`` (scene units) whole in a widget, not closer than ``most``."""
    x, y, wide, high = bounds
    scale = min((width - 2 * margin) / max(wide, 1e-6), (height - 2 * margin) / max(high, 1e-6), most)
    scale = min(LARGEST, max(SMALLEST, scale))
    return Camera(scale).centred(x + wide / 2, y + high / 2, width, height)
