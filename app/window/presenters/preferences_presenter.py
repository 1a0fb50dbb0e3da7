"""Puts the user's preferences into effect, and asks for them."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from app.dialogs.preferences_dialog import Preferences, PreferencesDialog, load, save
from app.engine.controller import Controller
from app.panels.form.run_form import RunForm
from app.user_settings import UserSettings
from app.window.appearance import Appearance
from core.protocol import events


class PreferencesPresenter(QObject):
    """A presenter that fills the form with a reduction's first settings, and keeps the engine's offers for the form."""

    decompiler_chosen = Signal(str)

    def __init__(
        self, window: QWidget, settings: UserSettings, controller: Controller, form: RunForm, appearance: Appearance
    ) -> None:
        super().__init__(window)
        self._window, self._settings, self._controller = window, settings, controller
        self._form, self._appearance = form, appearance
        self._algorithms: events.Algorithms | None = None
        self._presets: events.Presets | None = None

    def offer_algorithms(self, offered: events.Algorithms) -> None:
        """Offer the engine's algorithms. At first the preferred algorithm is chosen."""
        first, self._algorithms = self._algorithms is None, offered
        self._form.set_algorithms(offered)
        if first:
            self._form.choose_algorithm(load(self._settings).algorithm)

    def offer_presets(self, presets: events.Presets) -> None:
        """Offer the engine's predicates."""
        self._presets = presets
        self._form.set_presets(presets)

    def dialog(self) -> PreferencesDialog:
        """Return the question, with what is preferred now."""
        return PreferencesDialog(load(self._settings), self._algorithms, self._presets, self._window)

    def ask(self) -> None:
        """Ask for the preferences and keep them."""
        dialog = self.dialog()
        if dialog.exec():
            wanted = dialog.preferences()
            save(self._settings, wanted)
            self._appearance.choose(wanted.theme)
            self._apply(wanted)
            default = self._algorithms.default if self._algorithms else ""
            self._form.choose_algorithm(wanted.algorithm or default)
        dialog.deleteLater()

    def restore(self) -> None:
        """Restore the user's last preferences."""
        wanted = load(self._settings)
        self._appearance.restore()
        self._apply(wanted)
        if wanted.algorithm:
            self._form.choose_algorithm(wanted.algorithm)

    def _apply(self, wanted: Preferences) -> None:
        self.decompiler_chosen.emit(wanted.decompiler)
        self._controller.configure(dict(wanted.tools))
        search = self._form.search
        if wanted.granularity:
            search.granularity.setCurrentIndex(search.granularity.findData(wanted.granularity))
        search.jobs.setValue(wanted.jobs)
