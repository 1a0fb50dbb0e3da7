"""The code of ``jarlet reduce`` and ``jarlet check``, the two commands that run a predicate."""

from __future__ import annotations

import argparse
import contextlib
import json
import math
import os
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from app.commands.known import warn_of
from app.commands.parsing import DONE, NOT_INTERESTING, ending_gently, work_of
from app.commands.predicate_options import fetch_missing
from app.commands.progress import Bar, Heartbeat, Lines, check_progress, json_lines
from app.commands.reduce import head_start, refuse_beside_resume, run_words, working_in
from app.commands.summary import check_text, result_text
from app.text import counted, size, table
from core.archive.jar import Jar
from core.archive.jar_folders import end_of
from core.archive.named_inputs import InputJar, find, named
from core.batch.tasks import exit_of, worst
from core.errors import NotInterestingError, UsageError
from core.evidence.missing_libraries import missing_table, missing_title
from core.known.bug_groups import bug_table, bugs_json, bugs_title
from core.known.known_bugs import KnownBugs
from core.predicate.aim import Aim
from core.predicate.command import PredicateCommand
from core.predicate.places import CandidatePlaces
from core.protocol import events
from core.protocol.run_words import EndReason
from core.protocol.setting_marks import Decides
from core.protocol.settings import Settings, deciding
from core.protocol.wording import unstable_text
from core.reduction.control import Until
from core.service.aims import INPUT, aim_of
from core.service.bugs_of_results import bugs_of_results
from core.service.head_start import HeadStart
from core.service.meaning import settings_in, understood
from core.service.reads import all_read, report_output, result_outputs
from core.service.workspace import Workspace
from core.store.session import Session
from core.store.session_folder import session_place
from core.system.files import write_whole
from core.system.outputs import Output, guard, refuse_filled
from core.system.removal import remove

_MORE = "More time: jarlet reduce --resume {} --time-limit SECONDS"


def check(options: argparse.Namespace, inputs: Sequence[str], settings: Settings, begun: HeadStart) -> int:
    """Run ``jarlet check`` and return the exit code. ``begun`` has the processes that were started earlier."""
    understood(settings)
    _shape(inputs, merge=options.merge, command=settings.predicate)
    if options.fetch:
        fetch_missing(settings)
    with _workspace(options, (lambda event: None) if options.json else Heartbeat(check_progress), begun) as workspace:
        workspace.open(inputs, nested=options.nested, merge=options.merge)
        checked = workspace.check(settings)
    if options.json:
        print(events.to_line(checked))
    else:
        print(check_text(checked))
    return DONE if checked.interesting else NOT_INTERESTING


def reduce(options: argparse.Namespace, inputs: Sequence[str], settings: Settings, begun: HeadStart) -> int:
    """Run ``jarlet reduce`` and return the exit code. ``begun`` has the processes that were started earlier."""
    aim = aim_of(understood(settings))
    if options.each and (options.session or options.report or options.bug_folder or options.export_rules):
        raise UsageError(
            "With --each every jar gets a report of its own beside it: leave --session, --report, --bug-folder and "
            "--export-rules out."
        )
    if options.export_rules and not aim.condition.preserve:
        raise UsageError("--export-rules is for a program that must still run: add --preserve exit,out.")
    if options.known and not options.each:
        raise UsageError("--known tells the bugs of --each apart: add --each, or ask 'jarlet known check' for one jar.")
    if options.known:
        warn_of(KnownBugs.load(options.known))  # a wrong file is told before the search
    suffix = "" if options.each else end_of(_shape(inputs, merge=options.merge, command=settings.predicate))
    output = options.output or Path(f"{Path(named(inputs[0])[1]).resolve().stem}-reduced{suffix}")
    _guard(options, inputs, aim, output, session_place(options.session) if options.session else None)
    if options.fetch:
        fetch_missing(settings, quiet=options.quiet)
    return _run(options, inputs, settings, output, begun)


def _shape(inputs: Sequence[str], *, merge: bool, command: str = "") -> tuple[InputJar, ...]:
    """Return the inputs that give the result its shape; none for one jar. Raise InputError, and PredicateError for a
    command that does not fit them."""
    found = find(inputs)
    if command:
        places = CandidatePlaces(found[:1] if merge else found)
        PredicateCommand.parse(command.replace(INPUT, ""), places=places)
    return () if merge else found


def _guard(options: argparse.Namespace, inputs: Sequence[str], aim: Aim, output: Path, session: Path | None) -> None:
    """Refuse outputs that may not or cannot be written, before anything is read or run."""
    what = "-o" if options.output else "the output; -o names another one"
    shape = () if options.each else _shape(inputs, merge=options.merge)
    outputs = (
        [Output(output, what, folder=True)]
        if options.each
        else result_outputs(output, what, shape, aim.search.rename, aim.lines)
    )
    if options.report:
        outputs.append(report_output(options.report, "--report"))
    for folder, option in ((options.bug_folder, "--bug-folder"), (options.export_rules, "--export-rules")):
        if folder:
            outputs.append(Output(folder, option, folder=True))
            refuse_filled(folder, option)
    if session is not None:
        outputs.append(Output(session, "--session", folder=True))
    if options.work is not None:
        outputs.append(work_of(options))
    guard(outputs, all_read(inputs, aim))
    if options.each:
        refuse_filled(output, "--each")


