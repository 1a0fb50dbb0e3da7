"""Icons from ``resources/icons`` and small shapes, drawn in the colours of the theme."""

from __future__ import annotations

from PySide6.QtCore import QByteArray, QSize, Qt
from PySide6.QtGui import QColor, QIcon, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer

from app.theme.theme import Theme
from core.user_folders import cache_folder
from resources import path

_SHAPES = {"down": "M2 4 L6 8 L10 4", "up": "M2 8 L6 4 L10 8", "check": "M2 6.2 L4.8 9 L10 3.4"}
_SVG = (
    '<svg xmlns="http://www.w3.org/2000/svg" width="12" height="12" viewBox="0 0 12 12">'
    '<path d="{path}" fill="none" stroke="{colour}" stroke-width="1.7" stroke-linecap="round" stroke-linejoin="round"/>'
    "</svg>"
)


def shape_svg(name: str) -> bytes:
    """Return a shape as a black drawing, to be tinted; empty if there is no such shape."""
    return _SVG.format(path=_SHAPES[name], colour="#000000").encode() if name in _SHAPES else b""


def arrow_files(colours: dict[str, str]) -> dict[str, str]:
    """Write an arrow of each shape in each named colour. Return the paths by ``shape_name``, with forward slashes.
    Return an empty table when nothing can be written: Qt's own arrows then have to do."""
    files = {}
    try:
        folder = cache_folder() / "arrows"
        folder.mkdir(parents=True, exist_ok=True)
        for name, colour in colours.items():
            for shape, path in _SHAPES.items():
                file = folder / f"{shape}-{colour.lstrip('#')}.svg"
                if not file.is_file():
                    file.write_text(_SVG.format(path=path, colour=colour), encoding="utf-8")
                files[f"{shape}_{name}"] = file.as_posix()
    except (OSError, RuntimeError):
        return {}
    return files


FOLDER = path("icons")
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


def emblem() -> QIcon:
    """Return the program's icon, in its own colours."""
    renderer = _renderer("jarlet")
    made = QIcon()
    if renderer is not None:
        for size in (*_SIZES, 64, 128):
            made.addPixmap(_drawn(renderer, QSize(size, size), None))
    return made


def _renderer(name: str) -> QSvgRenderer | None:
    path = FOLDER / f"{name}.svg"
    renderer = QSvgRenderer(str(path)) if path.is_file() else QSvgRenderer(QByteArray(shape_svg(name)))
    return renderer if renderer.isValid() else None


def _drawn(renderer: QSvgRenderer, size: QSize, tint: QColor | None) -> QPixmap:
    pixmap = QPixmap(size)
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    renderer.setAspectRatioMode(Qt.AspectRatioMode.KeepAspectRatio)
    renderer.render(painter)
    if tint is not None:
        painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_SourceIn)
        painter.fillRect(pixmap.rect(), tint)
    painter.end()
    return pixmap
