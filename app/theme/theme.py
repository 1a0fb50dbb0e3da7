"""The colours of the light and the dark appearance, both also with high contrast, those of the graph among them.

The states' colours are those of Okabe and Ito, which the colour-blind can tell apart.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, replace

from PySide6.QtCore import QCoreApplication
from PySide6.QtGui import QColor

from resources import path


@dataclass(frozen=True, slots=True, eq=False)
class Theme:
    """All colours of one appearance."""

    name: str
    window: QColor
    surface: QColor
    """Cards, fields, lists."""
    canvas: QColor
    text: QColor
    muted: QColor
    """Secondary text: still 4.5 : 1 on ``surface`` and ``window``."""
    line: QColor
    """Borders between surfaces."""
    button: QColor
    accent: QColor
    on_accent: QColor
    selected: QColor
    """Background of a selected row."""
    kept: QColor
    needed: QColor
    so_far: QColor
    """Colour of items needed so far: paler than ``needed``."""
    trying: QColor
    gone: QColor
    gone_line: QColor
    idle: QColor
    """Nodes before any run, too small for an outline."""
    on_kept: QColor
    on_needed: QColor
    on_trying: QColor
    on_gone: QColor
    edge: QColor
    edge_gone: QColor
    hull: QColor
    hull_line: QColor
    needs: QColor
    """Edges from the selected class."""
    needed_by: QColor
    """Edges to the selected class."""
    found: QColor
    """Ring around the hits of the search."""
    good: QColor
    bad: QColor
    warn: QColor

    @property
    def dark(self) -> bool:
        """Return True if text is light on dark."""
        return self.name in ("dark", "contrast-dark")

    @property
    def disabled(self) -> QColor:
        """The colour of words and signs that cannot be used now: paler than ``muted``, and still legible."""
        one, other = self.muted, self.gone_line
        return QColor(*((part(one) + part(other)) // 2 for part in (QColor.red, QColor.green, QColor.blue)))

    @property
    def contrast(self) -> bool:
        """Return True if everything stands out as far as it can."""
        return self.name.startswith("contrast")


_COLOURS = tomllib.loads(path("themes.toml").read_text(encoding="utf-8"))


def _colours(name: str) -> dict[str, QColor]:
    return {part: QColor(colour) for part, colour in _COLOURS[name].items()}


PARTS = tuple(_COLOURS["light"])
"""Names of the colours."""
LIGHT, DARK = (Theme(name, **_colours(name)) for name in ("light", "dark"))
CONTRAST = replace(LIGHT, name="contrast", **_colours("contrast"))
CONTRAST_DARK = replace(DARK, name="contrast-dark", **_colours("contrast-dark"))

ROLES: dict[str, str] = _COLOURS["roles"]
"""Roles of Qt's palette, each with the colour that it has."""
THEMES = {theme.name: theme for theme in (LIGHT, DARK, CONTRAST, CONTRAST_DARK)}


def worn() -> Theme:
    """Return the theme that the application wears now."""
    application = QCoreApplication.instance()
    return THEMES.get(str(application.property("theme")) if application else "", LIGHT)
