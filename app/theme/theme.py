"""The colours of the light and the dark appearance, both also with high contrast, those of the graph among them.

The states' colours are those of Okabe and Ito, which the colour-blind can tell apart.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, replace

from PySide6.QtCore import QCoreApplication

from resources import path


@dataclass(frozen=True, slots=True)
class Theme:
    """All colours of one appearance, as ``#rrggbb``."""

    name: str
    window: str
    surface: str
    """Cards, fields, lists."""
    canvas: str
    text: str
    muted: str
    """Secondary text: still 4.5 : 1 on ``surface`` and ``window``."""
    line: str
    """Borders between surfaces."""
    button: str
    accent: str
    on_accent: str
    selected: str
    """Background of a selected row."""
    kept: str
    needed: str
    so_far: str
    """Colour of items needed so far: paler than ``needed``."""
    trying: str
    gone: str
    gone_line: str
    idle: str
    """Nodes before any run, too small for an outline."""
    on_kept: str
    on_needed: str
    on_trying: str
    on_gone: str
    edge: str
    edge_gone: str
    hull: str
    hull_line: str
    needs: str
    """Edges from the selected class."""
    needed_by: str
    """Edges to the selected class."""
    found: str
    """Ring around the hits of the search."""
    good: str
    bad: str
    warn: str

    @property
    def dark(self) -> bool:
        """Return True if text is light on dark."""
        return self.name in ("dark", "contrast-dark")

    @property
    def disabled(self) -> str:
        """The colour of words and signs that cannot be used now: paler than ``muted``, and still legible."""
        pairs = zip(bytes.fromhex(self.muted[1:]), bytes.fromhex(self.gone_line[1:]), strict=True)
        return "#" + "".join(f"{(one + other) // 2:02x}" for one, other in pairs)

    @property
    def contrast(self) -> bool:
        """Return True if everything stands out as far as it can."""
        return self.name.startswith("contrast")


_COLOURS = tomllib.loads(path("themes.toml").read_text(encoding="utf-8"))
LIGHT, DARK = (Theme(name, **_COLOURS[name]) for name in ("light", "dark"))
CONTRAST = replace(LIGHT, name="contrast", **_COLOURS["contrast"])
CONTRAST_DARK = replace(DARK, name="contrast-dark", **_COLOURS["contrast-dark"])

ROLES: dict[str, str] = _COLOURS["roles"]
"""Roles of Qt's palette, each with the colour that it has."""
THEMES = {theme.name: theme for theme in (LIGHT, DARK, CONTRAST, CONTRAST_DARK)}


def worn() -> Theme:
    """Return the theme that the application wears now."""
    application = QCoreApplication.instance()
    return THEMES.get(str(application.property("theme")) if application else "", LIGHT)
