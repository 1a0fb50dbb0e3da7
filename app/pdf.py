"""``python -m app.pdf IN.svg OUT.pdf``: a drawing as one page, made in a process of its own since it may take long."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from PySide6.QtCore import QMarginsF, QRectF, QSizeF
from PySide6.QtGui import QGuiApplication, QPageSize, QPainter, QPdfWriter
from PySide6.QtSvg import QSvgRenderer

_LARGEST = 200 * 72.0
"""Points of the longer side of a page: what PDF readers bear."""


def write_pdf(source: str, target: str) -> str:
    """Draws an SVG file to a PDF file; what went wrong, in a sentence, or nothing. Needs a Qt application."""
    renderer = QSvgRenderer(source)
    if not renderer.isValid():
        return f"{source}: no drawing can be read from it."
    box = renderer.viewBoxF()
    wide, high = max(box.width(), 1.0), max(box.height(), 1.0)
    scale = min(1.0, _LARGEST / max(wide, high))
    part = f"{target}.part"
    writer = QPdfWriter(part)
    writer.setPageSize(QPageSize(QSizeF(wide * scale, high * scale), QPageSize.Unit.Point))
    writer.setPageMargins(QMarginsF(0, 0, 0, 0))
    writer.setCreator("Jarlet")
    painter = QPainter()
    if not painter.begin(writer):
        return f"{target}: cannot be written."
    renderer.render(painter, QRectF(0, 0, writer.width(), writer.height()))
    painter.end()
    try:
        os.replace(part, target)
    except OSError as error:
        return f"{target}: cannot be written ({error.strerror or error})."
    return ""


def command(source: str, target: str) -> list[str]:
    """How to start this as a process of its own."""
    root = str(Path(__file__).resolve().parents[1])
    code = f"import sys; sys.path.insert(0, {root!r}); from app import pdf; sys.exit(pdf.main(sys.argv[1:]))"
    return [sys.executable, "-P", "-c", code, source, target]


def main(arguments: list[str]) -> int:
    """Exit code 0 when the file is written."""
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    application = QGuiApplication(sys.argv[:1])
    problem = write_pdf(arguments[0], arguments[1])
    if problem:
        sys.stderr.write(f"{problem}\n")
    del application
    return 2 if problem else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
