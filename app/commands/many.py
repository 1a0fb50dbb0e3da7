"""``jarlet batch`` and ``jarlet hunt``: lists of jobs, here or on a cluster."""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from app.commands.known import warn_of
from app.commands.parsing import classpath_of, ending_gently
from app.commands.predicate_options import fetch_tools
from app.text import count, counted, seconds, size, table
from core import values as check
from core.batch import batch_file
from core.batch.executors import Executor, executor_of
from core.batch.hunt import Hunt, HuntFolder, HuntWish, hunted_tools
from core.batch.hunt_results import BugStatus, HuntResults
from core.batch.job import write_json
from core.batch.looks import hunted_jars
from core.batch.tasks import Done, worst
from core.errors import InputError, UsageError
from core.known.canonical_form import FIRST
from core.known.known_bugs import KnownBug, KnownBugs
from core.library.kept_files import kept_file
from core.predicate import presets
from core.predicate.command import PredicateCommand
from core.predicate.output.kinds import HANGS, KINDS
from core.protocol.settings import Settings
from core.protocol.wording import WARNING
from core.report.reduction_report import probes_of
from core.service.reads import inputs_read
from core.system.outputs import Output, guard
from core.values import read_json
from core.words import in_line, share

_MOST = 1 << 10
"""Largest number of bugs in a limit."""
_PRESET = """name = "command"
title = {title}
about = "Runs a command of the user's."
validity = "linked"
[[settings]]
name = "command"
title = "the command"
default = [{command}]
[[steps]]
run = ["sh", "-c", "{{command}}"{classes}]
[failures]
wanted = "kinds"
read = {kinds}
{pattern}
"""
"""The preset of a command."""


@contextlib.contextmanager
def _running(options: argparse.Namespace) -> Iterator[tuple[Executor, Callable[[str], None]]]:
    """Give an executor, which signals end gently, and a function for lines about ended jobs."""

    def say(line: str) -> None:
        if not options.quiet:
            print(in_line(line), file=sys.stderr, flush=True)

    with executor_of(options.cluster, options.parallel) as executor, ending_gently(executor.stop):
        yield executor, say


def batch(options: argparse.Namespace) -> int:
    jobs = batch_file.load(options.file)
    results = options.results or options.file.with_name(f"{options.file.stem}-results.json")
    batch_file.guard_all(jobs, options.file, results)

    with _running(options) as (executor, say):

        def on_end(number: int, done: Done) -> None:
            again = " before" if done.before else ""
            say(f"{number} of {len(jobs.jobs)}: {done.name}: {done.state}{again}")

        ends = jobs.run(executor, on_end)
    write_json(results, jobs.to_json(ends))
    print(_table(ends))
    return worst(done.exit for done in ends)


def _table(ends: Sequence[Done]) -> str:
    rows = [("job", "state", "classes", "size", "left", "probes", "time")]
    for done in ends:
        if done.report is None:
            rows.append((in_line(done.name), done.state, "", "", "", "", ""))
            continue
        whole, left = done.report["input"], done.report["output"]
        rows.append(
            (
                in_line(done.name),
                done.state,
                f"{count(left['classes'])} of {count(whole['classes'])}",
                size(left["bytes"]),
                share(left["bytes"], whole["bytes"]),
                count(probes_of(done.report)),
                seconds(done.report["seconds"]["total"]),
            )
        )
    notes = [f"{in_line(done.name)}: {done.message}" for done in ends if done.message]
    return "\n".join([table(rows), *(["", *notes] if notes else [])])


def hunt(options: argparse.Namespace) -> int:
    words, problems = _tools(options) if options.predicate is None else ([_of_command(options)], [])
    for problem in problems:
        print(f"{WARNING}{problem}", file=sys.stderr)
    wish = _wish(options, words)
    read = inputs_read([jar.path for jar in wish.jars], [path for jar in wish.jars for path in jar.library])
    guard([Output(options.output, "-o", folder=True)], read)

    with _running(options) as (executor, say), HuntFolder(options.output) as folder:
        results = Hunt(wish, folder, say).run(executor)
    if options.json:
        print(json.dumps(results.to_json(), indent=2))
    else:
        print("\n".join(_lines(results, options.output)))
    for name in results.silent:
        print(f"jarlet: {in_line(name)} gave no answer on any jar: the table says why.", file=sys.stderr)
    if results.unread:
        print("jarlet: None of the jars could be read.", file=sys.stderr)
    for problem in problems:
        print(f"jarlet: {problem} The hunt was without it.", file=sys.stderr)
    return results.exit if results.stopped or not problems else UsageError.exit_code


