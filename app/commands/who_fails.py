"""``jarlet tools`` runs the installed tools on an input, and tells which of them fail."""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from pathlib import Path
from threading import Event as Flag

from app.commands.parsing import DONE, NOT_INTERESTING, add_classpath, add_input, classpath_of, ending_gently
from app.commands.predicate_options import fetch_tools
from app.commands.summary import libraries_text
from app.terminal import tell_running
from app.text import plural, seconds
from core.archive.jar import read_jar
from core.evidence.missing_libraries import library_failures
from core.library.class_path import Classpath
from core.model import class_model
from core.model.class_model import ClassModel
from core.protocol.events import ToolRan
from core.service.queries.tool_survey import fetch_all, lacking, survey

_SHOWN_FAILURES = 5
"""Failures of a tool that are listed without ``--all``."""


def add_tools(command: argparse.ArgumentParser) -> None:
    """Add the options of ``jarlet tools``."""
    command.set_defaults(run=_tools)
    add_input(command, "+")
    add_classpath(command)
    command.add_argument("--all", action="store_true", help="list all failures, not the first few of each tool")
    command.add_argument("--fetch", action="store_true", help="first download tools that are missing")
    command.add_argument("--json", action="store_true", help="print JSON")


def _tools(options: argparse.Namespace) -> int:
    model = class_model.build(read_jar(options.inputs, nested=options.nested))
    library = classpath_of(options)
    Classpath(library, lambda: 0).close()  # a library that cannot be read is told before anything runs
    found, cancel = [], Flag()
    failed = fetch_all(fetch_tools) if options.fetch else {}  # told at the end
    with ending_gently(cancel.set):
        titles: Sequence[str] = ()
        for told in survey(model.entries(model.full), library, cancel):
            tell_running("")
            if isinstance(told, ToolRan):
                found.append(told)
                if not options.json:
                    print("\n".join(_lines(told, options.all)), flush=True)
            else:
                titles = told.titles
            if len(found) < len(titles):
                tell_running(f"Running {titles[len(found)]}, {len(found) + 1} of {len(titles)} tools.")
        tell_running("")
    if options.json:
        print(json.dumps([asdict(ran) for ran in found], indent=2))
    elif said := _of_libraries(found, model, library):
        print(said)
    for title, why in lacking(failed):
        print(f"{title}: {why}", file=sys.stderr)
    return DONE if any(ran.failures for ran in found) else NOT_INTERESTING


def _of_libraries(found: Sequence[ToolRan], model: ClassModel, library: Sequence[Path]) -> str:
    """Return a line on the failures that come from missing libraries; empty if there are none."""
    failures = [name for ran in found for name in ran.failures]
    missing = library_failures(failures, model, library).packages(failures)
    return libraries_text(list(missing), list(missing.values()), len(failures))


def _lines(ran: ToolRan, whole: bool) -> Iterable[str]:
    """Yield lines on the failures of one tool, and a command that reduces for the first."""
    name = f"{ran.title} {ran.version}".strip()
    if ran.problem:
        yield f"{name}: no answer: {ran.problem}"
        return
    counts = Counter(ran.failures)
    files = len(set(filter(None, ran.places)))
    where = f" in {plural(files, 'class', 'classes')}" if files else ""
    what = f"{ran.counts}{where}" if counts else "no failure"
    yield f"{name}: {what} ({seconds(ran.seconds)})" + (f", --preset {ran.tool}" if counts else "")
    shown = list(counts.items())[: None if whole else _SHOWN_FAILURES]
    for failure, count in shown:
        yield f"  {failure}" + (f" ({count} times)" if count > 1 else "")
    if len(counts) > len(shown):
        yield f"  ... and {len(counts) - len(shown)} more: --all lists them"
