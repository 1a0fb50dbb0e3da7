"""The base of presenters and commands: an object of Qt with its parts as fields."""

from __future__ import annotations

from dataclasses import dataclass
from typing import dataclass_transform

from PySide6.QtCore import QObject


@dataclass_transform(eq_default=False)
class Presenter(QObject):
    """An object that is made with its annotated fields, in their order. The first object of Qt among them owns it."""

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        dataclass(eq=False, repr=False)(cls)

    def __post_init__(self) -> None:
        super().__init__(next(part for part in vars(self).values() if isinstance(part, QObject)))
        self._set_up()

    def _set_up(self) -> None:
        """Set the other attributes, and connect signals."""
