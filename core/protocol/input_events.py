"""Events about the opened input, and the answers to questions beside a run. All sizes are bytes, all durations seconds;
lists of one event run parallel unless said otherwise."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field

from core.protocol.settings import Settings
from core.protocol.wire import PROTOCOL, Event
from core.version import VERSION


class Versions(Event):
    """The first event of a stream: the version of the protocol for its events and commands, and that of Jarlet."""

    protocol: int = PROTOCOL
    jarlet: str = VERSION


class Loading(Event):
    """Reading the input goes on: ``done`` of ``total`` class files."""

    done: int
    total: int


class Opened(Event):
    """The input is read. The lists ``kinds``, ``names``, ``sizes`` and ``components`` run parallel, one place per item,
    in item order."""

    paths: list[str]
    title: str
    bytes: int
    classes: int
    kinds: list[str]
    """``class``, ``resource`` or ``nested``."""
    names: list[str]
    """Internal name of a class (``a/b/C``), path of anything else."""
    sizes: list[int]
    components: list[int]
    """Strongly connected component of a class (0 .. ``component_count`` - 1); -1 otherwise."""
    component_count: int
    edges: list[int]
    """Pairs ``from, to, from, to, ...`` of item numbers: *from* mentions *to*."""
    pinned: list[int]
    """Items always kept (class files that cannot be parsed)."""
    warnings: list[str]
    unresolved: int
    """Number of class names mentioned that are neither in the input nor in the JDK."""
    seconds: float
    end: str = ".jar"
    """End of the name of a result; empty if that is a folder of jars."""
    jars: list[str] = field(default_factory=list)
    """Names of the jars that together are the input, and of jars opened inside it."""
    jar_of: list[int] = field(default_factory=list)
    """Number of the jar of each item; empty if there is one jar."""


class Layout(Event):
    """Places to draw at, in scene units: ``x, y, width, height`` quadruples, one per node.

    ``view`` is ``components`` or ``force`` (node *i* is item *i*; resources have no place and width 0), ``packages``
    (nodes are packages, then the classes of opened ones) or ``focus`` (nodes are some classes). ``boxes`` are ``x, y,
    width, height, number`` quintuples, one per cycle of mutual dependencies; in the ``components`` view the number is
    the component.
    """

    view: str
    rects: list[float]
    boxes: Sequence[float] = ()
    labels: Sequence[str] = ()
    """Titles of the packages and groups of packages: the first nodes (``packages`` view)."""
    members: Sequence[int] = ()
    """Node of each item, -1 = not in this view (``packages`` view)."""
    request: int = 0
    """Number of the command that asked for these places."""
    names: Sequence[str] = ()
    """Names behind the labels: internal names, with a suffix ``/*`` for groups (``packages`` view)."""
    items: Sequence[int] = ()
    """Item of each node, -1 = a package (``packages`` and ``focus`` view)."""
    blocks: Sequence[int] = ()
    """Box that each node is in, -1 = none (``packages`` view)."""
    frames: Sequence[float] = ()
    """Quadruples x, y, width, height of the opened packages and groups, outer ones first."""
    frame_names: Sequence[str] = ()
    frame_labels: Sequence[str] = ()
    left_out: int = 0
    """Classes in reach for which there was no room (``focus`` view)."""


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


class Restored(Event):
    """A session is opened: its input follows as ``opened``."""

    path: str
    settings: Settings
    interrupted: bool
    paths: list[str]
    folder: str = ""
    """Base folder of relative names in its command."""
    start: dict[str, int] = field(default_factory=dict)
    """The fields of the step that its last run began with; empty = the input."""
    best: int = 0
    """Bytes of the smallest accepted step, unpacked; 0 = there is none."""


class SessionKept(Event):
    """The place of the session of the run; empty = none, and ``problem`` says why."""

    path: str
    problem: str = ""


class Failed(Event):
    """A command could not be carried out; ``message`` is for the user's eyes."""

    command: str
    message: str
    request: int = 0
    """Number of the question; 0 = it has none."""
