"""The choice of the failures that must stay: one of each kind, all as often as now, at least these, or one of them."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QComboBox, QWidget

from app.panels.form.fields import choice, choose
from app.panels.form.run_settings import may_add, names_one, wanted_parts, wanted_text
from app.widgets import column_of, made


class FailureFields(QWidget):
    """Fields that are shown where failures have names. ``text`` is the demand as the engine reads it."""

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.statement = choice(
            "Failures to keep",
            "Compared with the failures of the whole jar",
            [
                ("One of each kind, no new kinds", "kinds"),
                ("One of each kind but this one", "kinds but"),
                ("One of each kind, and others", "kinds at least"),
                ("One of each kind but this one, and others", "kinds at least but"),
                ("The same, as often as now", "same"),
                ("These at least", "at least"),
                ("Any of these", "any"),
                ("This one at least", "chosen"),
            ],
        )
        self.chosen = made(
            choice("Chosen failure", "Run the check to list the failures"),
            editable=True,
            insertPolicy=QComboBox.InsertPolicy.NoInsert,
        )
        line = self.chosen.lineEdit()
        assert line is not None
        line.setPlaceholderText("Run the check to list them")
        line.setAccessibleName(self.chosen.accessibleName())
        self.no_new = QCheckBox("No new kinds")
        self.no_new.setToolTip("A smaller jar with a kind of failure that the whole jar does not show is rejected")
        column_of(self.statement, self.chosen, self.no_new, owner=self, spacing=6)
        self.statement.currentIndexChanged.connect(self._show)
        self.chosen.editTextChanged.connect(self.changed)
        self.no_new.toggled.connect(self.changed)
        self._show()

    @property
    def text(self) -> str:
        """The demand as the engine reads it."""
        chosen = self.chosen.currentText().strip()
        return wanted_text(str(self.statement.currentData() or ""), chosen, self.no_new.isChecked())

    def set_preset(self, preset: bool) -> None:
        """Offer the demand of the preset, if a preset is run. It holds unless another one is chosen."""
        row = self.statement.findData("")
        if preset and row < 0:
            self.statement.insertItem(0, "As the preset says", "")
            self.statement.setCurrentIndex(0)
        elif not preset and row >= 0:
            asked = self.statement.currentData()
            self.statement.removeItem(row)
            choose(self.statement, asked or "kinds")

    def set_text(self, text: str) -> None:
        """Show a demand. An empty text is the demand of the preset; for a command it means one failure of each kind."""
        statement, chosen, no_new = wanted_parts(text)
        if not choose(self.statement, statement):
            choose(self.statement, "kinds")
        if chosen:
            self._write(chosen)
        self.no_new.setChecked(no_new)

    def choose(self, name: str) -> None:
        """Demand that one failure stays."""
        choose(self.statement, "chosen")
        self._write(name)

    def leave(self) -> None:
        """Demand no named failure any more: another input does not have it."""
        if names_one(str(self.statement.currentData() or "")):
            self.set_text("")
        self._write("")

    def offer(self, names: Iterable[str]) -> None:
        """Offer the failures that a check found."""
        wanted, typed = list(names), self.chosen.currentText()
        if wanted != [self.chosen.itemText(row) for row in range(self.chosen.count())]:
            self.chosen.clear()
            self.chosen.addItems(wanted)
            self._write(typed)

    def _write(self, name: str) -> None:
        """Show the beginning of the name, which has the class."""
        self.chosen.setEditText(name)
        line = self.chosen.lineEdit()
        assert line is not None
        line.setCursorPosition(0)
        self.chosen.setToolTip(name or "Run the check to list the failures")

    def _show(self) -> None:
        statement = str(self.statement.currentData() or "")
        self.chosen.setVisible(names_one(statement))
        self.no_new.setVisible(may_add(statement))
        self.changed.emit()
