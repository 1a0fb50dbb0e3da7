"""The dialogs of the page of the bug: the bugs behind failures, the versions of the tool, Java source that fails."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QLabel,
    QPlainTextEdit,
    QWidget,
)

from app import text
from app.panels.empty_page import BlankPage
from app.panels.lists.row_table import Column, RecordModel, RowTable
from app.widgets import button, closing, column_of, fixed_font, made, row_of
from core.protocol import events
from core.protocol.events import VersionAnswer


def _bug_model(rows: list[list[str]]) -> RecordModel[list[str]]:
    """Return a row for each bug; the first of ``rows`` has the heads."""
    heads = rows[0]
    columns = [Column(head.capitalize(), None if head == "failure" else 0, right=False) for head in heads]
    model = RecordModel[list[str]](columns, lambda row: row, lambda row, _: "")
    model.show(rows[1:])
    return model


class BugsDialog(QDialog):
    """The dialog with the bugs. It does not block the window."""

    known_wanted = Signal()
    """A file of known bugs is to be chosen and compared with the bugs."""

    def __init__(self, sentence: str, rows: list[list[str]], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("Bugs")
        self.sentence = made(QLabel(sentence), textFormat=Qt.TextFormat.PlainText, wordWrap=True)
        self.model = _bug_model(rows)
        self.table = RowTable(self.model, "Bugs behind the failures")
        self.known = button(
            "Known bugs…",
            "Choose a file of known bugs (jarlet known add); the table then says which they are",
            self.known_wanted,
        )
        column_of(self.sentence, (self.table, 1), closing(self.close, self.known), owner=self, margins=None)
        self.resize(720, 360)

    def show_bugs(self, sentence: str, rows: list[list[str]]) -> None:
        """Show another sentence and another table."""
        self.sentence.setText(sentence)
        self.model = _bug_model(rows)
        self.table.setModel(self.model)


class RunDialog(QDialog):
    """A dialog about runs in the background, with a sentence on them. It does not block the window; once it is closed,
    the runs end."""

    stop_wanted = Signal()

    def __init__(self, title: str, stop: str, parent: QWidget | None) -> None:
        super().__init__(parent)
        self.setWindowTitle(title)
        self.running = False
        self.sentence = made(
            QLabel(),
            wordWrap=True,
            textInteractionFlags=Qt.TextInteractionFlag.TextSelectableByMouse,
            accessibleName="Result",
        )
        self.stop = button("Stop", stop, self.stop_wanted)
        self.finished.connect(self._end_runs)

    def end(self, sentence: str) -> None:
        """Show that nothing runs any more."""
        self._show(False, sentence)

    def _show(self, running: bool, sentence: str) -> None:
        self.running = running
        self.stop.setEnabled(running)
        self._tell(sentence)

    def _tell(self, sentence: str) -> None:
        self.sentence.setText(sentence)

    def _end_runs(self) -> None:
        if self.running:
            self.stop_wanted.emit()


_VERSIONS = (Column("Version", 0), Column("Date", 0), Column("Answer", 0), Column("Reason"))


class VersionsDialog(RunDialog):
    """The dialog of the versions."""

    run_wanted = Signal(bool)
    """The versions are to run: True = all of them."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("Which versions fail", "End the versions that run", parent)
        self.model = RecordModel(_VERSIONS, _version_cells, lambda row, _: row.detail, key=lambda row: row.version)
        self.table = RowTable(self.model, "Versions of the tool")
        self.blank = BlankPage()
        self._title = ""
        tip = "Ask the Maven repository for the versions, and run as few as halving needs"
        self.few = button("Run versions", tip, lambda: self.run_wanted.emit(False))
        tip = "Run every version, also those that halving leaves out"
        self.every = button("Run all versions", tip, lambda: self.run_wanted.emit(True))
        buttons = closing(self.reject, self.few, self.every, self.stop)
        column_of((self.blank, 1), (self.table, 1), self.sentence, buttons, owner=self, margins=None)
        self.resize(760, 480)

    def offer(self) -> None:
        """Say what the buttons do, unless versions run or have run."""
        if not self.running and not self.model.count():
            self.end("“Run versions” asks the Maven repository for the versions of the tool and runs some of them.")

    def begin(self) -> None:
        """Show that versions are listed and run."""
        self.model.show([])
        self._show(True, "Asking the Maven repository for the versions…")

    def refuse(self, words: str) -> None:
        """Show why no version can be run; the buttons have nothing to do."""
        self._end_runs()
        self.model.show([])
        self._show(False, words)
        for one in (self.few, self.every):
            one.setEnabled(False)

    def hear(self, event: events.VersionsListed | events.VersionRan | events.VersionsRan) -> None:
        """Show the existing versions, the answer of one, or the end after all needed ones."""
        match event:
            case events.VersionsListed(title, versions):
                self._title = title
                blank = VersionAnswer.NOT_RUN
                self.model.show([events.VersionRan(name, at, "", blank, "") for at, name in enumerate(versions)])
                self._count()
            case events.VersionRan():
                self.model.show([event if row.place == event.place else row for row in self.model.rows])
                self._count()
            case events.VersionsRan():
                self.end(f"Stopped. {event.sentence}" if event.stopped else event.sentence)

    def _show(self, running: bool, sentence: str) -> None:
        super()._show(running, sentence)
        for one in (self.few, self.every):
            one.setEnabled(not running)

    def _count(self) -> None:
        ran = sum(row.answer != VersionAnswer.NOT_RUN for row in self.model.rows)
        self._tell(f"{ran} of {text.counted(self.model.count(), 'version')} of {self._title} run…")

    def _tell(self, words: str) -> None:
        """Show a sentence: below the table, or in its place while there are no rows."""
        some = self.model.count() > 0
        self.sentence.setText(words)
        self.blank.tell("Which versions fail?", words)
        for part, there in ((self.table, some), (self.sentence, some), (self.blank, not some)):
            part.setVisible(there)


