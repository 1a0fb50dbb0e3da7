"""Reductions in a process of their own: ``python -m core.batch.job``, which :mod:`core.batch.tasks` starts.

The first line of its input is a job as JSON; the only line that it prints is what came of it. With ``stay`` each line
is a job and has its answer; resident processes of one job serve the next. When the input closes, or at SIGTERM or
SIGINT, the reduction ends with the best so far. Its session lies beside the output, so that the same job goes on where
it was, and one that is done is not done again.
"""

from __future__ import annotations

import json
import os
import queue
import signal
import sys
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.archive.jar import Jar
from core.batch.tasks import INTERRUPTED, STAY, Task, TaskEnd
from core.crash import CRASHED, record
from core.errors import InputError, JarletError, UsageError
from core.predicate.from_settings import condition_of, for_input, limits_of, predicate_of
from core.protocol import events
from core.protocol.run_words import EndReason
from core.protocol.settings import Settings
from core.service.meaning import understood
from core.store import history
from core.store.fingerprint import fingerprint
from core.store.json_fields import read_json
from core.store.session import Session
from core.store.session_folder import REPORT, SETTINGS, SUFFIX
from core.store.session_manifest import Manifest, digest_of
from core.system.files import write_whole
from core.system.processes.families import die
from core.system.processes.usage import own_peak
from core.system.thread_turns import short_turns

if TYPE_CHECKING:
    from core.service.workspace import Workspace

DONE, NOT_INTERESTING, FAILED, LIMIT = 0, 1, 2, 3
"""Exit codes, as of ``jarlet reduce``; INTERRUPTED and CRASHED besides."""

STATES = {
    DONE: "done",
    NOT_INTERESTING: "not interesting",
    FAILED: "failed",
    LIMIT: "limit",
    CRASHED: "crashed",
    INTERRUPTED: "stopped",
}

_WORN = 1 << 30
"""Bytes of memory after which a process that stays makes way for another one, since Python gives little of it back."""


@dataclass(frozen=True)
class Job:
    """A reduction to be done: absolute paths, the settings, and where report and session go."""

    name: str
    inputs: tuple[Path, ...]
    output: Path
    report: Path
    settings: Settings
    nested: bool = False
    """True if jars inside the input are opened."""

    @property
    def session(self) -> Path:
        """The folder of its session."""
        return self.output.with_name(self.output.stem + SUFFIX)

    def task(self, folder: Path) -> Task:
        """Return the job for an executor; ``folder`` is where its command's own relative paths begin."""
        values = {
            "name": self.name,
            "inputs": [str(path) for path in self.inputs],
            "output": str(self.output),
            "report": str(self.report),
            "settings": self.settings.to_json(),
            "nested": self.nested,
        }
        return Task(self.name, __name__, json.dumps(values), folder)

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> Job:
        """Return the inverse of what :meth:`task` writes."""
        return cls(
            name=values["name"],
            inputs=tuple(map(Path, values["inputs"])),
            output=Path(values["output"]),
            report=Path(values["report"]),
            settings=understood(Settings.from_json(values["settings"])),
            nested=values["nested"],
        )


@dataclass(frozen=True)
class Done:
    """The result of a job. ``report`` is the reduction's, None if there was none. ``before`` is True if the report is
    from an earlier run and nothing was run now."""

    name: str
    exit: int
    message: str = ""
    report: Mapping[str, Any] | None = None
    before: bool = False

    @property
    def state(self) -> str:
        """The exit code in words."""
        return STATES.get(self.exit, f"died ({self.exit})")


def read_done(ended: TaskEnd) -> Done:
    """Read the result that a task's process printed. A process that printed no result has crashed, even if its exit
    code is the one for an input that is not interesting, because Python uses that code for crashes."""
    try:
        values = json.loads(ended.output)
        return Done(ended.name, ended.exit, values["message"], values["report"], values["before"])
    except (ValueError, KeyError, TypeError):
        last = (ended.error.strip().splitlines() or [""])[-1]
        silent = ended.exit in (DONE, NOT_INTERESTING, LIMIT)
        return Done(ended.name, CRASHED if silent else ended.exit, last or f"It ended with exit code {ended.exit}.")


def run(job: Job, session: Workspace) -> Done:
    """Run a job, or go on with it. Raise JarletError."""
    model = session.open([str(path) for path in job.inputs], nested=job.nested)
    found = finished(job, model.jar)
    if found is not None:
        write_report(job.report, found)
        return Done(job.name, _exit(found["reason"]), report=found, before=True)
    values = job.settings.to_json()
    if (job.session / SETTINGS).exists():
        folder = Session.open(job.session)
    else:
        job.output.parent.mkdir(parents=True, exist_ok=True)
        folder = Session.create(job.session, model.jar, values)
    with folder:
        folder.same_input(model.jar)
        folder.save_settings(values)
        folder.work_here()
        folder.remember(output=job.output, report=job.report)
        warned: list[str] = []
        session.emit = _noting(warned, session.emit)
        reduction = session.reduce(job.settings, job.output, folder)
    write_report(job.report, session.last_report or {})
    return Done(job.name, _exit(reduction.reason), "\n".join(warned), session.last_report)


