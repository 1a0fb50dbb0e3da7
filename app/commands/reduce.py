"""``jarlet reduce`` and ``jarlet check``."""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import sys
import zipfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from app.commands.parsing import DONE, INTERRUPTED, LIMIT, NOT_INTERESTING, ending_gently, work_of
from app.commands.predicate_options import add_predicate, fetch_missing, inputs_of, settings_of
from app.commands.progress import Bar, Lines, json_lines
from app.commands.resuming import name_of, refuse_beside_resume, run_words, working_in
from app.commands.summary import check_text, result_text
from app.text import plural, size
from core.errors import UsageError
from core.protocol import events
from core.protocol.settings import AUTOMATIC, GRANULARITIES, VALIDITIES, Settings
from core.reduction.bisection import STRATEGIES
from core.search.catalogue import CATALOGUE
from core.service.bug_folder import write_bug_folder
from core.service.export import export
from core.service.meaning import settings_in
from core.service.reads import all_read, inputs_read
from core.service.workspace import Workspace
from core.store.session import Session
from core.store.session_folder import session_place
from core.system.files import write_whole
from core.system.outputs import Output, guard, refuse_filled

_LEFT = (
    "When a run of the command ends, all processes that it started are killed. On Linux that includes daemons; "
    "elsewhere only its process group. Not caught: what another service starts for it (a build daemon, a container, "
    "at, systemd-run), processes of another user, and processes that change their own limit of file locks."
)
_MORE = "More time: jarlet reduce --resume {} --time-limit SECONDS"


def add_reduce(command: argparse.ArgumentParser) -> None:
    """What ``jarlet reduce`` takes."""
    command.set_defaults(run=_reduce)
    command.epilog = _LEFT
    add_predicate(command)
    add = command.add_argument
    add("-o", "--output", type=Path, metavar="OUT", help="the reduced jar (else NAME-reduced.jar)")
    names = (
        ", ".join(f"{name}{' (default)' if name == Settings.algorithm else ''}" for name in CATALOGUE)
        + ", or SPACE/MINIMISER"
    )
    add("--algorithm", metavar="NAME", help=names)
    goes = "what can be removed: class, member (classes and members), full (classes, members and code; default)"
    add("--granularity", choices=GRANULARITIES, help=goes)
    valid = (
        "what candidates must be valid for: jvm (the JVM alone: getDeclaredMethods and the like may fail), "
        "linked (each class that is named exists too, as reflection, shrinkers and analysers need it), "
        "src (also decompilers and compilers), auto (what the preset needs; jvm where each failure is a syntax error "
        "of decompiled source; default)"
    )
    add("--validity", choices=(AUTOMATIC, *VALIDITIES), help=valid)
    add(
        "--keep",
        action="append",
        metavar="PATTERN",
        help="keep these items: a.b.C, a.b.*, a.b.C.m(String)* (may be repeated)",
    )
    gone = "try without these items first: patterns as for --keep (may be repeated)"
    add("--drop-first", action="append", metavar="PATTERN", help=gone)
    add("--thorough", action="store_true", help="auto: continue while anything can be removed, whatever it costs")
    blind = "auto: do not begin with what the failure names and what ran"
    add("--no-evidence", dest="evidence", action="store_false", default=None, help=blind)
    add("--jobs", type=int, metavar="N", help="parallel probes (default: as many as this machine is good for)")
    far = "run the probes on the workers of the Dask cluster of this scheduler (tcp://HOST:PORT)"
    add("--cluster", metavar="ADDRESS", help=far)
    add("--classic", action="store_true", help="delta debugging as published: more probes")
    add("--least", metavar="NAME", help=f"how an interval is searched: {', '.join(STRATEGIES)}")
    each = "reduce for each failure of the full input: OUT is the folder for the jars, new or empty"
    add("--each", action="store_true", help=each)
    add(
        "--session",
        type=Path,
        metavar="DIR",
        help="keep every verdict in a session folder, so that the reduction can be resumed",
    )
    resumed = "resume a session with its settings, in the folder where it was made; it writes OUT and FILE as before"
    add("--resume", type=Path, metavar="DIR", help=resumed)
    limit = (
        "end after so many seconds, counted from the beginning of the check of the input, all parts of a session "
        "together; with --resume: so many more. If it ends the check, nothing is written. The run under way is "
        "killed, and the best so far run once more, so it ends at most one run of the command later"
    )
    add("--time-limit", type=float, metavar="S", help=limit)
    add("--max-probes", type=int, metavar="N", help="stop after N probes")
    add("--report", type=Path, metavar="FILE", help="write a report (.json, .md or .html)")
    bug = "write a new folder to hand on: the reduced jar, a script that repeats the failure, a report, the source"
    add("--bug-folder", type=Path, metavar="DIR", help=bug)
    add("--json", action="store_true", help="print events as JSON, one per line")
    add("-q", "--quiet", action="store_true", help="print nothing but errors")
    actions = command._actions
    command.set_defaults(
        named={action.dest: name_of(action) for action in actions},
        unset={action.dest: action.default for action in actions},
    )


