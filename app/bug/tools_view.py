"""The failing tools: a table of the installed tools and the classes that they fail on; a cell begins a reduction."""

from __future__ import annotations

import time
from dataclasses import dataclass

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import (
    QComboBox,
    QLabel,
    QListWidget,
    QPushButton,
    QWidget,
)

from app import text
from app.bug.tool_model import ToolModel
from app.bug.tool_table import ToolTable
from app.panels.empty_page import BlankPage
from app.panels.lists.row_table import NameLook
from app.shortening import without_middle
from app.widgets import ElidedLabel, add_row, bar, column_of, control, made
from core.protocol import events

_TITLE = "Which tools fail on this jar?"
_WORDS = (
    "“Run all tools” runs every installed tool on the jar, one after another: decompilers, analysers, compilers, and "
    "the JVM's verifier. It lists the classes on which each of them fails. Choose a failure there, and “Reduce” "
    "removes everything that the failure does not need."
)
_SOON = "The failures are listed here, class by class, as each tool ends."
"""Sentences in the place of the table."""
_TICK_MS = 1000


@dataclass(frozen=True, slots=True)
class CellWish:
    """A reduction that a cell begins: a preset, its settings, and the demand on its failures (empty = the preset's
    own)."""

    preset: str
    options: tuple[tuple[str, str], ...] = ()
    failures: str = ""


