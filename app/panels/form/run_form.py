"""The fields of the run panel: what is run, what counts as the failure, how to search, within which limits."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.panels.form.condition_fields import ConditionFields
from app.panels.form.failure_fields import FailureFields
from app.panels.form.fields import Section
from app.panels.form.limit_fields import LibraryField, LimitFields
from app.panels.form.predicate_fields import PredicateFields
from app.panels.form.run_settings import RunSettings
from app.panels.form.search_fields import SearchFields
from app.panels.form.wheel_guard import WheelGuard
from core.protocol import events


class RunForm(QWidget):
    """Reads and writes :class:`RunSettings`, but for what is pinned."""

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.what, self.counts, self.failures = PredicateFields(), ConditionFields(), FailureFields()
        self.search, self.limits, self.library = SearchFields(), LimitFields(), LibraryField()
        self.command, self.algorithm, self.explanation = (
            self.what.command,
            self.search.algorithm,
            self.search.explanation,
        )
        self._condition = Section("Condition")
        self._names = Section("Failures to keep")
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2)
        for section, part in (
            (Section("Predicate"), self.what),
            (self._condition, self.counts),
            (self._names, self.failures),
            (Section("Search"), self.search),
            (Section("Limits", False), self.limits),
            (Section("Libraries", False), self.library),
        ):
            section.add(part)
            column.addWidget(section)
        self._wheel_guard = WheelGuard(self)
        self.what.preset_changed.connect(self._show)
        self.counts.changed.connect(self._show)
        for fields in (self.what, self.counts, self.failures, self.search, self.limits, self.library):
            fields.changed.connect(self.changed)
        self._show()

    @property
    def names_failures(self) -> bool:
        """Whether failures are named, so that one can be chosen."""
        return self.what.names_failures if self.what.preset else bool(self.counts.values()["failures_as"])

    def settings(self) -> RunSettings:
        """What the fields say now."""
        return RunSettings(
            predicate=self.command.toPlainText().replace("\n", " ").strip(),
            preset=self.what.preset,
            options=self.what.options,
            failures=self.failures.text if self.names_failures else "",
            classpath=self.library.paths,
            **self.counts.values(),  # type: ignore[arg-type]
            **self.search.values(),  # type: ignore[arg-type]
            **self.limits.values(),  # type: ignore[arg-type]
        )

    def set_settings(self, settings: RunSettings) -> None:
        """Fill the fields."""
        self.command.setPlainText(settings.predicate)
        self.what.choose(settings.preset, dict(settings.options))
        self.counts.fill(settings)
        self.failures.set_preset(bool(settings.preset))
        self.failures.set_text(settings.failures)
        self.search.fill(settings)
        self.limits.fill(settings)
        self.library.set_paths(settings.classpath)

    def problem(self) -> tuple[str, QWidget]:
        """What is missing before this can run, and where to mend it; an empty text = nothing."""
        if self.what.missing:
            return self.what.missing, self.what.kind
        lacking = self.what.lacks()
        if lacking is not None:
            return f"Fill in “{lacking.toolTip()}” first.", lacking
        words = self.settings().problem()
        return words, self.failures.chosen if self.settings().failures and words else self.command

    def set_algorithms(self, offered: events.Algorithms) -> None:
        """The algorithms to choose from."""
        self.search.set_algorithms(offered)

    def choose_algorithm(self, name: str) -> None:
        """Choose an algorithm by its name."""
        self.search.choose_algorithm(name)

    def choose_failure(self, name: str) -> None:
        """One failure is to stay."""
        self.failures.choose(name)

    def offer_failures(self, names: Iterable[str]) -> None:
        """The failures to choose from."""
        self.failures.offer(names)

    def _show(self) -> None:
        self.failures.set_preset(bool(self.what.preset))
        self._condition.setVisible(not self.what.preset)
        self._names.setVisible(self.names_failures)
