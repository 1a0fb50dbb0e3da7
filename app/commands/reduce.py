"""The options of ``jarlet reduce``, with those that go with ``--resume``, and of ``jarlet check``.

The commands themselves are in :mod:`app.commands.reducing`, which takes longer to load: resident processes start
meanwhile.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from types import ModuleType

from app.commands.parsing import ending_gently, work_of
from app.commands.predicate_options import chosen_settings, inputs_of
from core.errors import UsageError
from core.protocol.setting_marks import Decides
from core.protocol.settings import Settings, deciding
from core.service.head_start import HeadStart
from core.service.reads import inputs_read
from core.system.interpreter import collector_paused, one_numpy_thread
from core.system.outputs import guard
from core.words import in_line


def reduce(options: argparse.Namespace) -> int:
    return int(_loaded().resume(options)) if options.resume is not None else _begun(options, "reduce")


def check(options: argparse.Namespace) -> int:
    return _begun(options, "check")


def _begun(options: argparse.Namespace, command: str) -> int:
    """Start the resident processes, then load and carry out a command."""
    with ending_gently(_interrupt):
        inputs, settings = inputs_of(options), chosen_settings(options)
        with head_start(options, inputs, settings) as begun:
            return int(getattr(_loaded(), command)(options, inputs, settings, begun))


@contextlib.contextmanager
def head_start(options: argparse.Namespace, inputs: Sequence[str], settings: Settings) -> Iterator[HeadStart]:
    """Start the resident processes of the settings in the folder for temporary files. What is wrong with settings or
    inputs is told later. Raise OutputError for a folder that cannot be used."""
    guard([work_of(options)], inputs_read(inputs))
    with contextlib.closing(HeadStart(options.work)) as begun:
        begun.expect(settings, inputs, merge=options.merge)
        yield begun


def _loaded() -> ModuleType:
    """Load the module of the commands, after resident processes were started."""
    with collector_paused(lasting=True), one_numpy_thread():
        return importlib.import_module(f"{__package__}.reducing")


def _interrupt() -> None:
    """End the command at once: no result exists yet that would be lost."""
    raise KeyboardInterrupt


TAKEN = frozenset(
    {"resume", "output", "report", "bug_folder", "export_rules", "work", "json", "quiet", *deciding(Decides.RUN)}
)
"""The options that go with ``--resume``, by their names in the parser: the places of the results, the form of the
messages, and the limits. The session decides everything else."""

_LONGEST = 4000
"""Number of characters of a command that are shown."""


def name_of(action: argparse.Action) -> str:
    """Return an option as the user writes it."""
    return max(action.option_strings, key=len, default=str(action.metavar or action.dest))


def refuse_beside_resume(options: argparse.Namespace) -> None:
    """Raise UsageError for options that the session decides."""
    given = [name_of(each) for each in options.actions if each.dest not in TAKEN and _given(options, each)]
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
    shown = in_line(text)
    return shown if len(shown) <= _LONGEST else f"{shown[:_LONGEST]}... ({len(shown)} characters)"


def working_in(place: Path | None) -> AbstractContextManager[None]:
    """Make ``place`` the current folder within a ``with`` statement; None changes nothing."""
    return contextlib.chdir(place) if place is not None else contextlib.nullcontext()


def _given(options: argparse.Namespace, action: argparse.Action) -> bool:
    value = getattr(options, action.dest, None)
    return value != action.default and value not in (None, [])
