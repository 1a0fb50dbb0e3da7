"""The predicate: a preset with its settings, or a command of the user."""

from __future__ import annotations

import os
import shlex
from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import (
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QPushButton,
    QSizePolicy,
    QWidget,
)

from app import text
from app.panels.form.fields import HEADING, choice, choose, form, muted, offer
from app.widgets import TOP, button, column_of, control, fixed_font, made, row_of
from app.words import PRESET_GROUPS, plain
from core.protocol import events
from core.protocol.questions.choosing import OfferedPreset, OfferedSetting

_NONE = OfferedPreset("", "")
OWN = "Own"
"""Title of the group with the command of the user, and with presets that the user has written."""


def grouped(names: Sequence[str]) -> list[tuple[str, list[str]]]:
    """Return the groups that have presets, each with its presets in the given order. A preset of no group belongs to
    the user."""
    found = [(title, [name for name in members if name in names]) for title, members in PRESET_GROUPS.items()]
    known = {name for _, members in found for name in members}
    found.append((OWN, [name for name in names if name not in known]))
    return [(title, members) for title, members in found if members]


_ABOVE_AND_BELOW = 8
"""Pixels of border and padding above and below the command's lines, of which none is seen in part."""


def command_for(program: Path) -> str:
    """Return the command that runs a program or a script on the candidate."""
    words = [str(program)] if os.access(program, os.X_OK) else ["sh", str(program)]
    return f"{shlex.join(words)} {{jar}}"


class CommandText(QPlainTextEdit):
    """Three lines of text, of which none is seen in part, whatever the font."""

    def __init__(self) -> None:
        super().__init__()
        self.document().setDocumentMargin(0)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)  # it hides a line
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        return QSize(super().sizeHint().width(), 3 * self.fontMetrics().lineSpacing() + _ABOVE_AND_BELOW)

    def minimumSizeHint(self) -> QSize:
        return QSize(super().minimumSizeHint().width(), self.sizeHint().height())


