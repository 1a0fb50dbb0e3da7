"""``jarlet presets``, ``tools`` and ``versions``: lists of tools and versions, and of the failing ones."""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from dataclasses import asdict
from pathlib import Path
from threading import Event as Flag
from typing import Any

from app.commands.parsing import (
    BAD_USE,
    DONE,
    INTERRUPTED,
    NOT_INTERESTING,
    classpath_of,
    ending_gently,
    read_input,
)
from app.commands.predicate_options import fetch_missing, fetch_tools, settings_of
from app.commands.summary import libraries_text
from app.terminal import tell_running, told_while
from app.text import counted, seconds, table
from core.evidence.missing_libraries import library_failures
from core.library.class_path import Classpath
from core.model import class_model
from core.model.class_model import ClassModel
from core.predicate import presets
from core.protocol.events import ToolRan
from core.protocol.questions.background import VersionAnswer, VersionRan
from core.service.aims import aim_of
from core.service.bug_folder import ISSUE
from core.service.queries.tool_survey import fetch_all, lacking, survey
from core.service.reads import all_read, report_output
from core.service.versions.version_trials import VersionTrials, VersionWish
from core.system.files import write_whole
from core.system.outputs import guard
from core.words import cut, in_line


def list_presets(options: argparse.Namespace) -> int:
    found = presets.load_all()
    if options.name is None:
        width = max(map(len, found))
        for preset in found.values():
            print(f"{preset.name:{width}} {preset.about}")
        if absent := [preset.name for preset in found.values() if preset.missing()]:
            print(
                f"Not installed: {', '.join(absent)}.\n`jarlet presets NAME` says how to get one; "
                "with --fetch, Jarlet gets it from Maven.",
                file=sys.stderr,
            )
        return DONE
    preset = presets.find(options.name)
    lacking = fetch_tools(preset) if options.fetch else preset.missing()
    print(f"{preset.title}: {preset.about}\n  {preset.takes}")
    for setting in preset.settings:
        needed = " (needed)" if setting.required else ""
        print(f"  --set {setting.name}=...  {setting.title}{needed}")
    for tool, version in preset.versions().items():
        print(f"  {tool} {version}")
    newer = preset.newer()
    if newer:
        print(f"  {newer}")
    print(f"  {lacking}" if lacking else "  Ready to run.")
    return BAD_USE if lacking else DONE


_SHOWN_FAILURES = 5
"""Failures of a tool that are listed without ``--all``."""


def run_tools(options: argparse.Namespace) -> int:
    model = class_model.build(read_input(options))
    library = classpath_of(options)
    Classpath(library, lambda: 0).close()  # a library that cannot be read is told before anything runs
    found, cancel = [], Flag()
    failed = fetch_all(fetch_tools) if options.fetch else {}  # told at the end
    with ending_gently(cancel.set), ExitStack() as telling:
        titles: Sequence[str] = ()
        for told in survey(model.jar.for_tools(model.entries(model.full)), library, cancel):
            if isinstance(told, ToolRan):
                found.append(told)
                if not options.json:
                    print("\n".join(_tool_lines(told, options.all)), flush=True)
            else:
                titles = told.titles
            telling.close()
            if len(found) < len(titles):
                which = f"{titles[len(found)]}, {len(found) + 1} of {len(titles)} tools"
                tell_running(f"Running {which}.")
                telling.enter_context(told_while(f"running {which}"))
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


def _tool_lines(ran: ToolRan, whole: bool) -> Iterable[str]:
    """Yield lines on the failures of one tool, and a command that reduces for the first."""
    name = f"{ran.title} {ran.version}".strip()
    if ran.problem:
        yield f"{name}: no answer: {ran.problem}"
        return
    counts = Counter(ran.failures)
    files = len(set(filter(None, ran.places)))
    where = f" in {counted(files, 'class')}" if files else ""
    what = f"{ran.counts}{where}" if counts else "no failure"
    yield f"{name}: {what} ({seconds(ran.seconds)})" + (f", --preset {ran.tool}" if counts else "")
    shown = list(counts.items())[: None if whole else _SHOWN_FAILURES]
    for failure, count in shown:
        yield f"  {failure}" + (f" ({count} times)" if count > 1 else "")
    if len(counts) > len(shown):
        yield f"  ... and {len(counts) - len(shown)} more: --all lists them"


_REASON = 300
"""Largest number of characters of the reason for an answer."""


def run_versions(options: argparse.Namespace) -> int:
    settings = settings_of(options)
    if options.report:
        guard([report_output(options.report, "--report")], all_read(options.inputs, aim_of(settings)))
    jar = read_input(options)
    model = class_model.build(jar)
    entries, cancel = model.entries(model.full), Flag()
    if options.fetch:
        fetch_missing(settings)
    aim = aim_of(settings, jar.inputs)
    wish = VersionWish(aim, options.tool, options.failing, tuple(options.jars), options.all, options.offline)
    search = VersionTrials(wish, entries, cancel)
    with ending_gently(cancel.set):
        for row in search.run():
            why = f": {_reason(row)}" if row.answer == VersionAnswer.NONE else ""
            print(f"{row.version}: {row.answer}{why}", file=sys.stderr, flush=True)
    if options.json:
        print(json.dumps(search.told, indent=2))
    else:
        print("\n".join(_version_lines(search)))
    if options.report:
        _write(options.report, search, search.report(options.inputs))
    return INTERRUPTED if cancel.is_set() else DONE


def _write(path: Path, search: VersionTrials, report: dict[str, Any]) -> None:
    """Write the bug report: as data, or as a document by the name's end."""
    if path.suffix == ".json":
        text = json.dumps(report, indent=2) + "\n"
    else:
        document = search.document(report)
        text = document.html() if path.suffix == ".html" else document.markdown(ISSUE)
    write_whole(path, text.encode(), parents=True)


def _version_lines(search: VersionTrials) -> list[str]:
    """Return the table, and the sentence below it."""
    rows = [("version", "published", "answer", "")]
    rows += [(row.version, row.date or "-", row.answer, _reason(row)) for row in search.rows]
    return [table(rows), "", search.result.sentence]


def _reason(row: VersionRan) -> str:
    if row.answer in (VersionAnswer.OTHER, VersionAnswer.NONE):
        return cut(in_line(" ".join(row.detail.split())), _REASON)
    return seconds(row.seconds) if row.answer != VersionAnswer.NOT_RUN else ""
