"""Finds texts in the code, and leads from a place of code to a declaration."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject

from app.panels.find_panel import FindPanel
from app.window.explore.asking import Asking
from core.protocol import events
from core.protocol.explore_commands import SearchCode


class FindPresenter(QObject):
    """The presenter of places of a text. Only the answers to the newest question count."""

    def __init__(self, asking: Asking, panel: FindPanel, decompiler: Callable[[], str]) -> None:
        super().__init__(panel)
        self._asking, self._panel, self._decompiler = asking, panel, decompiler
        self._request = 0
        panel.wanted.connect(self._ask)
        asking.controller.on(events.CodeFound, self._found)

    def _ask(self, words: str, place: str) -> None:
        self._request = self._asking.number()
        self._panel.begin()
        self._asking.send(SearchCode(words, place, self._decompiler(), self._request))

    def _found(self, event: events.CodeFound) -> None:
        if event.request == self._request:
            self._panel.add(event.names, event.lines)
            self._panel.tell(event.found, event.looked, event.over, event.problem)
