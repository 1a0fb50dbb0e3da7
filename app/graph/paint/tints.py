"""Colours of classes that tell something else than their state: the package, the size, what ran."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from PySide6.QtGui import QBrush, QColor

from app.engine.opened_jar import OpenedJar
from core.protocol.java_names import package_of

MODES = ("state", "package", "size", "used")
"""Meanings that the colours can have."""

PACKAGES = 10
"""Packages, the largest ones, that have colours of their own."""
SIZES = 6
"""Steps of size, each three times the one before."""
_LEAST = 700
"""Bytes of the first step at most."""

_PACKAGE_HUES = (205, 28, 140, 285, 55, 330, 175, 95, 250, 0)
OTHERS = PACKAGES
_FIRST_SIZE = PACKAGES + 1
_FIRST_USE = _FIRST_SIZE + SIZES
USES = ("not loaded", "loaded", "ran or was read", "named by the failure")
"""Uses of an item by a run of the full input, each more than the one before."""
_USE_COLOURS = (("#d3d8df", "#4d5561"), ("#b7d3ee", "#3a5a7d"), ("#4f9bd8", "#3d8fd0"), ("#f0a35e", "#c9772c"))


@dataclass(frozen=True, slots=True)
class UsedItems:
    """The use of the full input by a watched run, item by item; None = not known."""

    loaded: NDArray[np.bool_] | None = None
    ran: NDArray[np.bool_] | None = None
    read: NDArray[np.bool_] | None = None
    named: NDArray[np.bool_] | None = None

    def ran_or_read(self) -> NDArray[np.bool_] | None:
        """Return the classes of which code ran and resources that were read; None = neither is known."""
        known = [found for found in (self.ran, self.read) if found is not None]
        return np.logical_or.reduce(known) if known else None


def tints_of(
    jar: OpenedJar, mode: str, used: UsedItems | None = None
) -> tuple[np.ndarray | None, list[tuple[int, str]]]:
    """Return the number of a colour of each item, and what the colours mean; None = the colours of the states."""
    if mode == "used":
        return _by_use(jar, used or UsedItems())
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


def _by_use(jar: OpenedJar, used: UsedItems) -> tuple[np.ndarray | None, list[tuple[int, str]]]:
    """Return tints in which only known uses have a colour in the legend; None if nothing is known."""
    levels = ((1, used.loaded), (2, used.ran), (2, used.read), (3, used.named))
    known = [(level, found) for level, found in levels if found is not None]
    if not known:
        return None, []
    tints = np.zeros(jar.items, np.int64)
    for level, found in known:
        there = found[: jar.items]
        tints[: len(there)][there] = level
    shown = sorted({0, *(level for level, _ in known)})
    words = [USES[0] if used.loaded is not None else "not known to be used", *USES[1:]]
    return tints + _FIRST_USE, [(_FIRST_USE + level, words[level]) for level in shown]


@lru_cache(maxsize=64)
def brush(tint: int, dark: bool) -> QBrush:
    """Return the colour of a number."""
    if tint < PACKAGES:
        light = QColor.fromHsl(_PACKAGE_HUES[tint], 150, 105 if dark else 185)
    elif tint == OTHERS:
        light = QColor("#4d5561" if dark else "#d3d8df")
    elif tint >= _FIRST_USE:
        light = QColor(_USE_COLOURS[tint - _FIRST_USE][dark])
    else:
        step = tint - _FIRST_SIZE
        light = QColor.fromHsl(25, 170, 45 + 22 * step if dark else 238 - 24 * step)
    return QBrush(light)
