"""Events about the opened input, and the answers to questions beside a run. All sizes are bytes, all durations seconds;
lists of one event run parallel unless said otherwise."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from core.protocol.settings import Settings
from core.protocol.wire import PROTOCOL, Event
from core.version import VERSION


@dataclass(frozen=True, slots=True)
class Versions(Event):
    """The first event of a stream: which protocol its events and commands follow, and whose they are."""

    protocol: int = PROTOCOL
    jarlet: str = VERSION


@dataclass(frozen=True, slots=True)
class Loading(Event):
    """Reading the input goes on: ``done`` of ``total`` class files."""

    done: int
    total: int


@dataclass(frozen=True, slots=True)
class Opened(Event):
    """The input is read. The lists ``kinds``, ``names``, ``sizes`` and ``components`` run parallel, one place per item,
    in item order."""

    sources: list[str]
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
    """Names behind the labels: internal names, with a suffix ``/*`` for groups (``packages`` view)."""
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
class Exported(Event):
    """A file was written at the user's wish."""

    path: str
    bytes: int
    what: str
    message: str = ""
    """Result of a trial of the file: a sentence."""


@dataclass(frozen=True, slots=True)
class Algorithms(Event):
    """The algorithms to choose from; the lists run parallel."""

    names: list[str]
    titles: list[str]
    explanations: list[str]
    default: str
    by_classes: list[bool] = field(default_factory=list)
    """True for each algorithm that can also work on whole classes alone."""


@dataclass(frozen=True, slots=True)
class Presets(Event):
    """The predicates that come with Jarlet and the user's own; the lists run parallel."""

    names: list[str]
    titles: list[str]
    abouts: list[str]
    settings: list[list[dict[str, Any]]]
    """Settings for the user to fill in: ``name``, ``title``, ``kind``, ``required``, ``default`` (one text)."""
    missing: list[str]
    """Programs to be installed before the preset can run: a sentence; empty = nothing is missing."""
    fetchable: list[bool]
    """True for each preset of which ``fetch`` may get the missing programs."""
    names_failures: list[bool]
    """True for each preset whose output names failures. One of these failures may be chosen."""
    runs: list[bool]
    """True for each preset that may run code of the input, as a command may."""
    agent: str
    """A sentence about how to get the agent that watches such a run; empty where the agent is there."""
    newer: list[str] = field(default_factory=list)
    """For each preset a sentence about a better tool that ``fetch`` gets; empty = the installed one is the best."""
    jdks: list[list[str]] = field(default_factory=list)
    """Version and folder of each JDK that is here, that of JAVA_HOME or PATH first."""


@dataclass(frozen=True, slots=True)
class Members(Event):
    """The parts of some classes, in the input and in the best so far."""

    classes: list[dict[str, Any]]
    """``class`` (internal name) and parallel lists: ``kinds``, ``names``, ``parents`` (place in these lists, -1 = the
    class), ``sizes`` (bytes), ``kept``, ``needed`` (a probe proved it), ``ran`` (a watched run ran it; null = not
    known); ``left``: bytes of the class file in the best so far, 0 = it is gone."""
    request: int = 0


@dataclass(frozen=True, slots=True)
class Used(Event):
    """The used part of the full input, from one watched run, and the classes named by the failure. The sets hold items
    of ``Opened`` (:func:`core.protocol.wire.pack`); an empty text is an unknown set. ``Members`` tells which parts of
    classes ran."""

    loaded: str = ""
    """Classes that were loaded."""
    ran: str = ""
    """Classes of which code ran."""
    read: str = ""
    """Resources that were read."""
    named: str = ""
    """Classes that the failure names; empty until a reduction asks what it names."""
    methods: int = 0
    """Methods that ran."""
    problem: str = ""
    """Why it is not known what ran: a sentence; empty before anybody asked for it, too."""
    request: int = 0


@dataclass(frozen=True, slots=True)
class Inspected(Event):
    """The ties of a class or a part of one to others. ``state`` is ``ready``, ``building`` (the answer follows) or
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
    """Numbers of rows left out: of ``needs`` and of ``needed_by``."""
    problem: str = ""
    request: int = 0


@dataclass(frozen=True, slots=True)
class Conflicts(Event):
    """The items to be dropped first that cannot go because of the items to be kept; none = all can go."""

    found: list[dict[str, Any]]
    """``unwanted``, ``kept`` (names), and as ``steps`` triples of what needs (names), what it needs, and the rule."""
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
    """Reductions that were interrupted, and then those that have ended; each newest first. The lists run parallel."""

    paths: list[str]
    titles: list[str]
    bytes: list[int]
    """Unpacked size of the best so far."""
    times: list[float]
    """When they last moved on, seconds since 1970."""
    finished: list[bool] = field(default_factory=list)
    """True for each that has ended."""


@dataclass(frozen=True, slots=True)
class Restored(Event):
    """A session is opened: its input follows as ``opened``."""

    path: str
    settings: Settings
    interrupted: bool
    sources: list[str]
    folder: str = ""
    """Where relative names in its command begin."""
    start: dict[str, int] = field(default_factory=dict)
    """The fields of the step that its last run began with; empty = the input."""
    best: int = 0
    """Bytes of the smallest accepted step, unpacked; 0 = there is none."""
    answers: int = 0
    """Verdicts that its journal has."""


@dataclass(frozen=True, slots=True)
class SessionKept(Event):
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
