"""The preferences of the user, put into effect: the theme that the window wears, tools, defaults of a reduction."""

from __future__ import annotations

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QApplication, QWidget

from app.dialogs.preferences_dialog import Preferences, PreferencesDialog, load, save
from app.engine.controller import Controller
from app.panels.form.run_form import RunForm
from app.presenter import Presenter
from app.theme.style import sheet
from app.theme.theme import DARK, LIGHT, ROLES, THEMES, Theme
from app.user_settings import UserSettings
from core.protocol import events


def palette(theme: Theme) -> QPalette:
    """Return the Qt palette of a theme."""
    made = QPalette()
    for word, name in ROLES.items():
        made.setColor(getattr(QPalette.ColorRole, word), getattr(theme, name))
    if theme.contrast:
        made.setColor(QPalette.ColorRole.Midlight, theme.gone)
    for role in (QPalette.ColorRole.WindowText, QPalette.ColorRole.Text, QPalette.ColorRole.ButtonText):
        made.setColor(QPalette.ColorGroup.Disabled, role, theme.disabled)
    return made


def apply(application: QApplication, theme: Theme) -> None:
    """Dress the whole application, unless it wears this theme already (a quarter of a second for a large window)."""
    if application.property("theme") == theme.name:
        return
    if application.property("theme") is None:
        application.setStyle("Fusion")
    application.setProperty("theme", theme.name)
    application.setPalette(palette(theme))
    application.setStyleSheet(sheet(theme))


def system_wants_contrast(application: QApplication) -> bool:
    """Return True if the system is set to high contrast."""
    hints = application.styleHints()  # its parts live no longer than this object
    return hints.accessibility().contrastPreference() is Qt.ContrastPreference.HighContrast


def system_prefers_dark(application: QApplication) -> bool:
    """Return True if the palette that the system gave the application looks dark."""
    given = application.palette()
    return given.window().color().lightness() < given.windowText().color().lightness()


_KEY = "theme"


class Appearance(QObject):
    """The appearance of the application; ``changed`` is for widgets that paint themselves."""

    changed = Signal(Theme)

    def __init__(self, settings: UserSettings, application: QApplication, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._settings, self._application = settings, application
        self._system_dark = system_prefers_dark(application)
        self._hints = application.styleHints()  # its parts live no longer than this object
        self._hints.accessibility().contrastPreferenceChanged.connect(self.restore)
        self.theme: Theme | None = None

    def restore(self) -> None:
        """Restore the last theme."""
        self._wear(str(self._settings.value(_KEY, "") or "system"))

    def choose(self, name: str) -> None:
        """Use the theme ``system``, ``light`` or ``dark`` from now on."""
        self._wear(name)
        self._settings.set_value(_KEY, name)

    def set_dark(self, dark: bool) -> None:
        """Use the dark theme or the light one from now on, unless it is in use already."""
        if self.theme is None or self.theme.dark is not dark:
            contrast = self.theme is not None and self.theme.contrast
            self.choose(_name(dark, contrast))

    def _wear(self, name: str) -> None:
        chosen = THEMES.get(name) or (DARK if self._system_dark else LIGHT)
        contrast = chosen.contrast or system_wants_contrast(self._application)
        self.theme = THEMES[_name(chosen.dark, contrast)]
        apply(self._application, self.theme)
        self.changed.emit(self.theme)


def _name(dark: bool, contrast: bool) -> str:
    """Return the name of the theme that is dark or not, and has high contrast or not."""
    if contrast:
        return "contrast-dark" if dark else "contrast"
    return "dark" if dark else "light"


class PreferencesPresenter(Presenter):
    """A presenter that fills the form with a reduction's first settings, and keeps the engine's offers for the form."""

    decompiler_chosen = Signal(str)

    _window: QWidget
    _settings: UserSettings
    _controller: Controller
    _form: RunForm
    _appearance: Appearance

    def _set_up(self) -> None:
        self._algorithms: events.Algorithms | None = None
        self._presets: events.Presets | None = None

    def offer_algorithms(self, offered: events.Algorithms) -> None:
        """Offer the engine's algorithms. At first the preferred algorithm is chosen."""
        first, self._algorithms = self._algorithms is None, offered
        self._form.search.set_algorithms(offered)
        if first:
            self._form.search.choose_algorithm(load(self._settings).algorithm)

    def offer_presets(self, presets: events.Presets) -> None:
        """Offer the engine's predicates."""
        self._presets = presets
        self._form.set_presets(presets)

    def dialog(self) -> PreferencesDialog:
        """Return the dialog, with the present preferences."""
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
            self._form.search.choose_algorithm(wanted.algorithm or default)
        dialog.deleteLater()

    def restore(self) -> None:
        """Restore the user's last preferences."""
        wanted = load(self._settings)
        self._appearance.restore()
        self._apply(wanted)
        if wanted.algorithm:
            self._form.search.choose_algorithm(wanted.algorithm)

    def _apply(self, wanted: Preferences) -> None:
        self.decompiler_chosen.emit(wanted.decompiler)
        self._controller.configure(dict(wanted.tools))
        search = self._form.search
        if wanted.granularity:
            search.granularity.setCurrentIndex(search.granularity.findData(wanted.granularity))
        search.jobs.setValue(wanted.jobs)
