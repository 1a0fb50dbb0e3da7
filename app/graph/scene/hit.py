"""What is under the pointer, and which neighbour lies in a direction. No Qt."""

from __future__ import annotations

import numpy as np

from app.engine.opened_jar import Floats, Ints
from app.graph.scene.scene import Scene

DIRECTIONS = {"left": (-1.0, 0.0), "right": (1.0, 0.0), "up": (0.0, -1.0), "down": (0.0, 1.0)}


def node_at(rects: Floats, x: float, y: float, slack: float = 0.0) -> int:
    """Node under a point of the scene, the smallest if several; -1 = none.

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
    """Where an arrow key leads from ``node``; ``node`` itself when there is nothing that way.

    Up and down prefer dependencies (what needs it, what it needs); left and right, and a
    node without any, go to the nearest node that way.
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
    """The node whose middle is nearest to a point of the scene; -1 in an empty scene."""
    shown = np.flatnonzero(scene.rects[:, 2] > 0)
    if not len(shown):
        return -1
    middles = scene.rects[shown, :2] + scene.rects[shown, 2:] / 2
    return int(shown[np.argmin(((middles - (x, y)) ** 2).sum(axis=1))])
