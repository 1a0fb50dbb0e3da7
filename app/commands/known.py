"""``jarlet known`` keeps a file of known bugs: canonical forms of reduced jars, each with its issue."""

from __future__ import annotations

import argparse
import json
import sys

from app.commands.parsing import DONE, classpath_of
from core.errors import UsageError
from core.known.canonical_form import VERSION, form_of
from core.known.known_bugs import KnownBug, KnownBugs
from core.service.reads import inputs_read
from core.system.file_locks import alone_in
from core.system.outputs import Origin, Output, guard
from core.values import texts
from core.words import in_line

UNKNOWN = 1
"""Exit code if a jar shows no known bug."""


def add(options: argparse.Namespace) -> int:
    if not options.issue.strip():
        raise UsageError("--issue is empty: give the address or the number of the issue.")
    for name, words in (("issue", [options.issue]), ("tool", [options.tool]), ("note", [options.note])):
        texts(f"option --{name}", words)
    texts("option --version", options.versions)
    read = [Origin(options.jar, "the reduced jar"), *inputs_read((), classpath_of(options))]
    guard([Output(options.file, "the file of known bugs")], read)
    KnownBugs.load(options.file, missing=True)  # a wrong file is told first
    form = form_of(options.jar, classpath_of(options))
    bug = KnownBug(form.hash, options.issue, options.tool, tuple(options.versions), options.note, VERSION)
    with alone_in(options.file.resolve().parent):
        before = KnownBugs.load(options.file, missing=True)
        before.add(bug).save(options.file)
    same = before.find(form.hash, options.tool)
    known = f"; until now this was {same.shown}" if same is not None and same.issue != bug.issue else ""
    print(f"{in_line(str(options.file))}: {form.shown} is {in_line(bug.shown)}{in_line(known)}")
    return DONE


def check(options: argparse.Namespace) -> int:
    bugs = KnownBugs.load(options.file)
    warn_of(bugs)
    rows = []
    for jar in options.jars:
        form = form_of(jar, classpath_of(options))
        rows.append((str(jar), form, bugs.find(form.hash, options.tool)))
    if options.json:
        found = [
            {"jar": jar, "hash": form.hash, "issue": bug.issue if bug else None, "tool": bug.tool if bug else None}
            for jar, form, bug in rows
        ]
        print(json.dumps(found, indent=2))
    else:
        for jar, form, bug in rows:
            said = f"this is {bug.shown}" if bug else "not known"
            print(f"{in_line(jar)}: {in_line(said)} (form {form.shown})")
    return DONE if all(bug for _, _, bug in rows) else UNKNOWN


def warn_of(bugs: KnownBugs) -> None:
    """Print a line on the known bugs to which no jar can be compared, if there are some."""
    if bugs.untold:
        print(f"jarlet: {in_line(bugs.untold)}", file=sys.stderr)