def resume(options: argparse.Namespace) -> int:
    """Run ``jarlet reduce --resume`` and return the exit code: continue a session with its input, its settings and its
    verdicts, in the folder where it was made."""
    refuse_beside_resume(options)
    for name in (
        "resume",
        "output",
        "report",
        "bug_folder",
        "export_rules",
        "work",
    ):  # where they begin is here, whatever the session's folder is
        if getattr(options, name) is not None:
            setattr(options, name, Path(os.path.abspath(getattr(options, name))))
    with Session.open(options.resume) as session, working_in(session.place()):
        inputs = session.inputs()
        options.merge, options.nested = session.manifest.merged, session.manifest.nested
        settings = settings_in(session)
        limits = {name: getattr(options, name) for name in deciding(Decides.RUN)}
        settings = replace(settings, **{name: value for name, value in limits.items() if value is not None})
        settings = _clocked(session, settings, more=options.time_limit is not None)
        output = _written(session, options)
        _guard(options, inputs, aim_of(settings), output, session.path)
        if not options.quiet:
            for line in (
                *_state(session, settings),
                *run_words(session.path, settings, output, options.report, options.bug_folder),
            ):
                print(line, file=sys.stderr, flush=True)
        with head_start(options, inputs, settings) as begun:
            return _run(options, inputs, settings, output, begun, session)


def _written(session: Session, options: argparse.Namespace) -> Path:
    """Return the output of a resumed session. Other outputs without an option are set as in the earlier run; the bug
    folder of that run stays as it is."""
    before, reported, bug = session.manifest.written(session.path)
    end = end_of(_shape(session.inputs(), merge=session.manifest.merged))
    output = options.output or before or session.path.with_name(f"{session.path.stem}-reduced{end}")
    for path, given, name in (
        (output, options.output, "-o"),
        (reported, options.report, "--report"),
        (bug, options.bug_folder, "--bug-folder"),
    ):
        if path is not None and given is None and not path.parent.is_dir():
            raise UsageError(
                f"{path.parent}: the session wrote to this folder, which is gone: name another place with {name}."
            )
    options.report = options.report or reported
    if options.bug_folder is None and bug is not None and bug.is_dir() and any(bug.iterdir()):
        print(f"{bug}: this bug folder is there already and stays: --bug-folder names another one.", file=sys.stderr)
    else:
        options.bug_folder = options.bug_folder or bug
    return output


def _clocked(session: Session, settings: Settings, more: bool) -> Settings:
    """Return settings with a time limit that counts from the beginning of the session. The limit of the options is
    added to the time that is used."""
    if more and settings.time_limit is not None:
        settings = replace(settings, time_limit=settings.time_limit + session.used)
        session.save_settings({**session.manifest.settings, "time_limit": settings.time_limit})
    return settings


def _state(session: Session, settings: Settings) -> Iterator[str]:
    """Yield lines on the earlier runs of the session."""
    limit = settings.time_limit
    if session.ended == EndReason.DONE:
        yield f"{session.path}: this session was finished before: its probes are reused."
    elif limit is not None and session.used >= limit:
        yield (
            f"{session.path}: the time limit of {limit:g} s is used up, so nothing new is tried. "
            f"{_MORE.format(session.path)}"
        )
    elif limit is not None:
        left, whole = round(limit - session.used, 1), round(limit, 1)
        yield f"{session.path}: {left:g} s of the time limit of {whole:g} s are left."


def _run(
    options: argparse.Namespace,
    inputs: Sequence[str],
    settings: Settings,
    output: Path,
    begun: HeadStart,
    session: Session | None = None,
) -> int:
    with _workspace(options, _listener(options), begun) as workspace, contextlib.ExitStack() as stack:
        model = workspace.open(inputs, nested=options.nested, merge=options.merge)
        if session is not None:
            session.same_input(model.jar)
        elif options.session is not None:
            session = stack.enter_context(_begun_session(options.session, model.jar, settings))
        if session is not None:
            session.remember(output=output, report=options.report, bug_folder=options.bug_folder)
        if options.each:
            return _each(workspace, settings, output, options.known)
        ends = _end(workspace, settings.time_limit, session)
        reduction = workspace.reduce(settings, output, session)
        try:
            shown = _handed_on(workspace, options, ends)
        finally:  # the jar is there, whatever a report comes to
            if _speaks(options) and workspace.last_report:
                print(result_text(workspace.last_report, output))
                for line in _others(workspace.last_report):
                    print(line)
        if _speaks(options) and session is not None and reduction.reason is EndReason.TIME:
            print(_MORE.format(session.path), file=sys.stderr)
    return exit_of(reduction.reason) or (DONE if shown else NOT_INTERESTING)


