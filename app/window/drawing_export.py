"""The shown view as SVG, PDF or PNG: drawn as on the screen, stage by stage between two events, written by a thread."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from html import escape
from pathlib import Path

from PySide6.QtCore import QBuffer, QIODevice, QMarginsF, QObject, QRect, QSize, QSizeF, QTimer, Signal
from PySide6.QtGui import QFont, QFontInfo, QGuiApplication, QImage, QPageSize, QPainter, QPdfWriter
from PySide6.QtSvg import QSvgGenerator

from app import text
from app.graph.paint.drawing import WholePicture
from app.widgets import made
from core.errors import JarletError
from core.html_page import html_page
from core.system.files import write_whole
from core.system.outputs import Origin, Output, guard

PICTURES = ("svg", "png", "pdf", "html")
_LARGEST = 200 * 72.0
"""Largest length of the longer side of a page that PDF readers bear, in points."""
_SIDE, _FINE = 8000.0, 2.0
"""Pixels of the longer side of a picture at most, and pixels for each unit of a small drawing."""


class DrawingExport(QObject):
    """One drawing after another; the window never waits."""

    written = Signal(str, int)
    """Path and bytes."""
    failed = Signal(str)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._writer = ThreadPoolExecutor(1, "Drawings")

    def write(self, picture: WholePicture, path: str, inputs: list[str]) -> None:
        """Draw a picture in the format of the path's ending. None of ``inputs`` is written to."""
        try:
            guard([Output(Path(path), "the export", parents=True)], [Origin(Path(each)) for each in inputs])
        except JarletError as error:
            self.failed.emit(str(error))
            return
        self._draw(_drawn(picture, path.lower().rpartition(".")[2]), path)

    def close(self) -> None:
        """Wait for the file in progress; drop the waiting ones."""
        self._writer.shutdown(cancel_futures=True)

    def _draw(self, stages: Iterator[Callable[[], bytes] | None], path: str) -> None:
        """Draw the next stage; after the last one, write the file."""
        data = next(stages)
        if data is None:
            QTimer.singleShot(0, self, lambda: self._draw(stages, path))
        else:
            self._writer.submit(self._write, data, path)

    def _write(self, data: Callable[[], bytes], path: str) -> None:
        try:
            write_whole(Path(path), data(), parents=True)
        except JarletError as error:
            self.failed.emit(str(error))
        else:
            self.written.emit(path, Path(path).stat().st_size)


def _drawn(picture: WholePicture, ending: str) -> Iterator[Callable[[], bytes] | None]:
    """Draw a picture stage by stage: yield None after each, at last the function that returns the file's bytes."""
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    wide, high = picture.size
    scale, image = 1.0, QImage()
    if ending == "png":
        scale = min(_FINE, _SIDE / max(wide, high))
        image = QImage(round(wide * scale), round(high * scale), QImage.Format.Format_RGB32)
        painter = QPainter(image)
    elif ending == "pdf":
        writer = made(QPdfWriter(buffer), creator="Jarlet")
        page = QSizeF(wide, high) * min(1.0, _LARGEST / max(wide, high))
        writer.setPageSize(QPageSize(page, QPageSize.Unit.Point))
        writer.setPageMargins(QMarginsF(0, 0, 0, 0))
        scale, painter = writer.width() / wide, QPainter(writer)
    else:
        generator = made(QSvgGenerator(), outputDevice=buffer, size=QSize(wide, high), viewBox=QRect(0, 0, wide, high))
        generator.setTitle(picture.title)
        painter = QPainter(generator)
    painter.scale(scale, scale)
    font = QGuiApplication.font()
    painter.setFont(made(QFont(font), pixelSize=QFontInfo(font).pixelSize()))  # points are larger on paper
    for stage in picture.stages:
        painter.save()
        stage(painter)
        painter.restore()
        yield None
    painter.end()

    def data() -> bytes:
        if not image.isNull():
            image.save(buffer, "png")  # type: ignore[call-overload]
        drawn = bytes(buffer.data().data())
        return drawn if ending != "html" else _page(picture, drawn.decode()).encode()

    yield data


def _page(picture: WholePicture, drawn: str) -> str:
    """Return a page with the drawing, as SVG, and the table below."""
    cells = [[cell if isinstance(cell, str) else text.size(cell) for cell in row] for row in picture.rows]
    rows = "".join(f"<tr>{''.join(f'<td>{escape(cell)}' for cell in row)}" for row in cells)
    return html_page(picture.title, f"{drawn.partition('?>')[2]}<table>{rows}</table>", "td { padding-right: 1em }")
