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

    ``view`` is ``components`` or ``force`` (node *i* is item *i*; resources have no place and
    width 0), ``packages`` (nodes are packages, then the classes of opened ones) or ``focus``
    (nodes are some classes). ``boxes`` are ``x, y, width, height, number`` quintuples of what
    depends on each other in a cycle; in the ``components`` view the number is the component.
    """

    view: str
    engine: str
    x: list[float]
    y: list[float]
    width: list[float]
    height: list[float]
    boxes: list[float] = field(default_factory=list)
    labels: list[str] = field(default_factory=list)
    """Titles of the packages and groups of packages: the first nodes (``packages`` view)."""
    members: list[int] = field(default_factory=list)
    """Node of each item, -1 = not in this view (``packages`` view)."""
    edges: list[int] = field(default_factory=list)
    """Triples ``from, to, number of class edges`` between packages; empty = as the classes' edges say."""
    seconds: float = 0.0
    request: int = 0
    """The number that the command carried which asked for these places."""
    names: list[str] = field(default_factory=list)
    """What the labels stand for: internal names, with ``/*`` behind them for groups (``packages`` view)."""
    items: list[int] = field(default_factory=list)
    """Item of each node, -1 = a package (``packages`` and ``focus`` view)."""
    blocks: list[int] = field(default_factory=list)
    """Box that each node is in, -1 = none (``packages`` view)."""
    frames: list[float] = field(default_factory=list)
    """Quadruples x, y, width, height of the opened packages and groups, outer ones first."""
    frame_names: list[str] = field(default_factory=list)
    frame_labels: list[str] = field(default_factory=list)
    left_out: int = 0
    """Classes in reach for which there was no room (``focus`` view)."""


@dataclass(frozen=True, slots=True)
class Matrix(Event):
    """A dependency structure matrix: rows need columns, both in the same order. ``rows`` is
    ``packages``, ``components`` or ``classes``. Ordinary dependencies lie below the diagonal."""

    rows: str
    names: list[str]
    """Of each row: package, a component's first class, or class; internal names."""
    members: list[int]
    """Row of each item, -1 = in none."""
    cells: list[int]
    """Triples ``row, column, number of class edges``."""
    groups: list[int]
    """Pairs ``first row, number of rows`` of each cycle."""
    request: int = 0
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
    failures: list[str] = field(default_factory=list)
    """The failures that its output names, each once."""


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
    ``first``, candidate ``low`` of ``high`` is next. ``size`` is the number of elements of the
    candidate that is next.
    """

    kind: str
    low: int
    high: int
    size: int
    n: int = 0
    """Candidates that the question is about."""
    done: int = 0
    """Those of them that are answered."""
    left: int = -1
    """Upper bound of the probes that the question still takes; -1 = unknown."""


@dataclass(frozen=True, slots=True)
class Trying(Event):
    """Probe number ``probe`` starts. Numbers count starts, those ahead of their turn too."""

    probe: int
    kept: str
    classes: int
    bytes: int
    lane: int = 0
    """The worker that runs it, from 0."""
    ahead: bool = False
    """Whether it starts before it is known that its answer will be needed."""


@dataclass(frozen=True, slots=True)
class Ended(Event):
    """Lane ``lane`` is free again: probe ``probe`` ended by itself, or was ``cancelled`` since its answer is not
    needed or the run was stopped. What it said is told by :class:`Probed`, once the algorithm asks for it."""

    probe: int
    lane: int
    seconds: float
    verdict: str
    """Empty if it was cancelled."""
    cancelled: bool


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
    lane: int = 0
    """The worker that ran it."""
    failures: int = 0
    """Number of failures that it named."""


@dataclass(frozen=True, slots=True)
class Counted(Event):
    """Answers so far: probes run, answered by the cache, turned down as invalid."""

    probes: int
    cached: int
    invalid: int
    at: float
    speculated: int = 0
    """Runs that were started ahead and whose answer was not needed."""


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
class Met(Event):
    """Failures that probe ``probe`` named and no candidate before it."""

    probe: int
    failures: list[str]


@dataclass(frozen=True, slots=True)
class Contradiction(Event):
    """The predicate is not monotone: probe ``probe`` answered differently from a candidate that holds it or that it
    holds. ``count`` such answers so far. The result is none the less one that was tested interesting."""

    probe: int
    count: int


@dataclass(frozen=True, slots=True)
class Flaky(Event):
    """The predicate changed its answer: the same content was ``before`` and is ``after``."""

    probe: int
    kept: str
    classes: int
    bytes: int
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class Paused(Event):
    """No new probe starts until the run is resumed."""


@dataclass(frozen=True, slots=True)
class Resumed(Event):
    """Probes go on."""


@dataclass(frozen=True, slots=True)
class Searching(Event):
    """A phase of the algorithm begins: its round (from 1), its name, and ``classes``, ``items`` or ``bodies``,
    what its elements are made of; how many elements, and how many items these choose among."""

    round: int
    phase: str
    level: str
    elements: int
    items: int


@dataclass(frozen=True, slots=True)
class Reducing(Event):
    """Of several reductions, one a failure, the next begins: ``number`` of ``count``, for ``failure`` alone."""

    number: int
    count: int
    failure: str


@dataclass(frozen=True, slots=True)
class Warned(Event):
    """Something that the user should know, and that ends nothing."""

    message: str


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
    by_classes: list[bool] = field(default_factory=list)
    """Whether it can also do without looking below the class."""


@dataclass(frozen=True, slots=True)
class Presets(Event):
    """The predicates that come with Jarlet and the user's own; the lists run parallel."""

    names: list[str]
    titles: list[str]
    abouts: list[str]
    settings: list[list[dict[str, Any]]]
    """What the user fills in: ``name``, ``title``, ``kind``, ``required``, ``default`` (one text)."""
    missing: list[str]
    """What has to be installed before it can run, a sentence; empty = nothing."""
    fetchable: list[bool]
    """Whether ``fetch`` may get what is missing."""
    names_failures: list[bool]
    """Whether its output names failures, of which one may be chosen."""


