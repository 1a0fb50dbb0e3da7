"""Questions beside the run: members of classes, an item's dependencies, its code; shown in inspector and source."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import Signal

from app.bug.source_page import SourcePage
from app.engine.controller import Controller
from app.engine.members import ClassMembers, members_from, state_in
from app.engine.run_state import ItemState
from app.panels.form.run_form import RunForm
from app.panels.inspector import Inspector
from app.panels.tree.class_tree import ClassTree
from app.presenter import Presenter
from app.widgets import Soon
from app.window.selection import Selection
from core.protocol import events
from core.protocol.java_names import item_title, split
from core.protocol.questions.items import FindConflicts, Inspect, ListMembers, ShowListing

SETTLE_MS = 220
"""A selection counts once it has stood still for so long: each asks for programs to be run."""
AGAIN_MS = 700
"""Milliseconds between two requests for the shown answers, while a reduction runs."""
_TIED_MOST = 60
"""Number of classes with requested members, beside those of the tree."""


class InspectorPresenter(Presenter):
    """The questions to the engine for the visible part of the inspector and of the members in the tree."""

    members = Signal(list)
    """Lists of :class:`ClassMembers`."""
    conflicts = Signal(list)
    """Reasons why items to be dropped first cannot go: a list of sentences."""

    _controller: Controller
    _form: RunForm
    _tree: ClassTree
    _inspector: Inspector
    _page: SourcePage
    _selection: Selection

    def _set_up(self) -> None:
        self._inspector.state_of = self.state_of
        self.known: dict[str, ClassMembers] = {}
        """The members that were told last, by class."""
        self.decompiler = ""
        self.active = False
        """True if the inspector is visible, so that somebody can look at the item."""
        self.name = ""
        """The item that is looked at, as the engine has it."""
        self.owner = ""
        self._told: tuple[str, ...] = ()
        self._settle = Soon(self, SETTLE_MS, self._ask)
        self._again = Soon(self, AGAIN_MS, self._refresh)
        self._executed = 0
        self._controller.on(events.Members).connect(lambda event: self.members.emit(self._know(event)))

    def look_at(self, name: str, owner: str) -> None:
        """Look at another item; empty = none."""
        if name != self.name:
            self.name, self.owner = name, owner
            self._told = ()  # the answer about an item is wiped once another one is looked at
            self._controller.forget(Inspect, ShowListing)
            self._show_item()
        self.ask_soon()

    def ask_soon(self) -> None:
        """Ask for the shown content: the item changed, the kind changed, or inspector or source became visible."""
        if (self.active or self._page.isVisible()) and self.name:
            self._settle.start()

    def set_decompiler(self, name: str) -> None:
        """Set the decompiler for sources; empty = the first available."""
        self.decompiler = name

    def forget(self) -> None:
        """Forget the previous jar."""
        self._settle.stop()
        self._again.stop()
        self._told = ()
        self.known.clear()
        self.name = self.owner = ""
        self._show_item()

    def ask_members(self, items: Iterable[int]) -> None:
        """Ask for the members of classes now."""
        names = tuple(self._controller.state.jar.names[item] for item in items)
        if names and self._controller.has_input:
            self._controller.client.send(ListMembers(names))

    def ask_conflicts(self, keep: list[str], drop_first: list[str], granularity: str) -> None:
        """Ask if the items to be dropped first can go while the other wishes hold."""
        self._controller.forget(FindConflicts)
        if keep and drop_first:
            wish = FindConflicts(tuple(keep), tuple(drop_first), tuple(self._form.library.paths), granularity)
            self._controller.ask(wish, self._tell_conflicts)

    def step_accepted(self) -> None:
        """Ask anew, before long, for the shown parts of the best so far, which is smaller now."""
        self._again.ask()

    def ask_tied(self) -> None:
        """Ask for the remaining parts of the members that the inspector names, if the inspector is visible."""
        if self.active and self._controller.state.steps:
            known = [name for name in self._inspector.classes() if self._tree.model.item_of(name) >= 0]
            names = known[:_TIED_MOST]
            if names:
                self._controller.ask(ListMembers(tuple(names)), self._know)

    def progressed(self) -> None:
        """Ask again after a probe, because it may have proved an item to be needed."""
        executed = self._controller.state.executed
        if executed != self._executed:
            self._executed = executed
            self.step_accepted()

    def _refresh(self) -> None:
        self.ask_members(self._tree.shown_members())
        self.ask_tied()
        self._show_states()
        self._ask_listing()

    def _ask(self) -> None:
        if not self._controller.has_input or not self.name:
            return
        name, paths = self.name, self._form.library.paths
        wish = (name, *paths)
        if wish != self._told and self.active:
            self._told = wish
            self._controller.ask(
                Inspect(name, tuple(paths)),
                self._tell_inspected,
                lambda problem: self._tell_inspected(events.Inspected(name, "failed", problem=problem)),
            )
        self._ask_listing()

    def _ask_listing(self) -> None:
        if self._page.isVisible() and self.owner:
            self._controller.ask(ShowListing(self.owner, self._page.kind, self.decompiler), self._tell_listing)

    def _know(self, event: events.Members) -> list[ClassMembers]:
        found = list(map(members_from, event.classes))
        self.known |= {members.owner: members for members in found}
        self._show_states()
        return found

    def _tell_conflicts(self, event: events.Conflicts) -> None:
        if event.found:
            self.conflicts.emit([one.text(lambda name: item_title(name, True)) for one in event.found])

    def _tell_inspected(self, event: events.Inspected) -> None:
        self._inspector.show_ties(event, self._facts)
        self.ask_tied()

    def _tell_listing(self, event: events.Listing) -> None:
        if event.kind == self._page.kind and event.item == self.owner:
            self._page.show_code(event)

    def seen(self) -> None:
        """Ask for facts only while the inspector is visible and not covered."""
        visible = self._inspector.isVisible() and not self._inspector.visibleRegion().isEmpty()
        if visible == self.active:
            return
        self.active = visible
        self.ask_soon()
        self.ask_tied()
        self._show_states()

    def _show_item(self) -> None:
        self._inspector.look_at(self.name, self._facts)
        self._page.look_at(self.name)

    def _show_states(self) -> None:
        if self.active:
            self._inspector.show_states()

    def state_of(self, name: str) -> ItemState | None:
        """Return the state of a class or a member; None before a run, and if it is not known."""
        owner = split(name)[0]
        item = self._tree.model.item_of(owner)
        if item < 0 or not self._controller.state.steps:
            return None
        of_class = ItemState(int(self._controller.state.states[item]))
        if name == owner or of_class is ItemState.GONE:
            return of_class
        members = self.known.get(owner)
        return state_in(members, name, self._controller.state.proved) if members is not None else None

    @property
    def _facts(self) -> list[str]:
        return self._selection.facts if self.name else []
