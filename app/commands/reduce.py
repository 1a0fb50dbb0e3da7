"""``jarlet reduce`` and ``jarlet check``."""

from __future__ import annotations

import argparse
import contextlib
import json
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from app.commands.parsing import BORING, DONE, INTERRUPTED, LIMIT, ending_gently
from app.commands.predicate import add_predicate, inputs_of, settings_of
from app.progress import Bar, Lines, json_lines
from app.summary import check_text, result_text
from app.text import plural, size
from core.errors import UsageError
from core.jar.parts import GRANULARITIES
from core.run import events
from core.run.least import STRATEGIES
from core.search.catalogue import CATALOGUE, DEFAULT
from core.session.export import export
from core.session.folder import SessionFolder
from core.session.session import Session, write_bytes
from core.session.settings import VALIDITIES, Settings

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
    names = ", ".join(f"{name}{' (default)' if name == DEFAULT else ''}" for name in CATALOGUE) + ", or SPACE/MINIMISER"
    add("--algorithm", default=DEFAULT, metavar="NAME", help=names)
    goes = "what goes: classes, members too, or all there is (default: full)"
    add("--granularity", choices=GRANULARITIES, help=goes)
    valid = "what a try must be good for: the JVM alone, or also a decompiler (default: src)"
    add("--validity", choices=VALIDITIES, help=valid)
    add("--keep", action="append", metavar="PATTERN", help="what stays: a.b.C, a.b.*, a.b.C.m:* (may be repeated)")
    gone = "what is tried without before anything else (may be repeated)"
    add("--drop-first", action="append", metavar="PATTERN", help=gone)
    add("--thorough", action="store_true", help="auto: go on while anything can go, whatever it costs")
    add("--jobs", type=int, metavar="N", help="runs of the command at a time (default: 1)")
    add("--classic", action="store_true", help="delta debugging as the papers run it: more tests")
    add("--least", metavar="NAME", help=f"how an interval is searched: {', '.join(STRATEGIES)}")
    each = "one jar a failure that the full input names: OUT is the folder for them"
    add("--each", action="store_true", help=each)
    add("--session", type=Path, metavar="DIR", help="keep every verdict in a session folder")
    add("--resume", type=Path, metavar="DIR", help="go on with a session, as it was set up")
    limit = (
        "end after so many seconds, all parts of a session together; with --resume: so many more. The run under way is "
        "killed, and the best so far run once more, so it ends at most one run of the command later"
    )
    add("--time-limit", type=float, metavar="S", help=limit)
    add("--max-probes", type=int, metavar="N", help="end after so many runs of the command")
    add("--report", type=Path, metavar="FILE", help="write a report (.json, .md or .html)")
    add("--json", action="store_true", help="print events as JSON, one a line")
    add("-q", "--quiet", action="store_true", help="print nothing but errors")


def add_check(command: argparse.ArgumentParser) -> None:
    """What ``jarlet check`` takes."""
    command.set_defaults(run=_check)
    add_predicate(command)
    command.add_argument("--runs", type=int, default=3, metavar="N", help="how often (default: 3)")
    command.add_argument("--json", action="store_true", help="print the result as JSON")


def _check(options: argparse.Namespace) -> int:
    inputs, settings = inputs_of(options), settings_of(options)
    with _session(options, lambda event: None) as session:
        session.open(inputs)
        checked = session.check(settings, options.runs)
    if options.json:
        print(events.to_line(checked))
    else:
        print(check_text(checked))
    return DONE if checked.interesting else BORING


def _reduce(options: argparse.Namespace) -> int:
    if options.resume is not None:
        return _resume(options)
    inputs, settings = inputs_of(options), settings_of(options)
    if options.each and (options.session or options.report):
        raise UsageError("With --each every jar gets a report of its own beside it: leave --session and --report out.")
    suffix = "" if options.each else ".jar"
    return _run(options, inputs, settings, options.output or Path(f"{Path(inputs[0]).stem}-reduced{suffix}"))


def _resume(options: argparse.Namespace) -> int:
    """Goes on with a session: its input, its settings, its verdicts."""
    if options.inputs or options.predicate or options.preset or options.session:
        raise UsageError("--resume takes the input and all settings from the session: leave the others out.")
    with SessionFolder.open(options.resume) as folder:
        inputs = [str(path) for path in folder.sources()]
        settings = Settings.from_json(folder.manifest.settings)
        limits = {name: getattr(options, name) for name in ("jobs", "time_limit", "max_probes")}
        settings = replace(settings, **{name: value for name, value in limits.items() if value is not None})
        settings = _clocked(folder, settings, more=options.time_limit is not None)
        if not options.quiet:
            for line in _state(folder, settings):
                print(line, file=sys.stderr)
        output = options.output or folder.path.with_name(f"{folder.path.stem}-reduced.jar")
        return _run(options, inputs, settings, output, folder)


def _clocked(folder: SessionFolder, settings: Settings, more: bool) -> Settings:
    """The time limit counts all parts of the run: a limit that is given for this one comes on top."""
    if more and settings.time_limit is not None:
        settings = replace(settings, time_limit=settings.time_limit + folder.used)
        folder.save_settings({**folder.manifest.settings, "time_limit": settings.time_limit})
    return settings


def _state(folder: SessionFolder, settings: Settings) -> Iterator[str]:
    """Lines on what the session has behind it."""
    limit = settings.time_limit
    if folder.ended == "done":
        yield f"{folder.path}: this session came to its end before: what it found out is used again."
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
    folder: SessionFolder | None = None,
) -> int:
    with _session(options, _listener(options)) as session, contextlib.ExitStack() as stack:
        model = session.open(inputs)
        if folder is not None:
            folder.same_input(model.jar)
        elif options.session is not None:
            folder = stack.enter_context(SessionFolder.create(options.session, model.jar, settings.to_json()))
        if options.each:
            return _each(session, settings, output)
        reduction = session.reduce(settings, output, folder)
        if options.report:
            kind = {".md": "markdown", ".html": "html"}.get(options.report.suffix, "report")
            export(session, kind, options.report)
        if not options.json and not options.quiet and session.last_report:
            print(result_text(session.last_report, output))
            for line in _others(session.last_report):
                print(line)
            if folder is not None and reduction.reason == "time":
                print(_MORE.format(folder.path), file=sys.stderr)
    return _code(reduction.reason)


def _each(session: Session, settings: Settings, folder: Path) -> int:
    """One jar a failure: a line for each, in the order of their numbers."""
    reason = "done"
    for number, (failure, found) in enumerate(session.reduce_each(settings, folder), 1):
        reason = found.reduction.reason
        best, probes = found.reduction.best, found.reduction.counts.probes
        write_bytes(folder / f"{number}.json", (json.dumps(found.report, indent=2) + "\n").encode())
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
        return json_lines
    if options.quiet:
        return _ignore
    return Bar() if sys.stderr.isatty() else Lines()


def _ignore(event: events.Event) -> None:
    """The quiet listener."""


@contextlib.contextmanager
def _session(options: argparse.Namespace, listener: events.Listener) -> Iterator[Session]:
    """A session that Ctrl+C and SIGTERM end gently: the probe is killed, the best so far kept."""
    session = Session(listener, options.work)
    with ending_gently(session.stop):
        try:
            yield session
        finally:
            session.close()