@dataclass(frozen=True, slots=True)
class Members(Event):
    """The parts of some classes, in the input and in the best so far."""

    classes: list[dict[str, Any]]
    """``class`` (internal name) and parallel lists: ``kinds``, ``names``, ``parents`` (place in these lists, -1 = the
    class), ``sizes`` (bytes), ``kept``; ``left``: bytes of the class file in the best so far, 0 = it is gone."""
    request: int = 0


@dataclass(frozen=True, slots=True)
class Inspected(Event):
    """What ties a class or a part of one to others. ``state`` is ``ready``, ``building`` (the answer follows) or
    ``failed`` (then ``problem`` says why)."""

    item: str
    """Internal name, as in ``Opened.names`` and ``Members``."""
    state: str
    facts: list[list[str]] = field(default_factory=list)
    """Pairs of a word and its value."""
    needs: list[list[str]] = field(default_factory=list)
    """Triples: the part that needs, what it needs, the rule in words."""
    needed_by: list[list[str]] = field(default_factory=list)
    """Triples: the part that is needed, what needs it, the rule in words."""
    more: list[int] = field(default_factory=lambda: [0, 0])
    """How many of both were left out."""
    problem: str = ""
    request: int = 0


@dataclass(frozen=True, slots=True)
class Listing(Event):
    """A class as text, ``bytecode`` or ``source``, as it was and as it is in the best so far (empty = gone)."""

    item: str
    kind: str
    tool: str
    before: str
    after: str
    problem: str = ""
    """Why there is no text, or not all of it."""
    request: int = 0


@dataclass(frozen=True, slots=True)
class Sessions(Event):
    """Reductions that were interrupted, newest first; the lists run parallel."""

    paths: list[str]
    titles: list[str]
    bytes: list[int]
    """Size of the best so far, as a jar."""
    times: list[float]
    """When they last moved on, seconds since 1970."""


@dataclass(frozen=True, slots=True)
class Restored(Event):
    """A session is opened: its input follows as ``opened``."""

    path: str
    settings: dict[str, Any]
    interrupted: bool
    sources: list[str]


@dataclass(frozen=True, slots=True)
class Keeping(Event):
    """Where the session of the run is kept; empty = nowhere, and ``problem`` says why."""

    path: str
    problem: str = ""


@dataclass(frozen=True, slots=True)
class Compared(Event):
    """Entries that differ between two accepted steps, with sizes in bytes (-1 = it is not there)."""

    names: list[str]
    before: list[int]
    after: list[int]
    problem: str = ""
    request: int = 0


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
