"""The fields of the run panel: predicate, condition, failures, search, limits, libraries, JDK."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtWidgets import QAbstractSpinBox, QComboBox, QWidget

from app.panels.form.condition_fields import ConditionFields
from app.panels.form.failure_fields import FailureFields, problem_of
from app.panels.form.fields import DeclaredFields, Section
from app.panels.form.library_fields import LibraryFields
from app.panels.form.predicate_fields import PredicateFields
from app.panels.form.search_fields import SearchFields
from app.widgets import column_of
from core.errors import UsageError
from core.protocol import events
from core.protocol.setting_marks import Decides
from core.protocol.settings import Settings


class WheelGuard(QObject):
    """A filter that keeps the wheel from spin boxes and lists without the keyboard."""

    def __init__(self, form: QWidget) -> None:
        super().__init__(form)
        for field in (*form.findChildren(QAbstractSpinBox), *form.findChildren(QComboBox)):
            field.setFocusPolicy(Qt.FocusPolicy.StrongFocus)  # not the wheel's
            field.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Wheel and isinstance(watched, QWidget) and not watched.hasFocus():
            event.ignore()  # so it goes on to the form's scroll area
            return True
        return False


class RunForm(QWidget):
    """A form that reads and shows all :class:`Settings` but the pins."""

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.what, self.counts, self.failures = PredicateFields(), ConditionFields(), FailureFields()
        self.search, self.limits = SearchFields(), DeclaredFields(Decides.CHECK | Decides.RUN)
        self.library = LibraryFields()
        self.command, self.algorithm, self.explanation = (
            self.what.command,
            self.search.algorithm,
            self.search.explanation,
        )
        self._condition = Section("Condition")
        self._names = Section("Failures to keep")
        self.how = Section("Al&gorithm and limits", False)
        self._surroundings = Section("Libraries and JDK", False)
        column = column_of(owner=self, spacing=2)
        for section, *parts in (
            (Section("What fails"), self.what),
            (self._condition, self.counts),
            (self._names, self.failures),
            (self.how, self.search, self.limits),
            (self._surroundings, self.library),
        ):
            section.add(*parts)
            column.addWidget(section)
        WheelGuard(self)
        self.what.preset_changed.connect(self._show)
        self.counts.changed.connect(self._show)
        self.search.changed.connect(lambda: self.limits.show_for(self.search.algorithm_name))
        for fields in (self.what, self.counts, self.failures, self.search, self.limits, self.library):
            fields.changed.connect(self.changed)
        self.changed.connect(self._count)
        self._show()

    def set_phase(self, *, busy: bool, paused: bool) -> None:
        """Enable the fields that can be changed now: all, none, or those of search and limits while a run is paused."""
        fixed: tuple[QWidget, ...] = (self.what, self.counts, self.failures, self.library)
        for part in (*fixed, self.search, self.limits):
            part.setEnabled(not busy or (paused and part not in fixed))

    @property
    def names_failures(self) -> bool:
        """True if failures have names, so that one can be chosen."""
        return self.what.names_failures if self.what.preset else self.counts.names_failures

    def may_hang(self) -> bool:
        """Return True if the predicate is a command of the user's without a time limit."""
        return not self.what.preset and self.limits.values()["timeout"] is None

    def settings(self) -> Settings:
        """Return the settings of the fields. Raises UsageError for a text that no command can have."""
        what: dict[str, Any]
        if preset := self.what.preset:
            what = {"preset": preset, "options": {name: text for name, text in self.what.options.items() if text}}
        else:
            what = {"predicate": self.command.toPlainText().replace("\n", " ").strip(), **self.counts.values()}
        failures = (self.failures.text or None) if self.names_failures else None
        return Settings(failures=failures, **what, **self._search(), **self.library.values())

    def set_settings(self, settings: Settings) -> None:
        """Show settings."""
        self.command.setPlainText(settings.predicate)
        self.what.choose(settings.preset or "", dict(settings.options))
        self.failures.set_preset(bool(settings.preset))
        self.failures.set_text(settings.failures or "")
        for fields in (self.counts, self.search, self.limits, self.library):
            fields.fill(settings)

    def set_predicate(self, predicate: Mapping[str, Any]) -> None:
        """Show a predicate, given by fields of :class:`Settings`, and leave the search as it is."""
        self.set_settings(Settings(**self.search.values(), **predicate))

    def leave_predicate(self, predicate: Mapping[str, Any]) -> None:
        """Clear the settings for the last input alone: the chosen failure, and the given predicate unless it was
        changed."""
        self.failures.leave()
        try:
            now = self.settings()
        except UsageError:
            return
        if predicate and now.preset is None and all(getattr(now, name) == value for name, value in predicate.items()):
            self.set_predicate({})

    def problem(self) -> tuple[str, QWidget]:
        """Return a sentence on what is missing before a run, and the field for it. An empty text means that nothing
        is missing."""
        if self.what.missing:
            return self.what.missing, self.what.kind
        lacking = self.what.lacks()
        if lacking is not None:
            return f"Fill in “{lacking.toolTip()}” first.", lacking
        try:
            settings = self.settings()
        except UsageError as error:
            return str(error), self.command
        words = problem_of(settings)
        return words, self.failures.chosen if settings.failures and words else self.command

    def set_presets(self, presets: events.Presets) -> None:
        """Offer these presets and JDKs."""
        self.what.set_presets(presets)
        self.library.offer(presets)

    def _search(self) -> dict[str, Any]:
        """Return the settings of search and limits."""
        return self.search.values() | self.limits.values()

    def _count(self) -> None:
        """Say on the folded headings how much below them is set."""
        for heading, values in ((self.how, self._search()), (self._surroundings, self.library.values())):
            heading.count(sum(value != getattr(Settings, name) for name, value in values.items()))

    def _show(self) -> None:
        self.failures.set_preset(bool(self.what.preset))
        self._condition.setVisible(not self.what.preset)
        self._names.setVisible(self.names_failures)
