"""Leaving a result that was not exported: asks first."""

from __future__ import annotations

from PySide6.QtWidgets import QMessageBox, QWidget

KEPT = "It stays in Sessions and results, as long as the last 20 do."
KEPT_AS_STEP = (
    "Sessions and results offers the latest one instead; this one stays among the steps in the session's folder."
)
LOST = "It could not be saved: it is lost if you go on."


class LeavingDialog(QMessageBox):
    """``go_button`` leaves the result, and ``fate`` says what becomes of it then; Escape stays."""

    def __init__(self, result: str, doing: str, fate: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setIcon(QMessageBox.Icon.Question)
        self.setWindowTitle("Leave the result?")
        self.setText(f"The result, {result}, has not been exported.")
        self.setInformativeText(fate)
        self.export_button = self.addButton("&Export jar…", QMessageBox.ButtonRole.AcceptRole)
        self.go_button = self.addButton(doing, QMessageBox.ButtonRole.DestructiveRole)
        self.stay_button = self.addButton(QMessageBox.StandardButton.Cancel)
        self.setDefaultButton(self.export_button)
        self.setEscapeButton(self.stay_button)

    def answer(self) -> str:
        """Ask; return ``export``, ``go`` or ``stay``."""
        self.exec()
        pressed = self.clickedButton()
        return "export" if pressed is self.export_button else "go" if pressed is self.go_button else "stay"
