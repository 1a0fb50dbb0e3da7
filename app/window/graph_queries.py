"""Questions of graph, tree and search field beside the run: the remaining share of each class, the executed code, the
members of a name."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from app.engine.controller import Controller
from app.engine.event_decoder import unpack
from app.engine.opened_jar import OpenedJar
from app.graph.paint.graph_style import UsedItems
from app.graph.view import GraphView
from app.panels.search_box import SearchBox
from app.panels.tree.class_tree import ClassTree
from app.presenter import Presenter
from app.widgets import Soon
from core.protocol import events
from core.protocol.questions.items import FindMembers, ListLeft, ListUsed


def merge_lines(merged: Sequence[Sequence[int]], jar: OpenedJar) -> Mapping[int, str]:
    """Return a line for each item that became part of another one, or took others in. ``merged`` has pairs of items:
    a class, and the class that it is part of.
    """
    lines, parts = dict[int, str](), dict[int, list[str]]()
    for old, new in merged:
        lines[old] = f"now part of {jar.full[new]}"
        parts.setdefault(new, []).append(jar.full[old])
    for new, names in parts.items():
        lines[new] = f"with what is left of {', '.join(names)}"
    return lines


_AGAIN_MS = 900
"""Milliseconds between two requests for the remaining shares, while a reduction runs."""


class GraphQueries(Presenter):
    _controller: Controller
    _graph: GraphView
    _tree: ClassTree
    _search: SearchBox
    _tell: Callable[[str], None]

    def _set_up(self) -> None:
        self._soon = Soon(self, _AGAIN_MS, self._ask_left)
        self._search.members_wanted.connect(
            lambda words: self._controller.ask(FindMembers(words), self._search.show_members)
        )
        self._controller.on(OpenedJar).connect(self._soon.stop)

    def step_accepted(self) -> None:
        """Ask again soon: the best so far is smaller."""
        self._soon.ask()

    def run_started(self) -> None:
        """Show everything again, whatever an earlier run left."""
        self._soon.stop()
        self._controller.forget(ListLeft)
        self._graph.set_left(None, {})
        self._tree.model.set_left(None, {})

    def _ask_left(self) -> None:
        self._controller.ask(ListLeft(), self._left_told)
        if self._graph.colours == "used" or self._tree.use.kind:
            self.ask_used()

    def ask_used(self) -> None:
        """Ask which items a watched run used."""
        if self._controller.has_input:
            self._controller.client.send(ListUsed())

    def show_used(self, event: events.Used) -> None:
        """Show the items that a watched run used, if they are known."""
        items = self._controller.state.jar.items
        sets = (event.loaded, event.ran, event.read, event.named)
        used = UsedItems(*(unpack(words, items) if words else None for words in sets))
        self._graph.set_used(used)
        known = self._tree.set_used(used)
        if not known or (self._graph.colours == "used" and self._graph.canvas.tints is None):
            why = event.problem or "No run was watched yet: a reduction that begins at the failure watches one."
            self._tell(f"It is not known what ran. {why}")

    def _left_told(self, event: events.LeftTold) -> None:
        merges = merge_lines(event.merged, self._controller.state.jar)
        self._graph.set_left(event.sizes, merges)
        self._tree.model.set_left(event.sizes, merges)