def _version_cells(row: events.VersionRan) -> tuple[str, ...]:
    return row.version, row.date, row.answer, _reason(row)


def _reason(row: events.VersionRan) -> str:
    if row.answer in (VersionAnswer.OTHER, VersionAnswer.NONE):
        return row.detail
    return text.seconds(row.seconds) if row.answer != VersionAnswer.NOT_RUN else ""


_TEST = "Write the result as a test of this project's own suite"
_NO_TEST = "No test can be written: so far there is no Java source and no assembler text"


class SourceDialog(RunDialog):
    """The dialog of the Java source."""

    test_wanted = Signal(str)
    """The result is to be written as a test of the project of that name."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("Java source that shows the failure", "End the search", parent)
        self.page = made(
            QPlainTextEdit(),
            readOnly=True,
            accessibleName="Source",
            font=fixed_font(),
        )
        self.projects = made(
            QComboBox(),
            accessibleName="Project of the test",
            toolTip="The project whose folders, names and packages the test gets",
        )
        self.target = QWidget()
        row_of(QLabel("Project of the test"), (self.projects, 1), owner=self.target)
        self.copy = button("Copy", "Copy the source", self._copy)
        self.test = button("Export as a test…", "", lambda: self.test_wanted.emit(str(self.projects.currentData())))
        buttons = closing(self.reject, self.copy, self.stop, self.test)
        column_of(self.sentence, (self.page, 1), self.target, buttons, owner=self, margins=None)
        self.resize(760, 560)

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self.page.toPlainText())

    def begin(self) -> None:
        """Show that the search is running."""
        self.page.clear()
        self.projects.clear()
        self._show(True, "Decompiling, repairing, compiling and running the result…")

    def show_found(self, event: events.SourceFound) -> None:
        """Show the result of the search."""
        parts = [f"// {name}\n{words.strip()}\n" for name, words in zip(event.names, event.texts, strict=True)]
        self.page.setPlainText("\n".join(parts))
        self.projects.clear()
        for name, title in event.projects:
            self.projects.addItem(title, name)
        self.end(event.sentence)

    def _show(self, running: bool, sentence: str) -> None:
        super()._show(running, sentence)
        self.copy.setEnabled(bool(self.page.toPlainText()))
        there = self.projects.count() > 0 and bool(self.page.toPlainText())
        self.test.setEnabled(there)
        self.test.setToolTip(_TEST if there else _NO_TEST)
        self.target.setVisible(there)
