"""What runs beside check and reduction, in the status bar: a button with a menu that ends each of the runs."""

from __future__ import annotations

import time

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QMenu, QToolButton

from app import text
from app.widgets import Soon
from core.protocol.questions.background import BackgroundRun, BackgroundRuns

_AFTER_MS = 500
"""Milliseconds after which a run is shown: most end before."""


class BackgroundButton(QToolButton):
    """The button, hidden while nothing runs."""

    stop_wanted = Signal(str)
    """The runs of that kind are to end."""

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName("Runs in the background")
        self.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextOnly)
        self.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.runs: list[BackgroundRun] = []
        self._menu = QMenu(self)
        self._menu.aboutToShow.connect(self._fill)
        self.setMenu(self._menu)
        self._soon = Soon(self, _AFTER_MS, self._tell)
        self._tell()

    def show_runs(self, event: BackgroundRuns) -> None:
        """Show what runs now, unless it ends at once."""
        self.runs = [BackgroundRun(**run) for run in event.runs]
        if self.isVisible():
            self._tell()
        elif self.runs and not self._soon.isActive():
            self._soon.start()

    def _tell(self) -> None:
        several = f"{len(self.runs)} runs in the background"
        self.setText(f"Running: {self.runs[0].title}" if len(self.runs) == 1 else several)
        self.setToolTip("\n".join(run.title for run in self.runs))
        self.setVisible(bool(self.runs))

    def _fill(self) -> None:
        self._menu.clear()
        for run in self.runs:
            so_far, most = text.seconds(max(0.0, time.time() - run.since)), text.seconds(run.limit)
            action = self._menu.addAction(f"Stop: {run.title} (for {so_far}, at most {most})")
            action.triggered.connect(lambda _=False, kind=run.kind: self.stop_wanted.emit(kind))
