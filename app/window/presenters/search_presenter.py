"""Asks the engine for the members that the search field looks for."""

from __future__ import annotations

from PySide6.QtCore import QObject

from app.engine.controller import Controller
from app.panels.search_box import SearchBox
from core.protocol import events
from core.protocol.bug_commands import FindMembers


class SearchPresenter(QObject):
    """Only the answer to the newest question counts."""

    def __init__(self, controller: Controller, search: SearchBox) -> None:
        super().__init__(search)
        self._controller, self._search = controller, search
        self._request = 0
        search.members_wanted.connect(self._ask)
        controller.on(events.MembersFound, self._found)

    def _ask(self, words: str) -> None:
        if self._controller.state.jar is not None and self._controller.client.running:
            self._request += 1
            self._controller.client.send(FindMembers(words, self._request))

    def _found(self, event: events.MembersFound) -> None:
        if event.request == self._request:
            self._search.show_members(event)
