"""Runs beside check and reduction: a trial of the command, all tools, the versions of one, the search for libraries."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import Annotated, NamedTuple, Never

from core.protocol.settings import Settings
from core.protocol.wire import Event, Question, Reply
from core.protocol.wording import failures_text
from core.values import OneOf

SUBJECTS = ("input", "result")


class BackgroundRun(NamedTuple):
    """A run beside check and reduction: ``since`` in seconds of the epoch, ``limit`` in seconds."""

    kind: str
    title: str
    since: float
    limit: float


class BackgroundRuns(Event):
    """All runs beside check and reduction that go on now."""

    runs: Sequence[BackgroundRun]


class StopBackground(Question[Never], by="desk.stop_background"):
    """End the runs of a kind that ``background_runs`` tells."""

    kind: str


class CommandTried(Reply):
    """One run of the predicate on a small part of the input."""

    item: str = ""
    """The class around which the part is."""
    classes: int = 0
    verdict: str = ""
    detail: str = ""
    seconds: float = 0.0
    stdout: str = ""
    stderr: str = ""


class TryCommand(Question[CommandTried], by="explore.impact.try_command"):
    """Run the predicate once on the smallest valid set around one class, before anything is checked: answered by
    ``command_tried``."""

    settings: Settings
    item: str
    """Name of the class."""


class ToolsListed(Reply):
    """The installed tools, in the order in which they are about to run."""

    titles: list[str]


class ToolRan(Reply):
    """One of the installed tools was run: ``failures`` names what failed, in its words."""

    tool: str
    """The preset."""
    title: str
    version: str
    failures: list[str]
    places: list[str]
    """Parallel: the source file or the class that each failure is about, empty = the input as a whole."""
    exit: int | None
    seconds: float
    problem: str = ""
    """Why it gave no answer: a sentence."""
    kinds: int = 0
    """Number of kinds of the failures."""

    @property
    def counts(self) -> str:
        """``11 failures of 5 kinds at 25 places``; empty without a failure."""
        return failures_text(len(set(self.failures)), len(self.failures), self.kinds)


class ToolsRan(Reply):
    """All tools have run, or were stopped. ``missing`` has pairs of a tool's title and how to get it."""

    stopped: bool = False
    missing: Sequence[list[str]] = ()


class RunTools(Question[ToolsListed | ToolRan | ToolsRan], by="tool_survey.run_tools"):
    """Run all installed tools on the input or on the best so far: answered by ``tools_listed``, ``tool_ran`` each and
    ``tools_ran``. With ``fetch``, tools that are missing are downloaded first, and ``presets`` follows."""

    subject: Annotated[str, OneOf(SUBJECTS)] = "input"
    classpath: tuple[str, ...] = ()
    fetch: bool = False


class VersionAnswer(StrEnum):
    """The answers of a version of a tool about a failure."""

    FAILS = "fails"
    OTHER = "another failure"
    FINE = "does not fail"
    NONE = "no answer"
    NOT_RUN = "not run"


class VersionsListed(Reply):
    """The versions of a tool available for a run, oldest first, and the place of the one with the intended failure."""

    title: str
    versions: list[str]
    failing: int


class VersionRan(Reply):
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
    failures: Sequence[str] = ()
    seconds: float = 0.0


class VersionsRan(Reply):
    """All versions that were needed have run. Names of versions are empty where there is none."""

    sentence: str = ""
    first_bad: str = ""
    last_good: str = ""
    """The last version before the first bad one that is known not to fail."""
    last_bad: str = ""
    first_fixed: str = ""
    """The first version after the last bad one that is known not to fail."""
    stopped: bool = False


class RunVersions(Question[VersionsListed | VersionRan | VersionsRan], by="results.run_versions"):
    """Run the versions of the tool that fails on the best so far: answered by ``versions_listed``, ``version_ran`` each
    and ``versions_ran``. The failure is that of the last reduction, if there was one."""

    settings: Settings
    """Settings with the failing predicate, used before the first reduction."""
    every: bool = False
    """True if all versions are run, False if as few as halving needs."""


class Whereabouts(NamedTuple):
    """The places of one missing package."""

    package: str
    jar: str = ""
    """Path of the jar with most of the wanted classes; empty if no jar was found."""
    given: str = ""
    """Path of the given library that has the package, though not all of its wanted classes."""


class LibrariesFound(Reply):
    """The places of missing packages."""

    packages: Sequence[Whereabouts]
    jars: list[str]
    """The jars to add, most useful first."""


class FindLibraries(Question[LibrariesFound], by="choices.find_libraries", newest=True):
    """Look for the jars that have missing packages. The newest wish wins."""

    packages: tuple[str, ...]
    classpath: tuple[str, ...] = ()
    """The libraries that are given already."""
