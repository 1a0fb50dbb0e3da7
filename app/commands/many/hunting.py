"""``jarlet hunt``."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from app.commands.bugs.known_bugs_file import warn_of
from app.commands.parsing import add_classpath, classpath_of, ending_gently
from app.commands.predicate_options import fetch_tools
from app.text import count, plural, size
from core import values as check
from core.batch.executors import Cluster, Local
from core.batch.hunt.hunt_folder import HuntFolder
from core.batch.hunt.hunt_results import BugStatus, HuntResults
from core.batch.hunt.hunt_run import Hunt, HuntWish, hunted_tools
from core.batch.hunt.hunted_jars import hunted_jars
from core.errors import InputError, UsageError
from core.known.canonical_form import FIRST
from core.known.known_bugs import KnownBug, KnownBugs
from core.predicate import presets
from core.protocol.settings import Settings
from core.protocol.wording import WARNING
from core.service.reads import inputs_read
from core.store.json_fields import read_json
from core.system.outputs import Output, guard
from core.words import in_line

_MOST = 1 << 10
"""Largest number of tasks at a time, and of bugs in a limit."""

_EPILOG = """\
what it does:
  Runs each tool on each jar. Each kind of failure of a tool is reduced once, in the jar where it is likely to need
  least, into a folder of its own; results that differ in names and order alone are one bug.
  DIR/index.html is the table, DIR/hunt.json the same for machines.
  Failures of a missing library are no bugs: they have a table of their own, and those that may be of one are set aside.
  Name libraries with --classpath; those that a jar's own manifest names are found.

to go on:
  The same command goes on where it was ended. No tool is run again on a jar that is as it was, no bug is reduced again,
  unless its reduction was ended by a smaller --time-limit. New jars and new versions of tools are run.

exit codes:
  0 no bug that is not known, 1 bugs were found, 2 bad use, bad input, no jar could be read, a tool could not be fetched
  or gave an answer on no jar, 70 something went wrong inside Jarlet, 130 interrupted. What fails for one jar, tool or
  bug is said, and does not stop the others.
"""


def add_hunt(command: argparse.ArgumentParser) -> None:
    """Add the options of ``jarlet hunt``."""
    command.set_defaults(run=_hunt)
    command.epilog = _EPILOG
    command.formatter_class = argparse.RawDescriptionHelpFormatter
    add = command.add_argument
    add("jars", nargs="+", metavar="JARS", help="jars, folders with jars, and patterns of names ('lib/**/*.jar')")
    add(
        "--tools", metavar="LIST", help="presets, by commas: names, or files NAME.toml (default: installed decompilers)"
    )
    add("-o", "--output", type=Path, default=Path("hunt"), metavar="DIR", help="folder of the hunt (default: hunt)")
    add_classpath(command, "libraries that the jars use")
    known = (
        "known bugs: a file of 'jarlet known', to which reduced bugs are compared, or the hunt.json of an earlier "
        "hunt, whose bugs are not reduced again"
    )
    add("--known", type=Path, action="append", default=[], metavar="FILE", help=known)
    add("--limit", type=int, metavar="N", help="reduce the first N bugs that are not known")
    add("--time-limit", type=float, metavar="S", help="end each reduction after so many seconds, with the best so far")
    add("--jobs", type=int, metavar="N", help="parallel probes of one reduction")
    lanes = "runs of tools or reductions at a time (default: 1; on a cluster: as many as its workers have threads)"
    add("--parallel", type=int, metavar="N", help=lanes)
    cluster = "run on the Dask cluster of this scheduler (tcp://HOST:PORT), whose workers see the same files"
    add("--cluster", metavar="ADDRESS", help=cluster)
    add("--fetch", action="store_true", help="first download tools that are missing")
    add("--json", action="store_true", help="print the results as JSON")
    add("-q", "--quiet", action="store_true", help="print the final table only")


def _hunt(options: argparse.Namespace) -> int:
    words, problems = _tools(options)
    for problem in problems:
        print(f"{WARNING}{problem}", file=sys.stderr)
    wish = _wish(options, words)
    read = inputs_read([jar.path for jar in wish.jars], [path for jar in wish.jars for path in jar.library])
    guard([Output(options.output, "-o", folder=True)], read)

    def say(line: str) -> None:
        if not options.quiet:
            print(in_line(line), file=sys.stderr, flush=True)

    with HuntFolder(options.output) as folder:
        executor = (
            Cluster(options.cluster, options.parallel) if options.cluster else Local(options.parallel or 1, stays=True)
        )
        with executor, ending_gently(executor.stop):
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
    """Return the presets of the options whose tools can be had, none for the installed ones, and sentences on the
    others. Raises UsageError where nothing is named, or none of what is named can be had."""
    words = [word.strip() for word in (options.tools or "").split(",") if word.strip()]
    if options.tools is not None and not words:
        raise UsageError("--tools is empty: name presets by commas, or leave it out.")
    words = [os.path.abspath(word) if word.endswith(".toml") else word for word in words]
    problems = {word: fetch_tools(presets.find(word)) for word in words} if options.fetch else {}
    told = [problem for problem in problems.values() if problem is not None]
    if told and len(told) == len(words):
        raise UsageError(told[0])
    return [word for word in words if problems.get(word) is None], told


def _wish(options: argparse.Namespace, words: Sequence[str]) -> HuntWish:
    """Return the hunt of the options with the tools of some presets. Raises UsageError and InputError."""
    check.whole("number of bugs", options.limit or 0, 0, _MOST)
    check.whole("number of runs at a time", 1 if options.parallel is None else options.parallel, 1, _MOST)
    libraries = classpath_of(options)
    earlier, known = _known(options.known)
    return HuntWish(
        hunted_jars(options.jars, libraries, options.output),
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
    """Return the table of bugs, and where the page is."""
    rows: list[Sequence[Any]] = [("tool", "jars", "status", "classes", "size", "kind of failure")]
    shown = [found for found in results.bugs if found.status is not BugStatus.LEFT]
    for found in shown:
        classes = count(found.classes) if found.classes is not None else ""
        octets = size(found.bytes) if found.bytes is not None else ""
        kind = in_line(found.bug.kind)
        rows.append((found.bug.tool, str(len(found.seen)), found.status, classes, octets, kind))
    widths = [max(len(row[column]) for row in rows) for column in range(5)]
    lines = ["  ".join((*map(str.ljust, row[:5], widths), row[5])) for row in rows] if shown else []
    lines += [
        f"{found.bug.tool} on {in_line(found.bug.jar.name)}: {in_line(found.note)}"
        for found in shown
        if found.status is BugStatus.FAILED and found.note
    ]
    left = len(results.bugs) - len(shown)
    lines += [f"{plural(left, 'bug')} not reduced: --limit ends before."] if left else []
    for package, places in results.missing:
        failures = plural(sum(number for *_, number in places), "failure")
        lines.append(f"{failures} of a missing library, {in_line(package)}: add it with --classpath.")
    unread = [f"{in_line(jar.jar.name)}: {jar.jar.problem}" for jar in results.jars if jar.jar.problem]
    ran = f"{results.ran} of {results.pairs} runs of tools are done; " if results.ran < results.pairs else ""
    end = f"{ran}{plural(results.new, 'bug')}, {len(results.bugs) - results.new} known: {folder / 'index.html'}"
    return [*lines, *unread, end]
