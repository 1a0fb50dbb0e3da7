"""The inspector: facts of the selected class or member, its dependencies and dependents."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache

from PySide6.QtCore import QEvent, QRectF, Qt, Signal
from PySide6.QtGui import QIcon, QPainter
from PySide6.QtWidgets import (
    QLabel,
    QStackedLayout,
    QTreeWidget,
    QTreeWidgetItem,
    QTreeWidgetItemIterator,
    QWidget,
)

from app.engine.run_state import ItemState
from app.graph.paint.graph_style import GraphStyle, worn_style
from app.painting import blank
from app.panels.answer_page import AnswerList, AnswerPage
from app.panels.lists.tie_tree import FOLDED, GROUPS, TieTree, group_of, item_of, tie_row
from app.panels.tree.tree_delegate import draw_mark
from app.widgets import beside, button, column_of, made, row_of
from app.words import STATE_WORDS
from core.protocol import events
from core.protocol.java_names import item_title, split

_MARK = 12
_SHOWN = Qt.ItemDataRole.UserRole + 1
"""State and style of the icon that a row has."""


class Inspector(QWidget):
    """The panel of one item, in the engine's names."""

    item_wanted = Signal(str)
    """An item among the ties was chosen."""

    def __init__(self) -> None:
        super().__init__()
        self._name = ""
        self.state_of: Callable[[str], ItemState | None] = lambda name: None
        """The state of a class or a part by its name; None = nothing to tell."""
        self.title = made(QLabel(), heading=True, textInteractionFlags=Qt.TextInteractionFlag.TextSelectableByMouse)
        self.state = made(QLabel(), accessibleName="State of the item")
        self.facts = made(
            QLabel(), muted=True, wordWrap=True, textInteractionFlags=Qt.TextInteractionFlag.TextSelectableByMouse
        )
        self.needs, self.needed_by = TieTree("Needs"), TieTree("Needed by")
        for tree in (self.needs, self.needed_by):
            tree.item_wanted.connect(self.item_wanted)
        self.to_answers = button("Back to the list", "Show the list that led here", self.show_answers)
        self.to_answers.hide()
        self._item_page = QWidget()
        column_of(
            column_of(
                row_of(self.title, (self.state, 1), self.to_answers, spacing=10),
                self.facts,
                margins=(12, 6, 12, 4),
                spacing=2,
            ),
            (beside(self.needs, self.needed_by), 1),
            owner=self._item_page,
            spacing=0,
        )
        self.answers = AnswerPage()
        self._pages = QStackedLayout(self)
        self._pages.addWidget(self._item_page)
        self._pages.addWidget(self.answers)
        self.answers.emptied.connect(self.show_item)
        self.look_at("")

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() is QEvent.Type.StyleChange:
            self.show_states()

    def look_at(self, name: str, facts: Sequence[str] = ()) -> None:
        """Show another item: the known facts at once, the other facts later."""
        self._name = name
        self.show_item()
        self.title.setText(item_title(name) if name else "Nothing is selected")
        words = " · ".join(facts) if name else "Select a class or a member in the tree or in the graph."
        self.facts.setText(words)
        for tree in (self.needs, self.needed_by):
            tree.clear()
            if name:
                tree.add_line("Computing…")
        self.show_states()

    def show_answer(self, answer: AnswerList) -> None:
        """Show an answer in place of the item."""
        self.answers.show_answer(answer)
        self.show_answers()

    def show_answers(self) -> None:
        """Show the last answer in place of the item, if there is one."""
        if self.answers.shown is not None:
            self._pages.setCurrentWidget(self.answers)

    def show_item(self) -> None:
        """Show the item in place of an answer."""
        self._pages.setCurrentWidget(self._item_page)
        self.to_answers.setVisible(self.answers.shown is not None)

    def show_ties(self, event: events.Inspected, facts: Sequence[str]) -> None:
        """Show the ties of the item to others."""
        words = [*facts, *(f"{word} {value}" for word, value in event.facts)]
        self.facts.setText(" · ".join(words))
        if event.state == "failed":
            self._note(event.problem)
            return
        if event.state == "building":
            self._note("Computing dependencies, once per jar…")
            return
        self._fill(self.needs, event.needs, event.more[0], "Needs nothing else.")
        self._fill(self.needed_by, event.needed_by, event.more[1], "Nothing needs it.")
        self.show_states()

    def classes(self) -> list[str]:
        """Return the classes of all items that are named here."""
        rows = (row for tree in (self.needs, self.needed_by) for row in _rows(tree))
        names = [self._name, *map(item_of, rows)]
        return list(dict.fromkeys(split(name)[0] for name in names if name))

    def show_states(self) -> None:
        """Mark each shown item as kept, needed or gone, as :attr:`state_of` says now."""
        state, look = self.state_of(self._name) if self._name else None, worn_style()
        self.state.setText(STATE_WORDS[state] if state is not None else "")
        for tree in (self.needs, self.needed_by):
            for row in _rows(tree):
                name = item_of(row)
                state = self.state_of(name) if name else None
                if row.data(0, _SHOWN) != (state, look):
                    row.setData(0, _SHOWN, (state, look))
                    row.setIcon(0, QIcon() if state is None else _mark(state, look))
                    told = STATE_WORDS[state] if state is not None else ""
                    row.setData(0, Qt.ItemDataRole.AccessibleDescriptionRole, told)
                    row.setToolTip(0, f"{item_title(name)}\n{told}".strip())

    def _note(self, words: str) -> None:
        for tree in (self.needs, self.needed_by):
            tree.clear()
        self.needs.add_line(words)

    def _fill(self, tree: TieTree, triples: Sequence[list[str]], more: int, nothing: str) -> None:
        """Show rows by the part of the item that is tied; those of the item itself come first and stand alone."""
        tree.clear()
        parts: dict[tuple[str, str], QTreeWidgetItem] = {}
        around = self._groups(tree, triples)
        for part, other, rule in triples:
            row = tie_row(item_title(other, True), rule, other, item_title(other))
            group = group_of(part if tree is self.needs else other)
            above = around.get(group) or tree.invisibleRootItem()
            if part == self._name:
                above.insertChild(_first_head(above), row)
                continue
            if (part, group) not in parts:
                head = parts[part, group] = tie_row(item_title(part, True), name=part)
                above.addChild(head)
            parts[part, group].addChild(row)
        if more:
            tree.add_line(f"and {more} more")
        if not triples:
            tree.add_line(nothing)
        tree.expandAll()
        if FOLDED in around:
            around[FOLDED].setExpanded(False)

    def _groups(self, tree: QTreeWidget, triples: Sequence[list[str]]) -> dict[str, QTreeWidgetItem]:
        """Add and return a head for each kind of dependent; none if there is one kind alone."""
        counts = Counter(group_of(part if tree is self.needs else other) for part, other, _ in triples)
        if len(counts) < 2:
            return {}
        heads = {group: tie_row(f"{group} ({counts[group]:,})") for group in GROUPS if counts[group]}
        tree.addTopLevelItems(list(heads.values()))
        return heads


def _first_head(above: QTreeWidgetItem) -> int:
    """Return the place of the first child with children of its own: rows stand before it."""
    places = range(above.childCount())
    return next((at for at in places if (child := above.child(at)) and child.childCount()), above.childCount())


def _rows(tree: QTreeWidget) -> Iterator[QTreeWidgetItem]:
    found = QTreeWidgetItemIterator(tree)
    while found.value() is not None:
        yield found.value()
        found += 1


@lru_cache
def _mark(state: ItemState, look: GraphStyle) -> QIcon:
    """Return the mark of a state, sharp on fine screens too."""
    icon = QIcon()
    for ratio in (1, 2, 3):
        picture = blank(_MARK, _MARK, ratio)
        painter = made(QPainter(picture), renderHint=QPainter.RenderHint.Antialiasing)
        draw_mark(painter, QRectF(2, 2, _MARK - 4, _MARK - 4), state, look)
        painter.end()
        icon.addPixmap(picture)
    return icon
