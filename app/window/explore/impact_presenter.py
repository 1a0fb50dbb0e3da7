"""The set that goes with the selection, and the smallest set around it: as a list, in the graph, as a jar."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QObject

from app import text
from app.panels.lists.answer import AnswerAction, AnswerList
from app.panels.lists.row_table import Column
from app.window.commands.file_chooser import FileChooser
from app.window.explore.asking import Asking
from core.protocol import events
from core.protocol.explore_commands import ExportImpact, FindImpact
from core.protocol.java_names import item_title, split

_COLUMNS = (
    Column("Class or member"),
    Column("Size", 72),
    Column("Because of"),
    Column("Rule"),
)
_DRAWN_MOST = 400
"""Classes that are drawn as a graph of their own."""


class ImpactPresenter(QObject):
    """The presenter of sets that go or stay together. Only the answer to the newest question counts."""

    def __init__(self, asking: Asking, chooser: FileChooser) -> None:
        super().__init__(asking.page)
        self._asking, self._chooser = asking, chooser
        self._wish: FindImpact | None = None
        asking.controller.on(events.ImpactFound, self._found)

    def ask(self, names: Sequence[str], kind: str) -> None:
        """Ask what goes ``with`` some items, or for the smallest set ``around`` them."""
        if not names or self._asking.jar is None:
            return
        self._wish = FindImpact(tuple(names), kind, self._asking.libraries(), self._asking.number())
        self._asking.show_page(
            AnswerList(self._key, self._title, "Computing it; the first time once per jar…", _COLUMNS)
        )
        self._asking.raise_page()
        self._asking.send(self._wish)

    @property
    def _key(self) -> str:
        return f"impact {self._wish.kind} {self._wish.items}" if self._wish is not None else ""

    @property
    def _title(self) -> str:
        assert self._wish is not None
        names = self._wish.items
        title = item_title(names[0], True) if len(names) == 1 else f"{item_title(names[0], True)} + {len(names) - 1}"
        return f"What goes with {title}" if self._wish.kind == "with" else f"Smallest set around {title}"

    def _found(self, event: events.ImpactFound) -> None:
        wish, jar = self._wish, self._asking.jar
        if wish is None or event.request != wish.request or event.state == "building" or jar is None:
            return
        if event.problem:
            self._asking.page.improve(AnswerList(self._key, self._title, event.problem, _COLUMNS))
            return
        rows = [
            (item_title(name), size, item_title(why) if why else "", rule)
            for name, size, why, rule in zip(event.names, event.bytes, event.because, event.rules, strict=True)
        ]
        self._asking.page.improve(
            AnswerList(
                self._key,
                self._title,
                self._facts(event, jar.bytes, jar.classes),
                _COLUMNS,
                rows,
                [(name, "", why) for name, why in zip(event.names, event.because, strict=True)],
                sizes=frozenset((1,)),
                actions=self._actions(event, wish),
            )
        )

    def _facts(self, event: events.ImpactFound, octets: int, classes: int) -> str:
        whole = sum(name == split(name)[0] for name in event.names)
        parts = len(event.classes) - whole
        words = [f"{text.plural(whole, 'class', 'classes')} of {text.count(classes)}"]
        if parts:
            words.append(f"parts of {text.plural(parts, 'other class', 'other classes')}")
        words += [text.plural(event.items, "item"), f"{text.size(event.total)} of {text.size(octets)}"]
        return " · ".join(words)

    def _actions(self, event: events.ImpactFound, wish: FindImpact) -> tuple[AnswerAction, ...]:
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
        if path:
            self._asking.send(ExportImpact(path, wish))