def add_check(command: argparse.ArgumentParser) -> None:
    """What ``jarlet check`` takes."""
    command.set_defaults(run=_check)
    add_predicate(command)
    command.add_argument("--runs", type=int, default=3, metavar="N", help="number of probes (default: 3)")
    command.add_argument("--json", action="store_true", help="print the result as JSON")


def _check(options: argparse.Namespace) -> int:
    inputs, settings = inputs_of(options), replace(settings_of(options), check_runs=options.runs)
    guard([work_of(options)], inputs_read(inputs))
    if options.fetch:
        fetch_missing(settings)
    with _session(options, lambda event: None) as session:
        session.open(inputs)
        checked = session.check(settings)
    if options.json:
        print(events.to_line(checked))
    else:
        print(check_text(checked))
    return DONE if checked.interesting else NOT_INTERESTING


def _reduce(options: argparse.Namespace) -> int:
    if options.resume is not None:
        return _resume(options)
    inputs, settings = inputs_of(options), settings_of(options)
    if options.each and (options.session or options.report or options.bug_folder):
        raise UsageError(
            "With --each every jar gets a report of its own beside it: leave --session, --report and --bug-folder out."
        )
    suffix = "" if options.each else ".jar"
    output = options.output or Path(f"{Path(inputs[0]).resolve().stem}-reduced{suffix}")
    _guard(options, inputs, settings, output, session_place(options.session) if options.session else None)
    if options.fetch:
        fetch_missing(settings)
    return _run(options, inputs, settings, output)


def _guard(
    options: argparse.Namespace, inputs: list[str], settings: Settings, output: Path, session: Path | None
) -> None:
    """Refuses what may not or cannot be written, before anything is read or run."""
    outputs = [Output(output, "-o" if options.output else "the output; -o names another one", folder=options.each)]
    if options.report:
        outputs.append(Output(options.report, "--report"))
    if options.bug_folder:
        outputs.append(Output(options.bug_folder, "--bug-folder", folder=True))
        refuse_filled(options.bug_folder, "--bug-folder")
    if session is not None:
        outputs.append(Output(session, "--session", folder=True))
    guard([work_of(options)], inputs_read(inputs))
    if options.work is not None:
        outputs.append(work_of(options))
    guard(outputs, all_read(inputs, settings))
    if options.each:
        refuse_filled(output, "--each")


def _resume(options: argparse.Namespace) -> int:
    """Goes on with a session: its input, its settings, its verdicts, in the folder where it was made."""
    refuse_beside_resume(options)
    for name in (
        "resume",
        "output",
        "report",
        "bug_folder",
        "work",
    ):  # where they begin is here, whatever the session's folder is
        if getattr(options, name) is not None:
            setattr(options, name, Path(os.path.abspath(getattr(options, name))))
    with Session.open(options.resume) as folder, working_in(folder.place()):
        inputs = [str(path) for path in folder.sources()]
        settings = settings_in(folder)
        limits = {name: getattr(options, name) for name in ("jobs", "cluster", "time_limit", "max_probes")}
        settings = replace(settings, **{name: value for name, value in limits.items() if value is not None})
        settings = _clocked(folder, settings, more=options.time_limit is not None)
        output, options.report = _written(folder, options)
        _guard(options, inputs, settings, output, folder.path)
        if not options.quiet:
            for line in (*_state(folder, settings), *run_words(folder.path, settings, output, options.report)):
                print(line, file=sys.stderr, flush=True)
        return _run(options, inputs, settings, output, folder)


