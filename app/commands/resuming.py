"""The options that go with ``jarlet reduce --resume``, and the lines that it prints before anything runs."""

from __future__ import annotations

import argparse
import contextlib
from collections.abc import Iterator
from contextlib import AbstractContextManager
from pathlib import Path

from core.errors import UsageError
from core.protocol.setting_marks import Decides
from core.protocol.settings import Settings, deciding

TAKEN = frozenset({"resume", "output", "report", "bug_folder", "work", "json", "quiet", *deciding(Decides.RUN)})
"""The options that go with ``--resume``, by their names in the parser: the places of the results, the form of the
messages, and the limits. The session decides everything else."""

_LONGEST = 4000
"""Number of characters of a command that are shown."""


def name_of(action: argparse.Action) -> str:
    """Return an option as the user writes it."""
    return max(action.option_strings, key=len, default=str(action.metavar or action.dest))


def refuse_beside_resume(options: argparse.Namespace) -> None:
    """Raise UsageError for options that the session decides."""
    given = [name for dest, name in options.named.items() if dest not in TAKEN and _given(options, dest)]
    if given:
        raise UsageError(
            f"{', '.join(given)}: this does not go with --resume, which takes the input and all settings from the "
            "session. Leave it out, or begin a new session."
        )


def run_words(session: Path, settings: Settings, *written: Path | None) -> Iterator[str]:
    """Yield lines on the command, on its folder, and on the files that will be written."""
    yield f"{session}: in {Path.cwd()} this runs: {command_words(settings)}"
    yield f"{session}: it writes {' and '.join(str(path) for path in written if path is not None)}"


def command_words(settings: Settings) -> str:
    """Return the command, or the preset with its settings, in one line without control characters."""
    text = settings.predicate
    if settings.preset is not None:
        filled = (f"{name}={value}" for name, value in settings.options.items())
        text = f"preset {settings.preset}" + "".join(f", {words}" for words in filled)
    shown = "".join(letter if letter.isprintable() else repr(letter)[1:-1] for letter in text)
    return shown if len(shown) <= _LONGEST else f"{shown[:_LONGEST]}... ({len(shown)} characters)"


def working_in(place: Path | None) -> AbstractContextManager[None]:
    """Make ``place`` the current folder within a ``with`` statement; None changes nothing."""
    return contextlib.chdir(place) if place is not None else contextlib.nullcontext()


def _given(options: argparse.Namespace, dest: str) -> bool:
    value = getattr(options, dest, None)
    return value != options.unset[dest] and value not in (None, [])
