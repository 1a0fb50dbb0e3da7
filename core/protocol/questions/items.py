"""Questions about items: their parts, their ties to others, their code, their remains in the best."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from typing import Annotated, Any, NamedTuple

from core.protocol.commands import Name, StepKey
from core.protocol.run_words import GRANULARITIES
from core.protocol.wire import Question, Reply
from core.protocol.wording import Conflict
from core.values import OneOf


class Members(Reply):
    """The parts of some classes, in the input and in the best so far."""

    classes: list[dict[str, Any]]
    """``class`` (internal name) and parallel lists: ``kinds``, ``names``, ``parents`` (place in these lists, -1 = the
    class), ``sizes`` (bytes), ``kept``, ``needed`` (a probe proved it); ``left``: bytes of the class file in the
    best so far, 0 = it is gone."""


class ListMembers(Question[Members], by="member_lists.list_members"):
    """Tell the members of some classes."""

    classes: tuple[str, ...] = ()


class Used(Reply):
    """The used part of the full input, from one watched run, and the classes named by the failure. The sets hold items
    of ``Opened`` (:func:`core.protocol.wire.pack`); an empty text is an unknown set."""

    loaded: str = ""
    """Classes that were loaded."""
    ran: str = ""
    """Classes of which code ran."""
    read: str = ""
    """Resources that were read."""
    named: str = ""
    """Classes that the failure names; empty before a reduction has looked for them."""
    problem: str = ""
    """Why it is not known what ran: a sentence; empty before anybody asked for it, too."""


class ListUsed(Question[Used], by="member_lists.list_used"):
    """Tell the known classes and resources that the input's run used."""


class Inspected(Reply):
    """The ties of a class or a part of one to others. ``state`` is ``ready``, ``building`` (the answer follows) or
    ``failed`` (then ``problem`` says why)."""

    item: str
    """Internal name, as in ``Opened.names`` and ``Members``."""
    state: str
    facts: Sequence[list[str]] = ()
    """Pairs of a word and its value."""
    needs: Sequence[list[str]] = ()
    """Triples: the dependent part, the needed item, the rule in words."""
    needed_by: Sequence[list[str]] = ()
    """Triples: the needed part, the dependent item, the rule in words."""
    more: list[int] = field(default_factory=lambda: [0, 0])
    """Numbers of rows left out: of ``needs`` and of ``needed_by``."""
    problem: str = ""


class Inspect(Question[Inspected], by="relations.inspect"):
    """Tell what ties an item to others."""

    item: Name
    classpath: tuple[str, ...] = ()


class EdgeExplained(Reply):
    """Why some classes need others."""

    reasons: Sequence[list[str]] = ()
    """Triples: the dependent part, the needed item, the rule in words."""
    more: int = 0


class ExplainEdge(Question[EdgeExplained], by="relations.explain_edge"):
    """Tell by which parts and rules some classes need others."""

    dependents: tuple[str, ...]
    needed: tuple[str, ...]
    classpath: tuple[str, ...] = ()


class Conflicts(Reply):
    """The items to be dropped first that cannot go because of the items to be kept; none = all can go."""

    found: Sequence[Conflict]


class FindConflicts(Question[Conflicts], by="relations.find_conflicts"):
    """Tell which items of these names are to be dropped and cannot be."""

    keep: tuple[str, ...] = ()
    drop_first: tuple[str, ...] = ()
    classpath: tuple[str, ...] = ()
    granularity: Annotated[str, OneOf(GRANULARITIES)] = "full"


class Listing(Reply):
    """A class of the input as text, ``bytecode`` or ``source``, with the lines that only the best so far has."""

    item: str
    kind: str
    tool: str
    text: str = ""
    numbers: Sequence[int] = ()
    """Number of each row in the text of the input; 0 = only the best so far has it."""
    gone: Sequence[int] = ()
    """Rows, from 0, that the best so far lacks."""
    problem: str = ""
    """Why there is no text, or not all of it."""


class ShowListing(Question[Listing], by="listings.show_listing"):
    """Tell a class as text."""

    item: str = ""
    kind: str = ""
    tool: str = ""


class ChangedEntry(NamedTuple):
    """An entry that differs between two accepted steps, with sizes in bytes (-1 = it is not there)."""

    name: str
    before: int
    after: int


class Compared(Reply):
    """The entries that differ between two accepted steps."""

    entries: Sequence[ChangedEntry]


class Compare(Question[Compared], by="results.compare"):
    """Tell what differs between two accepted steps."""

    before: StepKey = field(default_factory=StepKey)
    after: StepKey = field(default_factory=StepKey)


class FoundMember(NamedTuple):
    """A member, and its class by the internal name."""

    name: str
    """As in ``members``."""
    owner: str


class MembersFound(Reply):
    """Members whose names hold a text, the best first."""

    text: str
    found: Sequence[FoundMember] = ()
    more: int = 0


class FindMembers(Question[MembersFound], by="member_lists.find_members", newest=True):
    """Tell the members that have a text in their names. The newest wish wins."""

    text: str


class LeftTold(Reply):
    """Bytes of each item, in item order, in the best so far; 0 = it is gone."""

    sizes: list[int]
    merged: Sequence[list[int]] = ()
    """Pairs of items: a class, and the class that it is now part of."""


class ListLeft(Question[LeftTold], by="results.list_left", newest=True):
    """Tell how much of each item the best so far has. The newest wish wins."""
