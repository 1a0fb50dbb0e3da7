"""Which theme the window wears: the user's choice, else that of the system."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QApplication

from app.theme import palette
from app.theme.theme import DARK, LIGHT, THEMES, Theme
from app.user_settings import UserSettings

_KEY = "theme"


class Appearance(QObject):
    """The appearance of the application; ``changed`` is for widgets that paint themselves."""

    changed = Signal(Theme)

    def __init__(self, settings: UserSettings, application: QApplication, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._settings, self._application = settings, application
        self._system_dark = palette.system_prefers_dark(application)
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
        contrast = chosen.contrast or palette.system_wants_contrast(self._application)
        self.theme = THEMES[_name(chosen.dark, contrast)]
        palette.apply(self._application, self.theme)
        self.changed.emit(self.theme)


def _name(dark: bool, contrast: bool) -> str:
    """Return the name of the theme that is dark or not, and has high contrast or not."""
    if contrast:
        return "contrast-dark" if dark else "contrast"
    return "dark" if dark else "light"