def _noting(warned: list[str], emit: events.Listener) -> events.Listener:
    """Return the listener that notes warnings besides."""

    def listener(event: events.Event) -> None:
        if isinstance(event, events.Warned):
            warned.append(event.message)
        emit(event)

    return listener


def _changed(job: Job, settings: Settings) -> bool:
    """Return True if programs or scripts of the predicate have changed since the session used them last."""
    predicate = predicate_of(settings, None)
    try:
        now = fingerprint(predicate, condition_of(settings), limits=limits_of(settings), template=settings.predicate)
        before = history.last_parts(job.session)
        return any(
            before[name] != text for name, text in now.parts.items() if name.startswith("file ") and name in before
        )
    finally:
        predicate.close()


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
    settings = for_input(job.settings, [(entry.name, entry.data) for entry in jar.entries])
    same = same and report.get("settings") == json.loads(json.dumps(settings.to_json()))
    same = same and manifest.settings.get("failures") == job.settings.failures  # as they were meant then
    if not same or report.get("reason") not in (EndReason.DONE, EndReason.TIME, EndReason.PROBES):
        return None
    with suppress(JarletError):  # a journal that cannot be read is mended by the run
        return None if _changed(job, settings) else report
    return None


def write_report(path: Path, report: Mapping[str, Any]) -> None:
    """Write the report as JSON. Raise OutputError."""
    write_whole(path, (json.dumps(dict(report), indent=2) + "\n").encode(), parents=True)


def _exit(reason: EndReason) -> int:
    return {EndReason.DONE: DONE, EndReason.STOPPED: INTERRUPTED}.get(reason, LIMIT)


def _listen(event: events.Event) -> None:
    """Pass warnings on to the process that started this one. Progress is in the session."""
    if isinstance(event, events.Warned):
        print(event.message, file=sys.stderr)


class _JobLines:
    """The lines of the input, read in a thread of its own; the end of the input, and of us, ends what runs."""

    def __init__(self, stop: Callable[[], None]) -> None:
        self._stop = stop
        self._lines: queue.SimpleQueue[str] = queue.SimpleQueue()
        self._came: list[int] = []
        self.over = False
        """True if no more jobs are to begin."""
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, self._signalled)
        threading.Thread(target=self._read, daemon=True).start()

    def next(self) -> str:
        """Return the next line; empty at the end."""
        return self._lines.get()

    def _read(self) -> None:
        while line := sys.stdin.readline():
            self._lines.put(line)
        self._end()

    def _signalled(self, number: int, frame: object) -> None:
        self._came.append(number)
        if self._came.count(number) > 1:
            die(number)
        self._end()

    def _end(self) -> None:
        self.over = True
        self._stop()
        self._lines.put("")


Act = Callable[[Any, "Workspace"], Done]
"""Function that carries out the decoded line of a task in a workspace. It may raise JarletError and OSError."""


def _reduce(values: Any, session: Workspace) -> Done:
    return run(Job.from_json(values), session)


def main(act: Act = _reduce, *, stay: bool) -> int:
    """Carry out the tasks that the input names. Return the exit code of the only one; with ``stay`` the code says
    nothing, since the code of each was printed."""
    short_turns()
    try:
        from core.service.workspace import Workspace  # only here: who starts jobs needs no engine

        session = Workspace(_listen)
    except JarletError as error:
        return _told(Done("?", error.exit_code, str(error)))
    code = DONE
    try:
        lines = _JobLines(session.stop)
        while line := lines.next():
            code = _told(_ended(line, act, session))
            if not stay or lines.over or own_peak() > _WORN:
                break
            session.emit = _listen
            session.forget()
            session.begin()
            if lines.over:  # it may have been told to the run that is over
                session.stop()
    finally:
        left = session.close()
        if left:
            print(left, file=sys.stderr)
    return DONE if stay else code  # a task that comes too late is not to be taken for one that ended like the last


def _ended(line: str, act: Act, session: Workspace) -> Done:
    """Carry out a task and return its end, whatever goes wrong."""
    name = "?"
    try:
        values = json.loads(line)
        name = str(values["name"])
        return act(values, session)
    except JarletError as error:
        return Done(name, error.exit_code, str(error))
    except OSError as error:
        record(error)
        return Done(name, FAILED, f"{error.filename or name}: {error.strerror or error}.")
    except Exception as error:
        return Done(name, CRASHED, record(error))


def _told(done: Done) -> int:
    values = {"exit": done.exit, "message": done.message, "report": done.report, "before": done.before}
    print(json.dumps(values), flush=True)
    return done.exit


if __name__ == "__main__":
    code = main(stay=STAY in sys.argv[1:])
    sys.stdout.flush()
    os._exit(code)  # the thread that reads the input must not be waited for
