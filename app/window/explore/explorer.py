"""The explorer of a window: the wiring of questions and answers; all classes as sortable rows."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from app import text
from app.engine.controller import Controller
from app.engine.opened_jar import OpenedJar
from app.panels.answer_page import AnswerList, Cell
from app.panels.code_view import CodeLinks
from app.panels.lists.row_table import Column
from app.presenter import Presenter
from app.window.commands.named_files import FileChooser
from app.window.explore.relation_presenter import RelationPresenter
from app.window.explore.together import CyclePresenter, ImpactPresenter
from app.window.layout import WindowLayout
from app.window.presenters.inspector_presenter import InspectorPresenter
from app.window.selection import Selection
from core.protocol import events
from core.protocol.questions.explore import ListNamed, SearchCode

COLUMNS = (
    Column("Class"),
    Column("Size", 78),
    Column("Needed by", 84),
    Column("Needs", 70),
    Column("Depth", 64),
    Column("In a cycle of", 96),
)
_LEAST, _SUM, _LETTER = 86, 30, 8
"""Least width of a column of sums, its width beside its head, and that of a letter of this head, in pixels."""


def class_rows(jar: OpenedJar) -> tuple[NDArray[np.integer], list[tuple[Cell, ...]]]:
    """Return the classes, those that most others need first, and a row for each."""
    items = np.flatnonzero(jar.is_class)
    items = items[np.argsort(-np.diff(jar.needed_by.starts)[items], kind="stable")]
    component = jar.components[items]
    cycle = np.where(component >= 0, np.diff(jar.members.starts, append=0)[component], 0)
    columns = (
        jar.sizes[items],
        np.diff(jar.needed_by.starts)[items],
        np.diff(jar.needs.starts)[items],
        depths(jar)[items],
        np.where(cycle > 1, cycle, 0),
    )
    names = [jar.full[item] for item in items.tolist()]
    return items, list(zip(names, *(column.tolist() for column in columns), strict=True))


def depths(jar: OpenedJar) -> NDArray[np.int64]:
    """Return for each item the steps from the nearest class that nothing outside its own cycle needs."""
    component = jar.components
    across = component[jar.edge_from] != component[jar.edge_to]
    top = jar.is_class.copy()
    entered = np.unique(component[jar.edge_to[across]])
    top &= ~np.isin(component, entered)
    return np.maximum(jar.steps_from(top), 0)


class Explorer(Presenter):
    """The presenters of answers, and the ways to them."""

    _controller: Controller
    _parts: WindowLayout
    _selection: Selection
    _chooser: FileChooser
    _queries: InspectorPresenter

    def _set_up(self) -> None:
        self._links: CodeLinks | None = None
        self.relations = RelationPresenter(self._controller, self._parts)
        self.cycles = CyclePresenter(self._controller, self._parts)
        self.impact = ImpactPresenter(self._controller, self._parts, self._chooser)

    def goes_with(self) -> None:
        """Show the classes that go with the selection."""
        self.impact.ask(self._selection.names, "with")

    def around(self) -> None:
        """Show the smallest set around the selection."""
        self.impact.ask(self._selection.names, "around")

    def show_cycles(self) -> None:
        """Show the cycles among packages, of a class path among its jars."""
        self.cycles.ask_groups()
        self._parts.show_answers()

    def show_component(self, component: int) -> None:
        """Show the members of a cycle of classes, its edges, and those to cut."""
        members = self._controller.state.jar.members.of(component).tolist()
        if len(members) > 1:
            self.cycles.ask_classes(members)
            self._parts.show_answers()

    def rank_classes(self) -> None:
        """List all classes, to be sorted by bytes, dependents or depth."""
        jar = self._controller.state.jar
        items, rows = class_rows(jar)
        names = [jar.names[item] for item in items.tolist()]
        facts = "A head sorts by its column; depth: steps from a class that nothing else needs; double-click goes there"
        self._parts.inspector.show_answer(
            AnswerList(
                "classes",
                text.classes(jar.classes),
                facts,
                COLUMNS,
                rows,
                [(name,) for name in names],
                frozenset((1,)),
                open_row=lambda row: self.go_to(names[row]),
            )
        )
        self._parts.show_answers()

    def show_sums(self) -> None:
        """List the bytes of each colour of the graph, by jar and by package."""
        heads, *rows = self._parts.graph.sums() or [("Part",)]
        facts = "Each jar, then its packages" if rows else "Choose other colours below the graph than those of states"
        columns = (
            Column("Part"),
            *(Column(str(head), max(_LEAST, _SUM + _LETTER * len(str(head)))) for head in heads[1:]),
        )
        sizes = frozenset(range(1, len(heads)))
        self._parts.inspector.show_answer(AnswerList("sums", "Bytes by colour", facts, columns, rows, sizes=sizes))
        self._parts.show_answers()

    def show_named(self, wanted: bool) -> None:
        """Show, or no longer, which classes name others in strings alone."""
        if wanted:
            self._controller.ask(ListNamed(), lambda event: self._parts.graph.set_named(event.edges))
        else:
            self._controller.forget(ListNamed)
            self._parts.graph.set_named([])

    def search(self, words: str, place: str) -> None:
        """Look for a text in the code."""
        self._parts.find.begin()
        wish = SearchCode(words, place, self._queries.decompiler)
        self._controller.ask(wish, self._found, self._parts.find.note.setText)

    def _found(self, event: events.CodeFound) -> None:
        self._parts.find.add(event.places)
        self._parts.find.tell(event.found, event.looked, event.over)

    def show_code(self, name: str, kind: str, line: str) -> None:
        """Show a place of code in the source."""
        self.go_to(name)
        self._parts.centre.show_source()
        self._parts.centre.source.show_place(kind, line)

    def follow(self, line: str, word: str, code: str) -> None:
        """Go from a word of the code to the declaration that it names; the kind of code stays."""
        jar, queries = self._controller.state.jar, self._queries
        if self._links is None:
            self._links = CodeLinks(name for name, one in zip(jar.names, jar.is_class.tolist(), strict=True) if one)
        known = queries.known
        target = self._links.target(
            line, word, code, queries.owner, lambda owner: known[owner].names if owner in known else []
        )  # fmt: skip
        if target:
            self.remember()
            self.go_to(target)
        else:
            self._parts.status_bar.showMessage(f"{word or 'This'} is not declared in the input.", 4000)

    def know_members(self) -> None:
        """Ask for the members of the shown class, so that their names in the source can be followed."""
        item, owner = self._selection.item, self._queries.owner
        if self._parts.centre.source.kind == "source" and item >= 0 and owner not in self._queries.known:
            self._queries.ask_members([item])

    def remember(self) -> None:
        """Note the user's place, for Alt+Left."""
        self._parts.graph.navigation.remember()

    def go_to(self, name: str) -> None:
        """Go to a class or a member."""
        self._selection.select_name(name)

    def jar_opened(self) -> None:
        """Forget the answers about another input."""
        self._parts.inspector.answers.forget()
        self._parts.inspector.show_item()
        self._parts.find.forget()
        self._parts.graph.head.by_name.setChecked(False)
        self._links = None
        self.relations.forget()
