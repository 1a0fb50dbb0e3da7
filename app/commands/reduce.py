"""The options of ``jarlet reduce``, with those that go with ``--resume``, and of ``jarlet check``.

The commands themselves are in :mod:`app.commands.reducing`, which takes longer to load: resident processes start
meanwhile.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib
from collections.abc import Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from types import ModuleType

from app.commands.parsing import EXIT_CODES, ending_gently, report_file, work_of
from app.commands.predicate_options import CONDITIONS, add_predicate, add_settings, chosen_settings, inputs_of
from core.errors import JarletError, UsageError
from core.protocol.setting_marks import Decides
from core.protocol.settings import Settings, deciding
from core.service.head_start import HeadStart
from core.service.reads import inputs_read
from core.system.interpreter import collector_paused, one_numpy_thread
from core.system.outputs import guard

_WRITTEN = """\
what is written:
  Never an input, a library, a file of the command, or anything in a folder of these: such outputs are refused before
  anything runs, as are two outputs of one name. An OUT that is there is replaced; a folder of jars only where Jarlet
  made it. A folder for --each must be new or empty. An OUT that was removed or changed during the run is written again
  at its end.

"""
"""Text of the help on outputs."""


def add_reduce(command: argparse.ArgumentParser) -> None:
    """Add the options of ``jarlet reduce``."""
    command.set_defaults(run=_reduce)
    add_predicate(command)
    command.epilog = CONDITIONS + _WRITTEN + EXIT_CODES
    add = command.add_argument
    add(
        "-o",
        "--output",
        type=Path,
        metavar="OUT",
        help="the reduced jar (else NAME-reduced.jar), of several inputs a folder",
    )
    add_settings(command, Decides.SEARCH, {"algorithm": _algorithms, "least": _strategies})
    add_settings(command, Decides.RUN)
    each = (
        "one reduction for each kind of failure (with --failures same: for each failure): OUT is a new or empty folder"
    )
    add("--each", action="store_true", help=each)
    known = "with --each: a file of known bugs (see 'jarlet known'), which tells the issue of each bug"
    add("--known", type=Path, metavar="FILE", help=known)
    add(
        "--session",
        type=Path,
        metavar="DIR",
        help="keep every verdict in a new session folder, DIR.jarlet, so that the reduction can be resumed",
    )
    resumed = "resume a session: same settings, same folder, same OUT and FILE"
    add("--resume", type=Path, metavar="DIR", help=resumed)
    add("--report", type=report_file, metavar="FILE", help="write a report (.json, .md or .html)")
    bug = "write a new folder to hand on: the reduced jar, a script that repeats the failure, a report, the source"
    add("--bug-folder", type=Path, metavar="DIR", help=bug)
    add("--json", action="store_true", help="print events as JSON, one per line")
    add("-q", "--quiet", action="store_true", help="print nothing but errors and what puts the result in doubt")
    actions = command._actions
    command.set_defaults(
        named={action.dest: name_of(action) for action in actions},
        unset={action.dest: action.default for action in actions},
    )


def add_check(command: argparse.ArgumentParser) -> None:
    """Add the options of ``jarlet check``."""
    command.set_defaults(run=_check)
    add_predicate(command)
    command.add_argument(
        "--runs",
        type=int,
        default=3,
        metavar="N",
        help="interesting runs of the full input that are wanted (default: 3)",
    )
    command.add_argument("--json", action="store_true", help="print the result as JSON")


def _reduce(options: argparse.Namespace) -> int:
    with _head_start(options) as begun:
        return int(_loaded().reduce(options, begun))


def _check(options: argparse.Namespace) -> int:
    with _head_start(options) as begun:
        return int(_loaded().check(options, begun))


def _loaded() -> ModuleType:
    """Load the module of the commands, after resident processes were started."""
    with collector_paused(lasting=True), one_numpy_thread():
        return importlib.import_module(f"{__package__}.reducing")


@contextlib.contextmanager
def _head_start(options: argparse.Namespace) -> Iterator[HeadStart | None]:
    """Start the resident processes of a preset, if one is named. Wrong options are told later."""
    if options.preset is None or options.warm is False:
        yield None
        return
    with ending_gently(_interrupt), contextlib.ExitStack() as stack:
        begun = None
        with contextlib.suppress(JarletError):
            settings, inputs = chosen_settings(options), inputs_of(options)
            guard([work_of(options)], inputs_read(inputs))
            begun = stack.enter_context(contextlib.closing(HeadStart(options.work)))
            begun.expect(settings, inputs, merge=options.merge)
        yield begun


def _interrupt() -> None:
    """End the command at once: no result exists yet that would be lost."""
    raise KeyboardInterrupt


def _algorithms() -> str:
    from core.plan.catalogue import CATALOGUE  # only where it is shown: this loads all algorithms

    default = {Settings.algorithm: f"{Settings.algorithm} (default)"}
    return f"{', '.join(default.get(name, name) for name in CATALOGUE)}, or SPACE/MINIMISER"


def _strategies() -> str:
    from core.search.bisection import STRATEGIES

    return f"strategy that finds the smallest interesting one of growing candidates: {', '.join(STRATEGIES)}"


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
