"""The bugs behind the results of reductions for one failure each."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from core.archive.jar import Jar
from core.archive.jar_folders import end_of
from core.errors import InputError
from core.known.bug_groups import Bug, ReducedFailure, bugs_of
from core.known.canonical_form import CanonicalForm, form_of_entries
from core.known.known_bugs import KnownBugs
from core.predicate.failure_kinds import FailureKinds
from core.protocol.run_words import EndReason
from core.protocol.settings import Settings
from core.reduction.records import ReportedReduction, entries_of
from core.service.workspace import OneOfEach


def bugs_of_results(
    results: Sequence[OneOfEach], settings: Settings, folder: Path, jar: Jar, known: Path | None = None
) -> list[Bug]:
    """Return the bugs behind the results of :meth:`~core.service.workspace.Workspace.reduce_each` in a folder;
    ``jar`` is the input. A result without a canonical form is left out: there is none, a class of it is damaged, or the
    time limit or the user ended its search, so that it may be as large as the input.

    Raises InputError for a damaged file of ``known`` bugs.
    """
    failures = []
    kinds = kinds_in(jar)
    for number, row in enumerate(results, 1):
        failure, found = row.failure, row.found
        form = _form(found, settings) if found is not None else None
        if found is not None and form is not None:
            path, size, tool = (
                str(folder / f"{number}{end_of(jar.inputs)}"),
                found.reduction.best.bytes,
                settings.preset or "",
            )
            failures.append(ReducedFailure(failure, kinds.of_name(failure), path, size, form, tool, jar.title))
    return bugs_of(failures, KnownBugs.load(known) if known is not None else None)


def kinds_in(jar: Jar) -> FailureKinds:
    """Return the kinds of failures of an input."""
    return FailureKinds.of(jar.contents)


def _form(found: ReportedReduction, settings: Settings) -> CanonicalForm | None:
    if found.reduction.reason in (EndReason.TIME, EndReason.STOPPED):
        return None
    try:
        return form_of_entries(entries_of(found.reduction.best), [*map(Path, settings.classpath)], settings.jdk)
    except InputError:
        return None
