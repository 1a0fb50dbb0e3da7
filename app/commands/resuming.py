"""What ``jarlet reduce --resume`` takes beside the session, and what it says before anything runs."""

from __future__ import annotations

import argparse
import contextlib
from collections.abc import Iterator
from contextlib import AbstractContextManager
from pathlib import Path

from core.errors import UsageError
from core.protocol.settings import Settings

TAKEN = frozenset(
    {"resume", "output", "report", "bug_folder", "jobs", "cluster", "time_limit", "max_probes", "work", "json", "quiet"}
)
"""What goes with ``--resume``, by its name in the parser: where results go, how the run is told of, and its limits. All
else is the session's affair, and refused."""

_LONGEST = 4000
"""Characters of a command that are shown."""


def name_of(action: argparse.Action) -> str:
    """An option as the user writes it."""
    return max(action.option_strings, key=len, default=str(action.metavar or action.dest))


def refuse_beside_resume(options: argparse.Namespace) -> None:
    """Raises UsageError for what the session decides."""
    given = [name for dest, name in options.named.items() if dest not in TAKEN and _given(options, dest)]
    if given:
        raise UsageError(
            f"{', '.join(given)}: this does not go with --resume, which takes the input and all settings from the "
            "session. Leave it out, or begin a new session."
        )


def run_words(session: Path, settings: Settings, output: Path, report: Path | None) -> Iterator[str]:
    """Lines that tell what will be run, where, and which files will be written."""
    yield f"{session}: in {Path.cwd()} this runs: {command_words(settings)}"
    yield f"{session}: it writes {output}" + (f" and {report}" if report is not None else "")


def command_words(settings: Settings) -> str:
    """The command, or the preset with all that is filled in, in one line without control characters."""
    text = settings.predicate
    if settings.preset is not None:
        filled = (f"{name}={value}" for name, value in settings.options.items())
        text = f"preset {settings.preset}" + "".join(f", {words}" for words in filled)
    shown = "".join(letter if letter.isprintable() else repr(letter)[1:-1] for letter in text)
    return shown if len(shown) <= _LONGEST else f"{shown[:_LONGEST]}... ({len(shown)} characters)"


def working_in(place: Path | None) -> AbstractContextManager[None]:
    """Within it ``place`` is the current folder, where there is one."""
    return contextlib.chdir(place) if place is not None else contextlib.nullcontext()


def _given(options: argparse.Namespace, dest: str) -> bool:
    value = getattr(options, dest, None)
    return value != options.unset[dest] and value not in (None, [])
