"""Questions of an explorer: the class edges between two sets, the edges that open a cycle, the consequences of dropping
or keeping an item, the places of a text, the texts with names of classes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

from core.protocol.wire import Number, Question, Reply
from core.values import OneOf

CYCLE_NODES = ("packages", "classes", "jars")
IMPACTS = ("with", "around")
PLACES = ("strings", "bytecode", "source")


class EdgesListed(Reply):
    """Class edges, the heaviest first; the lists run parallel."""

    dependents: Sequence[int] = ()
    needed: Sequence[int] = ()
    weights: Sequence[int] = ()
    """Number of needs between parts of the two classes; 0 = one names the other, and nothing needs it directly."""
    rules: Sequence[str] = ()
    """The rules in words, the most frequent first."""
    total: int = 0
    """Number of class edges; the lists may hold fewer."""


class ListEdges(Question[EdgesListed], by="explore.class_edges.list_edges", newest=True):
    """Tell the class edges from some classes to others, by weight."""

    dependents: tuple[Number, ...]
    needed: tuple[Number, ...]
    """Item numbers, as in ``opened``."""
    classpath: tuple[str, ...] = ()


class CyclesFound(Reply):
    """Cycles, the largest first."""

    cycles: list[dict[str, Any]]
    """Of each: ``names`` (jars; internal names of packages or classes), ``edges`` (triples: place in ``names`` of the
    dependent, place of the needed one, number of class edges), ``cuts`` (those of ``edges`` without which there is no
    cycle), and ``exact`` (no lighter cuts exist)."""


class FindCycles(Question[CyclesFound], by="explore.class_edges.find_cycles"):
    """Tell the cycles among packages, among the jars of a class path, or among the classes of ``items``, with the edges
    that open each: answered by ``cycles_found``."""

    nodes: Annotated[str, OneOf(CYCLE_NODES)] = "packages"
    items: tuple[Number, ...] = ()
    """The classes to look at; empty = all."""


class ImpactFound(Reply):
    """The items that go with some others, or stay with them."""

    kind: str
    names: Sequence[str] = ()
    """Items: classes, and members of classes that are not gone or kept as a whole. The lists run parallel."""
    bytes: Sequence[int] = ()
    """Of a class with all its parts that go or stay."""
    because: Sequence[str] = ()
    """The item by which each goes or stays; empty = it was asked about, or there was a choice."""
    rules: Sequence[str] = ()
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


class CodeFound(Reply):
    """Places of a text. The first answers may hold a part only: ``over`` is True in the last."""

    names: Sequence[str] = ()
    """The class or member in which it stands. The lists run parallel."""
    lines: Sequence[str] = ()
    """The line, or the string, in which it stands."""
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