class ToolsView(QWidget):
    """The page of the failing tools, in terms of presets and failures."""

    run_wanted = Signal(str, bool)
    """All tools are to run: on the ``input`` or on the ``result``; True = after the missing ones were downloaded."""
    stop_wanted = Signal()
    reduction_wanted = Signal(CellWish)

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName("Which tools fail")
        self.model = ToolModel()
        self.blank = BlankPage()
        self.table = ToolTable(self.model)
        self.subject = control(QComboBox(), "tools_subject")
        self.subject.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.run, self.note = QPushButton("Run all tools"), ElidedLabel()
        self.run.setToolTip("Run every installed decompiler, the verifier, ECJ, ProGuard and jdeps, one after another")
        self.get = QPushButton("Download the others")
        self.get.hide()
        self.choices = made(
            QListWidget(),
            accessibleName="Failures of the selected cell",
            horizontalScrollBarPolicy=Qt.ScrollBarPolicy.ScrollBarAlwaysOff,  # the tip has the rest
        )
        self.choices.setItemDelegate(NameLook(self.choices, without_middle))
        self.reduce = made(
            QPushButton("Reduce"),
            primary=True,
            toolTip="Remove everything that the selected failure does not need (Enter)",
            clicked=lambda _=False: self.begin_reduction(),
        )
        self._running = False
        self._titles: list[str] = []
        """Titles of the tools that run, in order."""
        self._since = 0.0
        self._clock = made(QTimer(self), interval=_TICK_MS, timeout=self._tell_running)
        self._lay_out()
        self.run.clicked.connect(self._clicked)
        self.get.clicked.connect(lambda _=False: self.run_wanted.emit(str(self.subject.currentData()), True))
        self.choices.itemActivated.connect(lambda _: self.begin_reduction())
        self.table.entered_cell.connect(self.enter)
        self.table.selectionModel().currentChanged.connect(lambda *_: self._offer())
        self.clear()

    def _lay_out(self) -> None:
        heading = made(QLabel("Reduce for"), heading=True)
        self.below = QWidget()
        column_of(bar(heading, None, self.reduce), (self.choices, 1), owner=self.below, spacing=0)
        column_of(
            bar(self.subject, self.run, self.note, self.get),
            (self.blank, 1),
            (self.table, 3),
            (self.below, 1),
            owner=self,
            spacing=0,
        )

    def clear(self) -> None:
        """Forget the tools' answers about the previous input."""
        self._running, self._titles = False, []
        self.model.show_tools([])
        self.note.set_text("")
        self.blank.tell(_TITLE, _WORDS)
        self.get.hide()
        self._offer()

    def begin(self, download: bool = False) -> None:
        """Show that the tools run, after a ``download`` of the missing ones."""
        self.clear()
        self._running = True
        self.blank.tell("Downloading the missing tools…" if download else "Looking for the installed tools…", _SOON)
        self._enable()

    def hear(self, event: events.ToolsListed | events.ToolRan | events.ToolsRan) -> None:
        """Show the tools about to run, the result of one, or the end of all."""
        match event:
            case events.ToolsListed(titles):
                self._titles = titles
                self._count()
            case events.ToolRan():
                self.add(event)
            case events.ToolsRan():
                self.end(event)

    def add(self, ran: events.ToolRan) -> None:
        """Show the result of one tool. The selected cell stays; until there is one, the first failure is selected."""
        before, column = self.table.currentIndex(), self.table.currentIndex().column()
        place = self.model.words(before.row(), 0) if before.isValid() else ""
        self.model.show_tools([*self.model.tools, ran])
        self.table.arrange()
        self._count()
        rows = [row for row in range(self.model.count()) if self.model.words(row, 0) == place]
        if rows:
            self.table.setCurrentIndex(self.model.index(rows[0], column))
        elif ran.failures:
            self.table.setCurrentIndex(self.model.index(0, len(self.model.tools)))
        self._enable()

    def _count(self) -> None:
        self._since = time.monotonic()
        self._clock.start()
        self._tell_running()

    def _tell_running(self) -> None:
        """Say which tool runs, and for how long once a second has passed."""
        done, took = len(self.model.tools), time.monotonic() - self._since
        if self._running and done < len(self._titles):
            words = f"Running {self._titles[done]}, {done + 1} of {len(self._titles)}"
            self.note.set_text(f"{words}, for {text.seconds(took)}…" if took >= 1 else f"{words}…")
            self.blank.tell(f"{words}…", _SOON)
        else:
            self._clock.stop()

    def end(self, event: events.ToolsRan) -> None:
        """Show that all tools have run."""
        self._running = False
        tools = self.model.tools
        failing = sum(bool(ran.failures) for ran in tools)
        words = f"{failing} of {text.counted(len(tools), 'tool')} fail." if tools else "No tool was run."
        if event.stopped:
            words = f"Stopped. {words}"
        if event.missing:
            words += f" Not installed: {text.counted(len(event.missing), 'other')}."
        self.note.set_text(words)
        self.blank.tell(words, _WORDS)
        missing = "\n".join(f"{title}: {why}" for title, why in event.missing)
        self.note.setToolTip(missing)
        self.get.setToolTip(f"Download these from the Maven repository, and run all tools again:\n{missing}")
        self.get.setVisible(bool(missing))
        if self.model.count() and not self.table.currentIndex().isValid():
            columns = [column for column, ran in enumerate(tools, 1) if ran.failures]
            self.table.setCurrentIndex(self.model.index(0, next(iter(columns), 1)))
        self._enable()

    def wishes(self, row: int, column: int) -> list[tuple[str, CellWish]]:
        """Return the reductions that a cell can begin: titles and wishes."""
        names = self.model.failures(row, column)
        if not names:
            return []
        ran = self.model.tools[column - 1]
        every = row == 0 and len(names) > 1
        found = [(f"Each kind of failure of {ran.title}: {ran.counts}", CellWish(ran.tool))] if every else []
        found += [(name, CellWish(ran.tool, (), f"chosen {name}")) for name in names]
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
                title = f"{ran.title} but not {other.title}: {failure}"
                found.append((title, CellWish("differ", options, f"chosen {name}")))
        return found

    def enter(self) -> None:
        """Begin the reduction of the selected cell, or give the keyboard to the list if there are several."""
        if self.choices.count() > 1:
            self.choices.setFocus(Qt.FocusReason.OtherFocusReason)
        else:
            self.begin_reduction()

    def begin_reduction(self) -> None:
        """Begin the selected reduction."""
        item = self.choices.currentItem()
        wish = item.data(Qt.ItemDataRole.UserRole) if item is not None else None
        if wish is not None:
            self.reduction_wanted.emit(wish)

    def _offer(self) -> None:
        """List the reductions that the selected cell can begin; of a cell without one, why."""
        index = self.table.currentIndex()
        self.choices.clear()
        wishes = self.wishes(index.row(), index.column()) if index.isValid() else []
        for title, wish in wishes:
            add_row(self.choices, title.partition("\n")[0], wish, title)
        if index.isValid() and not wishes and index.column():
            self.choices.addItem(self.model.tip(index.row(), index.column()))
        self.choices.setCurrentRow(0)
        self._enable()

    def _clicked(self) -> None:
        if self._running:
            self.stop_wanted.emit()
        else:
            self.run_wanted.emit(str(self.subject.currentData()), False)

    def _enable(self) -> None:
        self.run.setText("Stop" if self._running else "Run all tools")
        item = self.choices.currentItem()
        self.reduce.setEnabled(item is not None and item.data(Qt.ItemDataRole.UserRole) is not None)
        some = bool(self.model.tools)
        for part in (self.table, self.below):
            part.setVisible(some)
        self.blank.setVisible(not some)
        self.run.setProperty("primary", not some and not self._running)
        self.run.style().polish(self.run)
        self.subject.setEnabled(not self._running)
