"""Classes that stay or go together: cycles with the edges to cut, the companions of a class, the set around it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from operator import itemgetter

import numpy as np

from app import text
from app.engine.opened_jar import OpenedJar
from app.graph.paint.overlay import CUTS_MOST
from app.graph.scene.relations import Relation
from app.panels.answer_page import AnswerAction, AnswerList
from app.panels.lists.row_table import Column
from app.window.commands.named_files import FileChooser
from app.window.explore.relation_presenter import Answerer
from core.protocol.java_names import item_title, java_name, package_name, split
from core.protocol.questions.explore import FindCycles, FindImpact, FoundCycle, ImpactFound
from core.protocol.questions.exports import ExportImpact

_EDGES = (
    Column("To cut", 60, right=False),
    Column("Needs"),
    Column("Needed"),
    Column("Class edges", 92),
)
_CYCLES = (
    Column("Cycle"),
    Column("Packages", 80),
    Column("Edges", 70),
    Column("To cut", 70),
    Column("Class edges to cut", 140),
)
_SHOWN: dict[str, Callable[[str], str]] = {"packages": package_name, "classes": java_name, "jars": str}
"""Names as Java writes them, by what makes a cycle."""
_LISTED = 200
"""Class edges of one row that are listed beside it."""


class CyclePresenter(Answerer):
    """The presenter of cycles."""

    def ask_groups(self) -> None:
        """Ask for the cycles among packages, of a class path for those among its jars."""
        self._graph.edges.leave()
        self._ask("jars" if any(folder.jar for folder in self._jar.folders) else "packages", ())

    def ask_classes(self, items: Sequence[int]) -> None:
        """Ask which edges open a cycle of classes."""
        self._ask("classes", tuple(items))

    def _ask(self, many: str, items: tuple[int, ...]) -> None:
        jar = self._jar
        self._controller.ask(FindCycles(many, items), lambda event: self._found(jar, many, event.cycles))

    def _found(self, jar: OpenedJar, many: str, cycles: Sequence[FoundCycle]) -> None:
        if len(cycles) == 1:
            self._show(jar, cycles[0], many)
            return
        rows = []
        for cycle in cycles:
            heavy = sum(weight for *_, weight in cycle.cuts)
            names = ", ".join(map(_SHOWN[many], cycle.names))
            rows.append((names, len(cycle.names), len(cycle.edges), len(cycle.cuts), heavy))
        self._show_page(
            AnswerList(
                f"cycles {many}",
                f"Cycles among {many}",
                f"{text.counted(len(cycles), 'cycle')} · double-click one for its edges, and for those to cut"
                if cycles
                else f"There is no cycle among {many}.",
                _CYCLES,
                rows,
                actions=self._finer(many),
                open_row=lambda row: self._show(jar, cycles[row], many),
            )
        )

    def _finer(self, many: str) -> tuple[AnswerAction, ...]:
        """Return the button for the cycles among the packages of a class path."""
        tip = "List the cycles among the packages of all jars"
        return (AnswerAction("Cycles of packages", tip, lambda: self._ask("packages", ())),) * (many == "jars")

    def _show(self, jar: OpenedJar, cycle: FoundCycle, many: str) -> None:
        names, cuts = cycle.names, {edge[:2] for edge in cycle.cuts}
        shown = list(map(_SHOWN[many], names))
        edges = [
            *sorted(cycle.cuts, key=itemgetter(2)),
            *(edge for edge in cycle.edges if edge[:2] not in cuts),
        ]
        rows = [("cut" if (a, b) in cuts else "", shown[a], shown[b], weight) for a, b, weight in edges]
        heavy = sum(weight for *_, weight in cycle.cuts)
        how = "no lighter cut exists" if cycle.exact else "few and light, perhaps not the fewest"
        facts = (
            f"{text.counted(len(edges), 'edge')} · without the {text.counted(len(cuts), 'edge')} marked “cut” "
            f"({text.counted(heavy, 'class dependency')}; {how}) there is no cycle"
        )
        groups, graph = _groups(jar, names, many), self._graph
        relations = [Relation(shown[a], shown[b], groups[a], groups[b]) for a, b, _ in edges]
        to_cut = relations[: len(cuts)]
        key = f"cycle {many} {names[0]}"
        mark = AnswerAction(
            "Draw the cuts" if len(to_cut) <= CUTS_MOST else f"Draw the {CUTS_MOST} lightest cuts",
            "Mark the edges to cut in the graph, and pale all others; a row of the list marks its own",
            lambda: graph.mark_cuts(to_cut, many),
        )
        matrix = AnswerAction(
            "Cuts in the matrix",
            "Outline the edges to cut in the matrix of packages",
            lambda: graph.mark_cells(to_cut),
        )
        named = [("", names[a], names[b]) for a, b, _ in edges] if many == "classes" else []
        self._show_page(
            AnswerList(
                key,
                f"Cycle of {len(names):,} {many}",
                facts,
                _EDGES,
                rows,
                named,
                actions=(mark, matrix) if many == "packages" else (mark, *self._finer(many)),
                open_row=lambda row: graph.edges.show(relations[row]),
                choose_row=lambda row: self._show_edge(key, jar, relations[row]),
            )
        )

    def _show_edge(self, key: str, jar: OpenedJar, relation: Relation) -> None:
        """Mark an edge of a cycle in the graph, and list its class edges beside the row."""
        self._graph.edges.mark_cut(relation)
        pairs = relation.pairs(jar)
        rows = [(jar.names[a], jar.simple[a], jar.simple[b]) for a, b in pairs[:_LISTED].tolist()]
        self._page.show_detail(key, ("Class", "Needed class"), rows, len(pairs) - len(rows))


def _groups(jar: OpenedJar, names: Sequence[str], many: str) -> list[tuple[int, ...]]:
    """Return the items behind each name."""
    place = {name: at for at, name in enumerate(names)}
    groups: list[list[int]] = [[] for _ in names]
    jars = {item: folder.jar for folder in jar.folders for item in folder.items} if many == "jars" else {}
    for item in np.flatnonzero(jar.is_class).tolist():
        name = jar.names[item]
        at = place.get(jars[item] if jars else name.rpartition("/")[0] if many == "packages" else name)
        if at is not None:
            groups[at].append(item)
    return list(map(tuple, groups))


_COLUMNS = (
    Column("Class or member"),
    Column("Size", 72),
    Column("Because of"),
    Column("Rule"),
)
_DRAWN_MOST = 400
"""Classes that are drawn as a graph of their own."""


class ImpactPresenter(Answerer):
    """The presenter of sets that go or stay together."""

    _chooser: FileChooser

    def ask(self, names: Sequence[str], kind: str) -> None:
        """Ask for the companions ``with`` some items, or for the smallest set ``around`` them."""
        jar, page = self._jar, self._page
        if not names:
            return
        wish = FindImpact(tuple(names), kind, self._libraries())
        more = f" + {len(names) - 1}" if names[1:] else ""
        title = f"{'What goes with' if kind == 'with' else 'Smallest set around'} {item_title(names[0], True)}{more}"
        empty = AnswerList(f"impact {kind} {wish.items}", title, "Computing it; the first time once per jar…", _COLUMNS)
        self._show_page(empty)
        self._parts.show_answers()
        self._controller.ask(
            wish,
            lambda event: page.improve(self._answer(empty, event, wish, jar)),
            lambda problem: page.improve(replace(empty, facts=problem)),
        )

    def _answer(self, empty: AnswerList, event: ImpactFound, wish: FindImpact, jar: OpenedJar) -> AnswerList:
        rows = [
            (item_title(name), size, item_title(why) if why else "", rule) for name, size, why, rule in event.companions
        ]
        return replace(
            empty,
            facts=self._facts(event, jar.bytes, jar.classes),
            rows=rows,
            names=[(one.name, "", one.because) for one in event.companions],
            sizes=frozenset((1,)),
            actions=self._actions(event, wish),
        )

    def _facts(self, event: ImpactFound, octets: int, classes: int) -> str:
        whole = sum(one.name == split(one.name)[0] for one in event.companions)
        parts = len(event.classes) - whole
        words = [f"{text.classes(whole)} of {text.count(classes)}"]
        if parts:
            words.append(f"parts of {text.counted(parts, 'other class')}")
        words += [text.counted(event.items, "item"), f"{text.size(event.total)} of {text.size(octets)}"]
        return " · ".join(words)

    def _actions(self, event: ImpactFound, wish: FindImpact) -> tuple[AnswerAction, ...]:
        classes = tuple(event.classes[:_DRAWN_MOST])
        words = "Export the rest…" if event.kind == "with" else "Export as jar…"
        tip = "Write what is left without them as a jar" if event.kind == "with" else "Write this set as a jar"
        actions = [AnswerAction(words, tip, lambda: self._export(wish))]
        if classes:
            draw = AnswerAction(
                "Draw it", "Show these classes as a graph of their own",
                lambda: self._graph.draw_together(classes),
            )  # fmt: skip
            actions.insert(0, draw)
        return tuple(actions)

    def _export(self, wish: FindImpact) -> None:
        owner = split(wish.items[0])[0].rpartition("/")[2]
        name = f"without-{owner}.jar" if wish.kind == "with" else f"around-{owner}.jar"
        path, _ = self._chooser.target("export", "Export jar", name, "Jar (*.jar)")
        if path:
            told = f"Written: {path}."
            self._controller.ask(ExportImpact(path, wish), lambda _: self._parts.messages.tell(told, "good"), each=True)
