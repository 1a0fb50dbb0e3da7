"""The bugs behind the jars that the window's queue of reductions has written."""

from __future__ import annotations

from pathlib import Path

from core.errors import InputError
from core.known.bug_groups import ReducedFailure, bug_table, bugs_of
from core.known.canonical_form import form_of
from core.predicate.from_settings import class_path_of
from core.protocol.bug_commands import TellBugs
from core.protocol.bug_events import BugsTold
from core.service.queries.desk import Desk, answers


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
