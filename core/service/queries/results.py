"""The best candidate so far and the accepted steps: remaining items, differences, the report, its Java source, and the
versions of the tool that fail on it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from core.known.bug_groups import bug_table, bugs_title
from core.known.known_bugs import KnownBugs
from core.predicate.aim import Aim
from core.predicate.condition import Reference
from core.protocol.events import (
    ChangedEntry,
    Compared,
    Exported,
    LeftTold,
    ReportShown,
    SourceFound,
    VersionRan,
    VersionsListed,
    VersionsRan,
)
from core.protocol.questions.background import RunVersions
from core.protocol.questions.bug import BugsTold, FindSource, ShowReport, TellBugs
from core.protocol.questions.exports import ExportTest
from core.protocol.questions.items import Compare, ListLeft
from core.protocol.settings import Settings
from core.service.aims import aim_in, aim_of
from core.service.bug_folder import ISSUE, report_document
from core.service.bugs_of_results import bugs_of_jars
from core.service.queries.bug_sources import source_memory
from core.service.queries.desk import Desk
from core.service.reproducers.failing_result import FailingResult, source_report
from core.service.reproducers.maintainer_test import maintainer_test, write_test
from core.service.reproducers.projects import PROJECTS, project
from core.service.source_memory import SECONDS
from core.service.versions.version_trials import VersionTrials, VersionWish
from core.system.outputs import Output, guard, refuse_filled

_GONE = -1
"""The size, in bytes, of an entry that a step does not have."""

_VERSIONS = 3600.0
"""Time limit of all versions of a tool together, in seconds; each run has one of its own."""


def list_left(desk: Desk, wish: ListLeft) -> LeftTold:
    """Return the bytes of each item in the best candidate so far, and the classes merged into others."""
    model = desk.workspace.opened
    there = {name: len(data) for name, data in desk.workspace.entries}
    numbers = {item.name: number for number, item in enumerate(model.items)}
    pairs = [(old, new) for old, new in desk.workspace.renaming.classes.items() if old != new]
    merged = [[numbers[old], numbers[new]] for old, new in pairs if old in numbers and new in numbers]
    return LeftTold([there.get(model.jar.entries[item.entry].name, 0) for item in model.items], merged=merged)


def show_report(desk: Desk, wish: ShowReport) -> ReportShown:
    """Return the bug report of the last reduction. Raises UsageError before a reduction has ended."""
    with desk.background.run("report", "Source for the report", SECONDS) as cancel:
        document = report_document(desk.workspace, source_memory(desk), cancel)
    return ReportShown(document.markdown(ISSUE))


def compare(desk: Desk, wish: Compare) -> Compared:
    """Return the entries that differ between two accepted steps, with their sizes in both."""
    both = [dict(desk.keeper.step(step)) for step in (wish.before, wish.after)]
    before, after = both
    names = [name for name in sorted(before.keys() | after.keys()) if before.get(name) != after.get(name)]
    return Compared(
        [ChangedEntry(name, *(len(step[name]) if name in step else _GONE for step in both)) for name in names]
    )


def tell_bugs(desk: Desk, wish: TellBugs) -> BugsTold:
    """Tell which of some reduced jars show the same bug. A jar that cannot be read is left out."""
    known = KnownBugs.load(Path(wish.known)) if wish.known else KnownBugs()
    jars = zip(wish.failures, map(Path, wish.jars), strict=True)
    bugs = bugs_of_jars(jars, wish.settings, desk.workspace.opened.jar, known)
    numbers = {each.failure: number for number, bug in enumerate(bugs, 1) for each in bug.failures}
    names = ["failure", *(bug.smallest.failure for bug in bugs)]  # in place of the input, which is the same for all
    rows = [[*row[:3], Path(row[3]).name, name, *row[5:]] for row, name in zip(bug_table(bugs), names, strict=True)]
    return BugsTold(rows, [numbers.get(each, 0) for each in wish.failures], bugs_title(bugs), known.untold)


def find_source(desk: Desk, wish: FindSource) -> SourceFound:
    """Look for Java source of the best so far; the last report then has it. A search for an earlier wish ends."""
    aim = _last_aim(desk, wish.settings)
    with desk.background.run("java", "Java source with this failure", wish.seconds + SECONDS) as cancel:
        found = source_report(desk.workspace.entries, aim, wish.seconds, cancel)
        if desk.workspace.last_report is not None and not cancel.is_set():
            desk.workspace.last_report["source"] = found
    files = found.get("files") or found.get("assembler") or {}
    own = aim.preset.project if aim.preset is not None else ""
    listed = sorted(PROJECTS.values(), key=lambda each: each.name != own) if files else []
    titles = [[each.name, each.title] for each in listed]
    return SourceFound(found["sentence"], list(files), list(files.values()), titles)


def export_test(desk: Desk, wish: ExportTest) -> Exported:
    """Write the best so far as a test of a project's own suite."""
    folder, wanted, aim = Path(wish.path), project(wish.project), _last_aim(desk, wish.settings)
    guard([Output(folder, "the folder of the test", folder=True)], desk.workspace.reads)
    refuse_filled(folder, "a test")
    with desk.background.run("java", "Test with this failure", wish.seconds + SECONDS) as cancel:
        result = FailingResult(desk.workspace.entries, aim, cancel)
        try:
            test = maintainer_test(result, result.source(wish.seconds).found, wanted, aim)
        finally:
            result.close()
    write_test(test, folder)
    told = test.sentence if test.verified else f"Warning: {test.sentence}"
    return Exported(wish.path, sum(len(text.encode()) for text in test.files.values()), "test", told)


def run_versions(desk: Desk, wish: RunVersions) -> Iterator[VersionsListed | VersionRan | VersionsRan]:
    """Run the versions on the best so far. Versions that run for an earlier wish are killed first."""
    workspace, reference = desk.workspace, None
    report = workspace.last_report
    aim = _last_aim(desk, wish.settings)
    if report is not None:
        final = report["final"]
        if final["failures"] and not aim.condition.preserve:  # by their names in the full input
            reference = Reference(final["exit"] or 0, "", "", tuple(final["failures"]))
    with desk.background.run("versions", "Versions of the tool", _VERSIONS) as cancel:
        search = VersionTrials(VersionWish(aim, every=wish.every), workspace.entries, cancel, reference)
        yield search.listed
        yield from search.run()
        result = search.result
        if report is not None and not result.stopped:
            report["versions"] = search.told
        yield result


def _last_aim(desk: Desk, settings: Settings) -> Aim:
    """Return the aim of the last reduction; before the first one that of the form."""
    report = desk.workspace.last_report
    return aim_of(settings, desk.workspace.opened.jar.inputs) if report is None else aim_in(report)
