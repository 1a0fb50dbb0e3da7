"""Events that answer an explorer's questions (:mod:`core.protocol.explore_commands`)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from core.protocol.wire import Event


@dataclass(frozen=True, slots=True)
class EdgesListed(Event):
    """Class edges, the heaviest first; the lists run parallel."""

    sources: list[int] = field(default_factory=list)
    targets: list[int] = field(default_factory=list)
    weights: list[int] = field(default_factory=list)
    """Number of needs between parts of the two classes; 0 = one names the other, and nothing needs it directly."""
    rules: list[str] = field(default_factory=list)
    """The rules in words, the most frequent first."""
    total: int = 0
    """Number of class edges; the lists may hold fewer."""
    problem: str = ""
    request: int = 0


@dataclass(frozen=True, slots=True)
class CyclesFound(Event):
    """Cycles, the largest first."""

    cycles: list[dict[str, Any]]
    """Of each: ``names`` (internal names of its packages or classes), ``edges`` (triples: place in ``names`` of what
    needs, of what is needed, number of class edges), ``cuts`` (those of ``edges`` without which there is no cycle), and
    ``exact`` (no lighter cuts exist)."""
    request: int = 0


@dataclass(frozen=True, slots=True)
class ImpactFound(Event):
    """The items that go with some others, or stay with them. ``state`` is ``building``, ``ready``, ``impossible`` or
    ``failed``."""

    state: str
    kind: str = ""
    names: list[str] = field(default_factory=list)
    """Items: classes, and members of classes that are not gone or kept as a whole. The lists run parallel."""
    bytes: list[int] = field(default_factory=list)
    """Of a class with all its parts that go or stay."""
    because: list[str] = field(default_factory=list)
    """The item by which each goes or stays; empty = it was asked about, or there was a choice."""
    rules: list[str] = field(default_factory=list)
    classes: list[int] = field(default_factory=list)
    """Item numbers of the classes that go or stay, as a whole or in part."""
    items: int = 0
    """Number of items that go or stay, members and code too."""
    total: int = 0
    """Bytes of these."""
    problem: str = ""
    request: int = 0


@dataclass(frozen=True, slots=True)
class CodeFound(Event):
    """Places of a text. The first answers may hold a part only: ``over`` is True in the last."""

    names: list[str] = field(default_factory=list)
    """The class or member in which it stands. The lists run parallel."""
    lines: list[str] = field(default_factory=list)
    """The line, or the string, in which it stands."""
    found: int = 0
    """Number of places so far."""
    looked: int = 0
    """Number of classes that were looked at."""
    over: bool = False
    problem: str = ""
    request: int = 0


@dataclass(frozen=True, slots=True)
class NamedListed(Event):
    """Pairs ``from, to, from, to, ...`` of item numbers: a string of *from* is the name of *to*, which *from* does not
    need otherwise."""

    edges: list[int]
    request: int = 0
