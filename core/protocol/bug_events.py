"""Events for the pages beside the graph: the failure in the source, the failing tools, the report, the hits for a name.
Two events are for the graph: the remaining size of each item, and the reasons for an edge."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from core.protocol.wire import Event
from core.protocol.wording import failures_text


@dataclass(frozen=True, slots=True)
class BugShown(Event):
    """The source of the best so far with the failing lines, and what somebody else made of the same members."""

    classes: int = 0
    bytes: int = 0
    tool: str = ""
    """Who made the source, with its version."""
    beside: str = ""
    """Source on the right: a value as in ``show_bug``."""
    beside_title: str = ""
    choices: list[list[str]] = field(default_factory=list)
    """Pairs of what may stand on the right, and its title."""
    failures: list[dict[str, Any]] = field(default_factory=list)
    """``name``, ``text`` (what the tool said), ``file`` (place in ``files``, -1 = none) and ``row`` (from 0)."""
    files: list[dict[str, Any]] = field(default_factory=list)
    """``name``, ``left`` and ``right`` (texts of equally many lines), ``left_lines`` and ``right_lines`` (the numbers
    of these lines, 0 = nothing stands there), ``marked`` (rows with a failure). Those with failures come first."""
    left_out: int = 0
    """Files for which there was no room."""
    decompiled: int = 0
    """Classes of which there is source, where the candidate is too large for all of them; 0 = all."""
    beside_made: bool = False
    """True if the source on the right is ready, False while the source is being made."""
    problem: str = ""
    """Why there is no source, or nothing beside it: a sentence."""
    rewritten: list[str] = field(default_factory=list)
    """The edits of rewriting, from the input to the best so far, in words."""
    stopped: bool = False
    """True if a stop or the time limit ended the page; ``problem`` says so."""
    request: int = 0


@dataclass(frozen=True, slots=True)
class BugsTold(Event):
    """The bugs behind some reduced jars."""

    rows: list[list[str]] = field(default_factory=list)
    """A table for the user, the head first: bug, failures, bytes, smallest jar and its failure, known as."""
    bugs: list[int] = field(default_factory=list)
    """Parallel to the failures of the command: the number of each one's bug, from 1; 0 where the jar was not read."""
    title: str = ""
    """The number of failures, bugs and families of near bugs, in words."""
    untold: str = ""
    """A sentence on the known bugs to which no jar can be compared; empty where there is none."""
    problem: str = ""
    request: int = 0


@dataclass(frozen=True, slots=True)
class BackgroundRun:
    """A run beside check and reduction: ``since`` in seconds of the epoch, ``limit`` in seconds."""

    kind: str
    title: str
    since: float
    limit: float


@dataclass(frozen=True, slots=True)
class BackgroundRuns(Event):
    """All runs beside check and reduction that go on now, each with the fields of :class:`BackgroundRun`."""

    runs: list[dict[str, Any]]


@dataclass(frozen=True, slots=True)
class CommandTried(Event):
    """One run of the predicate on a small part of the input."""

    item: str = ""
    """The class around which the part is."""
    classes: int = 0
    verdict: str = ""
    detail: str = ""
    seconds: float = 0.0
    stdout: str = ""
    stderr: str = ""
    problem: str = ""
    request: int = 0


@dataclass(frozen=True, slots=True)
class ToolsListed(Event):
    """The installed tools, in the order in which they are about to run."""

    titles: list[str]
    request: int = 0


@dataclass(frozen=True, slots=True)
class ToolRan(Event):
    """One of the installed tools was run: ``failures`` names what failed, in its words."""

    tool: str
    """The preset."""
    title: str
    version: str
    subject: str
    failures: list[str]
    places: list[str]
    """Parallel: the source file or the class that each failure is about, empty = the input as a whole."""
    exit: int | None
    seconds: float
    problem: str = ""
    """Why it gave no answer: a sentence."""
    kinds: int = 0
    """Number of kinds of the failures."""
    request: int = 0

    @property
    def counts(self) -> str:
        """``11 failures of 5 kinds at 25 places``; empty without a failure."""
        return failures_text(len(set(self.failures)), len(self.failures), self.kinds)


