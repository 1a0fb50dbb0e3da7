"""A treemap: each class a rectangle whose area is its bytes, within its package.

Bruls, Huizing and van Wijk, "Squarified treemaps", 2000: rows are filled along the shorter side as long as their
rectangles come nearer to squares.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.layout.placement import Floats

AREA = 1_600_000.0
"""Area of the whole, in square scene units."""
_NARROWEST, _WIDEST = 0.1, 10.0
"""Least and largest width of the whole, in heights."""
HEAD, PADDING = 20.0, 3.0
"""Room for the title of a package, and around its classes, where it is large enough."""
_LEAST = 60.0
"""Width and height from which a package has a title."""

Rect = tuple[float, float, float, float]
"""x, y, width, height."""


@dataclass(frozen=True, slots=True, eq=False)
class Treemap:
    """Rectangles of items and of the packages around them."""

    rects: Floats
    """Shape (items, 4); width 0 = in no package."""
    frames: Floats
    """Shape (packages, 4)."""
    names: list[str]
    """Of each frame."""


def treemap(packages: Sequence[str | None], sizes: Sequence[int], aspect: float) -> Treemap:
    """Return the treemap of items of ``sizes`` bytes; ``packages`` names the package of each, None = none.

    ``aspect`` is the wanted width of the whole, in heights.
    """
    height = math.sqrt(AREA / min(_WIDEST, max(_NARROWEST, aspect)))
    inside: dict[str, list[int]] = {}
    for item, name in enumerate(packages):
        if name is not None:
            inside.setdefault(name, []).append(item)
    weights = {name: float(sum(max(sizes[item], 1) for item in items)) for name, items in inside.items()}
    names = sorted(inside, key=lambda name: (-weights[name], name))
    rects, frames = np.zeros((len(packages), 4)), []
    for name, frame in zip(names, squarified([weights[name] for name in names], AREA / height, height), strict=True):
        items = sorted(inside[name], key=lambda item: (-sizes[item], item))
        x, y, wide, high = frame
        head = HEAD if wide >= _LEAST and high >= _LEAST else 0.0
        around = PADDING if head else min(wide, high) * 0.03
        room = (wide - 2 * around, high - head - (around if head else 2 * around))
        for item, (a, b, w, h) in zip(
            items, squarified([float(max(sizes[item], 1)) for item in items], *room), strict=True
        ):
            rects[item] = (x + around + a, y + (head or around) + b, w, h)
        frames.append(frame)
    return Treemap(rects, np.asarray(frames, np.float64).reshape(-1, 4), names)


def squarified(weights: Sequence[float], width: float, height: float) -> list[Rect]:
    """Return rectangles that fill ``width`` times ``height``, with areas in proportion to the descending
    ``weights``."""
    total = sum(weights)
    scale = width * height / total if total else 0.0
    found: list[Rect] = []
    x = y = 0.0
    at = 0
    while at < len(weights):
        along = min(width - x, height - y)
        row, area = [weights[at] * scale], weights[at] * scale
        at += 1
        while at < len(weights) and along > 0:
            more = weights[at] * scale
            if _worst(row[0], more, area + more, along) > _worst(row[0], row[-1], area, along):
                break
            row.append(more)
            area += more
            at += 1
        deep = area / along if along > 0 else 0.0
        upright = width - x >= height - y  # the row is a column at the left
        place = y if upright else x
        for one in row:
            long = one / deep if deep > 0 else 0.0
            found.append((x, place, deep, long) if upright else (place, y, long, deep))
            place += long
        x, y = (x + deep, y) if upright else (x, y + deep)
    return found


def _worst(largest: float, smallest: float, area: float, along: float) -> float:
    """Return the largest ratio of the sides in a row of these areas along a side."""
    square = area * area
    return max(along * along * largest / square, square / (along * along * smallest))
