"""Colours of classes that tell something else than their state: the package, the size, what ran."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from PySide6.QtGui import QBrush, QColor

from app.engine.opened_jar import OpenedJar
from core.protocol.java_names import package_of

MODES = ("state", "package", "size")
"""What the colours can tell."""

PACKAGES = 10
"""Packages, the largest ones, that have colours of their own."""
SIZES = 6
"""Steps of size, each three times the one before."""
_LEAST = 700
"""Bytes of the first step at most."""

_PACKAGE_HUES = (205, 28, 140, 285, 55, 330, 175, 95, 250, 0)
OTHERS = PACKAGES
_FIRST_SIZE = PACKAGES + 1


def tints_of(jar: OpenedJar, mode: str) -> tuple[np.ndarray | None, list[tuple[int, str]]]:
    """The number of a colour of each item, and what the colours mean; None = the colours of the states."""
    if mode == "package":
        return _by_package(jar)
    if mode == "size":
        return _by_size(jar)
    return None, []


def _by_package(jar: OpenedJar) -> tuple[np.ndarray, list[tuple[int, str]]]:
    names = [package_of(name) if is_class else "" for name, is_class in zip(jar.names, jar.is_class, strict=True)]
    counts: dict[str, int] = {}
    for name, is_class in zip(names, jar.is_class, strict=True):
        if is_class:
            counts[name] = counts.get(name, 0) + 1
    largest = sorted(counts, key=lambda name: (-counts[name], name))[:PACKAGES]
    number = {name: at for at, name in enumerate(largest)}
    tints = np.array([number.get(name, OTHERS) for name in names], np.int64)
    legend = [(at, name or "(unnamed)") for at, name in enumerate(largest)]
    return tints, [*legend, (OTHERS, "other packages")] if len(counts) > PACKAGES else legend


def _by_size(jar: OpenedJar) -> tuple[np.ndarray, list[tuple[int, str]]]:
    bounds = [_LEAST * 3**step for step in range(SIZES - 1)]
    tints = _FIRST_SIZE + np.searchsorted(bounds, jar.sizes)
    words = [f"up to {bound / 1000:.3g} kB" for bound in bounds] + [f"over {bounds[-1] / 1000:.3g} kB"]
    return tints, [(_FIRST_SIZE + step, word) for step, word in enumerate(words)]


@lru_cache(maxsize=64)
def brush(tint: int, dark: bool) -> QBrush:
    """The colour of a number."""
    if tint < PACKAGES:
        light = QColor.fromHsl(_PACKAGE_HUES[tint], 150, 105 if dark else 185)
    elif tint == OTHERS:
        light = QColor("#4d5561" if dark else "#d3d8df")
    else:
        step = tint - _FIRST_SIZE
        light = QColor.fromHsl(25, 170, 45 + 22 * step if dark else 238 - 24 * step)
    return QBrush(light)
