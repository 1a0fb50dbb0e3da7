"""Questions of an explorer: the class edges between two sets, the edges that open a cycle, the consequences of dropping
or keeping an item, the places of a text, the texts with names of classes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, NamedTuple

from core.protocol.wire import Number, Question, Reply
from core.values import OneOf

CYCLE_NODES = ("packages", "classes", "jars")
IMPACTS = ("with", "around")
PLACES = ("strings", "bytecode", "source")


class ClassEdge(NamedTuple):
    """A class edge between two items."""

    dependent: int
    needed: int
    weight: int
    """Number of needs between parts of the two classes; 0 = one names the other, and nothing needs it directly."""
    rules: str
    """The rules in words, the most frequent first."""


class EdgesListed(Reply):
    """Class edges, the heaviest first."""

    edges: Sequence[ClassEdge] = ()
    total: int = 0
    """Number of class edges; these may be fewer."""


class ListEdges(Question[EdgesListed], by="explore.class_edges.list_edges", newest=True):
    """Tell the class edges from some classes to others, by weight."""

    dependents: tuple[Number, ...]
    needed: tuple[Number, ...]
    """Item numbers, as in ``opened``."""
    classpath: tuple[str, ...] = ()


class FoundCycle(NamedTuple):
    """A cycle of jars, packages or classes."""

    names: Sequence[str]
    """Of packages and classes internal ones."""
    edges: Sequence[tuple[int, int, int]]
    """Places in ``names`` of the dependent and of the needed one, number of class edges."""
    cuts: Sequence[tuple[int, int, int]]
    """Those of ``edges`` without which there is no cycle."""
    exact: bool
    """True if no lighter cuts exist."""


class CyclesFound(Reply):
    """Cycles, the largest first."""

    cycles: Sequence[FoundCycle]


class FindCycles(Question[CyclesFound], by="explore.class_edges.find_cycles"):
    """Tell the cycles among packages, among the jars of a class path, or among the classes of ``items``, with the edges
    that open each: answered by ``cycles_found``."""

    nodes: Annotated[str, OneOf(CYCLE_NODES)] = "packages"
    items: tuple[Number, ...] = ()
    """The classes to look at; empty = all."""


class Companion(NamedTuple):
    """An item that goes or stays: a class, or a member of a class that does not go or stay as a whole."""

    name: str
    bytes: int
    """Of a class with all its parts that go or stay."""
    because: str
    """The item by which it goes or stays; empty = it was asked about, or there was a choice."""
    rule: str


class ImpactFound(Reply):
    """The items that go with some others, or stay with them."""

    kind: str
    companions: Sequence[Companion] = ()
    classes: Sequence[int] = ()
    """Item numbers of the classes that go or stay, as a whole or in part."""
    items: int = 0
    """Number of items that go or stay, members and code too."""
    total: int = 0
    """Bytes of these."""


class FindImpact(Question[ImpactFound], by="explore.impact.find_impact", newest=True):
    """Tell what cannot stay when some items go (``with``), or the smallest valid set around them (``around``): answered
    by ``impact_found``."""

    items: tuple[str, ...]
    """Names of classes and members."""
    kind: Annotated[str, OneOf(IMPACTS)]
    classpath: tuple[str, ...] = ()


class CodePlace(NamedTuple):
    """A class or member, and the line or the string of it in which a text stands."""

    name: str
    line: str


class CodeFound(Reply):
    """Places of a text. The first answers may hold a part only: ``over`` is True in the last."""

    places: Sequence[CodePlace] = ()
    found: int = 0
    """Number of places so far."""
    looked: int = 0
    """Number of classes that were looked at."""
    over: bool = False


class SearchCode(Question[CodeFound], by="explore.code_search.search_code"):
    """Tell where a text stands in strings, bytecode or decompiled source. The newest
    wish wins."""

    text: str
    place: Annotated[str, OneOf(PLACES)]
    tool: str = ""
    """The decompiler; empty = the first that is installed."""


class NamedListed(Reply):
    """Pairs ``from, to, from, to, ...`` of item numbers: a string of *from* is the name of *to*, which *from* does not
    need otherwise."""

    edges: list[int]


class ListNamed(Question[NamedListed], by="explore.code_search.list_named"):
    """Tell which classes name others in strings alone, as reflection does."""
