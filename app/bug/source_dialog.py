"""Java source that shows the failure: to read, to copy, to write as a test of a project's own suite."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtGui import QFontDatabase, QGuiApplication
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QLabel,
    QPlainTextEdit,
    QPushButton,
    QWidget,
)

from app.widgets import closing, column_of, row_of
from core.protocol import events

_TEST = "Write the result as a test of this project's own suite"
_NO_TEST = "No test can be written: so far there is no Java source and no assembler text"


class SourceDialog(QDialog):
    """The dialog of the Java source. It does not block the window."""

    stop_wanted = Signal()
    test_wanted = Signal(str)
    """The result is to be written as a test of the project of that name."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("Java source that shows the failure")
        self.page, self.sentence, self.projects = QPlainTextEdit(), QLabel(), QComboBox()
        self.page.setReadOnly(True)
        self.page.setAccessibleName("Source")
        self.page.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        self.sentence.setWordWrap(True)
        self.sentence.setAccessibleName("Result")
        self.projects.setAccessibleName("Project of the test")
        self.projects.setToolTip("The project whose folders, names and packages the test gets")
        self.target = QWidget()
        row_of(QLabel("Project of the test"), (self.projects, 1), owner=self.target)
        self.running = False
        self.copy, self.test, self.stop = QPushButton("Copy"), QPushButton("Export as a test…"), QPushButton("Stop")
        self.copy.setToolTip("Copy the source")
        self.stop.setToolTip("End the search")
        buttons = closing(self.reject, self.copy, self.stop, self.test)
        self.finished.connect(self._closed)
        self.copy.clicked.connect(lambda _=False: QGuiApplication.clipboard().setText(self.page.toPlainText()))
        self.test.clicked.connect(lambda _=False: self.test_wanted.emit(str(self.projects.currentData())))
        self.stop.clicked.connect(self.stop_wanted)
        column_of(self.sentence, (self.page, 1), self.target, buttons, owner=self, margins=None)
        self.resize(760, 560)

    def begin(self) -> None:
        """Show that the search is running."""
        self.running = True
        self.page.clear()
        self.projects.clear()
        self.sentence.setText("Decompiling, repairing, compiling and running the result…")
        self._enable()

    def show_found(self, event: events.SourceFound) -> None:
        """Show the result of the search."""
        parts = [f"// {name}\n{words.strip()}\n" for name, words in zip(event.names, event.texts, strict=True)]
        self.page.setPlainText("\n".join(parts))
        self.projects.clear()
        for name, title in event.projects:
            self.projects.addItem(title, name)
        self.end(event.sentence)

    def end(self, sentence: str) -> None:
        """Show that the search is over."""
        self.running = False
        self.sentence.setText(sentence)
        self._enable()

    def _closed(self) -> None:
        if self.running:
            self.stop_wanted.emit()

    def _enable(self) -> None:
        self.stop.setEnabled(self.running)
        self.copy.setEnabled(bool(self.page.toPlainText()))
        there = self.projects.count() > 0 and bool(self.page.toPlainText())
        self.test.setEnabled(there)
        self.test.setToolTip(_TEST if there else _NO_TEST)
        self.target.setVisible(there)
