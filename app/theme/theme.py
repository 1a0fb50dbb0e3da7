"""Light and dark: palettes made by hand (Qt cannot switch them on X11) and the colours of the graph.

The states' colours are those of Okabe and Ito, which the colour-blind can tell apart.
"""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtGui import QColor, QPalette
from PySide6.QtWidgets import QApplication

from app.theme.style import sheet


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
    """Ring around what the search found."""
    good: str
    bad: str
    warn: str

    @property
    def dark(self) -> bool:
        """Whether text is light on dark."""
        return self.name == "dark"


LIGHT = Theme(
    name="light",
    window="#f3f4f6",
    surface="#ffffff",
    canvas="#fbfcfd",
    text="#1b2330",
    muted="#5a6577",
    line="#d5dae1",
    button="#fdfdfe",
    accent="#0b62a8",
    on_accent="#ffffff",
    selected="#d8e8f7",
    kept="#0072b2",
    needed="#009e73",
    trying="#e69f00",
    gone="#eef0f3",
    gone_line="#b6bec9",
    idle="#9dbcd9",
    on_kept="#ffffff",
    on_needed="#001d15",
    on_trying="#221700",
    on_gone="#5f6a7a",
    edge="#c3cbd6",
    edge_gone="#eaedf1",
    hull="#e9f1f9",
    hull_line="#a9c4de",
    needs="#d55e00",
    needed_by="#5e3db3",
    found="#cc2f9a",
    good="#00724f",
    bad="#b3261e",
    warn="#8a5300",
)

DARK = Theme(
    name="dark",
    window="#1d2127",
    surface="#262b33",
    canvas="#171b20",
    text="#e6e9ee",
    muted="#aeb8c5",
    line="#3a424d",
    button="#303640",
    accent="#56b4e9",
    on_accent="#06121c",
    selected="#2b4a63",
    kept="#56b4e9",
    needed="#1fbf92",
    trying="#f0b429",
    gone="#20252c",
    gone_line="#4d5765",
    idle="#4a6d8c",
    on_kept="#04121c",
    on_needed="#00140e",
    on_trying="#221700",
    on_gone="#97a1af",
    edge="#46505d",
    edge_gone="#262c34",
    hull="#202a35",
    hull_line="#41607c",
    needs="#ff8c42",
    needed_by="#b9a2ff",
    found="#ff79d1",
    good="#4fd6aa",
    bad="#ff8a80",
    warn="#f3c04b",
)

THEMES = {"light": LIGHT, "dark": DARK}


def palette(theme: Theme) -> QPalette:
    """The Qt palette of a theme."""
    roles = {
        QPalette.ColorRole.Window: theme.window,
        QPalette.ColorRole.WindowText: theme.text,
        QPalette.ColorRole.Base: theme.surface,
        QPalette.ColorRole.AlternateBase: theme.window,
        QPalette.ColorRole.Text: theme.text,
        QPalette.ColorRole.Button: theme.button,
        QPalette.ColorRole.ButtonText: theme.text,
        QPalette.ColorRole.BrightText: theme.bad,
        QPalette.ColorRole.ToolTipBase: theme.surface,
        QPalette.ColorRole.ToolTipText: theme.text,
        QPalette.ColorRole.PlaceholderText: theme.muted,
        QPalette.ColorRole.Highlight: theme.selected,
        QPalette.ColorRole.HighlightedText: theme.text,
        QPalette.ColorRole.Link: theme.accent,
        QPalette.ColorRole.Accent: theme.accent,
        QPalette.ColorRole.Light: theme.surface,
        QPalette.ColorRole.Midlight: theme.line,
        QPalette.ColorRole.Mid: theme.line,
        QPalette.ColorRole.Dark: theme.gone_line,
        QPalette.ColorRole.Shadow: "#000000",
    }
    made = QPalette()
    for role, colour in roles.items():
        made.setColor(role, QColor(colour))
    for role in (QPalette.ColorRole.WindowText, QPalette.ColorRole.Text, QPalette.ColorRole.ButtonText):
        made.setColor(QPalette.ColorGroup.Disabled, role, QColor(theme.gone_line))
    return made


def apply(application: QApplication, theme: Theme) -> None:
    """Dress the whole application, unless it wears this theme already (a quarter of a second for a large window)."""
    if application.property("theme") == theme.name:
        return
    if application.property("theme") is None:
        application.setStyle("Fusion")
    application.setProperty("theme", theme.name)
    application.setPalette(palette(theme))
    application.setStyleSheet(sheet(theme))


def system_prefers_dark(application: QApplication) -> bool:
    """A guess from the palette that the system gave the application."""
    given = application.palette()
    return given.window().color().lightness() < given.windowText().color().lightness()
