"""Commands of an explorer: the class edges between two sets, which edges open a cycle, what goes with an item and what
stays with it, where a text stands, which texts name classes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from core.protocol.commands import Number
from core.protocol.wire import Command
from core.values import OneOf

CYCLE_NODES = ("packages", "classes")
IMPACTS = ("with", "around")
PLACES = ("strings", "bytecode", "source")


@dataclass(frozen=True, slots=True)
class ListEdges(Command):
    """Tell the class edges from some classes to others, by weight: answered by ``edges_listed``."""

    sources: tuple[Number, ...]
    targets: tuple[Number, ...]
    """Item numbers, as in ``opened``."""
    classpath: tuple[str, ...] = ()
    request: Number = 0


@dataclass(frozen=True, slots=True)
class FindCycles(Command):
    """Tell the cycles among packages, or among the classes of ``items``, with the edges that open each: answered by
    ``cycles_found``."""

    nodes: Annotated[str, OneOf(CYCLE_NODES)] = "packages"
    items: tuple[Number, ...] = ()
    """The classes to look at; empty = all."""
    request: Number = 0


@dataclass(frozen=True, slots=True)
class FindImpact(Command):
    """Tell what cannot stay when some items go (``with``), or the smallest valid set around them (``around``): answered
    by ``impact_found``."""

    items: tuple[str, ...]
    """Names of classes and members."""
    kind: Annotated[str, OneOf(IMPACTS)]
    classpath: tuple[str, ...] = ()
    request: Number = 0


@dataclass(frozen=True, slots=True)
class ExportImpact(Command):
    """Write the smallest set around some items, or what is left without them, as a jar: answered by ``exported``."""

    path: str
    wish: FindImpact


@dataclass(frozen=True, slots=True)
class SearchCode(Command):
    """Tell where a text stands in strings, bytecode or decompiled source: answered by ``code_found`` events. The newest
    wish wins."""

    text: str
    place: Annotated[str, OneOf(PLACES)]
    tool: str = ""
    """The decompiler; empty = the first that is installed."""
    request: Number = 0


@dataclass(frozen=True, slots=True)
class ListNamed(Command):
    """Tell which classes name others in strings alone, as reflection does: answered by ``named_listed``."""

    request: Number = 0
