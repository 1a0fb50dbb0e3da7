"""The commands that the engine itself carries out (:mod:`core.service.engine`): they begin, hold or end a run.

A line is checked against the types of the fields (:func:`core.protocol.wire.command_from`). All other commands are
questions (:class:`core.protocol.wire.Question`), each declared with its answer in the module of its subject.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated

from core.errors import UsageError
from core.protocol.settings import Settings
from core.protocol.wire import Command, Number
from core.values import Filled, OneOf

Name = Annotated[str, Filled()]

VIEWS = ("packages", "components", "focus", "force", "matrix", "treemap")
ROWS = ("packages", "components", "classes")


@dataclass(frozen=True, slots=True)
class StepKey:
    """The identity of an accepted step; ``probe`` 0 is the input."""

    probe: Number = 0
    bytes: Number = 0
    items: Number = 0


# -- the run ------------------------------------------------------------------------


class Open(Command):
    """Read jars, wars, zips or folders of classes as one input: answered by ``opened`` and layouts."""

    paths: tuple[str, ...]
    nested: bool = False
    """True: nested jars are opened."""
    room: tuple[Number, ...] = ()
    """Width and height of the graph in pixels: at first as many packages are open as can be read there; empty = as many
    as a large window shows."""


class Check(Command):
    """Run the predicate on the full input: answered by ``checked``."""

    settings: Settings


class Reduce(Command):
    """Check, unless that check has just passed, then reduce: ends with ``finished``."""

    settings: Settings
    start: StepKey = field(default_factory=StepKey)
    """The accepted step of an earlier run to begin with; by default the input."""


class Pause(Command):
    """Start no new probe."""


class Resume(Command):
    """Probes go on."""


class Stop(Command):
    """End the check or the reduction; the best so far stays."""


class Quit(Command):
    """End the engine."""


# -- files --------------------------------------------------------------------------


class LayOut(Command):
    """Tell places to draw a view at: answered by ``layout`` or ``matrix``."""

    view: Annotated[str, OneOf(VIEWS)]
    request: Number = 0
    open: tuple[str, ...] | None = None
    """``packages``: names of the opened nodes; None = as at first."""
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
    """``treemap``, ``force``: width, in hundredths of the height."""

    def __post_init__(self) -> None:
        if self.view == "focus" and not self.items:
            raise UsageError("A layout of a focus needs the field 'items', a list of item numbers.")


class OpenSession(Command):
    """Read a session's input and settings, to go on with it: answered by ``restored`` and ``opened``."""

    path: Name
    room: tuple[Number, ...] = ()
    """As in :class:`Open`."""


class SaveSession(Command):
    """Keep the session at a place of the user's choice from here on: answered by ``session_kept``."""

    path: Name


class KeepSettings(Command):
    """The session under way is to be resumed with these settings: pins that were made during the run."""

    settings: Settings
