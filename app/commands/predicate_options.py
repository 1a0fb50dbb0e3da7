"""The options that say what the failure is, and the settings that come of all options."""

from __future__ import annotations

import argparse
import os
from dataclasses import fields
from pathlib import Path
from typing import Any

from app import sample
from app.commands.contradictions import refuse_contradictions
from app.commands.parsing import EXIT_CODES, add_input
from core.errors import UsageError
from core.evidence.agents import JACOCO
from core.predicate import presets
from core.protocol.settings import Settings

CONDITIONS = """\
what counts as interesting:
  Without any of these options, exit code 0 does. With --expect-exit, --match or --preserve, what these
  say counts instead, all of them together; --no-match must hold besides. Exit code 125 means "cannot tell".
  The exit code of --also-interesting means "another failure": the candidate is not interesting for this search, but the
  smallest jar that had it is kept, in the session's folder 'others' or beside OUT.

the command:
  {jar} (or {}) is the candidate as a jar, {classes} the candidate as a folder, {file:PATH} a file of yours.
  It runs in a fresh folder of its own. The environment has JARLET_JAR, JARLET_CLASSES and JARLET_WORK.
  A command that uses none of these is given the jar as its last argument. For pipes write: sh -c '...'.
  When a run of it ends, all processes that it started are killed. On Linux that includes daemons; elsewhere only its
  process group. Not caught: what another service starts for it (a build daemon, a container, at, systemd-run),
  processes of another user, and processes that change their own limit of file locks.

what is written:
  Never an input, a library, a file of the command, or anything in a folder of these: such outputs are refused before
  anything runs, as are two outputs of one name. An OUT that is there is replaced; a folder for --each must be new or
  empty. An OUT that was removed or changed during the run is written again at its end.

"""

_SPLIT = {"preserve": ",", "classpath": os.pathsep}
"""Options that are several words in one text, with what is between these."""


def add_predicate(command: argparse.ArgumentParser) -> None:
    """Adds the inputs and the options of the predicate."""
    command.epilog = CONDITIONS + EXIT_CODES
    command.formatter_class = argparse.RawDescriptionHelpFormatter
    add_input(command, "*")
    add = command.add_argument
    add("--predicate", metavar="CMD", help="the command that shows the failure")
    add("--preserve", metavar="LIST", help="what must stay as on the full input: exit,out,err")
    add("--expect-exit", type=int, metavar="N", help="the exit code that counts")
    also = "exit code for another failure than this one: the smallest such candidate is kept too"
    add("--also-interesting", type=int, metavar="CODE", help=also)
    add("--match", metavar="REGEX", help="regular expression that the output must match")
    add("--no-match", metavar="REGEX", help="regular expression that the output must not match")
    add("--preset", metavar="NAME", help="a predicate that comes with Jarlet (see 'jarlet presets')")
    settings = "a setting of the preset (may be repeated)"
    add("--set", action="append", default=[], metavar="NAME=VALUE", help=settings)
    add("--cold", action="store_true", help="run the preset without a resident JVM")
    missing = (
        "get what is missing through an installed mvn: the preset's tools, and JaCoCo, which tells what a run uses"
    )
    add("--fetch", action="store_true", help=missing)
    kinds = "how failures are named in the output: javac, traces, or a regular expression"
    add("--failures-as", metavar="KIND", help=kinds)
    wanted = "which failures are interesting: same, at least, any, chosen NAME (and ', no new kinds')"
    add("--failures", metavar="WHAT", help=wanted)
    add("--classpath", metavar="PATH", help="libraries that the input uses: jars and folders, by colons")
    add("--memory", type=int, metavar="MIB", help="memory limit per probe")
    limit = "timeout per probe (default: 5 x the slowest interesting probe, at least 0.5 s; 2 x its processor time)"
    add("--timeout", type=float, metavar="S", help=limit)
    add("--work", type=Path, metavar="DIR", help="folder for temporary files")
    add("--sample", action="store_true", help="use the sample that comes with Jarlet")


def inputs_of(options: argparse.Namespace) -> list[str]:
    """The input's paths. Raises UsageError without any."""
    if options.sample:
        if options.inputs:
            raise UsageError("Name an input or --sample, not both.")
        return [str(sample.jar())]
    if not options.inputs:
        raise UsageError("Name an input: a jar, a war, a zip or a folder of classes (or --sample).")
    return [str(path) for path in options.inputs]


def settings_of(options: argparse.Namespace) -> Settings:
    """All that the user chose. Raises UsageError for what does not fit together."""
    from core.service.meaning import understood  # here: it loads all algorithms

    return understood(chosen_settings(options))


def chosen_settings(options: argparse.Namespace) -> Settings:
    """As :func:`settings_of`, without a look at whether all names name something."""
    refuse_contradictions(options)
    values: dict[str, Any] = sample.predicate() if options.sample else {}
    if options.predicate is not None:
        values = {"predicate": options.predicate}
    elif options.preset is not None:
        values = {"preset": options.preset, "options": dict(map(_assignment, options.set)), "warm": not options.cold}
    elif not options.sample:
        raise UsageError("Say what the failure is: --predicate 'COMMAND {jar}', or --preset NAME.")
    for part in fields(Settings):
        value = getattr(options, part.name, None)
        if value == "":  # a variable of the shell that is not set: nothing or everything would match
            raise UsageError(f"--{part.name.replace('_', '-')} is empty: say what it is to be, or leave it out.")
        if part.name in _SPLIT:
            value = tuple(filter(None, (value or "").split(_SPLIT[part.name])))
        if value not in (None, (), []):
            values[part.name] = value
    return Settings(**values)


def fetch_missing(settings: Settings) -> None:
    """Gets the preset's tools and JaCoCo where they are missing. Raises UsageError if that fails."""
    problem = presets.find(settings.preset).fetch() if settings.preset else None
    if problem is None and JACOCO.find() is None:
        problem = JACOCO.fetch()
    if problem is not None:
        raise UsageError(problem)


def _assignment(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals:
        raise UsageError(f"--set {text!r}: write NAME=VALUE.")
    return name, value
