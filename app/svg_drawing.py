"""``python -m app.svg_drawing IN.svg OUT``: a drawing as a page (``.pdf``) or a picture (``.png``), in a process of its
own.

It may take long, and the window never waits.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QMarginsF, QRectF, QSizeF, Qt
from PySide6.QtGui import QGuiApplication, QImage, QImageWriter, QPageSize, QPainter, QPdfWriter
from PySide6.QtSvg import QSvgRenderer

from app.painting import smooth
from core.errors import JarletError
from core.system.files import write_whole
from core.system.outputs import Origin, Output, guard
from core.system.processes.python_child import python_child

_LARGEST = 200 * 72.0
"""Points of the longer side of a page: what PDF readers bear."""


_SIDE, _FINE = 8000.0, 2.0
"""Pixels of the longer side of a picture at most, and pixels for each unit of a small drawing."""


def write(source: str, target: str, inputs: Sequence[str] = ()) -> str:
    """Draw an SVG file to a PDF or PNG file. Return the reason of a failure in a sentence, or nothing. A Qt application
    is needed.

    None of ``inputs`` is written to.
    """
    try:
        guard([Output(Path(target), "the export", parents=True)], [Origin(Path(path)) for path in inputs])
    except JarletError as error:
        return str(error)
    renderer = QSvgRenderer(source)
    if not renderer.isValid():
        return f"{source}: is not an SVG drawing."
    data = QBuffer()
    data.open(QIODevice.OpenModeFlag.WriteOnly)
    draw = _picture if target.lower().endswith(".png") else _page
    try:
        if not draw(renderer, data):
            return f"{target}: the drawing cannot be made."
        write_whole(target, bytes(data.data().data()), parents=True)
    except JarletError as error:
        return str(error)
    return ""


def _sides(renderer: QSvgRenderer) -> tuple[float, float]:
    box = renderer.viewBoxF()
    return max(box.width(), 1.0), max(box.height(), 1.0)


def _picture(renderer: QSvgRenderer, device: QIODevice) -> bool:
    wide, high = _sides(renderer)
    scale = min(_FINE, _SIDE / max(wide, high))
    image = QImage(max(1, round(wide * scale)), max(1, round(high * scale)), QImage.Format.Format_RGB32)
    image.fill(Qt.GlobalColor.white)
    painter = QPainter(image)
    smooth(painter)
    renderer.render(painter, QRectF(image.rect()))
    painter.end()
    return QImageWriter(device, QByteArray(b"png")).write(image)


def _page(renderer: QSvgRenderer, device: QIODevice) -> bool:
    wide, high = _sides(renderer)
    scale = min(1.0, _LARGEST / max(wide, high))
    writer = QPdfWriter(device)
    writer.setPageSize(QPageSize(QSizeF(wide * scale, high * scale), QPageSize.Unit.Point))
    writer.setPageMargins(QMarginsF(0, 0, 0, 0))
    writer.setCreator("Jarlet")
    painter = QPainter()
    if not painter.begin(writer):
        return False
    renderer.render(painter, QRectF(0, 0, writer.width(), writer.height()))
    return painter.end()


def command(source: str, target: str, inputs: Sequence[str] = ()) -> list[str]:
    """Return the command that runs this module as a process of its own."""
    return python_child("app.svg_drawing", source, target, *inputs)


def main(arguments: list[str]) -> int:
    """Exit code 0 when the file is written."""
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    application = QGuiApplication(sys.argv[:1])
    problem = write(arguments[0], arguments[1], arguments[2:])
    if problem:
        sys.stderr.write(f"{problem}\n")
    del application
    return 2 if problem else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