def _tools(options: argparse.Namespace) -> tuple[list[str], list[str]]:
    """Return the named presets with available tools, none for the installed ones, and sentences on the other presets.
    Raises UsageError if nothing is named, or nothing named is available."""
    words = [word.strip() for word in (options.tools or "").split(",") if word.strip()]
    if options.tools is not None and not words:
        raise UsageError("--tools is empty: name presets by commas, or leave it out.")
    words = [os.path.abspath(word) if word.endswith(".toml") else word for word in words]
    problems = {word: fetch_tools(presets.find(word)) for word in words} if options.fetch else {}
    told = [problem for problem in problems.values() if problem is not None]
    if told and len(told) == len(words):
        raise UsageError(told[0])
    return [word for word in words if problems.get(word) is None], told


def _of_command(options: argparse.Namespace) -> str:
    """Return the place of a preset that runs the command of the options. Raise UsageError."""
    if options.tools is not None:
        raise UsageError("Name the tools by --tools or by --predicate, not by both.")
    command, work = PredicateCommand.parse(options.predicate), "@WORK@"
    words = (word.replace("'", "'\\''").replace(work, "'\"$JARLET_WORK\"'") for word in command.argv(Path(work)))
    naming = options.failures_as
    kinds = ["traces", "exit"] if naming is None else [naming] if naming in KINDS else []
    text = _PRESET.format(
        title=json.dumps(options.predicate),
        command=json.dumps(" ".join(f"'{word}'" for word in words)),
        classes=', "{classes}"' * command.needs_classes,
        kinds=json.dumps([*kinds, HANGS]),
        pattern="" if kinds else f"pattern = {json.dumps(naming)}",
    )
    return str(kept_file("command.toml", text.encode()))


def _wish(options: argparse.Namespace, words: Sequence[str]) -> HuntWish:
    """Return the hunt of the options with the tools of some presets. Raises UsageError and InputError."""
    check.whole("number of bugs", options.limit or 0, 0, _MOST)
    libraries = classpath_of(options)
    earlier, known = _known(options.known)
    return HuntWish(
        hunted_jars(
            options.jars, libraries, options.output, by_content=options.predicate is not None, fetch=options.fetch
        ),
        hunted_tools(words),
        Settings(time_limit=options.time_limit, jobs=options.jobs),
        options.limit,
        earlier,
        known,
    )


def _known(paths: Sequence[Path]) -> tuple[frozenset[str], KnownBugs]:
    """Return the keys of bugs of earlier hunts, and the known bugs. Raise InputError."""
    earlier: set[str] = set()
    known = KnownBugs()
    for path in paths:
        bugs = _of_hunt(path)
        if bugs is None:
            for bug in KnownBugs.load(path).bugs:
                known = known.add(bug)
        for row in bugs or ():
            earlier.add(str(row["key"]))
            if row["form"]:
                bug = KnownBug(row["form"], "a bug of an earlier hunt", row["tool"], form=row["version"])
                known = known.add(bug)
    warn_of(known)
    return frozenset(earlier), known


def _of_hunt(path: Path) -> list[dict[str, Any]] | None:
    """Return the bugs in the results of a hunt; None if the file is no such results."""
    try:
        values = read_json(path)
        if "jars" not in values:
            return None
        version = values.get("form_version", FIRST)
        return [{name: row[name] for name in ("key", "form", "tool")} | {"version": version} for row in values["bugs"]]
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror or error}).") from error
    except (UsageError, LookupError, TypeError) as error:
        raise InputError(f"{path}: these are neither known bugs nor the results of a hunt.") from error


def _lines(results: HuntResults, folder: Path) -> list[str]:
    """Return the table of bugs, and the place of the page."""
    rows = [("tool", "jars", "status", "classes", "size", "kind of failure")]
    shown = [bug for bug in results.bugs if bug.status is not BugStatus.LEFT]
    for bug in shown:
        classes = count(bug.classes) if bug.classes is not None else ""
        octets = size(bug.bytes) if bug.bytes is not None else ""
        rows.append((bug.tool, str(len(bug.seen)), bug.status, classes, octets, in_line(bug.kind)))
    lines = [table(rows)] if shown else []
    lines += [
        f"{bug.tool} on {in_line(bug.jar.name)}: {in_line(bug.note)}"
        for bug in shown
        if bug.status is BugStatus.FAILED and bug.note
    ]
    left = len(results.bugs) - len(shown)
    lines += [f"{counted(left, 'bug')} not reduced: --limit ends before."] if left else []
    for package, places in results.missing:
        failures = counted(sum(number for *_, number in places), "failure")
        lines.append(f"{failures} of a missing library, {in_line(package)}: add it with --classpath.")
    unread = [f"{in_line(jar.jar.name)}: {jar.jar.problem}" for jar in results.jars if jar.jar.problem]
    ran = f"{results.ran} of {results.pairs} runs of tools are done; " if results.ran < results.pairs else ""
    end = f"{ran}{counted(results.new, 'bug')}, {len(results.bugs) - results.new} known: {folder / 'index.html'}"
    return [*lines, *unread, end]
