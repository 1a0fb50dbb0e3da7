"""The selected item, the same one in the tree, in the graph and in the inspector."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from app import text
from app.engine.members import ClassMembers
from app.engine.opened_jar import NO_JAR
from app.engine.run_state import RunState
from app.graph.scene.relations import PackageSet
from app.graph.view import GraphView
from app.panels.tree.class_tree import ClassTree
from app.presenter import Presenter
from core.protocol.java_names import item_title, split


class Selection(Presenter):
    """``item`` is the selected class (-1 = none); ``name`` what is selected of it, as the engine has it."""

    changed = Signal()
    looked_at = Signal(str, str)
    """The name of the selected class or member and that of its class; both empty = none."""
    members_wanted = Signal(list)
    """Classes with members to be loaded before one is selected."""

    _state: RunState
    _tree: ClassTree
    _graph: GraphView

    def _set_up(self) -> None:
        self.item = -1
        self.name = ""
        self._of = NO_JAR
        """The input that the item is of: another may be open already."""

    def clear(self) -> None:
        """Select nothing."""
        self.look_at(-1, "")

    def select(self, item: int, origin: QWidget | None = None) -> None:
        """Select a class or a resource; ``origin`` is the view of the user's click: it has the selection already."""
        if origin is not self._tree:
            self._tree.select_item(item)
        if origin is not self._graph:
            self._graph.stage.select_item(item)
        self.look_at(item, self._state.jar.names[item] if item >= 0 else "")

    def select_in_tree(self, item: int) -> None:
        """Select the item of a row of the tree."""
        self.select(item, self._tree)

    def select_in_graph(self, item: int) -> None:
        """Select the item of a node of the graph."""
        self.select(item, self._graph)

    def select_package(self, chosen: PackageSet) -> None:
        """Select no class: a package or a jar of the tree was chosen."""
        self._graph.stage.select_package(chosen.items)
        self.look_at(-1, "")

    def select_member(self, item: int, name: str) -> None:
        """Select the member of a row in the tree."""
        self._graph.stage.select_item(item)
        self.look_at(item, name)

    def select_name(self, name: str) -> None:
        """Go to a class or a member by its name."""
        owner = split(name)[0]
        item = self._tree.model.item_of(owner)
        if item < 0:
            return
        self._graph.navigation.visit(item)
        self.select(item)
        if name != owner:
            self.members_wanted.emit([item])
            self._tree.select_member(item, name)
            self.look_at(item, name)

    def go_to(self, item: int) -> None:
        """Select a class and show it in the graph."""
        if self._state.jar.is_class[item]:
            self._graph.navigation.visit(item)
        self.select(item)

    def show_members(self, found: list[ClassMembers]) -> None:
        """Show members that the engine told in the tree; the selected one may be among them."""
        self._tree.model.set_members(found)
        if self.name:
            self._tree.select_member(self.item, self.name)

    def look_at(self, item: int, name: str) -> None:
        """Select this item from now on, whatever tree and graph show."""
        self.item, self.name, self._of = item, name, self._state.jar
        is_class = item >= 0 and bool(self._of.is_class[item])
        self.changed.emit()
        self.looked_at.emit(name if is_class else "", self._of.names[item] if is_class else "")

    @property
    def names(self) -> list[str]:
        """The names selected in the tree, or the one name that is selected elsewhere."""
        names = self._tree.selected_names()
        return [self.name] if self.name and self.name not in names else names

    @property
    def title(self) -> str:
        """The selected name as Java writes it; empty = nothing is selected."""
        if not self._there:
            return ""
        return item_title(self.name) if self._is_member else self._of.full[self.item]

    @property
    def facts(self) -> list[str]:
        """Size and number of dependencies of the selected class."""
        if not self._there or self._is_member:
            return []
        jar = self._of
        facts = [text.size(int(jar.sizes[self.item]))]
        if jar.is_class[self.item]:
            facts.append(f"needs {text.count(jar.needs.degree(self.item))}")
            facts.append(f"needed by {text.count(jar.needed_by.degree(self.item))}")
        return facts

    @property
    def summary(self) -> str:
        """Title and facts in one line."""
        return "   ·   ".join([self.title, *self.facts]) if self.title else ""

    @property
    def _there(self) -> bool:
        """True if something of the present input is selected."""
        return self._of is self._state.jar and self.item >= 0

    @property
    def _is_member(self) -> bool:
        return self._there and bool(split(self.name)[1]) and bool(self._of.is_class[self.item])
