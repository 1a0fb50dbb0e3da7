"""The items of one class and their states in the best so far. No Qt."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from app.engine.run_state import ItemState

_ORDER = ("superclass", "interface", "field", "method", "record component")
"""Kinds that come first below a class; the others follow as they stand in the file."""


@dataclass(slots=True)
class ClassMembers:
    """The parts of one class, parallel lists as in :class:`core.protocol.events.Members`."""

    owner: str
    kinds: list[str]
    names: list[str]
    parents: list[int]
    sizes: list[int]
    kept: list[bool]
    needed: list[bool]
    children: dict[int, list[int]] = field(default_factory=dict)
    """Parts below each part, in the order of display; -1 = the class."""

    def state(self, number: int, proved: bool) -> ItemState:
        """Return the state of a part in the best so far: kept, needed (so far, unless the need is ``proved``) or
        gone."""
        if not self.kept[number]:
            return ItemState.GONE
        if not self.needed[number]:
            return ItemState.KEPT
        return ItemState.NEEDED if proved else ItemState.SO_FAR


def state_in(members: ClassMembers, name: str, proved: bool) -> ItemState | None:
    """Return the state of a part by its name; None for a name that is no part's."""
    return members.state(members.names.index(name), proved) if name in members.names else None


def members_from(record: dict[str, Any]) -> ClassMembers:
    """Return the parts that a record of the engine tells."""
    made = ClassMembers(*(record[key] for key in ("class", "kinds", "names", "parents", "sizes", "kept", "needed")))
    for number, parent in enumerate(made.parents):
        made.children.setdefault(parent, []).append(number)
    rank = {kind: place for place, kind in enumerate(_ORDER)}
    for below in made.children.values():
        below.sort(key=lambda number: rank.get(made.kinds[number], len(_ORDER)))
    return made
