"""Preferences: theme, locations of tools, defaults of a reduction."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFileDialog,
    QFormLayout,
    QGridLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QSpinBox,
    QTabWidget,
    QWidget,
)

from app.panels.form.fields import choice, choose, form, muted, padded
from app.user_settings import UserSettings
from app.widgets import STRETCH, column_of, control, made, scrolled
from app.words import plain
from core.protocol import events

THEMES = ("system", "light", "dark", "contrast", "contrast-dark")
TOOLS = (
    ("JAVA_HOME", "JDK (folder)"),
    ("JARLET_CFR", "CFR"),
    ("JARLET_PROCYON", "Procyon"),
    ("JARLET_VINEFLOWER", "Vineflower"),
    ("JARLET_FERNFLOWER", "Fernflower"),
    ("JARLET_PROGUARD", "ProGuard"),
    ("JARLET_ECJ", "ECJ"),
)
"""Variables by which the engine finds tools, with their names on the screen."""


@dataclass(frozen=True, slots=True)
class Preferences:
    """Empty texts mean: as Jarlet thinks best."""

    theme: str
    tools: Mapping[str, str]
    decompiler: str
    algorithm: str
    granularity: str
    jobs: int


def load(settings: UserSettings) -> Preferences:
    """Return the preferences that a settings file holds."""
    theme = str(settings.value("theme", "") or "system")
    jobs = str(settings.value("defaults/jobs", "0"))
    return Preferences(
        theme=theme if theme in THEMES else "system",
        tools={name: str(settings.value(f"tools/{name}", "") or "") for name, _ in TOOLS},
        decompiler=str(settings.value("defaults/decompiler", "") or ""),
        algorithm=str(settings.value("defaults/algorithm", "") or ""),
        granularity=str(settings.value("defaults/granularity", "") or ""),
        jobs=int(jobs) if jobs.isdigit() else 0,
    )


def save(settings: UserSettings, wanted: Preferences) -> None:
    """Put preferences into a settings file."""
    settings.set_value("theme", wanted.theme)
    for name, value in wanted.tools.items():
        settings.set_value(f"tools/{name}", value)
    for key in ("decompiler", "algorithm", "granularity", "jobs"):
        settings.set_value(f"defaults/{key}", getattr(wanted, key))


class PreferencesDialog(QDialog):
    """``preferences()`` returns the choices once the dialog was accepted."""

    def __init__(
        self,
        now: Preferences,
        algorithms: events.Algorithms | None,
        presets: events.Presets | None,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle("Preferences")
        self._now = now
        tabs = made(QTabWidget(), accessibleName="Preferences")
        tabs.tabBar().setAccessibleName("Groups of preferences")
        tabs.addTab(self._general(now, algorithms), "&General")
        tabs.addTab(self._tools(now, presets), "&Tools")
        buttons = made(
            QDialogButtonBox(QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel),
            accepted=self.accept,
            rejected=self.reject,
        )
        column_of((tabs, 1), buttons, owner=self, margins=None)
        self.resize(620, 480)

    def _general(self, now: Preferences, algorithms: events.Algorithms | None) -> QWidget:
        self.theme, self.algorithm = choice("theme"), choice("default_algorithm")
        for title, name in zip(algorithms.titles, algorithms.names, strict=True) if algorithms else ():
            self.algorithm.addItem(plain(title), name)
        self.granularity, self.decompiler = choice("default_granularity"), choice("default_decompiler")
        self.jobs = control(padded(QSpinBox()), "default_jobs")
        choose(self.theme, now.theme)
        choose(self.algorithm, now.algorithm)
        choose(self.granularity, now.granularity)
        choose(self.decompiler, now.decompiler)
        self.jobs.setValue(now.jobs)
        rows = form()
        for words, field in (
            ("Theme", self.theme),
            ("Algorithm", self.algorithm),
            ("Granularity", self.granularity),
            ("Parallel runs", self.jobs),
            ("Decompiler", self.decompiler),
        ):
            rows.addRow(words, field)
        note = muted("Algorithm, granularity and parallel runs are the defaults for the next reduction.")
        return _page(rows, note, "General")

    def _tools(self, now: Preferences, presets: events.Presets | None) -> QWidget:
        grid = made(QGridLayout(), horizontalSpacing=8, verticalSpacing=5)
        self.tools: dict[str, QLineEdit] = {}
        for row, (variable, title) in enumerate(TOOLS):
            line = self.tools[variable] = QLineEdit(now.tools.get(variable, ""))
            line.setPlaceholderText("Found automatically")
            line.setAccessibleName(f"Location of {title}")
            line.setToolTip(f"Also the environment variable {variable}")
            button = made(
                QPushButton("Browse…"),
                accessibleName=f"Browse for {title}",
                clicked=lambda _=False, variable=variable, title=title: self._choose(variable, title),
            )
            button.setToolTip(button.accessibleName())
            line.setMinimumHeight(line.sizeHint().height())
            button.setMinimumHeight(button.sizeHint().height())
            label = made(QLabel(title), buddy=line)
            for place, part in enumerate((label, line, button)):
                grid.addWidget(part, row, place)
        lacking = [text for text in presets.missing if text] if presets else []
        words = "\n".join(dict.fromkeys(map(plain, lacking))) or "All tools that the presets need are installed."
        state = muted(words)
        state.setAccessibleName("Missing tools")
        return _page(grid, state, "Tools")

    def _choose(self, variable: str, title: str) -> None:
        before = self.tools[variable].text()
        if variable == "JAVA_HOME":
            path = QFileDialog.getExistingDirectory(self, title, before)
        else:
            path, _ = QFileDialog.getOpenFileName(self, title, before, "Jars (*.jar)")
        if path:
            self.tools[variable].setText(path)

    def preferences(self) -> Preferences:
        """Return the values of the fields."""
        return Preferences(
            theme=str(self.theme.currentData()),
            tools={name: line.text().strip() for name, line in self.tools.items()},
            decompiler=str(self.decompiler.currentData()),
            algorithm=str(self.algorithm.currentData()),
            granularity=str(self.granularity.currentData()),
            jobs=self.jobs.value(),
        )


def _page(rows: QFormLayout | QGridLayout, note: QLabel, name: str) -> QWidget:
    """Return a page of rows with a note below them; ``name`` is for a reader of the screen."""
    page = QWidget()
    column_of(rows, note, STRETCH, owner=page, margins=(14, 14, 14, 10), spacing=12)
    return scrolled(page, name)  # at 200 % the screen is lower than the page
