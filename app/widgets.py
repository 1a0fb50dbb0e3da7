"""Widgets and layouts in one expression: properties and signals as keywords, parts in the order in which they stand."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from PySide6.QtCore import QObject, Qt, SignalInstance
from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QLayout, QVBoxLayout, QWidget

LOOKS = frozenset(
    [
        "bar",
        "card",
        "drop",
        "figure",
        "flat",
        "foot",
        "heading",
        "link",
        "message",
        "muted",
        "primary",
        "section",
        "segment",
        "title",
        "warning",
    ]
)
"""Properties of ours, which the style sheet knows."""

Made = TypeVar("Made", bound=QObject)
Thing = QWidget | QLayout
Part = Thing | tuple[Thing, int] | tuple[Thing, int, Qt.AlignmentFlag] | int | None
"""A part of a layout, maybe with its stretch and its place; a number of pixels that stay empty; or :data:`STRETCH`."""
Margins = tuple[int, int, int, int]

STRETCH = None
"""Room between two parts that grows with the layout."""


def made(thing: Made, **values: Any) -> Made:
    """Set properties of an object, and connect its signals, by Qt's names for them; return the object.

    ``toolTip="Start"`` calls ``setToolTip``, ``clicked=begin`` connects that signal, ``muted=True`` sets one of
    :data:`LOOKS`.
    """
    for name, value in values.items():
        if name in LOOKS:
            thing.setProperty(name, value)
        elif isinstance(signal := getattr(thing, name, None), SignalInstance):
            signal.connect(value)
        else:
            getattr(thing, f"set{name[0].upper()}{name[1:]}")(value)
    return thing


def column_of(
    *parts: Part, owner: QWidget | None = None, margins: Margins | None = (0, 0, 0, 0), spacing: int | None = None
) -> QVBoxLayout:
    """Return a layout with parts one below the other, the layout of ``owner`` if there is one; None = as the style."""
    return _filled(QVBoxLayout, parts, owner, margins, spacing)


def row_of(
    *parts: Part, owner: QWidget | None = None, margins: Margins | None = (0, 0, 0, 0), spacing: int | None = None
) -> QHBoxLayout:
    """Return a layout with parts beside each other, as :func:`column_of` does with parts below each other."""
    return _filled(QHBoxLayout, parts, owner, margins, spacing)


Box = TypeVar("Box", bound=QBoxLayout)


def _filled(
    kind: Callable[..., Box],
    parts: tuple[Part, ...],
    owner: QWidget | None,
    margins: Margins | None,
    spacing: int | None,
) -> Box:
    layout = kind(owner) if owner is not None else kind()
    if margins is not None:
        layout.setContentsMargins(*margins)
    if spacing is not None:
        layout.setSpacing(spacing)
    for part in parts:
        if part is None:
            layout.addStretch(1)
        elif isinstance(part, int):
            layout.addSpacing(part)
        else:
            thing, *how = part if isinstance(part, tuple) else (part,)
            add: Any = layout.addWidget if isinstance(thing, QWidget) else layout.addLayout
            add(thing, *how)
    return layout
