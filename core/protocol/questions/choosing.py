"""The choices that a window offers: algorithms, presets with their tools, sessions. All listeners hear the answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import NamedTuple, Never

from core.protocol.commands import Name
from core.protocol.wire import Event, Question


class OfferedAlgorithm(NamedTuple):
    """An algorithm to choose."""

    name: str
    title: str
    explanation: str
    by_classes: bool
    """True if it can also work on whole classes alone."""
    group: str
    """Its heading; algorithms of one heading follow one another."""


class Algorithms(Event):
    """The algorithms to choose from."""

    offered: Sequence[OfferedAlgorithm]
    default: str


class ListAlgorithms(Question[Algorithms], by="choices.list_algorithms"):
    """Tell the algorithms to choose from."""


class OfferedSetting(NamedTuple):
    """A setting of a preset for the user to fill in."""

    name: str
    title: str
    required: bool
    default: str


class OfferedPreset(NamedTuple):
    """A predicate that comes with Jarlet, or one of the user's own."""

    name: str
    title: str
    about: str = ""
    settings: Sequence[OfferedSetting] = ()
    missing: str = ""
    """Programs to be installed before the preset can run: a sentence; empty = nothing is missing."""
    fetchable: bool = False
    """True if ``fetch`` may get the missing programs."""
    names_failures: bool = False
    """True if its output names failures. One of these failures may be chosen."""
    runs: bool = True
    """True if it may run code of the input, as a command may."""
    newer: str = ""
    """A sentence about a better tool that ``fetch`` gets; empty = the installed one is the best."""


class Presets(Event):
    """The predicates to choose from."""

    offered: Sequence[OfferedPreset]
    agent: str = ""
    """A sentence about the way to get the agent for a run of the input's code; empty if the agent is there."""
    jdks: Sequence[list[str]] = ()
    """Version and folder of each JDK on this machine, that of JAVA_HOME or PATH first."""


class ListPresets(Question[Presets], by="choices.list_presets"):
    """Tell the presets and what they lack."""


class Fetch(Question[Presets], by="choices.fetch"):
    """Get the missing tools of a preset, and those that its settings name."""

    preset: Name
    options: Mapping[str, str] = field(default_factory=dict)


class FetchAgent(Question[Presets], by="choices.fetch_agent"):
    """Get the agent that watches runs of the input."""


class Configure(Question[Presets], by="choices.configure"):
    """Set variables with the places of tools, or unset them by an empty text."""

    variables: Mapping[str, str] = field(default_factory=dict)


class KeptSession(NamedTuple):
    """A reduction that was kept."""

    path: str
    title: str
    bytes: int
    """Unpacked size of the best so far."""
    time: float
    """Time of the last progress, seconds since 1970."""
    finished: bool
    """True if it has ended."""


class Sessions(Event):
    """Interrupted reductions, and then ended ones; each newest first."""

    kept: Sequence[KeptSession]


class ListSessions(Question[Sessions], by="choices.list_sessions", newest=True):
    """Tell the interrupted and the ended reductions."""


class DiscardSession(Question[Never], by="choices.discard_session"):
    """Remove a session."""

    path: Name
