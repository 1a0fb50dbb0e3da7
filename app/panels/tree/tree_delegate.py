"""Rows of the class tree: a mark for the state, a bar for the size."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFont, QFontMetrics, QPainter, QPen, QPolygonF
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from app.engine.run_state import ItemState
from app.graph.paint.callouts import wish_swatch
from app.graph.paint.graph_style import GraphStyle, brush, worn_style
from app.painting import inked, smooth
from app.panels.tree.tree_model import TreeModel
from app.panels.tree.tree_rows import TreeRow
from app.shortening import without_beginning, without_middle
from app.widgets import LEFT, RIGHT, Index, made

_MARK, _SMALL, _PIN, _AFTER = 9.0, 6.0, 10.0, 7.0
_CUT = (Qt.TextElideMode.ElideLeft, Qt.TextElideMode.ElideRight)
"""Sides that a name loses if no whole word fits: of a class the beginning, of a member type or parameters."""
_NAMES_MOST = 4000
"""Shortened names that are kept; more are thrown away all at once."""


class TreeDelegate(QStyledItemDelegate):
    """A painter of rows that asks the model one question a row. The usual way asks ten, and a run repaints often."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._names: dict[tuple[str, int], str] = {}

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        model, look = index.model(), worn_style()
        assert isinstance(model, TreeModel)
        row = model.row(index)
        own: Any = option  # Qt's stubs do not know the fields of a style option
        area, metrics = QRectF(own.rect), own.fontMetrics
        if own.state & QStyle.StateFlag.State_Selected:
            painter.fillRect(own.rect, look.selected)
        painter.setFont(own.font)
        view = own.widget
        if index.column() == 1:
            self._size(painter, area, row)
            area = QRectF(view.visualRect(index.sibling(index.row(), 0)))
        gone = row.state is ItemState.GONE
        x = area.x() + 4
        if row.item >= 0:
            smooth(painter)
            wide = _SMALL if row.member else _MARK
            spot = QRectF(x + (_MARK - wide) / 2, area.center().y() - wide / 2, wide, wide)
            draw_mark(painter, spot, row.state, look, row.tint)
            x += _MARK + 6
        # A name may reach into the column of sizes, up to the row's own size.
        end = view.columnViewportPosition(1) + view.columnWidth(1) - 2 * _AFTER - metrics.horizontalAdvance(row.size)
        if row.pinned or row.first:
            end = area.right() - _PIN - 6
            smooth(painter)
            wish_swatch(row.pinned, painter, QRectF(area.right() - _PIN - 2, area.center().y() - _PIN / 2, _PIN, _PIN))
        place = QRectF(x, area.y(), end - x, area.height())
        name = self._fitted(row, int(place.width()), metrics)
        if gone:
            struck = made(QFont(own.font), strikeOut=True)
            painter.setFont(struck)
        painter.setPen(look.muted if gone else look.text)
        painter.setClipRect(own.rect)
        painter.drawText(place, LEFT, name)
        painter.setClipping(False)

    def _fitted(self, row: TreeRow, room: int, metrics: QFontMetrics) -> str:
        """Return the name as there is room for it: whole, else cut at the limits of its words; of a package the
        beginning goes first, if it shares that with others."""
        shown = self._names.get((row.name, room))
        if shown is None:
            if len(self._names) > _NAMES_MOST:
                self._names.clear()

            def fits(words: str) -> bool:
                return metrics.horizontalAdvance(words) <= room

            if fits(row.name):
                shown = row.name
            elif row.folded:
                shown = without_beginning(row.folded, fits)
            else:
                shown = without_middle(row.name, fits, row.alone)
            if row.member and shown.startswith("…"):  # the type alone tells nothing
                shown = ""
            shown = self._names[row.name, room] = shown or metrics.elidedText(row.name, _CUT[row.member], room)
        return shown

    def _size(self, painter: QPainter, area: QRectF, row: TreeRow) -> None:
        look = worn_style()
        if row.share:
            wide = (area.width() - 8) * row.share
            bar = QRectF(area.right() - 4 - wide, area.y() + 3, wide, area.height() - 6)
            painter.fillRect(bar, look.size)
            if row.left < 1:
                painter.fillRect(bar.adjusted(0, 0, -wide * (1 - row.left), 0), look.size_left)
        painter.setPen(look.text if row.share else look.muted)
        place = area.adjusted(0, 0, -_AFTER, 0)
        painter.drawText(place, RIGHT, row.size)


def draw_mark(painter: QPainter, area: QRectF, state: ItemState | None, look: GraphStyle, tint: int = -1) -> None:
    """Draw a state as shape and colour: needed diamond (so far: pale, with an outline), kept disc, trying half disc,
    gone ring. What is left has the colour ``tint`` instead, if there is one."""
    if state is None or (tint >= 0 and state is not ItemState.GONE):
        inked(painter, look.idle_pen, look.hull if tint < 0 else brush(tint, look.theme.dark))
        painter.drawRoundedRect(area, 2, 2)
        return
    inked(painter, None, look.fill[state])
    if state in (ItemState.NEEDED, ItemState.SO_FAR):
        c, r = area.center(), area.width() / 2 + 1
        if state is ItemState.SO_FAR:
            painter.setPen(QPen(look.border[state].color(), 1.4))
        points = [QPointF(c.x(), c.y() - r), QPointF(c.x() + r, c.y()), QPointF(c.x(), c.y() + r)]
        painter.drawPolygon(QPolygonF([*points, QPointF(c.x() - r, c.y())]))
    elif state is ItemState.TRYING:
        painter.drawPie(area, 90 * 16, 180 * 16)
        inked(painter, QPen(look.border[state].color(), 1.4))
        painter.drawEllipse(area.adjusted(0.7, 0.7, -0.7, -0.7))
    elif state is ItemState.GONE:
        inked(painter, QPen(look.muted, 1.4))
        painter.drawEllipse(area.adjusted(0.7, 0.7, -0.7, -0.7))
    else:
        painter.drawEllipse(area)
