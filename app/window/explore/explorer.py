"""The explorer of a window: who asks for answers, who shows them."""

from __future__ import annotations

from PySide6.QtCore import QObject

from app.engine.controller import Controller
from app.panels.lists.answer import AnswerList
from app.window.commands.file_chooser import FileChooser
from app.window.explore.asking import Asking
from app.window.explore.cycle_presenter import CyclePresenter
from app.window.explore.impact_presenter import ImpactPresenter
from app.window.explore.relation_presenter import RelationPresenter
from app.window.layout import WindowLayout
from app.window.selection import Selection


class Explorer(QObject):
    """The presenters of answers, and what leads to them."""

    def __init__(
        self, controller: Controller, parts: WindowLayout, selection: Selection, chooser: FileChooser, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._parts, self._selection, self._controller = parts, selection, controller
        graph, page = parts.graph, parts.inspector.answers
        asking = Asking(
            controller, graph, page, self._show, self._raise_page, lambda: parts.run.form.library.paths
        )  # fmt: skip
        self.relations = RelationPresenter(asking)
        self.cycles = CyclePresenter(asking)
        self.impact = ImpactPresenter(asking, chooser)
        graph.edges.relation_chosen.connect(self.relations.show)
        graph.edges.package_chosen.connect(self.relations.show_package)
        graph.edges.cycle_chosen.connect(self.cycles.ask_classes)
        graph.edges.list_wanted.connect(self._raise_page)
        graph.impact_wanted.connect(self.impact.ask)
        graph.bounds_wanted.connect(self.relations.set_bound)
        graph.head.cycles_wanted.connect(self.show_cycles)
        parts.tree.impact_wanted.connect(self.impact.ask)
        parts.tree.bounds_wanted.connect(self.relations.set_bound)
        parts.tree.package_selected.connect(self.relations.show_package)
        page.item_wanted.connect(self._go_to)
        controller.opened.connect(self._opened)

    def goes_with(self) -> None:
        """Show what goes with the selection."""
        self.impact.ask(self._selection.names, "with")

    def around(self) -> None:
        """Show the smallest set around the selection."""
        self.impact.ask(self._selection.names, "around")

    def show_cycles(self) -> None:
        """Show the cycles among packages."""
        self.cycles.ask_packages()
        self._raise_page()

    def _show(self, answer: AnswerList) -> None:
        self._parts.inspector.show_answer(answer)

    def _raise_page(self) -> None:
        self._parts.inspector_dock.show()
        self._parts.inspector_dock.raise_()
        self._parts.inspector.show_answers()

    def _go_to(self, name: str) -> None:
        self._selection.select_name(name)

    def _opened(self) -> None:
        self._parts.inspector.answers.forget()
        self._parts.inspector.show_item()
        self.relations.forget()
