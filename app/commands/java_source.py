"""``jarlet source`` finds Java source that shows the failure of a small input, and lays it out as a project's test."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Mapping
from pathlib import Path
from threading import Event as Flag
from typing import Any

from app.commands.parsing import DONE, INTERRUPTED, NOT_INTERESTING, add_input, ending_gently, read_input
from app.commands.predicate_options import add_settings, fetch_missing, settings_of
from app.commands.progress import Heartbeat, Lines
from core.errors import UsageError
from core.model import class_model
from core.outside_names import inside
from core.predicate import presets
from core.protocol.events import Working
from core.protocol.setting_marks import Decides
from core.protocol.settings import Settings
from core.recompile import source_search
from core.recompile.source_search import SourceResult
from core.service.aims import aim_of
from core.service.reads import all_read
from core.service.reproducers.failing_result import FailingResult, told
from core.service.reproducers.maintainer_test import MaintainerTest, maintainer_test, write_test
from core.service.reproducers.projects import PROJECTS, Project, project
from core.system.files import write_whole
from core.system.outputs import Output, guard, refuse_filled
from core.words import in_line

_EPILOG = f"""\
how a source is found:
  Every installed decompiler writes the input as Java. Where javac complains, casts, declarations, throws clauses and
  the like are repaired; then the source is compiled for Java 8, 11, 17 and the newest, with -g and -g:none, and by ECJ
  where that is installed. Each outcome is run: only what shows the failure counts. It works on small results that have
  one failure (jarlet reduce --each).
  Where none is found, assembler text of OpenJDK's asmtools takes its place: jasm, and jcod where jasm cannot say it.

as a project's own test:
  --as {", ".join(PROJECTS)}: the files have the folders, names and packages of that project's tests, and
  {"README-reduced.md"} says how the test is registered. The failure is verified again under the new names.
  Without -o the source is printed.

exit codes:
  0 done, 1 the input does not show the failure, or no Java source does, 2 bad use or bad input, 130 interrupted.
"""


def add_source(command: argparse.ArgumentParser) -> None:
    """Add the options of ``jarlet source``."""
    command.set_defaults(run=_source, sample=False)
    command.epilog = _EPILOG
    command.formatter_class = argparse.RawDescriptionHelpFormatter
    add_input(command, "+")
    add_settings(command, Decides.CHECK)
    add = command.add_argument
    add("--seconds", type=float, default=60.0, metavar="S", help="time for the search (default: 60)")
    add("--as", dest="project", metavar="PROJECT", help="lay it out as a test of a project (default: the preset's)")
    add("--issue", default="0000", metavar="N", help="the number of the issue, for names of the test")
    missing = "first download what is missing: tools of the preset, and the search's CFR, Vineflower and ECJ"
    add("--fetch", action="store_true", help=missing)
    add("-o", "--output", type=Path, metavar="DIR", help="a new or empty folder for the files")
    add("--json", action="store_true", help="print JSON")


def _source(options: argparse.Namespace) -> int:
    settings = settings_of(options)
    if not 0 < options.seconds <= 86_400:
        raise UsageError(f"--seconds {options.seconds:g}: write a number of seconds above 0, at most a day.")
    wanted = _project(options, settings)
    if options.output:
        guard([Output(options.output, "--output", folder=True)], all_read(options.inputs, aim_of(settings)))
        refuse_filled(options.output, "--output")
    jar = read_input(options)
    model = class_model.build(jar)
    if options.fetch:
        fetch_missing(settings)
        for problem in source_search.fetch_missing():
            print(f"jarlet: {in_line(problem)}", file=sys.stderr)
    aim, cancel = aim_of(settings, jar.inputs), Flag()
    with ending_gently(cancel.set):
        result = FailingResult(model.entries(model.full), aim, cancel)
        try:
            with Heartbeat(Lines()) as tell:
                tell(Working("looking for Java source that shows the failure"))
                found = result.source(options.seconds)
            text = None if found.found is not None or cancel.is_set() else result.assembler(result.entries)
            known, test = told(found, text), None
            if wanted is not None and not cancel.is_set():
                test = maintainer_test(result, found.found, wanted, aim, options.issue)
        finally:
            result.close()
    _tell(options, known, test)
    if cancel.is_set():
        return INTERRUPTED
    return DONE if _shown(found, test) else NOT_INTERESTING


def _shown(found: SourceResult, test: MaintainerTest | None) -> bool:
    return found.found is not None or (test is not None and test.verified)


def _project(options: argparse.Namespace, settings: Settings) -> Project | None:
    """Return the project for the test. With an output folder and no project named by the user, it is the preset's."""
    name = options.project
    if name is None and options.output and settings.preset is not None:
        name = presets.find(settings.preset).project or None
    return project(name) if name is not None else None


def _tell(options: argparse.Namespace, known: dict[str, Any], test: MaintainerTest | None) -> None:
    """Print the result, and write the files."""
    files: Mapping[str, str] = known.get("files") or known.get("assembler") or {}
    if options.output and test is not None:
        write_test(test, options.output)
    elif options.output:
        for path, text in files.items():
            write_whole(inside(options.output, *path.split("/")), text.encode(), parents=True)
    if options.json:
        more = {"test": {"sentence": test.sentence, "files": dict(test.files)}} if test is not None else {}
        print(json.dumps(known | more, indent=2))
        return
    print(known["sentence"])
    for note in known["notes"]:
        print(note)
    if test is not None:
        print(test.sentence)
    shown = test.files if test is not None else files
    if options.output:
        print(f"{options.output}: {', '.join(shown)}")
        return
    for path, text in shown.items():
        print(f"\n// {path}\n{text.strip()}")
