"""The bugs behind reduced jars, one failure each."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path

from core.archive.jar import Jar, read_jar
from core.archive.jar_folders import end_of
from core.errors import InputError
from core.known.bug_groups import Bug, ReducedFailure, bugs_of
from core.known.canonical_form import form_of_entries
from core.known.known_bugs import KnownBugs
from core.predicate.failure_kinds import FailureKinds
from core.protocol.run_words import EndReason
from core.protocol.settings import Settings
from core.service.workspace import OneOfEach


def bugs_of_results(
    results: Sequence[OneOfEach], settings: Settings, folder: Path, whole: Jar, known: Path | None
) -> list[Bug]:
    """Return the bugs behind the results of :meth:`~core.service.workspace.Workspace.reduce_each` in a folder;
    ``whole`` is the input. A result is left out if the time limit or the user ended its search, so that it may be as
    large as the input.

    Raises InputError for a damaged file of ``known`` bugs.
    """
    end, cut_short = end_of(whole.inputs), (EndReason.TIME, EndReason.STOPPED)
    jars = [
        (row.failure, folder / f"{number}{end}")
        for number, row in enumerate(results, 1)
        if row.found is not None and row.found.reduction.reason not in cut_short
    ]
    return bugs_of_jars(jars, settings, whole, KnownBugs.load(known) if known is not None else KnownBugs())


def bugs_of_jars(jars: Iterable[tuple[str, Path]], settings: Settings, whole: Jar, known: KnownBugs) -> list[Bug]:
    """Return the bugs behind reduced jars of an input, each with its failure. A jar without a canonical form is left
    out: it cannot be read, has no class, or a class of it is damaged."""
    kinds, library = FailureKinds.of(whole.contents), [*map(Path, settings.classpath)]
    failures = []
    for failure, path in jars:
        with suppress(InputError):
            jar = read_jar([path])
            form = form_of_entries(jar.contents, library, settings.jdk)
            told = (str(path), jar.size, form, settings.preset or "", whole.title)
            failures.append(ReducedFailure(failure, kinds.of_name(failure), *told))
    return bugs_of(failures, known)
