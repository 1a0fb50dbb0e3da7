"""Closing the window while a reduction runs: asks first."""

from __future__ import annotations

from PySide6.QtWidgets import QMessageBox, QWidget


class ClosingDialog(QMessageBox):
    """``stop_button`` ends the reduction and quits; Escape keeps it running. ``kept``: whether it can be resumed."""

    def __init__(self, best: str, kept: bool = True, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setIcon(QMessageBox.Icon.Question)
        self.setWindowTitle("Stop the reduction?")
        self.setText(f"A reduction is running. The smallest jar so far has {best}.")
        self.setInformativeText(
            "It is saved: Jarlet offers to resume it at the next start."
            if kept
            else "It could not be saved: export the smallest jar so far first, or it is lost when you quit."
        )
        self.stop_button = self.addButton("&Stop and quit", QMessageBox.ButtonRole.DestructiveRole)
        self.keep_button = self.addButton("&Keep running", QMessageBox.ButtonRole.RejectRole)
        self.setDefaultButton(self.keep_button)
        self.setEscapeButton(self.keep_button)

    def stop_wanted(self) -> bool:
        """Ask; True = stop and quit."""
        self.exec()
        return self.clickedButton() is self.stop_button
