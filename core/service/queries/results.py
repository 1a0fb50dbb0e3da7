"""The best candidate so far and the accepted steps: what is left, what differs, the bug report."""

from __future__ import annotations

from core.protocol import commands
from core.protocol.bug_commands import ListLeft, ShowReport
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
