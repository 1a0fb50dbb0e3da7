"""Gives the whole application the look of a theme: palettes made by hand, for Qt cannot switch them on X11."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QPalette
from PySide6.QtWidgets import QApplication

from app.theme.style import sheet
from app.theme.theme import Theme


def palette(theme: Theme) -> QPalette:
    """Return the Qt palette of a theme."""
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
        QPalette.ColorRole.Midlight: theme.gone if theme.contrast else theme.line,
        QPalette.ColorRole.Mid: theme.line,
        QPalette.ColorRole.Dark: theme.gone_line,
        QPalette.ColorRole.Shadow: "#000000",
    }
    made = QPalette()
    for role, colour in roles.items():
        made.setColor(role, QColor(colour))
    for role in (QPalette.ColorRole.WindowText, QPalette.ColorRole.Text, QPalette.ColorRole.ButtonText):
        made.setColor(QPalette.ColorGroup.Disabled, role, QColor(theme.disabled))
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


def system_wants_contrast(application: QApplication) -> bool:
    """Return True if the system is set to high contrast."""
    hints = application.styleHints()  # its parts live no longer than this object
    return hints.accessibility().contrastPreference() is Qt.ContrastPreference.HighContrast


def system_prefers_dark(application: QApplication) -> bool:
    """Return True if the palette that the system gave the application looks dark."""
    given = application.palette()
    return given.window().color().lightness() < given.windowText().color().lightness()
