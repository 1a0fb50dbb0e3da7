"""Files that are dropped on the window: what is opened, and a sentence on what is not."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QEvent, QMimeData, QObject
from PySide6.QtGui import QDropEvent
from PySide6.QtWidgets import QLineEdit, QPlainTextEdit, QWidget

JARS = (".jar", ".war", ".zip", ".ear", ".aar")
SESSION = ".jarlet"


@dataclass(frozen=True, slots=True)
class DroppedFiles:
    """Inputs among what was dropped, as paths. If anything else is with them, nothing is opened: ``problem`` says why,
    and ``program`` is a file that can be the command."""

    paths: tuple[str, ...] = ()
    problem: str = ""
    program: str = ""


def dropped(data: QMimeData) -> DroppedFiles:
    """Return the files of a drop, sorted out."""
    if not all(url.isLocalFile() for url in data.urls()):
        return DroppedFiles(problem="Only files of this computer can be dropped: download it first.")
    paths = [url.toLocalFile() for url in data.urls()]
    sessions = [path for path in paths if is_session(path)]
    if sessions and len(paths) > 1:
        return DroppedFiles(problem=f"{_name(sessions[0])} is a session: drop it alone.")
    others = [path for path in paths if not (Path(path).is_dir() or path.lower().endswith(JARS))]
    if not others:
        return DroppedFiles(tuple(paths))
    return _refused(others, alone=len(paths) == 1)


def _refused(others: Sequence[str], alone: bool) -> DroppedFiles:
    """Return the reason why files are no input."""
    first, name = Path(others[0]), _name(others[0])
    if not first.exists():
        return DroppedFiles(problem=f"There is no file {first}.")
    if first.suffix.lower() == ".class":
        return DroppedFiles(problem=f"{name} is a single class file: drop the jar, or the folder of classes, it is in.")
    if alone and os.access(first, os.X_OK):
        return DroppedFiles(
            problem=f"{name} is a program and no jar. It can be the command that shows the failure.", program=str(first)
        )
    kinds = ", ".join(JARS)
    rest = "" if alone else " Nothing was opened."
    return DroppedFiles(problem=f"{name} is no jar: drop a file that ends in {kinds}, or a folder of classes.{rest}")


def is_session(path: str) -> bool:
    """Return True if a path is the folder of a session."""
    return path.rstrip("/").endswith(SESSION) and Path(path).is_dir()


def _name(path: str) -> str:
    return Path(path).name


class DropGuard(QObject):
    """A filter that hands files dropped on a text field on to the window: their names are no text for the field."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        for field in (*window.findChildren(QLineEdit), *window.findChildren(QPlainTextEdit)):
            (field.viewport() if isinstance(field, QPlainTextEdit) else field).installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QDropEvent) and event.mimeData().hasUrls():
            event.ignore()  # so it goes on to what is around the field
            return True
        return False
