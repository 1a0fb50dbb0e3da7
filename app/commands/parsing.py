"""Exit codes, the parser of options, and the gentle end, which all commands share."""

from __future__ import annotations

import argparse
import contextlib
import os
import signal
import tempfile
import threading
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType
from typing import Any, NoReturn

from app.terminal import told_while
from core.archive.jar import Jar, read_jar
from core.predicate.releases.input_words import Resolved, libraries, resolved
from core.system.outputs import Output
from core.system.processes.families import die
from core.words import did_you_mean

DONE, NOT_INTERESTING, BAD_USE, LIMIT, INTERRUPTED = 0, 1, 2, 3, 130

ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT)
"""Signals that end a command gently: the best so far is written."""

_AGAIN = 0.02
"""Seconds until a signal that came within an import comes again."""
_LONGEST = 60
"""Number of characters of the inputs that a line about them shows."""
_NUMBERS = {"int": "a whole number", "float": "a number"}
"""Kinds of values as argparse names them, in plain words."""


class Parser(argparse.ArgumentParser):
    """A parser that tells a mistake in one line, with the way to the help."""

    def error(self, message: str) -> NoReturn:
        for kind, needed in _NUMBERS.items():
            message = message.replace(f"invalid {kind} value: ", f"{needed} is needed, not ")
        self.exit(BAD_USE, f"{self.prog}: {message}\nTry '{self.prog} --help'.\n")

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        """Raise ArgumentError, with the nearest choice, if the value is none of the argument's choices."""
        if action.choices is not None and value not in action.choices:
            known = [str(choice) for choice in action.choices]
            near = did_you_mean(str(value), known)
            raise argparse.ArgumentError(action, f"invalid choice: {value!r} (choose from {', '.join(known)}).{near}")


def classpath_of(options: argparse.Namespace) -> list[Path]:
    """Return the libraries of ``--classpath``. Raise InputError."""
    return [Path(path) for path in libraries(options.classpath, fetch=getattr(options, "fetch", False)) if path]


def resolved_input(options: argparse.Namespace) -> Resolved:
    """Return the inputs named by the words of the options, and put them in place of the words. Raise InputError."""
    if "resolved" not in options:
        words = list(map(str, options.inputs))
        quiet = getattr(options, "quiet", False) or getattr(options, "json", False)
        with told_while(f"looking for {' '.join(words)[:_LONGEST]} and what it needs", quiet=quiet):
            options.resolved = resolved(words, fetch=options.fetch, dependencies=options.with_dependencies)
            options.inputs = list(options.resolved.words)
            if getattr(options, "classpath", None):
                options.classpath = os.pathsep.join(libraries(options.classpath, fetch=options.fetch))
    return options.resolved  # type: ignore[no-any-return]


def read_input(options: argparse.Namespace) -> Jar:
    """Return the input of the options; its own libraries join those of the options. Raise InputError."""
    brought = resolved_input(options).libraries
    if isinstance(getattr(options, "classpath", None), str):
        options.classpath = os.pathsep.join(filter(None, (options.classpath, *brought)))
    return read_jar(options.inputs, nested=options.nested, merge=options.merge)


def work_of(options: argparse.Namespace) -> Output:
    """Return the folder in which the work folder is made."""
    given = options.work is not None
    path = Path(options.work if given else tempfile.gettempdir())
    return Output(path, "--work" if given else "the folder for temporary files; --work names another one", True, False)


def in_import(frame: FrameType | None) -> bool:
    """Return True within an import: there Python drops or replaces the exception of a signal's handler now and then."""
    return any(each.f_code.co_filename.startswith("<frozen importlib") for each, _ in traceback.walk_stack(frame))


@contextlib.contextmanager
def ending_gently(stop: Callable[[], None]) -> Iterator[Callable[[], bool]]:
    """Call ``stop`` at a signal of :data:`ENDING` within a ``with`` statement, or after an import. The second one kills
    the program and all its commands. The ``with`` statement gives a function that returns whether a signal came."""
    came: list[int] = []

    def handle(number: int, frame: FrameType | None) -> None:
        if in_import(frame):
            threading.Timer(_AGAIN, signal.pthread_kill, (threading.get_ident(), number)).start()
            return
        came.append(number)
        if came.count(number) > 1:  # the second time is meant
            die(number)
        stop()

    # an ignored signal (nohup) stays ignored
    heard = [number for number in ENDING if signal.getsignal(number) is not signal.SIG_IGN]
    before = {number: signal.signal(number, handle) for number in heard}
    try:
        yield lambda: bool(came)
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
