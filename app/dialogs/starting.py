"""Starting a reduction where an earlier one of the same failure has a result: from there, or from the whole jar?"""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractButton, QMessageBox, QWidget


class StartingDialog(QMessageBox):
    """A dialog before a start that does not block: :meth:`ask` calls one of two functions once a button is pressed;
    Escape starts nothing."""

    def __init__(self, earlier: str, size: str, parent: QWidget | None = None, done: bool = False) -> None:
        """Make the dialog; ``done``: nothing can go from the earlier result, so nothing goes on from it."""
        super().__init__(parent)
        self.setIcon(QMessageBox.Icon.Question)
        self.setWindowTitle("Continue or start over?")
        self.setText(f"The smallest result for this failure is {earlier}: {size}.")
        self.setInformativeText(
            "Continue from it with the present settings, or start over with the whole jar. "
            "Completed runs are reused, and the smallest result of all runs stays in the list of steps."
        )
        self.continue_button = self.addButton(f"&Continue from {size}", QMessageBox.ButtonRole.AcceptRole)
        self.over_button = self.addButton("Start &over", QMessageBox.ButtonRole.DestructiveRole)
        self.cancel_button = self.addButton(QMessageBox.StandardButton.Cancel)
        self.setDefaultButton(self.continue_button)
        self.setEscapeButton(self.cancel_button)
        if done:
            self.setWindowTitle("Start over?")
            self.setText(f"Done: the smallest result for this failure is {earlier}: {size}.")
            self.setInformativeText(
                "With these settings no part of it can be removed alone. "
                "Change the settings, for example to a finer granularity, or start over with the whole jar."
            )
            self.removeButton(self.continue_button)
            self.setDefaultButton(self.cancel_button)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)

    def ask(self, go_on: Callable[[], object], start_over: Callable[[], object]) -> None:
        """Show it; the window goes on to be drawn."""

        def clicked(button: QAbstractButton) -> None:
            if button is self.continue_button:
                go_on()
            elif button is self.over_button:
                start_over()

        self.buttonClicked.connect(clicked)
        self.open()