def _written(folder: Session, options: argparse.Namespace) -> tuple[Path, Path | None]:
    """The output and the report of a session that goes on: what is named now, else what it wrote before."""
    before, reported = folder.manifest.written(folder.path)
    output = options.output or before or folder.path.with_name(f"{folder.path.stem}-reduced.jar")
    report = options.report or reported
    for path, given, name in ((output, options.output, "-o"), (report, options.report, "--report")):
        if path is not None and given is None and not path.parent.is_dir():
            raise UsageError(
                f"{path.parent}: the session wrote to this folder, which is gone: name a file with {name}."
            )
    if options.output is None and output.exists() and not zipfile.is_zipfile(output):
        raise UsageError(f"{output}: the session wrote a jar here, and this is none: name another file with -o.")
    return output, report


def _clocked(folder: Session, settings: Settings, more: bool) -> Settings:
    """The time limit counts all parts of the run: a limit that is given for this one comes on top."""
    if more and settings.time_limit is not None:
        settings = replace(settings, time_limit=settings.time_limit + folder.used)
        folder.save_settings({**folder.manifest.settings, "time_limit": settings.time_limit})
    return settings


def _state(folder: Session, settings: Settings) -> Iterator[str]:
    """Lines on what the session has behind it."""
    limit = settings.time_limit
    if folder.ended == "done":
        yield f"{folder.path}: this session was finished before: its probes are reused."
    elif limit is not None and folder.used >= limit:
        yield (
            f"{folder.path}: the time limit of {limit:.3g} s is used up, so nothing new is tried. "
            f"{_MORE.format(folder.path)}"
        )
    elif limit is not None:
        yield f"{folder.path}: {limit - folder.used:.3g} s of the time limit of {limit:.3g} s are left."


def _run(
    options: argparse.Namespace,
    inputs: list[str],
    settings: Settings,
    output: Path,
    folder: Session | None = None,
) -> int:
    with _session(options, _listener(options)) as session, contextlib.ExitStack() as stack:
        session.expect(settings)
        model = session.open(inputs)
        if folder is not None:
            folder.same_input(model.jar)
            folder.remember(output, options.report)
        elif options.session is not None:
            made = Session.create(options.session, model.jar, settings.to_json(), output=output, report=options.report)
            folder = stack.enter_context(made)
        if options.each:
            return _each(session, settings, output)
        reduction = session.reduce(settings, output, folder)
        if options.report:
            kind = {".md": "markdown", ".html": "html"}.get(options.report.suffix, "report")
            export(session, kind, options.report)
        if options.bug_folder:
            tried = write_bug_folder(session, options.bug_folder)
            if not options.quiet and not options.json:
                print(f"{options.bug_folder}: {tried}")
        if not options.json and not options.quiet and session.last_report:
            print(result_text(session.last_report, output))
            for line in _others(session.last_report):
                print(line)
            if folder is not None and reduction.reason == "time":
                print(_MORE.format(folder.path), file=sys.stderr)
    return _code(reduction.reason)


def _each(session: Workspace, settings: Settings, folder: Path) -> int:
    """One jar a failure: a line for each, in the order of their numbers."""
    reason = "done"
    for number, (failure, found) in enumerate(session.reduce_each(settings, folder), 1):
        reason = found.reduction.reason
        best, probes = found.reduction.best, found.reduction.counts.probes
        write_whole(folder / f"{number}.json", (json.dumps(found.report, indent=2) + "\n").encode(), parents=True)
        what = f"{plural(best.classes, 'class', 'classes')}, {size(best.bytes)}, {plural(probes, 'probe')}"
        print(f"{folder / f'{number}.jar'}: {what}: {failure}")
        for line in _others(found.report):
            print(line)
    return _code(reason)


def _others(report: dict[str, Any]) -> Iterator[str]:
    """A line for each other failure that was kept."""
    for other in report["others"]:
        what = f"{plural(other['classes'], 'class', 'classes')}, {size(other['bytes'])}"
        yield f"{other['jar']}: {what}: another failure, {other['failure']}"


def _code(reason: str) -> int:
    return {"done": DONE, "stopped": INTERRUPTED}.get(reason, LIMIT)


def _listener(options: argparse.Namespace) -> events.Listener:
    if options.json:
        json_lines(events.Versions())
        return json_lines
    if options.quiet:
        return _ignore
    return Bar() if sys.stderr.isatty() else Lines()


def _ignore(event: events.Event) -> None:
    """The quiet listener."""


@contextlib.contextmanager
def _session(options: argparse.Namespace, listener: events.Listener) -> Iterator[Workspace]:
    """A session that Ctrl+C and SIGTERM end gently: the probe is killed, the best so far kept."""
    session = Workspace(listener, options.work, began=options.began)
    with ending_gently(session.stop):
        try:
            yield session
        finally:
            session.close()
