"""The table of the tools on the screen. Without room its heads are turned."""

from __future__ import annotations

from PySide6.QtCore import QRect, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView

from app.bug.tool_model import ToolModel
from app.panels.lists.row_table import NameLook
from app.theme.theme import worn
from app.widgets import made

_CLASS_WIDTH = 120
"""Pixels of the column of classes at least."""
_TOOL_WIDTH = 44
"""Pixels of the column of a tool at least: four digits."""
_LONGEST, _BESIDE = 150, 6
"""Pixels of the longest turned head, and around one."""


class TurnedHeads(QHeaderView):
    """The heads of the tools, which read upwards while ``turned``, without the versions."""

    def __init__(self) -> None:
        super().__init__(Qt.Orientation.Horizontal)
        self.turned = False
        self.setHighlightSections(False)
        self.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.setMinimumSectionSize(_TOOL_WIDTH)

    def _title(self, section: int) -> str:
        title = str(self.model().headerData(section, Qt.Orientation.Horizontal)).partition("\n")[0]
        return self.fontMetrics().elidedText(title, Qt.TextElideMode.ElideRight, _LONGEST)

    def sectionSizeFromContents(self, section: int) -> QSize:
        if not self.turned or not section:
            return super().sectionSizeFromContents(section)
        return QSize(_TOOL_WIDTH, self.fontMetrics().horizontalAdvance(self._title(section)) + 2 * _BESIDE)

    def paintSection(self, painter: QPainter, rect: QRect, section: int) -> None:
        if not self.turned or not section:
            super().paintSection(painter, rect, section)
            return
        painter.save()
        painter.setPen(worn().line)
        painter.drawLine(rect.bottomLeft(), rect.bottomRight())
        painter.setPen(worn().muted)
        painter.translate(rect.bottomLeft())
        painter.rotate(-90)
        area = QRect(_BESIDE, 0, rect.height() - _BESIDE, rect.width() - _BESIDE)
        painter.drawText(area, Qt.AlignmentFlag.AlignBottom, self._title(section))  # above the right-aligned figures
        painter.restore()


class ToolTable(QTableView):
    """The table of the tools, in which cells, not rows, are selected. Every tool is in sight."""

    entered_cell = Signal()

    def __init__(self, model: ToolModel) -> None:
        super().__init__()
        self.tools = model
        self.heads = TurnedHeads()
        made(
            self,
            accessibleName="Failures by class and tool",
            selectionMode=QAbstractItemView.SelectionMode.SingleSelection,
            showGrid=False,
            alternatingRowColors=True,
            tabKeyNavigation=False,
            wordWrap=False,
            horizontalHeader=self.heads,
            doubleClicked=self.entered_cell,
            model=model,
        )
        self.setItemDelegateForColumn(0, NameLook(self))
        made(self.verticalHeader(), defaultSectionSize=23).hide()

    def arrange(self) -> None:
        """Make every tool visible. Without enough room the heads are turned, and at last cut."""
        header, wide = self.heads, self.viewport().width()
        room = max(_TOOL_WIDTH * len(self.tools.tools), wide - _CLASS_WIDTH)
        for header.turned in (False, True):
            self.tools.show_brief(header.turned)
            header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
            widths = [header.sectionSize(column) for column in range(1, header.count())]
            if sum(widths) <= room:
                break
        header.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        widest = max(widths, default=0)
        while sum(min(width, widest) for width in widths) > room:
            widest -= 1
        for column, width in enumerate(widths, 1):
            header.resizeSection(column, min(width, widest))
        header.resizeSection(0, max(_CLASS_WIDTH, wide - sum(min(width, widest) for width in widths)))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.arrange()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.entered_cell.emit()
        else:
            super().keyPressEvent(event)
