"""The common means of the presenters of answers: the engine, the opened input, the page for answers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from app.engine.controller import Controller
from app.engine.opened_jar import OpenedJar
from app.graph.view import GraphView
from app.panels.answer_page import AnswerPage
from app.panels.lists.answer import AnswerList

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

    @property
    def jar(self) -> OpenedJar | None:
        """The opened input."""
        return self.controller.state.jar

    def libraries(self) -> tuple[str, ...]:
        """Return the class path of the input."""
        return tuple(self.class_path())
