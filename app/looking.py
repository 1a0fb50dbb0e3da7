"""Questions beside the run: members of classes, what ties an item to others, its code. Asked late and not too often."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from app.controller import Controller
from app.members import Members, members_from
from app.state import Phase
from core.run import events

SETTLE_MS = 220
"""A selection counts once it has stood still for so long: each asks for programs to be run."""
AGAIN_MS = 700
"""While a reduction runs, what is shown is asked for anew at most this often."""


class Looking(QObject):
    """What the inspector shows, and the members in the tree. ``class_path`` gives the input's libraries."""

    members = Signal(list)
    """Lists of :class:`Members`."""
    inspected = Signal(events.Inspected)
    listed = Signal(events.Listing)
    changed = Signal()
    """Another item is looked at, or it has changed: what is shown of it is out of date."""

    def __init__(self, controller: Controller, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._controller = controller
        self.class_path: Callable[[], list[str]] = list
        self.shown_classes: Callable[[], list[int]] = list
        """The classes whose members are to be seen."""
        self.wants_code: Callable[[], str] = str
        """The kind of listing that is to be seen: ``bytecode``, ``source``, empty = none."""
        self.decompiler = ""
        self.active = False
        """Whether anybody looks at the item: the inspector is to be seen."""
        self.name = ""
        """The item that is looked at, as the engine has it."""
        self.owner = ""
        self._request = 0
        self._told: tuple[str, ...] = ()
        self._settle = self._timer(SETTLE_MS, self._ask)
        self._again = self._timer(AGAIN_MS, self._refresh)
        controller.answered.connect(self._answered)

    def _timer(self, milliseconds: int, slot: Callable[[], None]) -> QTimer:
        timer = QTimer(self)
        timer.setSingleShot(True)
        timer.setInterval(milliseconds)
        timer.timeout.connect(slot)
        return timer

    def look_at(self, name: str, owner: str) -> None:
        """Another item is selected; empty = none."""
        if name != self.name:
            self.name, self.owner = name, owner
            self.changed.emit()
        self.ask_soon()

    def ask_soon(self) -> None:
        """What is shown is wanted: of another item, of another kind, or since the inspector came to be seen."""
        if self.active and self.name:
            self._settle.start()

    def forget(self) -> None:
        """Another jar."""
        self._settle.stop()
        self._again.stop()
        self._told = ()
        self.name = self.owner = ""
        self.changed.emit()

    def ask_members(self, items: Iterable[int]) -> None:
        """The members of classes are wanted now."""
        jar = self._controller.state.jar
        names = [jar.names[item] for item in items] if jar is not None else []
        if names and self._open:
            self._controller.client.send("members", classes=names)

    def step_accepted(self) -> None:
        """The best so far is smaller: what is shown of it is asked for anew, before long."""
        if not self._again.isActive():
            self._again.start()

    @property
    def _open(self) -> bool:
        state = self._controller.state
        return state.jar is not None and state.phase not in (Phase.LOADING, Phase.DEAD)

    def _refresh(self) -> None:
        self.ask_members(self.shown_classes())
        kind = self.wants_code()
        if self.active and self.name and kind and self._open:
            self._ask_listing(kind)

    def _ask(self) -> None:
        if not self._open or not self.name:
            return
        self._request += 1
        paths = self.class_path()
        client = self._controller.client
        wish = (self.name, *paths)
        if wish != self._told:
            self._told = wish
            client.send("inspect", name=self.name, classpath=paths, request=self._request)
        kind = self.wants_code()
        if kind:
            self._ask_listing(kind)

    def _ask_listing(self, kind: str) -> None:
        client = self._controller.client
        client.send("listing", name=self.owner, kind=kind, tool=self.decompiler, request=self._request)

    @Slot(events.Event)
    def _answered(self, event: events.Event) -> None:
        match event:
            case events.Members():
                found: list[Members] = [members_from(record) for record in event.classes]
                self.members.emit(found)
            case events.Inspected() if event.item == self.name:
                self.inspected.emit(event)
            case events.Listing() if event.item == self.owner and event.kind == self.wants_code():
                self.listed.emit(event)
