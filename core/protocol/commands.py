"""The commands that the engine takes: one frozen dataclass each, one JSON line each.

A line is checked against the types of the fields (:func:`core.protocol.wire.command_from`). A number ``request`` comes
back with the answer. :mod:`core.service.engine` carries out what begins, holds or ends a run; the functions of
:mod:`core.service.queries.desk` answer the rest.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated

from core.errors import UsageError
from core.protocol.settings import GRANULARITIES, Settings
from core.protocol.wire import Command
from core.values import LARGEST, Filled, OneOf, Whole

Name = Annotated[str, Filled()]
Number = Annotated[int, Whole(0, LARGEST)]

VIEWS = ("packages", "components", "focus", "force", "matrix", "treemap")
ROWS = ("packages", "components", "classes")


@dataclass(frozen=True, slots=True)
class StepKey:
    """The identity of an accepted step; ``probe`` 0 is the input."""

    probe: Number = 0
    bytes: Number = 0
    items: Number = 0


# -- the run ------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Open(Command):
    """Read jars, wars, zips or folders of classes as one input: answered by ``opened`` and layouts."""

    paths: tuple[str, ...]
    nested: bool = False
    """True: nested jars are opened."""
    room: tuple[Number, ...] = ()
    """Width and height of the graph in pixels: at first as many packages are open as can be read there; empty = as many
    as a large window shows."""


@dataclass(frozen=True, slots=True)
class Check(Command):
    """Run the predicate on the full input: answered by ``checked``."""

    settings: Settings


@dataclass(frozen=True, slots=True)
class WatchRun(Command):
    """Run the predicate on the full input once, to see what runs, is loaded and read: answered by ``used``, then
    ``watched``."""

    settings: Settings


@dataclass(frozen=True, slots=True)
class Reduce(Command):
    """Check, unless that check has just passed, then reduce: ends with ``finished``."""

    settings: Settings
    start: StepKey = field(default_factory=StepKey)
    """The accepted step of an earlier run to begin with; by default the input."""


@dataclass(frozen=True, slots=True)
class Pause(Command):
    """Start no new probe."""


@dataclass(frozen=True, slots=True)
class Resume(Command):
    """Probes go on."""


@dataclass(frozen=True, slots=True)
class Stop(Command):
    """End the check or the reduction; the best so far stays."""


@dataclass(frozen=True, slots=True)
class Quit(Command):
    """End the engine."""


# -- files --------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class LayOut(Command):
    """Tell places to draw a view at: answered by ``layout`` or ``matrix``."""

    view: Annotated[str, OneOf(VIEWS)]
    request: Number = 0
    open: tuple[str, ...] | None = None
    """``packages``: names of what is open; None = as at first."""
    open_all: bool = False
    """``packages``: open everything, as far as that can be looked at."""
    items: tuple[Number, ...] = ()
    """``focus``: one class and its neighbourhood, or the classes of a path."""
    depth: Number = 1
    needs: bool = True
    needed_by: bool = True
    together: bool = False
    """``focus``: the classes of ``items`` as a graph of their own, not as a path."""
    rows: Annotated[str, OneOf(ROWS)] = "packages"
    """``matrix``: what its rows are."""
    wide: Number = 160
    """``treemap``: width, in hundredths of the height."""

    def __post_init__(self) -> None:
        if self.view == "focus" and not self.items:
            raise UsageError("A layout of a focus needs the field 'items', a list of item numbers.")


@dataclass(frozen=True, slots=True)
class Export(Command):
    """Write the best so far (``jar``), the report or the whole graph to a file: answered by ``exported``."""

    what: Name
    path: Name


@dataclass(frozen=True, slots=True)
class ExportView(Command):
    """Write what a view shows, as a picture or a graph: answered by ``exported``."""

    what: Name
    path: Name
    view: LayOut


@dataclass(frozen=True, slots=True)
class ExportStep(Command):
    """Write an accepted step as a jar: answered by ``exported``."""

    path: Name
    step: StepKey


@dataclass(frozen=True, slots=True)
class OpenSession(Command):
    """Read a session's input and settings, to go on with it: answered by ``restored`` and ``opened``."""

    path: Name
    room: tuple[Number, ...] = ()
    """As in :class:`Open`."""


@dataclass(frozen=True, slots=True)
class SaveSession(Command):
    """Keep the session at a place of the user's choice from here on: answered by ``session_kept``."""

    path: Name


@dataclass(frozen=True, slots=True)
class KeepSettings(Command):
    """The session under way is to be resumed with these settings: pins that were made during the run."""

    settings: Settings


@dataclass(frozen=True, slots=True)
class DiscardSession(Command):
    """Remove a session."""

    path: Name


@dataclass(frozen=True, slots=True)
class ListSessions(Command):
    """Tell what was interrupted, and what has ended: answered by ``sessions``."""


# -- choices ------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ListAlgorithms(Command):
    """Tell the algorithms to choose from: answered by ``algorithms``."""


@dataclass(frozen=True, slots=True)
class ListPresets(Command):
    """Tell the presets and what they lack: answered by ``presets``."""


@dataclass(frozen=True, slots=True)
class Fetch(Command):
    """Get the tools that a preset lacks: answered by ``presets``."""

    preset: Name


@dataclass(frozen=True, slots=True)
class FetchAgent(Command):
    """Get the agent that watches runs of the input: answered by ``presets``."""


@dataclass(frozen=True, slots=True)
class Configure(Command):
    """Set, or by an empty text unset, variables that tell where tools are: answered by ``presets``."""

    variables: Mapping[str, str] = field(default_factory=dict)


# -- looking ------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ListMembers(Command):
    """Tell the members of some classes: answered by ``members``."""

    classes: tuple[str, ...] = ()
    request: Number = 0


@dataclass(frozen=True, slots=True)
class ListUsed(Command):
    """Tell what is known of what the input's run used: answered by ``used``."""

    request: Number = 0


@dataclass(frozen=True, slots=True)
class Inspect(Command):
    """Tell what ties an item to others: answered by ``inspected``."""

    item: Name
    classpath: tuple[str, ...] = ()
    request: Number = 0


@dataclass(frozen=True, slots=True)
class FindConflicts(Command):
    """Tell which items of these names are to be dropped and cannot be: answered by ``conflicts``."""

    keep: tuple[str, ...] = ()
    drop_first: tuple[str, ...] = ()
    classpath: tuple[str, ...] = ()
    granularity: Annotated[str, OneOf(GRANULARITIES)] = "full"
    request: Number = 0


@dataclass(frozen=True, slots=True)
class ShowListing(Command):
    """Tell a class as text: answered by ``listing``."""

    item: str = ""
    kind: str = ""
    tool: str = ""
    request: Number = 0


@dataclass(frozen=True, slots=True)
class Compare(Command):
    """Tell what differs between two accepted steps: answered by ``compared``."""

    before: StepKey = field(default_factory=StepKey)
    after: StepKey = field(default_factory=StepKey)
    request: Number = 0
