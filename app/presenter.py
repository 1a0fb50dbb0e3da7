"""The base of presenters and commands: an object of Qt with its parts as fields; and who serves whom, by a table."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import Any, dataclass_transform

from PySide6.QtCore import QObject

from resources import path

WIRES = tomllib.loads(path("wires.toml").read_text(encoding="utf-8"))
"""Who serves whom: of the window, and within its graph."""


def called(owner: object, words: str) -> Callable[..., Any]:
    """Return the method that a table names by its path from ``owner``, maybe with an argument behind a space."""
    method_path, *arguments = words.split()
    method: Callable[..., Any] = attrgetter(method_path)(owner)
    return (lambda *_: method(*arguments)) if arguments else method


def wired(owner: object, table: Mapping[str, Mapping[str, Sequence[str]]]) -> None:
    """Connect signals: ``table`` has for each part, by its path from ``owner``, the functions that serve a signal."""
    for sender, signals in table.items():
        for name, slots in signals.items():
            for slot in slots:
                attrgetter(f"{sender}.{name}")(owner).connect(called(owner, slot))


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
