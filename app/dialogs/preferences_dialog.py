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


_CHOICES = {"theme": "theme"} | {name: f"defaults/{name}" for name in ("algorithm", "granularity", "decompiler")}
"""Keys of the preferences that are chosen from a list."""


def load(settings: UserSettings) -> Preferences:
    """Return the preferences that a settings file holds."""
    chosen = {name: str(settings.value(key, "") or "") for name, key in _CHOICES.items()}
    if chosen["theme"] not in THEMES:
        chosen["theme"] = "system"
    jobs = str(settings.value("defaults/jobs", "0"))
    tools = {name: str(settings.value(f"tools/{name}", "") or "") for name, _ in TOOLS}
    return Preferences(tools=tools, jobs=int(jobs) if jobs.isdigit() else 0, **chosen)


def save(settings: UserSettings, wanted: Preferences) -> None:
    """Put preferences into a settings file."""
    for name, key in _CHOICES.items():
        settings.set_value(key, getattr(wanted, name))
    for name, value in wanted.tools.items():
        settings.set_value(f"tools/{name}", value)
    settings.set_value("defaults/jobs", wanted.jobs)


class PreferencesDialog(QDialog):
    """``preferences()`` returns the choices once the dialog was accepted."""

    def __init__(
        self,
        now: Preferences,
        algorithms: events.Algorithms | None,
        presets: events.Presets | None,
        parent: QWidget | None,
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle("Preferences")
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
        rows = form()
        self.choices = {name: choice(key.replace("defaults/", "default_")) for name, key in _CHOICES.items()}
        for one in algorithms.offered if algorithms else ():
            self.choices["algorithm"].addItem(plain(one.title), one.name)
        for name, box in self.choices.items():
            choose(box, getattr(now, name))
            rows.addRow(name.capitalize(), box)
        self.jobs = control(padded(QSpinBox()), "default_jobs", value=now.jobs)
        rows.addRow("Parallel runs", self.jobs)
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
        lacking = [one for one in presets.offered if one.missing] if presets else []
        names = ", ".join(one.title for one in lacking)
        words = f"Not installed: {names}. Choose one under “What fails”: “Download” gets its tool."
        state = muted(words if names else "All tools that the presets need are installed.")
        state.setToolTip(plain("\n".join(dict.fromkeys(one.missing for one in lacking))))
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
        chosen = {name: str(box.currentData()) for name, box in self.choices.items()}
        tools = {name: line.text().strip() for name, line in self.tools.items()}
        return Preferences(tools=tools, jobs=self.jobs.value(), **chosen)


def _page(rows: QFormLayout | QGridLayout, note: QLabel, name: str) -> QWidget:
    """Return a page of rows with a note below them; ``name`` is for a reader of the screen."""
    page = QWidget()
    column_of(rows, note, STRETCH, owner=page, margins=(14, 14, 14, 10), spacing=12)
    return scrolled(page, name)  # at 200 % the screen is lower than the page