@dataclass(frozen=True, slots=True)
class ToolsRan(Event):
    """All tools have run, or were stopped. ``missing`` has pairs of a tool's title and how to get it."""

    subject: str
    stopped: bool = False
    missing: list[list[str]] = field(default_factory=list)
    request: int = 0


class VersionAnswer(StrEnum):
    """The answers of a version of a tool about a failure."""

    FAILS = "fails"
    OTHER = "another failure"
    FINE = "does not fail"
    NONE = "no answer"
    NOT_RUN = "not run"


@dataclass(frozen=True, slots=True)
class VersionsListed(Event):
    """The versions of a tool that may be run, oldest first, and the place of the one whose failure is meant."""

    title: str
    versions: list[str]
    failing: int
    request: int = 0


@dataclass(frozen=True, slots=True)
class VersionRan(Event):
    """A version of a tool was run, or could not be."""

    version: str
    place: int
    """Place in ``versions_listed``, from 0."""
    date: str
    """Day of its publication, as ``2024-03-18``; empty if not known."""
    answer: str
    """A value of :class:`VersionAnswer`."""
    detail: str
    """Reason of the answer; of another failure its name."""
    failures: list[str] = field(default_factory=list)
    seconds: float = 0.0
    request: int = 0


@dataclass(frozen=True, slots=True)
class VersionsRan(Event):
    """All versions that were needed have run. Names of versions are empty where there is none."""

    sentence: str = ""
    first_bad: str = ""
    last_good: str = ""
    """The last version before the first bad one that is known not to fail."""
    last_bad: str = ""
    first_fixed: str = ""
    """The first version after the last bad one that is known not to fail."""
    stopped: bool = False
    problem: str = ""
    """Why there is no answer: a sentence."""
    request: int = 0


@dataclass(frozen=True, slots=True)
class SourceFound(Event):
    """Java source that shows the failure, or the assembler text in its place."""

    sentence: str = ""
    verified: bool = False
    """True if it is Java source that a run has verified."""
    names: list[str] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    """Texts of the files, in the order of their names."""
    projects: list[list[str]] = field(default_factory=list)
    """Names and titles of the projects whose tests can be written, that of the preset first; none without texts."""
    problem: str = ""
    request: int = 0


@dataclass(frozen=True, slots=True)
class ReportShown(Event):
    """The bug report: ``html`` to look at, ``issue`` as Markdown that an issue tracker takes."""

    html: str = ""
    issue: str = ""
    problem: str = ""
    request: int = 0


@dataclass(frozen=True, slots=True)
class MembersFound(Event):
    """Members whose names hold a text, the best first; the lists run parallel."""

    text: str
    names: list[str]
    """As in ``members``."""
    classes: list[str]
    """Internal names of their classes."""
    more: int = 0
    request: int = 0


@dataclass(frozen=True, slots=True)
class LeftTold(Event):
    """Bytes of each item, in item order, in the best so far; 0 = it is gone."""

    sizes: list[int]
    request: int = 0
    merged: list[list[int]] = field(default_factory=list)
    """Pairs of items: a class, and the class that it is now part of."""


@dataclass(frozen=True, slots=True)
class EdgeExplained(Event):
    """Why some classes need others. ``state`` is ``ready``, ``building`` (the answer follows) or ``failed``."""

    state: str
    reasons: list[list[str]] = field(default_factory=list)
    """Triples: the part that needs, what it needs, the rule in words."""
    more: int = 0
    problem: str = ""
    request: int = 0


@dataclass(frozen=True, slots=True)
class LibrariesFound(Event):
    """Where missing packages are."""

    packages: list[dict[str, str]]
    """``package``, ``jar`` (a jar that has it, empty = none was found) and ``given`` (a library that was given and has
    it, but not all of its classes; empty = none)."""
    jars: list[str]
    """The jars to add, most useful first."""
    request: int = 0
