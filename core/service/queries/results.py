"""The best candidate so far and the accepted steps: what is left, what differs, the bug report."""

from __future__ import annotations

from pathlib import Path

from core.errors import InputError
from core.known.bug_groups import ReducedFailure, bug_table, bugs_of
from core.known.canonical_form import form_of
from core.predicate.from_settings import class_path_of
from core.protocol import commands
from core.protocol.bug_commands import ListLeft, ShowReport, TellBugs
from core.protocol.bug_events import BugsTold
from core.protocol.events import Compared, LeftTold, ReportShown
from core.service.bug_folder import ISSUE, report_document
from core.service.queries.desk import Desk, answers
from core.store import history

_GONE = -1
"""The size, in bytes, of an entry that a step does not have."""


@answers(ListLeft, newest=True)
def list_left(desk: Desk, wish: ListLeft) -> LeftTold:
    """Return the number of bytes of each item that the best candidate so far still has."""
    model = desk.workspace.opened
    there = {name: len(data) for name, data in desk.workspace.entries}
    return LeftTold([there.get(model.jar.entries[item.entry].name, 0) for item in model.items])


@answers(ShowReport, failed=lambda wish, problem: ReportShown(problem=problem))
def show_report(desk: Desk, wish: ShowReport) -> ReportShown:
    """Return the bug report of the last reduction. Raises UsageError before a reduction has ended."""
    document = report_document(desk.workspace)
    return ReportShown(document.html(), document.markdown(ISSUE))


@answers(commands.Compare, failed=lambda wish, problem: Compared([], [], [], problem))
def compare(desk: Desk, wish: commands.Compare) -> Compared:
    """Return the entries that differ between two accepted steps, with their sizes in both."""
    found = history.compare(desk.session.step(wish.before), desk.session.step(wish.after))
    before = [_GONE if row.before is None else row.before for row in found]
    after = [_GONE if row.after is None else row.after for row in found]
    return Compared([row.name for row in found], before, after)


@answers(TellBugs, failed=lambda wish, problem: BugsTold(problem=problem))
def tell_bugs(desk: Desk, wish: TellBugs) -> BugsTold:
    """Tell which of some reduced jars show the same bug. A jar that cannot be read is left out."""
    settings, where = wish.settings, desk.workspace.opened.jar.title
    failures = []
    for failure, name in zip(wish.failures, wish.jars, strict=True):
        jar = Path(name)
        try:
            form = form_of(jar, class_path_of(settings), settings.jdk)
        except InputError:
            continue
        failures.append(ReducedFailure(failure, jar.name, jar.stat().st_size, form, settings.preset or "", where))
    bugs = bugs_of(failures)
    numbers = {each.failure: number for number, bug in enumerate(bugs, 1) for each in bug.failures}
    return BugsTold(rows=[list(row) for row in bug_table(bugs)], bugs=[numbers.get(each, 0) for each in wish.failures])
