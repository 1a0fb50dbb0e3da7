"""Bars above the pages *Bug* and *Which tools fail*."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from app.widgets import ElidedLabel, row_of


def bar(*parts: QWidget | None) -> QWidget:
    """Return a bar with these parts; None is room that the others do not need."""
    bar = QWidget()
    bar.setProperty("bar", True)
    row = row_of(owner=bar, margins=(10, 4, 8, 4), spacing=8)
    for part in parts:
        if part is None:
            row.addStretch(1)
        else:
            row.addWidget(part, int(isinstance(part, ElidedLabel)))
    return bar
