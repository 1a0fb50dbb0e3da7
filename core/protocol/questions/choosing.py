"""The choices that a window offers: algorithms, presets with their tools, sessions. All listeners hear the answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import Any, Never

from core.protocol.commands import Name
from core.protocol.wire import Event, Question


class Algorithms(Event):
    """The algorithms to choose from; the lists run parallel."""

    names: list[str]
    titles: list[str]
    explanations: list[str]
    default: str
    by_classes: Sequence[bool] = ()
    """True for each algorithm that can also work on whole classes alone."""
    groups: Sequence[str] = ()
    """Heading of each algorithm; algorithms of one heading follow one another."""


class ListAlgorithms(Question[Algorithms], by="choices.list_algorithms"):
    """Tell the algorithms to choose from."""


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
    """A sentence about the way to get the agent for such a run; empty if the agent is there."""
    newer: Sequence[str] = ()
    """For each preset a sentence about a better tool that ``fetch`` gets; empty = the installed one is the best."""
    jdks: Sequence[list[str]] = ()
    """Version and folder of each JDK on this machine, that of JAVA_HOME or PATH first."""


class ListPresets(Question[Presets], by="choices.list_presets"):
    """Tell the presets and what they lack."""


class Fetch(Question[Presets], by="choices.fetch"):
    """Get the tools that a preset lacks, with those that its settings name."""

    preset: Name
    options: Mapping[str, str] = field(default_factory=dict)


class FetchAgent(Question[Presets], by="choices.fetch_agent"):
    """Get the agent that watches runs of the input."""


class Configure(Question[Presets], by="choices.configure"):
    """Set variables with the places of tools, or unset them by an empty text."""

    variables: Mapping[str, str] = field(default_factory=dict)


class Sessions(Event):
    """Interrupted reductions, and then ended ones; each newest first. The lists run parallel."""

    paths: list[str]
    titles: list[str]
    bytes: list[int]
    """Unpacked size of the best so far."""
    times: list[float]
    """Time of the last progress of each, seconds since 1970."""
    finished: Sequence[bool] = ()
    """True for each that has ended."""


class ListSessions(Question[Sessions], by="choices.list_sessions", newest=True):
    """Tell the interrupted and the ended reductions."""


class DiscardSession(Question[Never], by="choices.discard_session"):
    """Remove a session."""

    path: Name
