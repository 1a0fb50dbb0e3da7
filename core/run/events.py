"""What a run tells whoever watches: one frozen dataclass an event, one JSON line each.

The window, the command line's progress bar, ``jarlet reduce --json`` and the tests
see the same stream. On the wire an event is an object whose key ``event`` names its
class in lower case (``{"event": "probed", "probe": 7, ...}``).

Item sets travel as ``kept``: base64 of little-endian packed bits, bit *i* of the
stream is item *i* (``numpy.unpackbits(..., bitorder="little")`` reads it back).
All sizes are bytes, all durations seconds.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from typing import Any

from core.search.spaces import ItemSet


@dataclass(frozen=True, slots=True)
class Event:
    """Base of all events; ``name`` is the word that stands in the JSON."""

    @property
    def name(self) -> str:
        return type(self).__name__.lower()


@dataclass(frozen=True, slots=True)
class Loading(Event):
    """Reading the input goes on: ``done`` of ``total`` class files."""

    done: int
    total: int


@dataclass(frozen=True, slots=True)
class Opened(Event):
    """The input is read. The lists ``kinds``, ``names``, ``sizes``, ``parents`` and
    ``components`` run parallel, one place an item, in item order."""

    sources: list[str]
    title: str
    bytes: int
    classes: int
    kinds: list[str]
    """``class``, ``resource`` or ``nested``."""
    names: list[str]
    """Internal name of a class (``a/b/C``), path of anything else."""
    sizes: list[int]
    parents: list[int]
    """Item that holds this one; -1 = the jar itself."""
    components: list[int]
    """Strongly connected component of a class (0 .. ``component_count`` - 1); -1 otherwise."""
    component_count: int
    edges: list[int]
    """Pairs ``from, to, from, to, ...`` of item numbers: *from* mentions *to*."""
    pinned: list[int]
    """Items that are always kept (class files that cannot be parsed)."""
    warnings: list[str]
    unresolved: int
    """Number of class names mentioned that are neither in the input nor in the JDK."""
    seconds: float


@dataclass(frozen=True, slots=True)
class Layout(Event):
    """Places to draw at, in scene units: upper left corner and size of each node.

    ``view`` is ``packages`` (nodes are packages) or ``components`` (nodes are items;
    resources have no place and width 0). ``boxes`` are ``x, y, width, height, component``
    quintuples of the components with two classes or more (``components`` view only).
    """

    view: str
    engine: str
    x: list[float]
    y: list[float]
    width: list[float]
    height: list[float]
    boxes: list[float] = field(default_factory=list)
    labels: list[str] = field(default_factory=list)
    """Package names (``packages`` view only)."""
    members: list[int] = field(default_factory=list)
    """Package of each item, -1 for resources (``packages`` view only)."""
    edges: list[int] = field(default_factory=list)
    """Triples ``from, to, number of class edges`` between packages (``packages`` view only)."""
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Checked(Event):
    """The check of the full input, as we write it."""

    interesting: bool
    stable: bool
    runs: int
    seconds: float
    """Median time of a run."""
    verdict: str
    message: str
    """The diagnosis in words; on failure what to do about it."""
    command: str
    """A shell line that repeats the run by hand."""
    stdout: str
    stderr: str
    timeout: float
    """The time limit a probe will have."""


@dataclass(frozen=True, slots=True)
class Started(Event):
    """A reduction begins."""

    algorithm: str
    elements: int
    items: int
    classes: int
    bytes: int


@dataclass(frozen=True, slots=True)
class Asked(Event):
    """The algorithm asks a question: ``kind`` is ``test``, ``first`` or ``least``.

    For ``least``, ``low`` .. ``high`` is the interval that still holds the answer; for
    ``first``, candidate ``low`` of ``high`` is next.
    """

    kind: str
    low: int
    high: int
    size: int


@dataclass(frozen=True, slots=True)
class Trying(Event):
    """Probe number ``probe`` starts."""

    probe: int
    kept: str
    classes: int
    bytes: int


@dataclass(frozen=True, slots=True)
class Probed(Event):
    """A candidate is judged. ``source`` is ``run``, ``cache`` or ``invalid`` (answered
    by the dependency graph); only ``run`` counts as a probe, and of the others only
    some are told (:class:`Counted` has their numbers)."""

    probe: int
    verdict: str
    source: str
    seconds: float
    """Duration of the probe."""
    at: float
    """Since the reduction began."""
    classes: int
    bytes: int
    exit: int | None
    detail: str
    stdout: str
    stderr: str


@dataclass(frozen=True, slots=True)
class Counted(Event):
    """Answers so far: probes run, answered by the cache, turned down as invalid."""

    probes: int
    cached: int
    invalid: int
    at: float


@dataclass(frozen=True, slots=True)
class Accepted(Event):
    """A candidate smaller than all before it is interesting: the new best."""

    probe: int
    kept: str
    at: float
    classes: int
    items: int
    bytes: int


@dataclass(frozen=True, slots=True)
class Needed(Event):
    """Items that a probe proved to be needed: without them the best was boring."""

    kept: str


@dataclass(frozen=True, slots=True)
class Paused(Event):
    """No new probe starts until the run is resumed."""


@dataclass(frozen=True, slots=True)
class Resumed(Event):
    """Probes go on."""


@dataclass(frozen=True, slots=True)
class Finished(Event):
    """The reduction is over. ``reason``: ``done``, ``stopped``, ``time``, ``probes`` or ``failed``."""

    reason: str
    message: str
    kept: str
    classes: int
    bytes: int
    probes: int
    seconds: float
    report: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Exported(Event):
    """A file was written at the user's wish."""

    path: str
    bytes: int
    what: str


@dataclass(frozen=True, slots=True)
class Algorithms(Event):
    """The algorithms to choose from; the lists run parallel."""

    names: list[str]
    titles: list[str]
    explanations: list[str]
    default: str


@dataclass(frozen=True, slots=True)
class Failed(Event):
    """A command could not be carried out; ``message`` is for the user's eyes."""

    command: str
    message: str


Listener = Callable[[Event], None]


def pack(items: ItemSet, count: int) -> str:
    """Base64 of the packed bits of ``items`` among ``count`` items."""
    return base64.b64encode(items.to_bytes((count + 7) // 8, "little")).decode("ascii")


def unpack(text: str) -> ItemSet:
    """The item set that :func:`pack` wrote."""
    return int.from_bytes(base64.b64decode(text), "little")


def to_line(event: Event) -> str:
    """One line of JSON, without the line end; ASCII only."""
    return json.dumps({"event": event.name, **asdict(event)}, separators=(",", ":"))
