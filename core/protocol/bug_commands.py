"""Commands of the pages beside the graph: the failure in the source, the failing tools, the report, the search for a
name. Two commands are the graph's: the remaining size of each item, and the reasons for an edge."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from core.protocol.commands import Number
from core.protocol.settings import Settings
from core.protocol.wire import Command
from core.values import OneOf, Seconds

SUBJECTS = ("input", "result")


@dataclass(frozen=True, slots=True)
class ShowBug(Command):
    """Tell the source of the best so far with the failing lines: answered by ``bug_shown``. The newest wish wins."""

    settings: Settings
    """Whose predicate it is that fails."""
    failures: tuple[str, ...] = ()
    """Names of failures that are known to be there: of a large candidate only the classes that they name are shown."""
    beside: str = ""
    """Source shown beside the result: ``input``, ``original``, ``nearest:`` with a number, or a preset that decompiles;
    empty = the first that there is."""
    request: Number = 0


@dataclass(frozen=True, slots=True)
class RunTools(Command):
    """Run all installed tools on the input or on the best so far: answered by ``tools_listed``, ``tool_ran`` each and
    ``tools_ran``. With ``fetch``, tools that are missing are downloaded first, and ``presets`` follows."""

    subject: Annotated[str, OneOf(SUBJECTS)] = "input"
    classpath: tuple[str, ...] = ()
    fetch: bool = False
    request: Number = 0


@dataclass(frozen=True, slots=True)
class RunVersions(Command):
    """Run the versions of the tool that fails on the best so far: answered by ``versions_listed``, ``version_ran`` each
    and ``versions_ran``. The failure is that of the last reduction, if there was one."""

    settings: Settings
    """Whose predicate it is that fails, where nothing was reduced yet."""
    every: bool = False
    """True if all versions are run, False if as few as halving needs."""
    request: Number = 0


@dataclass(frozen=True, slots=True)
class TellBugs(Command):
    """Tell which reduced jars show the same bug: answered by ``bugs_told``. ``failures`` and ``jars`` are parallel."""

    settings: Settings
    """Those of the reductions."""
    failures: tuple[str, ...]
    jars: tuple[str, ...]
    known: str = ""
    """A file of known bugs, which the table then names; empty = none."""
    request: Number = 0


@dataclass(frozen=True, slots=True)
class FindSource(Command):
    """Look for Java source that shows the failure of the best so far: answered by ``source_found``."""

    settings: Settings
    """Whose predicate it is that fails, where nothing was reduced yet."""
    seconds: Annotated[float, Seconds(86_400.0)] = 60.0
    """Time of the search."""
    request: Number = 0


@dataclass(frozen=True, slots=True)
class StopBackground(Command):
    """End the runs of a kind that ``background_runs`` tells."""

    kind: str


@dataclass(frozen=True, slots=True)
class ExportTest(Command):
    """Write the best so far as a test of a project's own suite, into a new folder: answered by ``exported``."""

    project: str
    path: str
    settings: Settings
    """Whose predicate it is that fails, where nothing was reduced yet."""
    seconds: Annotated[float, Seconds(86_400.0)] = 60.0
    """Time of the search for Java source."""
    request: Number = 0


@dataclass(frozen=True, slots=True)
class ShowReport(Command):
    """Tell the bug report of the last reduction, to look at and to paste: answered by ``report_shown``."""

    request: Number = 0


@dataclass(frozen=True, slots=True)
class FindMembers(Command):
    """Tell the members that have a text in their names: answered by ``members_found``. The newest wish wins."""

    text: str
    request: Number = 0


@dataclass(frozen=True, slots=True)
class ListLeft(Command):
    """Tell how much of each item the best so far has: answered by ``left_told``. The newest wish wins."""

    request: Number = 0


@dataclass(frozen=True, slots=True)
class ExplainEdge(Command):
    """Tell by which parts and rules some classes need others: answered by ``edge_explained``."""

    sources: tuple[str, ...]
    targets: tuple[str, ...]
    classpath: tuple[str, ...] = ()
    request: Number = 0


@dataclass(frozen=True, slots=True)
class FindLibraries(Command):
    """Look for the jars that have missing packages: answered by ``libraries_found``. The newest wish wins."""

    packages: tuple[str, ...]
    classpath: tuple[str, ...] = ()
    """The libraries that are given already."""
    request: Number = 0


@dataclass(frozen=True, slots=True)
class TryCommand(Command):
    """Run the predicate once on the smallest valid set around one class, before anything is checked: answered by
    ``command_tried``."""

    settings: Settings
    item: str
    """Name of the class."""
    request: Number = 0
