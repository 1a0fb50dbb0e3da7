"""Questions about the failure: the source that shows it, the bugs behind several, the report."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, NamedTuple

from core.protocol.settings import Settings
from core.protocol.wire import Question, Reply
from core.values import Seconds


class ShownFailure(NamedTuple):
    """A failure on the page of the bug."""

    name: str
    text: str
    """Text by the tool."""
    file: int = -1
    """Place among the files; -1 = none."""
    row: int = -1
    """From 0."""


class ShownFile(NamedTuple):
    """A file on the page of the bug: two texts of equally many lines."""

    name: str
    left: str
    right: str
    left_lines: Sequence[int]
    """Numbers of these lines; 0 = nothing stands there."""
    right_lines: Sequence[int]
    marked: Sequence[int]
    """Rows with a failure."""


class BugShown(Reply):
    """The source of the best so far with the failing lines, and what somebody else made of the same members."""

    classes: int = 0
    tool: str = ""
    """The maker of the source, with its version."""
    beside: str = ""
    """Source on the right: a value as in ``show_bug``."""
    beside_title: str = ""
    choices: Sequence[list[str]] = ()
    """Pairs of a choice for the right side, and its title."""
    failures: Sequence[ShownFailure] = ()
    files: Sequence[ShownFile] = ()
    """Those with failures come first."""
    left_out: int = 0
    """Files for which there was no room."""
    decompiled: int = 0
    """Number of decompiled classes of a candidate that is too large for all of them; 0 = all."""
    beside_made: bool = False
    """True if the source on the right is ready, False while the source is being made."""
    problem: str = ""
    """Why there is no source, or nothing beside it: a sentence."""
    rewritten: Sequence[str] = ()
    """The edits of rewriting, from the input to the best so far, in words."""
    stopped: bool = False
    """True if a stop or the time limit ended the page; ``problem`` says so."""


class ShowBug(Question[BugShown], by="bug_page.show_bug", newest=True, arrives="bug_page.overtake"):
    """Tell the source of the best so far with the failing lines. The newest wish wins."""

    settings: Settings
    """Settings with the failing predicate."""
    failures: tuple[str, ...] = ()
    """Names of failures known to be there: of a large candidate only the classes in these names are shown."""
    beside: str = ""
    """Source shown beside the result: ``input``, ``original``, ``nearest:`` with a number, or a decompiling preset;
    empty = the first available one."""


class BugsTold(Reply):
    """The bugs behind some reduced jars."""

    rows: Sequence[list[str]] = ()
    """A table for the user, the head first: bug, failures, bytes, smallest jar and its failure, known as."""
    bugs: Sequence[int] = ()
    """Parallel to the failures of the command: the number of each one's bug, from 1; 0 where the jar was not read."""
    title: str = ""
    """The number of failures, bugs and families of near bugs, in words."""
    untold: str = ""
    """A sentence on the known bugs to which no jar can be compared; empty if there is none."""


class TellBugs(Question[BugsTold], by="results.tell_bugs"):
    """Tell which reduced jars show the same bug. ``failures`` and ``jars`` are parallel."""

    settings: Settings
    """Those of the reductions."""
    failures: tuple[str, ...]
    jars: tuple[str, ...]
    known: str = ""
    """A file of known bugs, which the table then names; empty = none."""


class SourceFound(Reply):
    """Java source that shows the failure, or the assembler text in its place."""

    sentence: str = ""
    names: Sequence[str] = ()
    texts: Sequence[str] = ()
    """Texts of the files, in the order of their names."""
    projects: Sequence[list[str]] = ()
    """Names and titles of the projects with a form for tests, that of the preset first; none without texts."""


class FindSource(Question[SourceFound], by="results.find_source"):
    """Look for Java source that shows the failure of the best so far."""

    settings: Settings
    """Settings with the failing predicate, used before the first reduction."""
    seconds: Annotated[float, Seconds(86_400.0)] = 60.0
    """Time of the search."""


class ReportShown(Reply):
    """The bug report as Markdown that an issue tracker takes."""

    issue: str = ""


class ShowReport(Question[ReportShown], by="results.show_report"):
    """Tell the bug report of the last reduction, to look at and to paste."""
