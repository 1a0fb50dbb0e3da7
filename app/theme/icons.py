"""Icons from ``resources/icons``, drawn in the theme's text colour."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QByteArray, QSize, Qt
from PySide6.QtGui import QColor, QIcon, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer

from app.theme.arrows import shape_svg
from app.theme.theme import Theme

FOLDER = Path(__file__).resolve().parents[2] / "resources" / "icons"
_SIZES = (16, 20, 24, 32, 48)


def icon(name: str, theme: Theme) -> QIcon:
    """Return a tinted icon; an empty one when the file is missing, so that the text alone is shown."""
    renderer = _renderer(name)
    made = QIcon()
    if renderer is None:
        return made
    tints = {QIcon.Mode.Normal: theme.text, QIcon.Mode.Disabled: theme.disabled, QIcon.Mode.Active: theme.text}
    for size in _SIZES:
        for mode, colour in tints.items():
            made.addPixmap(_drawn(renderer, QSize(size, size), colour), mode)
    return made


def emblem(name: str = "jarlet") -> QIcon:
    """Return an icon in its own colours: the program's."""
    renderer = _renderer(name)
    made = QIcon()
    if renderer is not None:
        for size in (*_SIZES, 64, 128):
            made.addPixmap(_drawn(renderer, QSize(size, size), None))
    return made


def _renderer(name: str) -> QSvgRenderer | None:
    path = FOLDER / f"{name}.svg"
    renderer = QSvgRenderer(str(path)) if path.is_file() else QSvgRenderer(QByteArray(shape_svg(name)))
    return renderer if renderer.isValid() else None


def _drawn(renderer: QSvgRenderer, size: QSize, tint: str | None) -> QPixmap:
    pixmap = QPixmap(size)
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    renderer.setAspectRatioMode(Qt.AspectRatioMode.KeepAspectRatio)
    renderer.render(painter)
    if tint is not None:
        painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_SourceIn)
        painter.fillRect(pixmap.rect(), QColor(tint))
    painter.end()
    return pixmap
