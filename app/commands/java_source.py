"""``jarlet source`` finds Java source that shows the failure of a small input, and lays it out as a project's test."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Mapping
from threading import Event as Flag
from typing import Any

from app.commands.parsing import DONE, INTERRUPTED, NOT_INTERESTING, ending_gently, read_input
from app.commands.predicate_options import fetch_missing, settings_of
from app.commands.progress import Heartbeat, Lines
from core.errors import UsageError
from core.model import class_model
from core.outside_names import inside
from core.predicate import presets
from core.protocol.events import Working
from core.protocol.settings import Settings
from core.recompile import source_maker
from core.recompile.source_maker import SourceResult
from core.service.aims import aim_of
from core.service.reads import all_read
from core.service.reproducers.failing_result import FailingResult, told
from core.service.reproducers.maintainer_test import MaintainerTest, maintainer_test, write_test
from core.service.reproducers.projects import Project, project
from core.system.files import write_whole
from core.system.outputs import Output, guard, refuse_filled
from core.words import in_line


def source(options: argparse.Namespace) -> int:
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
        for problem in source_maker.fetch_missing():
            print(f"jarlet: {in_line(problem)}", file=sys.stderr)
    aim, cancel = aim_of(settings, jar.inputs), Flag()
    with ending_gently(cancel.set), Heartbeat(Lines()) as tell:
        tell(Working("running the input"))
        result = FailingResult(model.entries(model.full), aim, cancel)
        try:
            tell(Working("looking for Java source that shows the failure"))
            found = result.source(options.seconds)
            tell(Working("running what stands in the place of source"))
            text = None if found.found is not None or cancel.is_set() else result.assembler(result.entries)
            known, test = told(found, text), None
            if wanted is not None and not cancel.is_set():
                tell(Working(f"making a test for {wanted.title}"))
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