@contextlib.contextmanager
def _begun_session(path: Path, jar: Jar, settings: Settings) -> Iterator[Session]:
    """Make a session. Remove it if the full input turns out not to be interesting: its name is free for a better
    command. An empty folder of the user's stays."""
    made = not session_place(path).exists()
    with Session.create(path, jar, settings.to_json()) as session:
        try:
            yield session
        except NotInterestingError:
            if session.best is None:
                for each in [session.path] if made else session.path.iterdir():
                    remove(each)
            raise


def _handed_on(workspace: Workspace, options: argparse.Namespace, ends: Until) -> bool:
    """Write the report and the bug folder that the user wants. Return False if the folder's script, tried to its end,
    shows no failure."""
    if options.report or options.bug_folder:  # modules for the time after the search are loaded then
        from core.service.source_memory import SourceMemory

        sources = SourceMemory()
    if options.report:
        from core.service.queries.export import export

        kind = {".md": "markdown", ".html": "html"}.get(options.report.suffix, "report")
        workspace.emit(export(workspace, kind, options.report, sources, ends))
    if options.export_rules:
        from core.service.queries.rules import write_rules

        told = write_rules(workspace, options.export_rules)
        if _speaks(options):
            print(f"{options.export_rules}: {told}")
    if not options.bug_folder:
        return True
    from core.service.bug_folder import write_bug_folder

    tried = write_bug_folder(workspace, options.bug_folder, ends, sources)
    if not tried.shown:
        print(f"{options.bug_folder}: {tried.message}", file=sys.stderr)
    elif _speaks(options):
        print(f"{options.bug_folder}: {tried.message}")
    return tried.shown or ends.is_set()


def _speaks(options: argparse.Namespace) -> bool:
    """Return True if the user wants sentences: neither silence nor JSON."""
    return not options.quiet and not options.json


def _end(workspace: Workspace, limit: float | None, session: Session | None) -> Until:
    """Return a flag that is set by a stop, and after the time limit, counted from now."""
    left = math.inf if limit is None else limit - (session.used if session else 0.0)
    end = time.monotonic() + left
    return Until(workspace.control.cancel, lambda: time.monotonic() >= end)


def _each(workspace: Workspace, settings: Settings, folder: Path, known: Path | None) -> int:
    """Return one jar a failure: a line for each, in the order of their numbers; then a table of bugs, and the failures
    of missing libraries.
    """
    codes = []
    results, of_missing = workspace.reduce_each(settings, folder)
    for number, row in enumerate(results, 1):
        if row.found is None:
            codes.append(row.exit)
            print(f"{row.failure}: not reduced: {row.message}")
            continue
        codes.append(exit_of(row.found.reduction.reason))
        best, probes = row.found.reduction.best, row.found.reduction.counts.probes
        write_whole(folder / f"{number}.json", (json.dumps(row.found.report, indent=2) + "\n").encode(), parents=True)
        what = f"{counted(best.classes, 'class')}, {size(best.bytes)}, {counted(probes, 'probe')}"
        print(f"{folder / f'{number}{end_of(workspace.opened.jar.inputs)}'}: {what}: {row.failure}")
        for line in _others(row.found.report):
            print(line)
    bugs = bugs_of_results(results, settings, folder, workspace.opened.jar, known)
    if bugs:
        write_whole(folder / "bugs.json", (json.dumps(bugs_json(bugs), indent=2) + "\n").encode())
        print(f"{bugs_title(bugs)}:")
        print(table(bug_table(bugs)))
    if of_missing:
        print(f"{missing_title(of_missing)}:")
        print(table(missing_table(of_missing)))
    return worst(codes) if results else NOT_INTERESTING


def _others(report: dict[str, Any]) -> Iterator[str]:
    """Yield a line for each other failure that was kept."""
    for other in report["others"]:
        what = f"{counted(other['classes'], 'class')}, {size(other['bytes'])}"
        yield f"{other['jar']}: {what}: another failure, {other['failure']}"


def _listener(options: argparse.Namespace) -> events.Listener:
    if options.json:
        json_lines(events.Versions())
        return json_lines
    if options.quiet:
        return _doubts
    return Heartbeat(Bar() if sys.stderr.isatty() else Lines())


def _doubts(event: events.Event) -> None:
    """Print the events that put the result in doubt, and no others."""
    if isinstance(event, events.Finished) and unstable_text(event.report["certificate"]):
        print(event.message, file=sys.stderr)


@contextlib.contextmanager
def _workspace(options: argparse.Namespace, listener: events.Listener, begun: HeadStart) -> Iterator[Workspace]:
    """Give a workspace that Ctrl+C and SIGTERM end gently: the probe is killed, the best so far is kept."""
    workspace = Workspace(listener, began=options.began, begun=begun)
    alive = listener if isinstance(listener, Heartbeat) else contextlib.nullcontext()
    with ending_gently(workspace.stop), alive:
        try:
            yield workspace
        finally:
            left = workspace.close()
            if left:
                print(f"warning: {left}", file=sys.stderr)
