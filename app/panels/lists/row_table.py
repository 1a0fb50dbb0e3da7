"""The common parts of the lists: a model of rows, a table with one look and one way to copy, cells of names that lose
whole words if there is no room."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from PySide6.QtCore import QAbstractTableModel, QModelIndex, Qt
from PySide6.QtGui import QColor, QGuiApplication, QKeyEvent, QKeySequence, QPainter, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QHeaderView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from app.shortening import Fits, short_item
from app.widgets import LEFT, RIGHT, STRETCH, Index, column_of, made


class NameLook(QStyledItemDelegate):
    """A painter of texts that ``shorten`` cuts. A text still too long loses the part that ``elide`` says; None = as
    the table says."""

    def __init__(
        self, parent: Any, shorten: Callable[[str, Fits], str] = short_item, elide: Qt.TextElideMode | None = None
    ) -> None:
        super().__init__(parent)
        self._shorten, self._elide, self._painting = shorten, elide, False

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        self._painting = True  # a column as wide as its content is measured by the whole names
        super().paint(painter, option, index)
        self._painting = False

    def initStyleOption(self, option: QStyleOptionViewItem, index: Index) -> None:
        super().initStyleOption(option, index)
        own: Any = option  # Qt's stubs do not know the fields of a style option
        if self._elide is not None:
            own.textElideMode = self._elide
        if self._painting and own.text:
            own.text = self.cut(own.text, own)

    def cut(self, name: str, own: Any) -> str:
        """Return a name as there is room for it in the cell of a style option."""
        style = own.widget.style() if own.widget is not None else QApplication.style()
        place = style.subElementRect(QStyle.SubElement.SE_ItemViewItemText, own, own.widget)
        margin = style.pixelMetric(QStyle.PixelMetric.PM_FocusFrameHMargin, own, own.widget) + 1
        room, metrics = place.width() - 2 * margin, own.fontMetrics
        # The figure is rounded: a text of just as many pixels may be cut.
        return self._shorten(name, lambda words: metrics.horizontalAdvance(words) < room) or name


_ROOT = QModelIndex()
_ROW_HEIGHT = 21
_SLACK = 2
"""Pixels beside a text that is seen whole: widths of texts are rounded."""

Row = TypeVar("Row")


@dataclass(frozen=True, slots=True)
class Column:
    """A column: ``width`` in pixels, None = all the room there is, 0 = as its content. Columns of figures are aligned
    ``right``, as columns of a fixed width are unless they say otherwise."""

    title: str
    width: int | None = None
    right: bool | None = None

    @property
    def alignment(self) -> Qt.AlignmentFlag:
        """The place of a text in its cell."""
        return RIGHT if (bool(self.width) if self.right is None else self.right) else LEFT


class RecordModel(QAbstractTableModel, Generic[Row]):
    """A row for each record: functions tell its cells, and the tool tip and the colour of a cell."""

    def __init__(
        self,
        columns: Sequence[Column],
        cells: Callable[[Row], Sequence[str]],
        tip: Callable[[Row, int], str] | None = None,
        ink: Callable[[Row, int], QColor | None] = lambda record, column: None,
        key: Callable[[Row], object] = id,
    ) -> None:
        """Make it; records of equal ``key`` are one row that has changed. Without ``tip``, the tip is the whole text of
        the cell."""
        super().__init__()
        self.columns = tuple(columns)
        self._cells, self._ink, self._key = cells, ink, key
        self._tip = tip or (lambda record, column: cells(record)[column])
        self.rows: list[Row] = []

    def count(self) -> int:
        """Return the number of rows."""
        return len(self.rows)

    def words(self, row: int, column: int) -> str:
        """Return the text of a cell."""
        return self._cells(self.rows[row])[column]

    def rowCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else self.count()

    def columnCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self.columns)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = 0) -> Any:
        if orientation is Qt.Orientation.Horizontal:
            if role == Qt.ItemDataRole.DisplayRole:
                return self.columns[section].title
            if role == Qt.ItemDataRole.TextAlignmentRole:
                return self.columns[section].alignment
            if role == Qt.ItemDataRole.InitialSortOrderRole and self.columns[section].alignment == RIGHT:
                return Qt.SortOrder.DescendingOrder  # the largest figures on top
        return None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        row, column = index.row(), index.column()
        if role == Qt.ItemDataRole.DisplayRole:
            return self.words(row, column)
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return self.columns[column].alignment
        if role == Qt.ItemDataRole.ForegroundRole:
            return self._ink(self.rows[row], column)
        if role == Qt.ItemDataRole.ToolTipRole:
            return self._tip(self.rows[row], column)
        return None

    def show(self, rows: Sequence[Row]) -> int:
        """Show other records; the number of new rows. The selection stays while the first rows are the same."""
        old, self.rows = self.rows, list(rows)
        if [*map(self._key, rows[: len(old)])] != [*map(self._key, old)]:
            self.beginResetModel()
            self.endResetModel()
            return len(rows)
        for number, (before, after) in enumerate(zip(old, rows, strict=False)):
            if before is not after and before != after:
                self.dataChanged.emit(self.index(number, 0), self.index(number, len(self.columns) - 1))
        if new := len(rows) - len(old):
            self.rows = old
            self.beginInsertRows(QModelIndex(), len(old), len(rows) - 1)
            self.rows = list(rows)
            self.endInsertRows()
        return new


class RowTable(QTableView):
    """Whole rows are selected; Ctrl+C copies them, a line for each, cells parted by tabs."""

    def __init__(self, model: RecordModel[Any], name: str, several: bool = False) -> None:
        super().__init__()
        mode = QAbstractItemView.SelectionMode
        made(
            self,
            model=model,
            accessibleName=name,
            selectionBehavior=QAbstractItemView.SelectionBehavior.SelectRows,
            selectionMode=mode.ExtendedSelection if several else mode.SingleSelection,
            showGrid=False,
            tabKeyNavigation=False,
            wordWrap=False,
            textElideMode=Qt.TextElideMode.ElideMiddle,
        )
        fixed = QHeaderView.ResizeMode.Fixed
        made(self.verticalHeader(), sectionResizeMode=fixed, defaultSectionSize=_ROW_HEIGHT).hide()
        header = made(self.horizontalHeader(), highlightSections=False, defaultAlignment=LEFT)
        for number, column in enumerate(model.columns):
            if column.width is None:
                header.setSectionResizeMode(number, QHeaderView.ResizeMode.Stretch)
            elif column.width == 0:
                header.setSectionResizeMode(number, QHeaderView.ResizeMode.ResizeToContents)
            else:
                header.resizeSection(number, column.width)
        self._names: list[int] = []
        """Columns with no more room than their visible cells need."""

    def leave_room_for_last(self) -> None:
        """Let the columns that share the room with the last one take as much as their content needs. If there is too
        little for all of them, none takes more than an equal part."""
        header, columns = self.horizontalHeader(), range(self.horizontalHeader().count() - 1)
        stretch = QHeaderView.ResizeMode.Stretch
        self._names = [column for column in columns if header.sectionResizeMode(column) is stretch]
        header.setResizeContentsPrecision(0)  # the rows that are seen
        for column in self._names:
            header.setSectionResizeMode(column, QHeaderView.ResizeMode.Interactive)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self._names:
            header, last = self.horizontalHeader(), self.horizontalHeader().count() - 1
            others = (column for column in range(last) if column not in self._names)
            room = self.viewport().width() - sum(map(header.sectionSize, others))
            wanted = {column: self._wanted(column) for column in (*self._names, last)}
            given = _shared(room, wanted)
            for column in self._names:
                header.resizeSection(column, given[column])

    def _wanted(self, column: int) -> int:
        return max(self.sizeHintForColumn(column), self.horizontalHeader().sectionSizeHint(column)) + _SLACK

    def selected_rows(self) -> list[int]:
        """Return the selected rows, from the top."""
        return sorted(index.row() for index in self.selectionModel().selectedRows())

    def copy_rows(self) -> None:
        """Copy the selected rows to the clipboard."""
        model = self.model()
        assert isinstance(model, RecordModel)
        columns = range(len(model.columns))
        lines = ["\t".join(model.words(row, column) for column in columns) for row in self.selected_rows()]
        if lines:
            QGuiApplication.clipboard().setText("\n".join(lines))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy_rows()
        else:
            super().keyPressEvent(event)


def _shared(room: int, wanted: Mapping[int, int]) -> dict[int, int]:
    """Return the width of each column: as ``wanted``; without enough ``room``, the wide ones share the rest after the
    narrow ones."""
    given: dict[int, int] = {}
    for column in sorted(wanted, key=lambda column: wanted[column]):
        share = room // (len(wanted) - len(given))
        given[column] = min(wanted[column], share)
        room -= given[column]
    return given


def button_column(*parts: QWidget) -> QVBoxLayout:
    """Return buttons one below the other, for a place beside a list."""
    return column_of(*parts, STRETCH, margins=(8, 6, 8, 6), spacing=5)
