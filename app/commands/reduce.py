"""``reduce`` and ``check``: what they take.

What they do is in :mod:`app.commands.reducing`, which takes longer to load: resident processes start meanwhile.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

from app.commands.parsing import LateHelp, ending_gently, work_of
from app.commands.predicate_options import add_predicate, chosen_settings, inputs_of
from app.commands.resuming import name_of
from core.errors import JarletError
from core.protocol.settings import AUTOMATIC, GRANULARITIES, VALIDITIES, Settings
from core.service.head_start import HeadStart
from core.service.reads import inputs_read
from core.system.gc_pause import collector_paused
from core.system.numpy_threads import one_numpy_thread
from core.system.outputs import guard


def add_reduce(command: argparse.ArgumentParser) -> None:
    """What ``jarlet reduce`` takes."""
    command.set_defaults(run=_reduce)
    add_predicate(command)
    add = command.add_argument
    add("-o", "--output", type=Path, metavar="OUT", help="the reduced jar (else NAME-reduced.jar)")
    add("--algorithm", metavar="NAME", action=LateHelp, names=_algorithms)
    goes = "what can be removed: class, member (classes and members), full (classes, members and code; default)"
    add("--granularity", choices=GRANULARITIES, help=goes)
    valid = (
        "what candidates must be valid for: jvm (the JVM alone: getDeclaredMethods and the like may fail), "
        "linked (each class that is named exists too, as reflection, shrinkers and analysers need it), "
        "src (also decompilers and compilers), auto (what the preset needs; jvm where each failure is a syntax error "
        "of decompiled source; default)"
    )
    add("--validity", choices=(AUTOMATIC, *VALIDITIES), help=valid)
    add(
        "--keep",
        action="append",
        metavar="PATTERN",
        help="keep these items: a.b.C, a.b.*, a.b.C.m(String)* (may be repeated)",
    )
    gone = "try without these items first: patterns as for --keep (may be repeated)"
    add("--drop-first", action="append", metavar="PATTERN", help=gone)
    add("--thorough", action="store_true", help="auto: continue while anything can be removed, whatever it costs")
    blind = "auto: do not begin with what the failure names and what ran; gbr: nor with what it names"
    add("--no-evidence", dest="evidence", action="store_false", default=None, help=blind)
    add("--jobs", type=int, metavar="N", help="parallel probes (default: as many as this machine is good for)")
    far = "run the probes on the workers of the Dask cluster of this scheduler (tcp://HOST:PORT)"
    add("--cluster", metavar="ADDRESS", help=far)
    add("--classic", action="store_true", help="delta debugging and gbr as published: more probes")
    add("--least", metavar="NAME", action=LateHelp, names=_strategies)
    each = "reduce for each failure of the full input: OUT is the folder for the jars, new or empty"
    add("--each", action="store_true", help=each)
    add(
        "--session",
        type=Path,
        metavar="DIR",
        help="keep every verdict in a session folder, so that the reduction can be resumed",
    )
    resumed = "resume a session with its settings, in the folder where it was made; it writes OUT and FILE as before"
    add("--resume", type=Path, metavar="DIR", help=resumed)
    limit = (
        "end after so many seconds, counted from the beginning of the check of the input, all parts of a session "
        "together; with --resume: so many more. If it ends the check, nothing is written. The run under way is "
        "killed, and the best so far run once more, so it ends at most one run of the command later"
    )
    add("--time-limit", type=float, metavar="S", help=limit)
    add("--max-probes", type=int, metavar="N", help="stop after N probes")
    add("--report", type=Path, metavar="FILE", help="write a report (.json, .md or .html)")
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
    """What ``jarlet check`` takes."""
    command.set_defaults(run=_check)
    add_predicate(command)
    command.add_argument("--runs", type=int, default=3, metavar="N", help="number of probes (default: 3)")
    command.add_argument("--json", action="store_true", help="print the result as JSON")


def _reduce(options: argparse.Namespace) -> int:
    with _head_start(options) as begun:
        return int(_loaded().reduce(options, begun))


def _check(options: argparse.Namespace) -> int:
    with _head_start(options) as begun:
        return int(_loaded().check(options, begun))


def _loaded() -> ModuleType:
    """What the commands do, loaded after resident processes were started."""
    with collector_paused(lasting=True), one_numpy_thread():
        return importlib.import_module(f"{__package__}.reducing")


@contextlib.contextmanager
def _head_start(options: argparse.Namespace) -> Iterator[HeadStart | None]:
    """Where a preset is named, what a reduction with it waits for; what is wrong with the options is told later."""
    if options.preset is None or options.cold:
        yield None
        return
    with ending_gently(_interrupt), contextlib.ExitStack() as stack:
        begun = None
        with contextlib.suppress(JarletError):
            settings = chosen_settings(options)
            guard([work_of(options)], inputs_read(inputs_of(options)))
            begun = stack.enter_context(contextlib.closing(HeadStart(options.work)))
            begun.expect(settings)
        yield begun


def _interrupt() -> None:
    """Nothing is found yet that would be lost."""
    raise KeyboardInterrupt


def _algorithms() -> str:
    from core.plan.catalogue import CATALOGUE  # only where it is shown: this loads all algorithms

    default = {Settings.algorithm: f"{Settings.algorithm} (default)"}
    return f"{', '.join(default.get(name, name) for name in CATALOGUE)}, or SPACE/MINIMISER"


def _strategies() -> str:
    from core.search.bisection import STRATEGIES

    return f"how an interval is searched: {', '.join(STRATEGIES)}"
