"""From scene units to the pixels of a widget and back: pan, zoom, fit; the node at a point, and the next node in a
direction. No Qt."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from app.engine.opened_jar import Floats, Ints
from app.graph.scene.scene import Scene

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

    def zoomed(self, factor: float, px: float, py: float, least: float = SMALLEST, most: float = LARGEST) -> Camera:
        """Return the camera closer by ``factor``, of a scale from ``least`` to ``most``; the point of the scene under
        pixel ``px``, ``py`` stays there."""
        scale = min(most, max(least, self.scale * factor))
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
    bounds: tuple[float, float, float, float], width: float, height: float, margin: float = MARGIN, most: float = 3.0
) -> Camera:
    """Show ``bounds`` (scene units) whole in a widget, not closer than ``most``."""
    x, y, wide, high = bounds
    scale = min((width - 2 * margin) / max(wide, 1e-6), (height - 2 * margin) / max(high, 1e-6), most)
    scale = min(LARGEST, max(SMALLEST, scale))
    return Camera(scale).centred(x + wide / 2, y + high / 2, width, height)


DIRECTIONS = {"left": (-1.0, 0.0), "right": (1.0, 0.0), "up": (0.0, -1.0), "down": (0.0, 1.0)}


def node_at(rects: Floats, x: float, y: float, slack: float = 0.0) -> int:
    """Return the node under a point of the scene, the smallest if there are several; -1 if there is none.

    ``slack`` (scene units) widens every node, so that tiny ones can be hit. One vector
    comparison over 5,000 nodes takes some 20 microseconds: no index is needed.
    """
    hit = (
        (rects[:, 2] > 0)
        & (x >= rects[:, 0] - slack)
        & (y >= rects[:, 1] - slack)
        & (x <= rects[:, 0] + rects[:, 2] + slack)
        & (y <= rects[:, 1] + rects[:, 3] + slack)
    )
    found = np.flatnonzero(hit)
    if not len(found):
        return -1
    middles = rects[found, :2] + rects[found, 2:] / 2
    return int(found[np.argmin(((middles - (x, y)) ** 2).sum(axis=1))])


def neighbour(scene: Scene, node: int, direction: str) -> int:
    """Return the node to which an arrow key leads from ``node``; ``node`` itself if there is none that way.

    Up and down prefer dependencies and dependents; left and right, and a node without any, go to the nearest node that
    way.
    """
    if direction in ("up", "down"):
        linked = np.concatenate([scene.needs.of(node), scene.needed_by.of(node)])
        found = _nearest(scene, node, linked.astype(np.int32), direction)
        if found != node:
            return found
    return _nearest(scene, node, np.flatnonzero(scene.rects[:, 2] > 0).astype(np.int32), direction)


def _nearest(scene: Scene, node: int, among: Ints, direction: str) -> int:
    among = among[(among != node) & (scene.rects[among, 2] > 0)]
    if not len(among):
        return node
    middles = scene.rects[:, :2] + scene.rects[:, 2:] / 2
    way = middles[among] - middles[node]
    ahead = way @ np.array(DIRECTIONS[direction])
    across = np.abs(way @ np.array(DIRECTIONS[direction][::-1]))
    good = ahead > 1e-6
    if direction in ("left", "right"):
        good &= across <= np.maximum(ahead, scene.rects[node, 3])
    if not good.any():
        return node
    cost = ahead[good] + 2.5 * across[good]
    return int(among[good][np.argmin(cost)])


def nearest_to(scene: Scene, x: float, y: float) -> int:
    """Return the node with its middle nearest to a point of the scene; -1 in an empty scene."""
    shown = np.flatnonzero(scene.rects[:, 2] > 0)
    if not len(shown):
        return -1
    middles = scene.rects[shown, :2] + scene.rects[shown, 2:] / 2
    return int(shown[np.argmin(((middles - (x, y)) ** 2).sum(axis=1))])


_SAMPLES = np.linspace(0.0, 1.0, 15)[None, :, None]


def line_at(lines: Floats, x: float, y: float, curved: bool, slack: float) -> int:
    """Return the line (rows x1, y1, x2, y2) nearest to a point, not farther away than ``slack``; -1 = none."""
    low, high = np.minimum(lines[:, :2], lines[:, 2:]), np.maximum(lines[:, :2], lines[:, 2:])
    reach = slack + (0.12 * np.abs(lines[:, 2:3] - lines[:, 0:1]) if curved else 0.0)
    near = np.flatnonzero(((low - reach <= (x, y)) & (high + reach >= (x, y))).all(axis=1))
    if not len(near):
        return -1
    points = _points(lines[near], curved)
    start, way = points[:, :-1], np.diff(points, axis=1)
    length = np.maximum((way**2).sum(axis=2), 1e-12)
    along = np.clip((((x, y) - start) * way).sum(axis=2) / length, 0.0, 1.0)
    distance = np.hypot(*np.moveaxis(start + along[..., None] * way - (x, y), 2, 0)).min(axis=1)
    best = int(np.argmin(distance))
    return int(near[best]) if distance[best] <= slack else -1


def _points(lines: Floats, curved: bool) -> Floats:
    """Return points along each line: shape (lines, points, 2)."""
    start, end = lines[:, None, :2], lines[:, None, 2:]
    if not curved:
        return np.concatenate([start, end], axis=1)
    first, second = (at[:, None] for at in bends(lines))
    t = _SAMPLES
    return (1 - t) ** 3 * start + 3 * (1 - t) ** 2 * t * first + 3 * (1 - t) * t**2 * second + t**3 * end


def bends(lines: Floats) -> tuple[Floats, Floats]:
    """Return the two control points of the curve of each line: steep ones leave and arrive upright, flat ones sag."""
    way = lines[:, 2:] - lines[:, :2]
    across, down = way.T
    upright = np.column_stack([0 * down, 0.45 * down])
    sag = down / 2 + 0.12 * np.abs(across)
    steep = (np.abs(down) > 0.25 * np.abs(across))[:, None]
    leaving = np.where(steep, upright, np.column_stack([0.3 * across, sag]))
    arriving = np.where(steep, upright, np.column_stack([0.3 * across, down - sag]))
    return lines[:, :2] + leaving, lines[:, 2:] - arriving
