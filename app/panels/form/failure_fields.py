"""The choice of the failures that must stay: one of each kind, all as often as now, at least these, or one of them."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QWidget

from app.panels.form.fields import choice, choose, editable
from app.widgets import column_of, control
from core.protocol.run_words import NAMING, NO_NEW, demand_parts
from core.protocol.settings import Settings


def problem_of(settings: Settings) -> str:
    """Return a sentence on what is missing before a run; an empty text if nothing is."""
    if not settings.preset and not settings.predicate:
        return "Write the command that shows the failure, for instance ./check.sh {jar}, or choose a preset above it."
    statement, chosen, _ = demand_parts(settings.failures or "")
    if statement in NAMING and not chosen:
        role = "stay" if statement == "chosen" else "go"
        return f"Choose the failure that is to {role}: run the check, which lists them, or type its name."
    return ""


def wanted_text(statement: str, chosen: str, no_new: bool) -> str:
    """Return the wanted failures as the engine reads them. ``statement`` is empty, ``kinds`` or ``kinds at least``,
    either perhaps with `` but``, ``same``, ``at least``, ``any`` or ``chosen``. ``chosen`` has a name, or several with
    a line end between two."""
    if not statement:
        return ""
    words = f"{statement} {chosen}" if statement in NAMING else statement
    return f"{words}, {NO_NEW}" if no_new and may_add(statement) else words


def may_add(statement: str) -> bool:
    """Return True if that statement allows failures beyond those of the whole jar."""
    return statement in ("at least", "any", "chosen")


class FailureFields(QWidget):
    """Fields for named failures. ``text`` is the demand in the engine's form."""

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.statement = choice("statement")
        self.chosen = editable("chosen", "Run the check to list them")
        self.no_new = control(QCheckBox(), "no_new")
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
        statement, chosen, no_new = demand_parts(text)
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
        if self.statement.currentData() in NAMING:
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
        self.chosen.setVisible(statement in NAMING)
        self.no_new.setVisible(may_add(statement))
        self.changed.emit()
