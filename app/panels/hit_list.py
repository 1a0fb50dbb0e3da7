"""The hits of a search: classes and members with their packages, in a list below the field."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QPainter
from PySide6.QtWidgets import (
    QFrame,
    QLabel,
    QListWidget,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from app.theme.theme import worn
from app.widgets import LEFT, RIGHT, Index, add_row, column_of, made

_ROWS = 14
"""Rows that are seen at once."""
_WIDTH = 460


@dataclass(frozen=True, slots=True)
class Hit:
    """A class or a file (``item``), or a ``member`` of one by its name."""

    title: str
    where: str
    """Its package, or the class that it is a member of."""
    item: int
    member: str = ""


class HitList(QFrame):
    """Never takes the keyboard: the field steers it."""

    taken = Signal(int)
    """The row that was clicked."""

    def __init__(self, parent: QWidget | None) -> None:
        super().__init__(parent)
        self.setFrameShape(QFrame.Shape.StyledPanel)
        self.setAutoFillBackground(True)
        self.rows = made(
            QListWidget(),
            accessibleName="Matches",
            focusPolicy=Qt.FocusPolicy.NoFocus,
            horizontalScrollBarPolicy=Qt.ScrollBarPolicy.ScrollBarAlwaysOff,
            uniformItemSizes=True,
        )
        self.rows.setItemDelegate(_HitLook(self.rows))
        self.note = made(QLabel(), muted=True)
        self.note.setContentsMargins(8, 2, 8, 4)
        column_of((self.rows, 1), self.note, owner=self, spacing=0)
        self.rows.itemClicked.connect(lambda item: self.taken.emit(self.rows.row(item)))
        self.hide()

    def show_hits(self, hits: list[Hit], more: int) -> None:
        """Show other hits; ``more`` are not listed. The best hit is marked."""
        self.rows.clear()
        for hit in hits:
            tip = f"{hit.where}.{hit.title}" if hit.where else hit.title
            add_row(self.rows, f"{hit.title} {hit.where}", (hit.title, hit.where), tip)
        self.note.setText(f"and {more:,} more" if more else "")
        self.note.setVisible(bool(more))
        self.rows.setCurrentRow(0 if hits else -1)

    def place(self, field: QWidget) -> None:
        """Move below the field, to its right end, in front of everything else."""
        window = field.window()
        if self.parentWidget() is not window:
            self.setParent(window)
        count = min(max(self.rows.count(), 1), _ROWS)
        row = max(self.rows.sizeHintForRow(0), 20)
        high = count * row + 12 + (self.note.sizeHint().height() if self.note.isVisibleTo(self) else 0)
        wide = min(_WIDTH, window.width() - 16)
        corner = field.mapTo(window, QPoint(field.width(), field.height() + 3))
        self.setGeometry(max(8, corner.x() - wide), corner.y(), wide, min(high, window.height() - corner.y() - 8))
        self.show()
        self.raise_()


class _HitLook(QStyledItemDelegate):
    """The name, then its package in a quieter colour."""

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(0, QFontMetrics(option.font).height() + 8)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        title, where = index.data(Qt.ItemDataRole.UserRole)
        painter.save()
        area = QRect(option.rect)
        metrics = QFontMetrics(option.font)
        if option.state & QStyle.StateFlag.State_Selected:
            painter.fillRect(area, worn().selected)
        inner = area.adjusted(8, 0, -8, 0)
        name = metrics.elidedText(title, Qt.TextElideMode.ElideRight, int(inner.width() * 0.7))
        painter.setPen(worn().text)
        painter.drawText(inner, LEFT, name)
        rest = inner.adjusted(metrics.horizontalAdvance(name) + 14, 0, 0, 0)
        painter.setPen(worn().muted)
        words = metrics.elidedText(where, Qt.TextElideMode.ElideLeft, rest.width())
        painter.drawText(rest, RIGHT, words)
        painter.restore()
