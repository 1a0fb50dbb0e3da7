"""Rows of the class tree: a mark for the state, a bar for the size."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPolygonF
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from app.graph.look import Look
from app.panels.tree_model import ITEM_ROLE, SHARE_ROLE, STATE_ROLE
from app.state import ItemState
from app.theme import Theme

_MARK = 9.0


class TreeDelegate(QStyledItemDelegate):
    """Paints what the model says through ``STATE_ROLE`` and ``SHARE_ROLE``."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.set_theme(theme)

    def set_theme(self, theme: Theme) -> None:
        """Other colours."""
        self._look = Look(theme)
        self._bar = QColor(theme.hull_line)
        self._bar.setAlpha(110)

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        state = index.data(STATE_ROLE)
        is_item = index.data(ITEM_ROLE) is not None and index.data(ITEM_ROLE) >= 0
        self.initStyleOption(option, index)
        own: QStyleOptionViewItem = option
        painter.save()
        own.text = ""
        style = own.widget.style()
        style.drawControl(QStyle.ControlElement.CE_ItemViewItem, own, painter, own.widget)
        area = QRectF(own.rect)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if index.column() == 1:
            self._size(painter, area, index)
            painter.restore()
            return
        x = area.x() + 4
        if is_item:
            mark = QRectF(x, area.center().y() - _MARK / 2, _MARK, _MARK)
            draw_mark(painter, mark, state, self._look)
            x += _MARK + 6
        font = own.font
        font.setStrikeOut(state is ItemState.GONE)
        painter.setFont(font)
        painter.setPen(self._look.muted if state is ItemState.GONE else self._look.text)
        place = QRectF(x, area.y(), area.right() - x - 2, area.height())
        name = own.fontMetrics.elidedText(index.data(), Qt.TextElideMode.ElideMiddle, int(place.width()))
        painter.drawText(place, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, name)
        painter.restore()

    def _size(self, painter: QPainter, area: QRectF, index: QModelIndex | QPersistentModelIndex) -> None:
        share = index.data(SHARE_ROLE)
        if share:
            wide = (area.width() - 8) * float(share)
            painter.fillRect(QRectF(area.right() - 4 - wide, area.y() + 3, wide, area.height() - 6), self._bar)
        painter.setPen(self._look.text if share else self._look.muted)
        painter.drawText(
            area.adjusted(0, 0, -7, 0), Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight, index.data()
        )


def draw_mark(painter: QPainter, area: QRectF, state: ItemState | None, look: Look) -> None:
    """A state as shape and colour: needed diamond, kept disc, trying half disc, gone ring."""
    if state is None:
        painter.setPen(look.idle_pen)
        painter.setBrush(look.hull)
        painter.drawRoundedRect(area, 2, 2)
        return
    painter.setPen(look.no_pen)
    painter.setBrush(look.fill[state])
    if state is ItemState.NEEDED:
        c, r = area.center(), area.width() / 2 + 1
        points = [QPointF(c.x(), c.y() - r), QPointF(c.x() + r, c.y()), QPointF(c.x(), c.y() + r)]
        painter.drawPolygon(QPolygonF([*points, QPointF(c.x() - r, c.y())]))
    elif state is ItemState.TRYING:
        painter.drawPie(area, 90 * 16, 180 * 16)
        painter.setPen(QPen(look.fill[state].color(), 1.4))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawEllipse(area.adjusted(0.7, 0.7, -0.7, -0.7))
    elif state is ItemState.GONE:
        painter.setPen(QPen(look.border[state].color(), 1.4))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawEllipse(area.adjusted(0.7, 0.7, -0.7, -0.7))
    else:
        painter.drawEllipse(area)
