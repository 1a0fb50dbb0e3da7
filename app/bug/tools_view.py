"""Which tools fail: a table of the installed tools and the classes that they fail on; a cell begins a reduction."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPoint, Qt, Signal
from PySide6.QtGui import QAction, QColor, QFont, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QComboBox,
    QHBoxLayout,
    QHeaderView,
    QMenu,
    QPushButton,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from app import text
from app.graph.elided_label import ElidedLabel
from app.panels.lists.row_table import Column, RowModel
from app.theme.theme import LIGHT, Theme
from core.protocol import events

_CLASS_WIDTH = 160
"""Pixels of the column of classes at least."""
_TOOL_WIDTH = 44
"""Pixels of the column of a tool at least: four digits."""
_MOST_FAILURES = 12
"""Failures that the menu of a cell lists."""
_NOWHERE = "(no class named)"


@dataclass(frozen=True, slots=True)
class CellWish:
    """A reduction that a cell begins: a preset, its settings, and what its failures must be (empty = as it says)."""

    preset: str
    options: tuple[tuple[str, str], ...] = ()
    failures: str = ""


class ToolModel(RowModel):
    """A row with the sums, then one per class; a column per tool."""

    def __init__(self) -> None:
        super().__init__([Column("Class", None, right=False)])
        self.tools: list[events.ToolRan] = []
        self.places: list[str] = []
        self._theme = LIGHT

    def show(self, tools: list[events.ToolRan]) -> None:
        """Show the answers of these tools. The classes with most failures come first."""
        self.beginResetModel()
        self.tools = tools
        counts = Counter(place for ran in tools for place in ran.places)
        self.places = [place for place, _ in sorted(counts.items(), key=lambda pair: (not pair[0], -pair[1], pair[0]))]
        self.columns = self._titles(True)
        self.endResetModel()

    def show_versions(self, wanted: bool) -> None:
        """Show or hide the versions of the tools in a second line of the head. The head's tips always show the
        versions."""
        if self.columns != (titles := self._titles(wanted)):
            self.columns = titles
            self.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, len(self.tools))

    def _titles(self, versions: bool) -> tuple[Column, ...]:
        named = (f"{ran.title}\n{ran.version}".strip() if versions else ran.title for ran in self.tools)
        return (Column("Class", None, right=False), *(Column(title, 0) for title in named))

    def set_theme(self, theme: Theme) -> None:
        """Use the colours of the theme."""
        self._theme = theme
        self.layoutChanged.emit()

    def failures(self, row: int, column: int) -> list[str]:
        """Return the failures of a cell, each once."""
        if column < 1 or column > len(self.tools):
            return []
        ran = self.tools[column - 1]
        if row == 0:
            return list(dict.fromkeys(ran.failures))
        place = self.places[row - 1]
        pairs = zip(ran.failures, ran.places, strict=True)
        return list(dict.fromkeys(name for name, where in pairs if where == place))

    def count(self) -> int:
        return len(self.places) + 1 if self.tools else 0

    def words(self, row: int, column: int) -> str:
        if column == 0:
            return (self.places[row - 1] or _NOWHERE) if row else "All failures"
        ran = self.tools[column - 1]
        if ran.problem:
            return "no answer" if row == 0 else ""
        found = ran.places.count(self.places[row - 1]) if row else len(ran.failures)
        return text.count(found) if found else ("none" if row == 0 else "·")

    def tip(self, row: int, column: int) -> str:
        if column == 0:
            return self.words(row, 0)
        ran = self.tools[column - 1]
        names = self.failures(row, column)
        shown = names[:_MOST_FAILURES] + (
            [f"and {len(names) - _MOST_FAILURES} more"] if len(names) > _MOST_FAILURES else []
        )
        return ran.problem or "\n".join(shown) or f"{ran.title} does not fail here ({text.seconds(ran.seconds)})"

    def ink(self, row: int, column: int) -> QColor | None:
        if column and self.words(row, column) in ("·", "none"):
            return QColor(self._theme.muted)
        return QColor(self._theme.bad) if column and self.tools else None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = 0) -> Any:
        if role == Qt.ItemDataRole.ToolTipRole and 0 < section <= len(self.tools):
            ran = self.tools[section - 1]
            return f"{ran.title} {ran.version}".strip()
        return super().headerData(section, orientation, role)

    def data(self, index: QModelIndex | QPersistentModelIndex, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if role == Qt.ItemDataRole.FontRole and index.isValid() and index.row() == 0:
            font = QFont()
            font.setBold(True)
            return font
        return super().data(index, role)


class ToolsView(QWidget):
    """The page of the failing tools, in terms of presets and failures."""

    run_wanted = Signal(str)
    """All tools are to run: on the ``input`` or on the ``result``."""
    stop_wanted = Signal()
    reduction_wanted = Signal(CellWish)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName("Which tools fail")
        self.model = ToolModel()
        self.table = _Table()
        self.table.setModel(self.model)
        self.subject = QComboBox()
        self.subject.addItem("The whole input", "input")
        self.subject.addItem("The smallest so far", "result")
        self.subject.setAccessibleName("Run the tools on")
        self.subject.view().setAccessibleName(self.subject.accessibleName())
        self.subject.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.run, self.note = QPushButton("Run all tools"), ElidedLabel()
        self.run.setToolTip("Run every installed decompiler, the verifier, ECJ, ProGuard and jdeps, one after another")
        self.reduce = QPushButton("Reduce…")
        self.reduce.setToolTip("Reduce for a failure of the selected cell (Enter)")
        self._running = False
        self._tools: list[events.ToolRan] = []
        bar = QWidget()
        bar.setProperty("bar", True)
        row = QHBoxLayout(bar)
        row.setContentsMargins(10, 4, 8, 4)
        row.setSpacing(8)
        row.addWidget(self.subject)
        row.addWidget(self.run)
        row.addWidget(self.note, 1)
        row.addWidget(self.reduce)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(bar)
        column.addWidget(self.table, 1)
        self.run.clicked.connect(self._clicked)
        self.reduce.clicked.connect(lambda _=False: self.open_menu())
        self.table.entered_cell.connect(self.open_menu)
        self.table.resized.connect(self._arrange)
        self.table.selectionModel().currentChanged.connect(lambda *_: self._enable())
        self.clear()

    def clear(self) -> None:
        """Forget the tools' answers about the previous input."""
        self._running, self._tools = False, []
        self.model.show([])
        self.note.set_text("Failures of each class by tool; a click reduces.")
        self._enable()

    def begin(self) -> None:
        """Show that the tools run."""
        self._running, self._tools = True, []
        self.model.show([])
        self.note.set_text("Running the tools, one after another…")
        self._enable()

    def add(self, ran: events.ToolRan) -> None:
        """Show the result of one tool."""
        self._tools.append(ran)
        self.model.show(list(self._tools))
        self._arrange()
        self.note.set_text(f"{text.plural(len(self._tools), 'tool')} run…")

    def end(self, event: events.ToolsRan) -> None:
        """Show that all tools have run."""
        self._running = False
        failing = sum(bool(ran.failures) for ran in self._tools)
        words = f"{failing} of {text.plural(len(self._tools), 'tool')} fail." if self._tools else "No tool was run."
        if event.stopped:
            words = f"Stopped. {words}"
        if event.missing:
            words += f" Not installed: {text.plural(len(event.missing), 'other tool')}."
        self.note.set_text(words)
        self.note.setToolTip("\n".join(f"{title}: {why}" for title, why in event.missing))
        if self.model.count():
            self.table.setCurrentIndex(self.model.index(0, 1))
        self._enable()

    def set_theme(self, theme: Theme) -> None:
        """Use the colours of the theme."""
        self.model.set_theme(theme)

    def wishes(self, row: int, column: int) -> list[tuple[str, CellWish]]:
        """Return the reductions that a cell can begin: titles and wishes."""
        names = self.model.failures(row, column)
        if not names:
            return []
        ran = self.model.tools[column - 1]
        found = [(f"Each kind of failure of {ran.title}", CellWish(ran.tool))] if row == 0 else []
        found += [(name, CellWish(ran.tool, (), f"chosen {name}")) for name in names[:_MOST_FAILURES]]
        if row:
            found += self._differences(row, column, ran, names[0])
        return found

    def _differences(self, row: int, column: int, ran: events.ToolRan, failure: str) -> list[tuple[str, CellWish]]:
        """Return the reductions that keep a difference: another tool of the same kind does not fail on this class."""
        file, mark, message = failure.partition(".java: ")
        found = []
        for number, other in enumerate(self.model.tools, 1):
            fine = number != column and not other.problem and not self.model.failures(row, number)
            if mark and fine and any(place for place in other.places):
                name = f"{file}.java: {ran.title} only: {message}"
                options = (("first", ran.tool), ("second", other.tool))
                found.append(
                    (f"While {other.title} does not fail on it", CellWish("differ", options, f"chosen {name}"))
                )
        return found

    def open_menu(self, where: QPoint | None = None) -> None:
        """Offer the reductions that the selected cell can begin; begin a single one at once."""
        index = self.table.currentIndex()
        wishes = self.wishes(index.row(), index.column()) if index.isValid() else []
        if len(wishes) == 1:
            self.reduction_wanted.emit(wishes[0][1])
        elif wishes:
            menu = self.menu(wishes)
            area = self.table.visualRect(index)
            menu.popup(where or self.table.viewport().mapToGlobal(area.bottomLeft()))

    def menu(self, wishes: list[tuple[str, CellWish]]) -> QMenu:
        """Return the wishes to choose from."""
        menu = QMenu(self)
        head = QAction("Reduce for", menu)
        head.setEnabled(False)
        menu.addAction(head)
        for title, wish in wishes:
            words = title if len(title) <= 110 else f"{title[:70]}…{title[-38:]}"
            action = menu.addAction(words.replace("&", "&&"))
            action.triggered.connect(lambda _=False, wish=wish: self.reduction_wanted.emit(wish))
        return menu

    def _arrange(self) -> None:
        """Make every tool visible. Where there is no room, leave out versions, then the ends of the longest names."""
        header, wide = self.table.horizontalHeader(), self.table.viewport().width()
        room = max(_TOOL_WIDTH * len(self.model.tools), wide - _CLASS_WIDTH)
        for versions in (True, False):
            self.model.show_versions(versions)
            header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
            widths = [header.sectionSize(column) for column in range(1, header.count())]
            if sum(widths) <= room:
                break
        # Qt shortens two lines as if they were one.
        fits = sum(widths) <= room
        header.setTextElideMode(Qt.TextElideMode.ElideNone if fits else Qt.TextElideMode.ElideRight)
        header.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        widest = max(widths, default=0)
        while sum(min(width, widest) for width in widths) > room:
            widest -= 1
        for column, width in enumerate(widths, 1):
            header.resizeSection(column, min(width, widest))
        header.resizeSection(0, max(_CLASS_WIDTH, wide - sum(min(width, widest) for width in widths)))

    def _clicked(self) -> None:
        if self._running:
            self.stop_wanted.emit()
        else:
            self.run_wanted.emit(str(self.subject.currentData()))

    def _enable(self) -> None:
        self.run.setText("Stop" if self._running else "Run all tools")
        index = self.table.currentIndex()
        self.reduce.setEnabled(bool(index.isValid() and self.wishes(index.row(), index.column())))
        self.subject.setEnabled(not self._running)


class _Table(QTableView):
    """A table in which cells, not rows, are selected."""

    entered_cell = Signal()
    resized = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName("Failures by class and tool")
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setShowGrid(False)
        self.setAlternatingRowColors(True)
        self.setTabKeyNavigation(False)
        self.setWordWrap(False)
        self.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.verticalHeader().hide()
        self.verticalHeader().setDefaultSectionSize(23)
        self.horizontalHeader().setHighlightSections(False)
        self.horizontalHeader().setTextElideMode(Qt.TextElideMode.ElideRight)
        self.horizontalHeader().setMinimumSectionSize(_TOOL_WIDTH)
        self.doubleClicked.connect(lambda _: self.entered_cell.emit())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.resized.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.entered_cell.emit()
        else:
            super().keyPressEvent(event)
