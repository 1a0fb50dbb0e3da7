"""The common means of the presenters of answers: the engine, the opened input, the page for answers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import count
from typing import Any

from app.engine.controller import Controller
from app.engine.opened_jar import OpenedJar
from app.engine.run_state import EngineState
from app.graph.view import GraphView
from app.panels.answer_page import AnswerPage
from app.panels.lists.answer import AnswerList
from core.protocol.wire import Command

MOST = 2000
"""Rows that are made of class edges before the engine has weighed them."""


@dataclass(frozen=True)
class Asking:
    """The means by which presenters ask, and show what they hear."""

    controller: Controller
    graph: GraphView
    page: AnswerPage
    show_page: Callable[[AnswerList], None]
    """Shows another answer."""
    raise_page: Callable[[], None]
    """Brings the page to the front."""
    class_path: Callable[[], list[str]]
    _numbers: Any = field(default_factory=lambda: count(1))

    @property
    def jar(self) -> OpenedJar | None:
        """The opened input."""
        return self.controller.state.jar

    def number(self) -> int:
        """Return the number of a new request."""
        return int(next(self._numbers))

    def send(self, wish: Command) -> None:
        """Ask the engine, if it has an input."""
        if self.jar is not None and self.controller.state.phase not in (EngineState.LOADING, EngineState.DEAD):
            self.controller.client.send(wish)

    def libraries(self) -> tuple[str, ...]:
        """Return the class path of the input."""
        return tuple(self.class_path())
