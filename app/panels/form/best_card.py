"""The best candidate so far in large figures."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QMimeData, QPointF, QRectF, Qt, QUrl
from PySide6.QtGui import QDrag, QMouseEvent, QPainter, QPaintEvent, QPalette
from PySide6.QtWidgets import QApplication, QFrame, QLabel, QWidget

from app import text
from app.engine.run_state import EngineState, RunState
from app.painting import inked, smooth
from app.theme import icons
from app.widgets import TOP, column_of, made
from core.protocol.wording import minimality_words, program_text
from core.words import share


class ShareBar(QWidget):
    """A bar of ``share``, 0 to 1, in the palette's accent colour."""

    def __init__(self) -> None:
        super().__init__()
        self.share = 0.0
        self.setFixedHeight(8)

    def set_share(self, share: float) -> None:
        """Set another share."""
        if share != self.share:
            self.share = share
            self.setAccessibleDescription(f"{100 * share:.0f} %")
            self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            smooth(painter)
            palette, whole = self.palette(), QRectF(self.rect()).adjusted(0.5, 1.5, -0.5, -1.5)
            inked(painter, palette.color(QPalette.ColorRole.Mid), palette.color(QPalette.ColorRole.Midlight))
            painter.drawRoundedRect(whole, 3, 3)
            painter.setPen(Qt.PenStyle.NoPen)
            if self.share > 0:
                part = made(QRectF(whole), width=max(6.0, whole.width() * min(1.0, self.share)))
                painter.setBrush(palette.color(QPalette.ColorRole.Accent))
                painter.drawRoundedRect(part, 3, 3)


_DRAGGED = 32
"""Width and height of the picture of a jar that is dragged, in pixels."""
_MANY = 1000
"""Number of classes from which on the figure is wider than the panel in large letters."""


class BestCard(QFrame):
    """A card with ``12 of 106 classes``, and beneath ``38.1 % of bytes, 57 probes``."""

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("card", True)
        self.setAccessibleName("Smallest so far")
        self.file_of: Callable[[], str] = lambda: ""
        """Function that returns a file with the reduced jar; set by the window."""
        self._pressed = QPointF()
        self.figure = QLabel()
        self._set_long(False)
        self.facts = made(QLabel(), muted=True, wordWrap=True, alignment=TOP)
        # always two lines, so that nothing around the card moves while the figures grow
        self.facts.setFixedHeight(2 * self.facts.fontMetrics().lineSpacing() + 2)
        self.bar = ShareBar()
        self.bar.setAccessibleName("Share of bytes left")
        column_of(self.figure, self.bar, self.facts, owner=self, margins=(14, 10, 14, 12), spacing=5)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._pressed = event.position()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        far = (event.position() - self._pressed).manhattanLength() >= QApplication.startDragDistance()
        if event.buttons() & Qt.MouseButton.LeftButton and far and (data := self.dragged()) is not None:
            drag = made(QDrag(self), mimeData=data, pixmap=icons.emblem().pixmap(_DRAGGED, _DRAGGED))
            drag.exec(Qt.DropAction.CopyAction)

    def dragged(self) -> QMimeData | None:
        """Return the reduced jar as it is dragged to another program; None if there is none."""
        path = self.file_of()
        return made(QMimeData(), urls=[QUrl.fromLocalFile(path)]) if path else None

    def show_state(self, state: RunState) -> None:
        """Show the figures of the model."""
        if not state.jar.opened or state.phase is EngineState.LOADING:
            self.figure.setText("–")
            self.facts.setText("Another jar is being read" if state.jar.opened else "No jar open")
            self.facts.setToolTip("")
            self.bar.set_share(0)
            return
        best, jar = state.best(), state.jar
        self._set_long(jar.classes >= _MANY)
        figure, facts, tip = text.classes(jar.classes), [text.size(jar.bytes)], ""
        if state.steps or best.run:
            figure = f"{text.count(best.classes)} of {figure}"
            facts = [f"{share(best.bytes, jar.bytes)} of bytes"]
            if state.executed:
                facts += [text.counted(state.executed, "run"), text.seconds(state.now)]
            if state.finished is not None and "total" in state.finished.report.get("probes", {}):
                report = state.finished.report
                facts[1:] = [text.counted(report["probes"]["total"], "run"), text.seconds(report["seconds"]["total"])]
                if unseen := report.get("unseen"):
                    facts.append(f"{unseen['passed']} of {unseen['unseen']} unseen inputs pass")
                tip = "\n".join(self._whole(report))
        self.figure.setText(figure)
        self.facts.setToolTip(tip)
        self.setToolTip("Drag the reduced jar from here to another program" if state.reduced else "")
        self.setCursor(Qt.CursorShape.OpenHandCursor if state.reduced else Qt.CursorShape.ArrowCursor)
        whole = (fact.replace(" ", "\u00a0") for fact in facts)  # lines break between figures, not within one
        self.facts.setText(", ".join(whole))
        self.bar.set_share(best.bytes / jar.bytes if jar.bytes else 0)
        self.setAccessibleDescription(f"{self.figure.text()}, {self.facts.text()} {self.facts.toolTip()}".rstrip())

    def _set_long(self, long: bool) -> None:
        """Take smaller letters for ``long`` figures: two lines would move the surroundings of the card."""
        size = "long" if long else "short"
        if self.figure.property("figure") != size:
            self.figure.setProperty("figure", size)
            self.figure.style().unpolish(self.figure)
            self.figure.style().polish(self.figure)

    def _whole(self, report: dict[str, Any]) -> list[str]:
        """Return lines on the parts of the probes and of the time, and on the items in which the result is
        1-minimal."""
        probes, took = report["probes"], report["seconds"]
        parts = (("check", "check"), ("run", "search"), ("confirmation", "confirmation"))
        lines = [
            "{}: {}, {}".format(name, text.counted(probes[key], "run"), text.seconds(took[name])) for key, name in parts
        ]
        lines.append("1-minimal: {}".format(minimality_words(report["certificate"]["one_minimal"])))
        return [*lines, *filter(None, [program_text(report)])]
