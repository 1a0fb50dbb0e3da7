"""One reduction of a list, and its bug folder if one is wanted.

Its session lies beside the output: an interrupted job goes on from there, and a finished one is not done again.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import closing, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.archive.jar import Jar
from core.batch.tasks import INTERRUPTED, Done, Task, exit_of, task_of
from core.errors import InputError, JarletError, OutputError, UsageError
from core.predicate.aim import Aim
from core.protocol import events
from core.protocol.run_words import EndReason
from core.protocol.settings import Settings
from core.report.reduction_report import probes_of
from core.service.aims import aim_of
from core.service.meaning import understood
from core.store import history
from core.store.fingerprint import mark_of
from core.store.session import Session
from core.store.session_folder import REPORT, SETTINGS, SUFFIX
from core.store.session_manifest import Manifest, digest_of
from core.system.files import write_whole
from core.system.removal import remove
from core.values import read_json

if TYPE_CHECKING:
    from core.service.workspace import Workspace


@dataclass(frozen=True)
class Job:
    """A reduction to be done: absolute paths, the settings, and the places of report and session."""

    name: str
    inputs: tuple[Path, ...]
    output: Path
    report: Path
    settings: Settings
    nested: bool = False
    """True if jars inside the input are opened."""
    bug: Path | None = None
    """Place of the result's bug folder; None if none is wanted."""

    @property
    def session(self) -> Path:
        """The folder of its session."""
        return self.output.with_name(self.output.stem + SUFFIX)

    def task(self, folder: Path) -> Task:
        """Return the job for an executor; ``folder`` is the base of relative paths in its command."""
        return task_of(self.name, folder, partial(run, self))


def run(job: Job, workspace: Workspace) -> Done:
    """Run a job, or go on with it. Raise JarletError."""
    understood(job.settings)
    done = _reduced(job, workspace)
    if job.bug is None:
        return done
    if done.before:  # it was killed before the bug folder: the session answers, and tells how names were changed
        (job.session / REPORT).unlink()
        done = _reduced(job, workspace)
    if done.report is None or done.exit == INTERRUPTED:
        return Done(done.name, done.exit, done.message)
    return _with_bug(job, job.bug, done, workspace)


def _reduced(job: Job, workspace: Workspace) -> Done:
    model = workspace.open([str(path) for path in job.inputs], nested=job.nested)
    found = finished(job, model.jar)
    if found is not None:
        write_json(job.report, found)
        return Done(job.name, exit_of(found["reason"]), report=found, before=True)
    values = job.settings.to_json()
    if (job.session / SETTINGS).exists():
        session = Session.open(job.session)
    else:
        job.output.parent.mkdir(parents=True, exist_ok=True)
        session = Session.create(job.session, model.jar, values)
    with session:
        session.same_input(model.jar)
        session.save_settings(values)
        session.work_here()
        session.remember(output=job.output, report=job.report)
        warned: list[str] = []
        workspace.emit = _noting(warned, workspace.emit)
        reduction = workspace.reduce(job.settings, job.output, session)
    write_json(job.report, workspace.last_report or {})
    return Done(job.name, exit_of(reduction.reason), "\n".join(warned), workspace.last_report)


def _with_bug(job: Job, bug: Path, done: Done, workspace: Workspace) -> Done:
    """Write the bug folder of a result. Return sizes, probes, seconds and canonical form in place of the report."""
    from core.known.canonical_form import VERSION, form_of_entries  # only here: other jobs need neither
    from core.service.bug_folder import write_bug

    report, entries = dict(done.report or {}), workspace.entries
    part = job.output.with_name(f"{job.name}-bug")
    remove(part)
    tried = write_bug(report, entries, part, workspace.control.cancel, workspace.emit)
    if workspace.control.cancel.is_set():  # the hunt was ended, and perhaps begun again: it writes the folder then
        remove(part)
        return Done(done.name, INTERRUPTED)
    _put(part, bug)
    form = texts = ""
    with suppress(JarletError, OSError):  # a class is damaged, or there is none
        found = form_of_entries(entries, [Path(path) for path in job.settings.classpath])
        form, texts = found.hash, found.texts
    told = {
        "classes": report["output"]["classes"],
        "bytes": report["output"]["bytes"],
        "probes": probes_of(report),
        "seconds": report["seconds"]["total"],
        "note": "" if tried.shown else tried.message,
        "form": form,
        "texts": texts,
        "form_version": VERSION,
    }
    return Done(done.name, done.exit, done.message, told)


def _put(part: Path, bug: Path) -> None:
    """Put a new bug folder in its place. An older one goes, unless it has files that are not in the new one: it is kept
    aside."""
    with OutputError.telling(f"{bug}: the folder of the bug cannot be made"):
        bug.parent.mkdir(parents=True, exist_ok=True)
        if bug.exists():
            number = 1
            while (aside := bug.with_name(f"{bug.name}-before-{number}")).exists():
                number += 1
            bug.rename(aside)
            if _files(aside) <= _files(part):
                remove(aside)
        part.rename(bug)


def _files(folder: Path) -> set[str]:
    """Return the names of the files in a folder, without sources, which follow the tool's names."""
    names = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if not path.is_dir()}
    return {name for name in names if not name.startswith("source/")}


def _noting(warned: list[str], emit: events.Listener) -> events.Listener:
    """Return the listener that notes warnings besides."""

    def listener(event: events.Event) -> None:
        if isinstance(event, events.Warned):
            warned.append(event.message)
        emit(event)

    return listener


def _changed(job: Job, aim: Aim) -> bool:
    """Return True if programs or scripts of the predicate have changed since the session used them last."""
    with closing(aim.predicate(None)) as predicate:
        return bool(mark_of(predicate, aim).changed_files(history.last_parts(job.session)))


def finished(job: Job, jar: Jar) -> dict[str, Any] | None:
    """Return the report of an earlier run of the same job that came to its end, or to the same limits."""
    try:
        manifest = Manifest.read(job.session / SETTINGS)
        report = read_json(job.session / REPORT)
        json.dumps([[report[part][size] for size in ("bytes", "classes")] for part in ("input", "output")])
        json.dumps([report["probes"]["run"] + 0, report["seconds"]["total"] + 0.0])
    except (InputError, UsageError, OSError, LookupError, TypeError):
        return None
    same = job.output.exists() and manifest.digest == digest_of(jar)
    same = same and manifest.settings.get("failures") == job.settings.failures  # as they were meant then
    if not same or report.get("reason") not in (EndReason.DONE, EndReason.TIME, EndReason.PROBES):
        return None
    with suppress(JarletError):  # a journal that cannot be read is mended by the run
        aim = aim_of(job.settings, entries=jar.contents)
        as_before = report.get("settings") == json.loads(json.dumps(aim.stored))
        return report if as_before and not _changed(job, aim) else None
    return None


def write_json(path: Path, values: Mapping[str, Any], indent: int = 2) -> None:
    """Write an object as JSON. Raise OutputError."""
    write_whole(path, (json.dumps(dict(values), indent=indent) + "\n").encode(), parents=True)
