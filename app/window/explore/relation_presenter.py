"""The class edges between two sets, and the neighbours of a package, as lists."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from app import text
from app.engine.controller import Controller
from app.engine.opened_jar import JarFolder, OpenedJar
from app.graph.scene.relations import PackageSet, Relation, set_title
from app.panels.answer_page import AnswerAction, AnswerList
from app.panels.lists.row_table import Column
from app.presenter import Presenter
from app.window.layout import WindowLayout
from core.protocol.java_names import item_title, package_name
from core.protocol.questions.explore import ClassEdge, EdgesListed, ListEdges
from core.protocol.questions.items import EdgeExplained, ExplainEdge

MOST = 2000
"""Rows that are made of class edges before the engine has weighed them."""


class Answerer(Presenter):
    """A presenter of answers: asks the engine, and shows its reply on the page for answers."""

    _controller: Controller
    _parts: WindowLayout

    def _set_up(self) -> None:
        self._graph = self._parts.graph
        self._page, self._show_page = self._parts.inspector.answers, self._parts.inspector.show_answer

    @property
    def _jar(self) -> OpenedJar:
        """The opened input."""
        return self._controller.state.jar

    def _libraries(self) -> tuple[str, ...]:
        """Return the class path of the input."""
        return tuple(self._parts.run.form.library.paths)


_EDGE_COLUMNS = (
    Column("Class"),
    Column("Needed class"),
    Column("Needs", 62),
    Column("Rules"),
)
_PACKAGE_COLUMNS = (
    Column("Direction", 92, right=False),
    Column("Package"),
    Column("Class edges", 92),
    Column("Classes", 72),
)
_REASONS = ("Part → needed part", "Reason")
_EDGES_DRAWN_MOST = 300
"""Classes that are drawn as a graph of their own."""


class RelationPresenter(Answerer):
    """The presenter of class edges."""

    def _set_up(self) -> None:
        super()._set_up()
        self._first: tuple[int, ...] = ()
        self._second: tuple[int, ...] = ()

    # -- class edges --------------------------------------------------------------------

    def show(self, relation: Relation) -> None:
        """List the class edges of a relation: as the class graph has them, until the engine has weighed them."""
        jar = self._jar
        pairs = relation.pairs(jar)
        rows = [ClassEdge(a, b, 0, "…") for a, b in pairs[:MOST].tolist()]
        self._show_page(self._answer(jar, relation, rows, len(pairs), "weighing them, once per jar…"))
        wish = ListEdges(relation.sources, relation.targets, self._libraries())
        self._controller.ask(wish, lambda event: self._listed(jar, relation, event))

    def _listed(self, jar: OpenedJar, relation: Relation, event: EdgesListed) -> None:
        edges = event.edges
        words = f"{text.counted(sum(edge.weight for edge in edges), 'need')} between their parts"
        self._page.improve(self._answer(jar, relation, edges, event.total, words))
        if edges and edges[0].weight:
            a, b, weight, rules = edges[0]
            rule = "" if edges[1:] else f": {rules.partition('; ')[0]}"  # of several the list tells it
            heaviest = f"{jar.simple[a]} → {jar.simple[b]} ({text.counted(weight, 'need')}{rule})"
            self._graph.edges.tell_heaviest(relation, f"The heaviest: {heaviest}")

    def _answer(
        self, jar: OpenedJar, relation: Relation, rows: Sequence[ClassEdge], total: int, words: str
    ) -> AnswerList:
        back = len(relation.turned().pairs(jar))
        facts = [text.counted(total, "class dependency"), words]
        if len(rows) < total:
            facts.append(f"the first {text.count(len(rows))} are listed")
        facts.append(f"{text.count(back)} the other way" if back else "none the other way")
        actions = [AnswerAction("Draw them", "Show these classes as a graph of their own", lambda: self._draw(rows))]
        if back:
            turn = AnswerAction("Other way", f"List {relation.turned().title}", lambda: self.show(relation.turned()))
            actions.insert(0, turn)
        key = f"edges {relation.title}"
        return AnswerList(
            key,
            relation.title,
            " · ".join(facts),
            _EDGE_COLUMNS,
            [(*_shown(jar, a, b, relation), weight, rule) for a, b, weight, rule in rows],
            [(jar.names[a], jar.names[b]) for a, b, _, _ in rows],
            actions=tuple(actions),
            open_row=lambda row: self._draw(rows[row : row + 1]),
            choose_row=lambda row: self._ask_reasons(key, *rows[row][:2]),
        )

    def _draw(self, rows: Sequence[ClassEdge]) -> None:
        items = tuple(dict.fromkeys(item for row in rows for item in row[:2]))[:_EDGES_DRAWN_MOST]
        if items:
            self._graph.draw_together(items)

    def _ask_reasons(self, key: str, source: int, target: int) -> None:
        names, page = self._jar.names, self._page
        page.show_detail(key, _REASONS, [("", "Computing…", "")])
        self._controller.ask(
            ExplainEdge((names[source],), (names[target],), self._libraries()),
            lambda event: self._explained(key, event),
            lambda problem: page.show_detail(key, _REASONS, [("", problem, "")]),
        )

    def _explained(self, key: str, event: EdgeExplained) -> None:
        rows = [(part, f"{item_title(part, True)} → {item_title(other, True)}", rule)
                for part, other, rule in event.reasons]  # fmt: skip
        if not rows:
            rows = [("", "It is named there; only what is called in between needs it.", "")]
        self._page.show_detail(key, _REASONS, rows, event.more)

    # -- two sets -----------------------------------------------------------------------

    def set_bound(self, items: Sequence[int], second: bool) -> None:
        """Take one of two sets; with both, list the dependencies of the first on the second."""
        jar = self._jar
        if not items:
            return
        if second:
            self._second = tuple(items)
        else:
            self._first, self._second = tuple(items), ()
        title = set_title(jar, tuple(items))
        if self._first and self._second:
            relation = Relation(set_title(jar, self._first), title, self._first, self._second)
            self._graph.edges.show(relation)
            self._parts.show_answers()
        else:
            missing = "Now choose what is needed, and “List dependencies to here” in its menu."
            if second:
                missing = "Choose what needs it first, and “List dependencies from here” in its menu."
            self._graph.path_bar.tell(f"{title}: {missing}")

    def forget(self) -> None:
        """Forget the sets of another input."""
        self._first = self._second = ()

    # -- packages -----------------------------------------------------------------------

    def show_package(self, chosen: PackageSet) -> None:
        """List the dependencies and the dependents of a package, as packages."""
        jar = self._jar
        if not chosen.items:
            return
        number = np.zeros(jar.items, np.int64)
        for at, folder in enumerate(jar.folders):
            number[folder.numbers] = at
        inside = np.zeros(jar.items, np.bool_)
        inside[list(chosen.items)] = True
        rows: list[tuple[str, str, int, int]] = []
        others: list[JarFolder] = []
        for words, mine, theirs in (
            ("needs", jar.edge_from, jar.edge_to), ("needed by", jar.edge_to, jar.edge_from),
        ):  # fmt: skip
            meant = inside[mine] & ~inside[theirs]
            weights = np.bincount(number[theirs[meant]], minlength=len(jar.folders))
            classes = np.bincount(number[np.unique(theirs[meant])], minlength=len(jar.folders))
            order = np.argsort(-weights, kind="stable")[: int((weights > 0).sum())].tolist()
            rows += [(words, _title(jar.folders[at]), int(weights[at]), int(classes[at])) for at in order]
            others += [jar.folders[at] for at in order]
        needs = sum(row[0] == "needs" for row in rows)
        octets = int(jar.sizes[list(chosen.items)].sum())
        facts = (
            f"{text.classes(len(chosen.items))} · {text.size(octets)} · "
            f"needs {text.counted(needs, 'package')} · needed by {len(rows) - needs}; double-click one for its classes"
        )
        self._show_page(
            AnswerList(
                f"package {chosen.title}",
                chosen.title,
                facts,
                _PACKAGE_COLUMNS,
                rows,
                open_row=lambda row: self._open_package(chosen, rows[row][0] == "needs", others[row]),
            )
        )

    def _open_package(self, chosen: PackageSet, needs: bool, other: JarFolder) -> None:
        mine = set(chosen.items)
        items = tuple(item for item in other.items if item not in mine)
        relation = Relation(chosen.title, _title(other), chosen.items, items)
        self._graph.edges.show(relation if needs else relation.turned())


def _title(folder: JarFolder) -> str:
    """Return the title of a package, of several jars with its jar."""
    return f"{folder.jar and folder.jar + ': '}{package_name(folder.name)}"


def _shown(jar: OpenedJar, source: int, target: int, relation: Relation) -> tuple[str, str]:
    """Return the names of both ends, without a package that the title has."""
    first = jar.simple[source] if jar.packages[source] == relation.source else jar.full[source]
    second = jar.simple[target] if jar.packages[target] == relation.target else jar.full[target]
    return first, second
