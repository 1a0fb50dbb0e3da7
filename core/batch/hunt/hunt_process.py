"""The tasks of a hunt in processes of their own, ``python -m core.batch.hunt.hunt_process``, as :mod:`core.batch.job`.

A line of the input is a look (one tool on one jar) or a reduction (one kind of failure, with its bug folder).
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.batch import job
from core.batch.hunt.looks import look
from core.batch.job import DONE, Done, Job
from core.batch.tasks import INTERRUPTED, STAY, Task
from core.entries import Entries
from core.errors import JarletError, OutputError
from core.known.canonical_form import VERSION, form_of_entries
from core.report.reduction_report import probes_of
from core.store.session_folder import REPORT
from core.system.removal import remove

if TYPE_CHECKING:
    from core.service.workspace import Workspace


def look_task(name: str, jar: Path, preset: str, library: Sequence[Path], folder: Path) -> Task:
    """Return the task of a look; it reports a look as JSON."""
    values = {"name": name, "jar": str(jar), "preset": preset, "library": list(map(str, library))}
    return Task(name, __name__, json.dumps(values), folder)


def reduction_task(asked: Job, bug: Path, folder: Path) -> Task:
    """Return the task of a reduction whose bug folder is to be ``bug``; it reports sizes, probes and seconds."""
    values = {"name": asked.name, "job": json.loads(asked.task(folder).line), "bug": str(bug)}
    return Task(asked.name, __name__, json.dumps(values), folder)


def act(values: Mapping[str, Any], session: Workspace) -> Done:
    """Carry out a task. Raise JarletError."""
    if "job" in values:
        return _reduced(Job.from_json(values["job"]), Path(values["bug"]), session)
    library = [Path(path) for path in values["library"]]
    found = look(Path(values["jar"]), values["preset"], library, session.control.cancel)
    if session.control.cancel.is_set():
        return Done(values["name"], INTERRUPTED)
    return Done(values["name"], DONE, report=found.to_json())


def _reduced(asked: Job, bug: Path, session: Workspace) -> Done:
    """Reduce, or go on with it, and write the bug folder."""
    from core.service.bug_folder import write_bug

    done = job.run(asked, session)
    if done.before:  # it was killed before the bug folder: the session answers, and tells how names were changed
        (asked.session / REPORT).unlink()
        done = job.run(asked, session)
    if done.report is None or done.exit == INTERRUPTED:
        return Done(done.name, done.exit, done.message)
    entries = session.entries
    part = asked.output.with_name(f"{asked.name}-bug")
    remove(part)
    tried = write_bug(dict(done.report), entries, part, session.control.cancel, session.emit)
    if session.control.cancel.is_set():  # the hunt was ended, and perhaps begun again: it writes the folder then
        remove(part)
        return Done(done.name, INTERRUPTED)
    _put(part, bug)
    told = {
        "classes": done.report["output"]["classes"],
        "bytes": done.report["output"]["bytes"],
        "probes": probes_of(done.report),
        "seconds": done.report["seconds"]["total"],
        "note": "" if tried.shown else tried.message,
        "form": _form(entries, asked),
        "form_version": VERSION,
    }
    return Done(done.name, done.exit, done.message, told)


def _form(entries: Entries, asked: Job) -> str:
    """Return the hash of the result's canonical form; empty where a class is damaged, or there is none."""
    try:
        return form_of_entries(entries, [Path(path) for path in asked.settings.classpath]).hash
    except (JarletError, OSError):
        return ""


def _put(part: Path, bug: Path) -> None:
    """Put a new bug folder in its place. An older one goes, unless it has files that are not in the new one: it is kept
    aside."""
    try:
        bug.parent.mkdir(parents=True, exist_ok=True)
        if bug.exists():
            number = 1
            while (aside := bug.with_name(f"{bug.name}-before-{number}")).exists():
                number += 1
            bug.rename(aside)
            if _files(aside) <= _files(part):
                remove(aside)
        part.rename(bug)
    except OSError as error:
        raise OutputError(f"{bug}: the folder of the bug cannot be made ({error.strerror or error}).") from error


def _files(folder: Path) -> set[str]:
    """Return the names of the files in a folder, without sources, which follow the tool's names."""
    names = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if not path.is_dir()}
    return {name for name in names if not name.startswith("source/")}


if __name__ == "__main__":
    code = job.main(act, stay=STAY in sys.argv[1:])
    sys.stdout.flush()
    os._exit(code)  # the thread that reads the input must not be waited for
