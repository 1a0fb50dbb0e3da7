"""The window's commands that concern the graph, the selection and what is shown of it."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

from app import text
from app.engine.members import state_in
from app.engine.run_state import ItemState
from app.window.layout import WindowLayout
from app.window.pins import unescaped
from core.protocol.java_names import item_title, split

_INSPECTOR_LEAST, _INSPECTOR_HIGH = 240, 330
"""Below so many pixels no code can be read: then the dock is made higher when it comes to be seen."""


class ViewCommands(WindowLayout):
    """Slots of the table of actions; keeps the selection in step everywhere."""

    _view_chosen = False
    _item = -1
    _name = ""
    """The selected class or member, as the engine has it; empty = none."""

    # -- views --------------------------------------------------------------------------

    def show_packages(self) -> None:
        """The package view."""
        self._show_view("packages")

    def show_components(self) -> None:
        """The view of classes and components."""
        self._show_view("components")

    def show_focus(self) -> None:
        """The neighbourhood of the selected class."""
        self._show_view("focus")

    def show_force(self) -> None:
        """The force-directed view."""
        self._show_view("force")

    def show_matrix(self) -> None:
        """The dependency structure matrix."""
        self._show_view("matrix")

    def _show_view(self, view: str) -> None:
        self._view_chosen = True
        self.graph.show_view(view)

    @property
    def shown_view(self) -> str:
        return self.graph.view or "components"

    def graph_back(self) -> None:
        """Where the graph was before."""
        self.graph.back()

    def open_all(self) -> None:
        """Show the classes of all packages."""
        self.graph.open_all()

    def close_all(self) -> None:
        """One card a package."""
        self.graph.close_all()

    def why_kept(self) -> None:
        """Why the selected class is kept."""
        self.graph.why()

    def set_minimap(self, wanted: bool) -> None:
        """Show or hide the minimap."""
        self.graph.minimap.set_wanted(wanted)

    def fit(self) -> None:
        """Show the whole graph."""
        self.graph.fit()

    def zoom_in(self) -> None:
        """Closer."""
        self.graph.zoom(1.25)

    def zoom_out(self) -> None:
        """Farther."""
        self.graph.zoom(0.8)

    def find_class(self) -> None:
        """To the search field."""
        self.search.focus()

    # -- selection in step --------------------------------------------------------------

    def _select(self, item: int, origin: QWidget | None) -> None:
        jar = self.controller.state.jar
        name = jar.names[item] if jar is not None and item >= 0 else ""
        if origin is not self.tree:
            self.tree.select_item(item)
        if origin is not self.graph:
            self.graph.select_item(item)
        self._look_at(item, name)

    def _select_member(self, item: int, name: str) -> None:
        self.graph.select_item(item)
        self._look_at(item, name)

    def _select_name(self, name: str) -> None:
        """A class or a part of one, chosen by its name: in the inspector."""
        jar = self.controller.state.jar
        owner = split(name)[0]
        item = self.tree.model.item_of(owner)
        if jar is None or item < 0:
            return
        self.graph.visit(item)
        self._select(item, None)
        if name != owner:
            self.looking.ask_members([item])
            self.tree.select_member(item, name)
            self._look_at(item, name)

    def _look_at(self, item: int, name: str) -> None:
        self._item, self._name = item, name
        self.selection.setText(self._facts_of(item, name))
        jar = self.controller.state.jar
        owner = jar.names[item] if jar is not None and item >= 0 and jar.is_class[item] else ""
        self.looking.look_at(name if owner else "", owner)
        for action in ("pin", "drop_first", "inspect", "copy_name"):
            self.actions_by_id[action].setEnabled(bool(name))

    def _go_to(self, item: int) -> None:
        jar = self.controller.state.jar
        if jar is not None and jar.is_class[item]:
            self.graph.visit(item)
        self._select(item, None)

    def _facts_of(self, item: int, name: str) -> str:
        jar = self.controller.state.jar
        if jar is None or item < 0:
            return ""
        part = bool(split(name)[1]) and bool(jar.is_class[item])
        facts = [item_title(name) if part else jar.full[item]]
        if not part:
            facts += [text.size(int(jar.sizes[item]))]
        if jar.is_class[item] and not part:
            facts.append(f"needs {jar.needs.degree(item)}")
            facts.append(f"needed by {jar.needed_by.degree(item)}")
        return "   ·   ".join(facts)

    def copy_name(self) -> None:
        """The selected name to the clipboard, as Java writes it."""
        jar = self.controller.state.jar
        if jar is not None and self._item >= 0:
            shown = item_title(self._name) if split(self._name)[1] else jar.full[self._item]
            QGuiApplication.clipboard().setText(shown)
            self.statusBar().showMessage(f"Copied: {shown}", 3000)

    def inspect_selected(self) -> None:
        """The inspector, with what is selected."""
        self.inspector_dock.show()
        self.inspector_dock.raise_()
        self.inspector.tabs.tabBar().setFocus()

    def _menu_asked(self, what: str, item: int) -> None:
        if what == "focus":
            self._view_chosen = True
            self.graph.focus(item)
        elif what == "why":
            self.graph.why(item)
        else:
            self.inspect_selected()

    # -- inspector and members ----------------------------------------------------------

    def _inspector_seen(self) -> None:
        visible = self.inspector.isVisible() and not self.inspector.visibleRegion().isEmpty()
        if visible != self.looking.active:
            self.looking.active = visible
            if visible and self.inspector.height() < _INSPECTOR_LEAST:
                self.resizeDocks([self.inspector_dock], [_INSPECTOR_HIGH], Qt.Orientation.Vertical)
            self.looking.ask_soon()
            self.looking.ask_tied()
            self._show_item_states()

    def _looked_changed(self) -> None:
        self.inspector.look_at(self.looking.name, self._ties_facts())

    def _ties_facts(self) -> list[str]:
        if not self.looking.name or split(self.looking.name)[1]:
            return []
        return self._facts_of(self._item, self.looking.name).split("   ·   ")[1:]

    def _show_item_states(self) -> None:
        """What is kept, needed and gone of what the inspector shows."""
        if self.looking.active:
            self.inspector.show_states()

    def _tied_classes(self) -> list[int]:
        found = (self.tree.model.item_of(name) for name in self.inspector.classes())
        return [item for item in found if item >= 0]

    def _state_of(self, name: str) -> ItemState | None:
        """The state of a class or a part of one; None before a run, and where it is not known."""
        state, owner = self.controller.state, split(name)[0]
        item = self.tree.model.item_of(owner)
        if item < 0 or not state.steps:
            return None
        of_class = ItemState(int(state.states[item]))
        if name == owner or of_class is ItemState.GONE:
            return of_class
        members = self.looking.known.get(owner)
        return state_in(members, name) if members is not None else None

    # -- pins ---------------------------------------------------------------------------

    def _selected_names(self) -> list[str]:
        """What is selected in the tree, else what is selected elsewhere."""
        names = self.tree.selected_names()
        return [self._name] if self._name and self._name not in names else names

    def pin_selected(self) -> None:
        """Keep what is selected, or no longer."""
        self.pins.toggle(self._selected_names())

    def drop_first_selected(self) -> None:
        """Drop what is selected first, or no longer."""
        self.pins.toggle_first(self._selected_names())

    def _tell_conflicts(self, sentences: list[str]) -> None:
        more = f" (and {len(sentences) - 1} more)" if sentences[1:] else ""
        self.messages.tell(sentences[0] + more, "warning")

    def _pins_changed(self) -> None:
        self.tree.set_pins(self.pins.names, self.pins.first)
        granularity = self.run.form.settings().granularity
        caveat = self.pins.caveat(granularity)
        kept = [unescaped(pattern) for pattern in self.pins.patterns(granularity)]
        self.looking.ask_conflicts(kept, self.pins.first, granularity)
        if caveat:
            self.messages.tell(caveat, "warning")
        elif self.controller.state.phase.reducing and len(self.pins):
            self.messages.tell(
                "Pins count from the next start on: stop and start again, nothing that was tried is lost.",
                "info",
            )
