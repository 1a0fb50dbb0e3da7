"""``jarlet known`` keeps a file of known bugs: canonical forms of reduced jars, each with its issue."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from app.commands.parsing import DONE, add_classpath, classpath_of
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

_EPILOG = """\
Two reduced jars that differ in names, in the order of classes and members, in strings, line numbers or class file
versions alone show one bug: they have the same canonical form. The file is JSON, to be kept in a repository. Reduce
with the same preset before: a jar that was not reduced has a form of its own.

exit codes:
  0 done, or each jar is known; 1 a jar is not known; 2 bad use or bad input.
"""


def add_known(known: argparse.ArgumentParser) -> None:
    """Add the options of ``jarlet known``."""
    kinds = known.add_subparsers(required=True, metavar="WHAT", parser_class=type(known))
    add = _kind(kinds, "add", "add a reduced jar to a file of known bugs, which is made if it is missing")
    add.set_defaults(run=_add)
    add.add_argument("file", type=Path, metavar="FILE", help="the file of known bugs (.json)")
    add.add_argument("jar", type=Path, metavar="JAR", help="a reduced jar that shows the bug")
    add.add_argument("--issue", required=True, metavar="ADDRESS", help="address or number of the issue")
    add.add_argument("--tool", default="", metavar="NAME", help="the tool that has the bug: the name of a preset")
    versions = "a version of the tool that fails (may be repeated)"
    add.add_argument("--version", action="append", default=[], metavar="VERSION", dest="versions", help=versions)
    add.add_argument("--note", default="", metavar="TEXT", help="a remark to keep with the bug")
    check = _kind(kinds, "check", "tell for each reduced jar which known bug it shows")
    check.set_defaults(run=_check)
    check.add_argument("file", type=Path, metavar="FILE", help="the file of known bugs (.json)")
    check.add_argument("jars", type=Path, nargs="+", metavar="JAR", help="a reduced jar")
    check.add_argument("--tool", default="", metavar="NAME", help="the tool that fails, if the file has several")
    check.add_argument("--json", action="store_true", help="print JSON")
    for kind in (add, check):
        add_classpath(kind, "what the jar needs, as the reduction had it")


def _kind(kinds: argparse._SubParsersAction[argparse.ArgumentParser], name: str, text: str) -> argparse.ArgumentParser:
    return kinds.add_parser(
        name,
        help=text,
        description=f"{text[0].upper()}{text[1:]}.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )


def _add(options: argparse.Namespace) -> int:
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


def _check(options: argparse.Namespace) -> int:
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
