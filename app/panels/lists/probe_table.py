"""The probes as a table, with the output of the selected one."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt, Signal
from PySide6.QtGui import QColor, QFontDatabase
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QPlainTextEdit,
    QSplitter,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from app import text
from app.theme.theme import LIGHT, Theme
from core.protocol import events

Index = QModelIndex | QPersistentModelIndex
_ROOT = QModelIndex()
_WIDTHS = (40, 60, 70, 96, 58, 60)
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_ALIGNMENTS = (_RIGHT, _RIGHT, _RIGHT, _LEFT, _LEFT, _RIGHT)


class ProbeModel(QAbstractTableModel):
    """Rows are appended in batches, never changed."""

    def __init__(self) -> None:
        super().__init__()
        self.probes: list[events.Probed] = []
        self._theme = LIGHT

    def set_theme(self, theme: Theme) -> None:
        """Other colours."""
        self._theme = theme

    def show(self, probes: list[events.Probed]) -> int:
        """Take over what is new in a list that only grows, or starts again; the number of new rows."""
        if len(probes) < len(self.probes) or (self.probes and probes[0] is not self.probes[0]):
            self.beginResetModel()
            self.probes = []
            self.endResetModel()
        new = probes[len(self.probes) :]
        if new:
            self.beginInsertRows(QModelIndex(), len(self.probes), len(probes) - 1)
            self.probes.extend(new)
            self.endInsertRows()
        return len(new)

    def rowCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self.probes)

    def columnCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(_WIDTHS)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = 0) -> Any:
        if orientation is Qt.Orientation.Horizontal:
            if role == Qt.ItemDataRole.DisplayRole:
                titles = ("#", "Classes", "Bytes", "Verdict", "Source", "Time")
                return titles[section]
            if role == Qt.ItemDataRole.TextAlignmentRole:
                return _ALIGNMENTS[section]
        return None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        probe, column = self.probes[index.row()], index.column()
        if role == Qt.ItemDataRole.DisplayRole:
            return (
                text.count(probe.probe),
                text.count(probe.classes),
                text.size(probe.bytes),
                _sign(probe.verdict) + probe.verdict,
                probe.source,
                text.seconds(probe.seconds) if probe.source == "run" else "",
            )[column]
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _ALIGNMENTS[column]
        if role == Qt.ItemDataRole.ForegroundRole:
            if column == 3:
                return QColor(self._theme.good if probe.verdict == "interesting" else self._colour(probe.verdict))
            if probe.source != "run":
                return QColor(self._theme.muted)
        if role == Qt.ItemDataRole.ToolTipRole:
            return probe.detail
        return None

    def _colour(self, verdict: str) -> str:
        if verdict == "not interesting":
            return self._theme.muted
        return self._theme.bad if verdict == "timed out" else self._theme.warn


def _sign(verdict: str) -> str:
    return {"interesting": "✓ ", "not interesting": "– "}.get(verdict, "! ")


class ProbeTable(QWidget):
    """Follows the newest probe unless the user has scrolled up or chosen a row."""

    probe_selected = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.model = ProbeModel()
        self.table = QTableView()
        self.table.setModel(self.model)
        self.table.setAccessibleName("Probes")
        self.table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.table.setShowGrid(False)
        self.table.setTabKeyNavigation(False)
        self.table.setWordWrap(False)
        self.table.verticalHeader().hide()
        self.table.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.table.verticalHeader().setDefaultSectionSize(21)
        header = self.table.horizontalHeader()
        header.setHighlightSections(False)
        for column, width in enumerate(_WIDTHS):
            header.resizeSection(column, width)
        header.setStretchLastSection(True)
        self.output = QPlainTextEdit()
        self.output.setReadOnly(True)
        self.output.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        self.output.setAccessibleName("Output of the selected probe")
        self.output.setPlaceholderText("Select a probe to read what the command wrote.")
        self.output.setTabChangesFocus(True)
        self.output.setMaximumBlockCount(5000)
        self.output.setProperty("flat", True)
        self.splitter = QSplitter(Qt.Orientation.Horizontal)
        self.splitter.addWidget(self.table)
        self.splitter.addWidget(self.output)
        self.splitter.setSizes([430, 250])
        self.splitter.setStretchFactor(0, 3)
        self.splitter.setStretchFactor(1, 2)
        column_ = QVBoxLayout(self)
        column_.setContentsMargins(0, 0, 0, 0)
        column_.addWidget(self.splitter)
        self.following = True
        self._moving = False
        self.table.selectionModel().selectionChanged.connect(self._selected)
        self.table.verticalScrollBar().valueChanged.connect(self._scrolled)

    def set_theme(self, theme: Theme) -> None:
        """Other colours."""
        self.model.set_theme(theme)
        self.table.viewport().update()

    def show_probes(self, probes: list[events.Probed]) -> None:
        """What the model holds now."""
        if not probes:
            self.following = True
            self.output.clear()
        self._moving = True
        new = self.model.show(probes)
        if new and self.following:
            self.table.scrollToBottom()
        self._moving = False

    def show_text(self, words: str) -> None:
        """Show another text in the output pane: the check's."""
        self.output.setPlainText(words)

    def _scrolled(self, value: int) -> None:
        if not self._moving:
            self.following = value >= self.table.verticalScrollBar().maximum()

    def _selected(self) -> None:
        rows = self.table.selectionModel().selectedRows()
        if not rows:
            return
        probe = self.model.probes[rows[0].row()]
        self.following = self.following and rows[0].row() == len(self.model.probes) - 1
        self.output.setPlainText(report(probe))
        self.probe_selected.emit(rows[0].row())


def report(probe: events.Probed) -> str:
    """A probe with everything it left, as text."""
    head = f"Probe {probe.probe}: {probe.verdict}"
    if probe.detail:
        head += f" ({probe.detail})"
    parts = [head]
    if probe.source != "run":
        reasons = {"cache": "judged before", "invalid": "a class that it needs is missing"}
        parts.append(f"Not run: {reasons.get(probe.source, probe.source)}.")
    for title, words in (("Output", probe.stdout), ("Errors", probe.stderr)):
        if words.strip():
            parts.append(f"\n{title}\n{words.rstrip()}")
    if probe.source == "run" and not (probe.stdout.strip() or probe.stderr.strip()):
        parts.append("The command wrote nothing.")
    return "\n".join(parts)
