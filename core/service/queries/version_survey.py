"""The versions of the failing tool, run on the best so far; the last report then tells which of them fail."""

from __future__ import annotations

from collections.abc import Iterator

from core.predicate.condition import Reference
from core.protocol.events import VersionRan, VersionsListed, VersionsRan
from core.protocol.questions.background import RunVersions
from core.service.aims import aim_in, aim_of
from core.service.queries.desk import Desk
from core.service.versions.version_report import told
from core.service.versions.version_search import VersionSearch, VersionWish

SECONDS = 3600.0
"""Time limit of all versions together, in seconds; each run has one of its own."""


def run_versions(desk: Desk, wish: RunVersions) -> Iterator[VersionsListed | VersionRan | VersionsRan]:
    """Run the versions on the best so far. Versions that run for an earlier wish are killed first."""
    workspace, reference = desk.workspace, None
    report = workspace.last_report
    aim = aim_of(wish.settings) if report is None else aim_in(report)
    if report is not None:
        final = report["final"]
        if final["failures"] and not aim.condition.preserve:  # by their names in the full input
            reference = Reference(final["exit"] or 0, "", "", tuple(final["failures"]))
    with desk.background.run("versions", "Versions of the tool", SECONDS) as cancel:
        search = VersionSearch(VersionWish(aim, every=wish.every), workspace.entries, cancel, reference)
        yield search.listed
        yield from search.run()
        result = search.result
        if report is not None and not result.stopped:
            report["versions"] = told(search.title, search.rows, result)
        yield result
