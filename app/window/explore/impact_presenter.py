"""The set that goes with the selection, and the smallest set around it: as a list, in the graph, as a jar."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from PySide6.QtCore import QObject

from app import text
from app.engine.opened_jar import OpenedJar
from app.panels.lists.answer import AnswerAction, AnswerList
from app.panels.lists.row_table import Column
from app.window.commands.file_chooser import FileChooser
from app.window.explore.asking import Asking
from core.protocol.java_names import item_title, split
from core.protocol.questions.explore import FindImpact, ImpactFound
from core.protocol.questions.exports import ExportImpact

_COLUMNS = (
    Column("Class or member"),
    Column("Size", 72),
    Column("Because of"),
    Column("Rule"),
)
_DRAWN_MOST = 400
"""Classes that are drawn as a graph of their own."""


class ImpactPresenter(QObject):
    """The presenter of sets that go or stay together."""

    def __init__(self, asking: Asking, chooser: FileChooser) -> None:
        super().__init__(asking.page)
        self._asking, self._chooser = asking, chooser

    def ask(self, names: Sequence[str], kind: str) -> None:
        """Ask what goes ``with`` some items, or for the smallest set ``around`` them."""
        jar, page = self._asking.jar, self._asking.page
        if not names or jar is None:
            return
        wish = FindImpact(tuple(names), kind, self._asking.libraries())
        more = f" + {len(names) - 1}" if names[1:] else ""
        title = f"{'What goes with' if kind == 'with' else 'Smallest set around'} {item_title(names[0], True)}{more}"
        empty = AnswerList(f"impact {kind} {wish.items}", title, "Computing it; the first time once per jar…", _COLUMNS)
        self._asking.show_page(empty)
        self._asking.raise_page()
        self._asking.controller.ask(
            wish,
            lambda event: page.improve(self._answer(empty, event, wish, jar)),
            lambda problem: page.improve(replace(empty, facts=problem)),
        )

    def _answer(self, empty: AnswerList, event: ImpactFound, wish: FindImpact, jar: OpenedJar) -> AnswerList:
        rows = [
            (item_title(name), size, item_title(why) if why else "", rule)
            for name, size, why, rule in zip(event.names, event.bytes, event.because, event.rules, strict=True)
        ]
        return replace(
            empty,
            facts=self._facts(event, jar.bytes, jar.classes),
            rows=rows,
            names=[(name, "", why) for name, why in zip(event.names, event.because, strict=True)],
            sizes=frozenset((1,)),
            actions=self._actions(event, wish),
        )

    def _facts(self, event: ImpactFound, octets: int, classes: int) -> str:
        whole = sum(name == split(name)[0] for name in event.names)
        parts = len(event.classes) - whole
        words = [f"{text.plural(whole, 'class', 'classes')} of {text.count(classes)}"]
        if parts:
            words.append(f"parts of {text.plural(parts, 'other class', 'other classes')}")
        words += [text.plural(event.items, "item"), f"{text.size(event.total)} of {text.size(octets)}"]
        return " · ".join(words)

    def _actions(self, event: ImpactFound, wish: FindImpact) -> tuple[AnswerAction, ...]:
        classes = tuple(event.classes[:_DRAWN_MOST])
        words = "Export the rest…" if event.kind == "with" else "Export as jar…"
        tip = "Write what is left without them as a jar" if event.kind == "with" else "Write this set as a jar"
        actions = [AnswerAction(words, tip, lambda: self._export(wish))]
        if classes:
            draw = AnswerAction(
                "Draw it", "Show these classes as a graph of their own",
                lambda: self._asking.graph.draw_together(classes),
            )  # fmt: skip
            actions.insert(0, draw)
        return tuple(actions)

    def _export(self, wish: FindImpact) -> None:
        owner = split(wish.items[0])[0].rpartition("/")[2]
        name = f"without-{owner}.jar" if wish.kind == "with" else f"around-{owner}.jar"
        path, _ = self._chooser.target("export", "Export jar", name, "Jar (*.jar)")
        if path and self._asking.controller.has_input:
            self._asking.controller.client.send(ExportImpact(path, wish))