class PredicateFields(QWidget):
    """The choice between presets and a command. ``preset`` is empty while a command is wanted."""

    changed = Signal()
    preset_changed = Signal()
    fetch_wanted = Signal(str, dict)
    """The name of the preset with tools to fetch, and its settings; empty = the agent for watched runs."""

    def __init__(self) -> None:
        super().__init__()
        self._presets = events.Presets([])
        self._waiting = ""
        self._filled: dict[str, dict[str, str]] = {}
        self.settings: dict[str, QLineEdit] = {}
        self.kind = choice("predicate")
        self.about = muted()
        self.lacking = made(QLabel(), wordWrap=True, warning=True)
        self.fetch = control(QPushButton(), "fetch", clicked=self._fetch)
        self._lines = QWidget()
        self._form = form()
        self._lines.setLayout(self._form)
        self.own = QWidget()
        self._build_command()
        column_of(
            self.kind,
            self.about,
            row_of((self.lacking, 1), (self.fetch, 0, TOP)),
            self._lines,
            self.own,
            owner=self,
            spacing=6,
        )
        self.kind.currentIndexChanged.connect(self._chosen)
        self._chosen()

    def _build_command(self) -> None:
        self.command = control(CommandText(), "command", font=fixed_font())
        label = made(QLabel("Co&mmand that shows the failure"), buddy=self.command)
        self.hint = control(QPushButton(), "more_on_command", cursor=Qt.CursorShape.PointingHandCursor)
        self.browse = control(QPushButton(), "browse_command")
        self.template = control(QPushButton(), "template")
        self.trial = button(
            "Try it on one class",
            "Run the command once on the selected class and what it needs, and show what it wrote",
        )
        column_of(
            row_of((label, 1), self.hint),
            self.command,
            row_of(self.browse, self.template, spacing=6),
            self.trial,
            owner=self.own,
            spacing=4,
        )
        self.command.textChanged.connect(self.changed)

    def use_program(self, path: str) -> None:
        """Make a program the command."""
        self.choose("")
        self.command.setPlainText(command_for(Path(path)))

    @property
    def preset(self) -> str:
        """The chosen preset; empty for a command."""
        chosen = str(self.kind.currentData() or "")
        return ("" if chosen == HEADING else chosen) or self._waiting

    @property
    def options(self) -> dict[str, str]:
        """The settings of the preset."""
        return {name: line.text().strip() for name, line in self.settings.items()}

    @property
    def missing(self) -> str:
        """A sentence on the tool that the chosen preset lacks; empty if there is none."""
        return self._offered.missing

    @property
    def names_failures(self) -> bool:
        """True if the chosen preset names failures."""
        return self._offered.names_failures

    def lacks(self) -> QLineEdit | None:
        """Return the first required field that is empty; None if all are filled in."""
        wanted = (self.settings[setting.name] for setting in self._offered.settings if setting.required)
        return next((line for line in wanted if not line.text().strip()), None)

    def set_presets(self, presets: events.Presets) -> None:
        """Offer these presets. The choice and the texts of the fields stay."""
        chosen, filled = self.preset, self.options
        self._presets = presets
        rows = {
            one.name: (f"{one.title} (not installed)" if one.missing else one.title, one.name, "")
            for one in presets.offered
        }
        own = [("Own command", "", "")]
        groups = {group: [rows[name] for name in names] for group, names in grouped(list(rows))}
        offer(self.kind, (groups | {OWN: own + groups.get(OWN, [])}).items())
        self.choose(chosen, filled)

    def choose(self, preset: str, options: dict[str, str] | None = None) -> None:
        """Choose a preset (empty for a command) and fill in its settings. A preset that is not known yet is chosen
        as soon as it is."""
        if options is not None and preset:
            self._filled[preset] = dict(options)
        self._waiting = "" if choose(self.kind, preset) else preset
        self._chosen()

    @property
    def _offered(self) -> OfferedPreset:
        """The chosen preset; one without a name if there is none."""
        name = self.kind.currentData()
        return next((one for one in self._presets.offered if one.name == name), _NONE)

    def _chosen(self) -> None:
        chosen = self._offered
        name = chosen.name
        self.own.setVisible(not name)
        self.about.setVisible(bool(name))
        self.about.setText(plain(chosen.about))
        lacking = chosen.missing or chosen.newer or (self._presets.agent if chosen.runs else "")
        self.lacking.setText(plain(lacking))
        self.lacking.setVisible(bool(lacking))
        self.fetch.setVisible(bool(lacking) and (not chosen.missing or chosen.fetchable))
        self.fetch.setEnabled(True)
        while self._form.rowCount():
            self._form.removeRow(0)
        self.settings.clear()
        for setting in chosen.settings:
            self._add_line(name, setting, self._filled.setdefault(name, {}))
        self._lines.setVisible(bool(self.settings))
        self.preset_changed.emit()
        self.changed.emit()

    def _add_line(self, preset: str, setting: OfferedSetting, filled: dict[str, str]) -> None:
        name, title = setting.name, setting.title
        line = made(
            QLineEdit(filled.get(name, setting.default)),
            accessibleName=f"{name}: {title}",
            toolTip=title,
            textChanged=lambda words: self._fill(preset, name, words),
        )
        self.settings[name] = line
        label = made(
            QLabel(text.capital(title) + (" (required)" if setting.required else "")),
            wordWrap=True,
            buddy=line,
        )
        self._form.addRow(label)
        self._form.addRow(line)

    def _fill(self, preset: str, name: str, words: str) -> None:
        self._filled.setdefault(preset, {})[name] = words
        self.changed.emit()

    def _fetch(self) -> None:
        self.fetch.setEnabled(False)
        self.lacking.setText("The download is under way…")
        self.fetch_wanted.emit(self.preset if self.missing or self._offered.newer else "", self.options)
