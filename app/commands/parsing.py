"""Exit codes, the parser of options, and the gentle end, which all commands share."""

from __future__ import annotations

import argparse
import contextlib
import os
import signal
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NoReturn

from core.archive.jar import Jar, read_jar
from core.predicate.releases.input_words import Resolved, resolved
from core.system.outputs import Output
from core.system.processes.families import die
from core.words import did_you_mean

DONE, NOT_INTERESTING, BAD_USE, LIMIT, INTERRUPTED = 0, 1, 2, 3, 130

EXIT_CODES = """\
exit codes:
  0 done, 1 the input is not interesting, or the script of a bug folder does not show the failure, 2 bad use, bad
  input, or a result that cannot be written, 3 stopped by a limit (the best so far is written), 70 something went wrong
  inside Jarlet (the message names the log), 130 interrupted (the best so far is written).
"""

ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT)
"""Signals that end a command gently: the best so far is written."""


REPORT_ENDS = (".json", ".md", ".html")
"""Ends of names of reports."""

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


def report_file(text: str) -> Path:
    """Return the path of a report. Raise ArgumentTypeError if the end of its name says another form."""
    path = Path(text)
    if path.suffix and path.suffix not in REPORT_ENDS:
        raise argparse.ArgumentTypeError(f"a report's name ends in {', '.join(REPORT_ENDS)}, but this one is {text!r}")
    return path


class Joined(argparse.Action):
    """An option whose value is a list in one word. A repeated option adds to the list."""

    def __init__(self, option_strings: Sequence[str], dest: str, *, separator: str, **others: Any) -> None:
        self._separator = separator
        super().__init__(option_strings, dest, **others)

    def __call__(
        self, parser: argparse.ArgumentParser, namespace: argparse.Namespace, values: Any, option: str | None = None
    ) -> None:
        before = getattr(namespace, self.dest)
        setattr(namespace, self.dest, f"{before}{self._separator}{values}" if before else values)


def add_classpath(command: argparse.ArgumentParser, use: str = "libraries of the input") -> None:
    """Add the option for libraries; ``use`` says whose they are."""
    words = f"{use}: jars and folders, by colons (may be repeated)"
    command.add_argument("--classpath", metavar="PATH", action=Joined, separator=os.pathsep, default="", help=words)


def classpath_of(options: argparse.Namespace) -> list[Path]:
    """Return the libraries of the option that :func:`add_classpath` adds."""
    return [Path(path) for path in options.classpath.split(os.pathsep) if path]


class LateHelp(argparse.Action):
    """An option that stores a word. Its help takes long to make, so ``names`` returns it only when it is shown."""

    def __init__(self, option_strings: Sequence[str], dest: str, *, names: Callable[[], str], metavar: str) -> None:
        self._names = names
        super().__init__(option_strings, dest, metavar=metavar)

    def __call__(
        self, parser: argparse.ArgumentParser, namespace: argparse.Namespace, values: Any, option: str | None = None
    ) -> None:
        setattr(namespace, self.dest, values)

    @property
    def help(self) -> str:
        return self._names()

    @help.setter
    def help(self, text: str | None) -> None:
        """Ignore the text, which the base class sets to nothing."""


_INPUT = (
    "jar, war, zip, .aar, .jmod, .class, folder of classes or of jars, jrt:MODULE of the JDK, GROUP:ARTIFACT:VERSION, "
    "pom.xml, dump of R8; NAME=INPUT names one for {jar:NAME}"
)


def add_input(command: argparse.ArgumentParser, count: int | str) -> None:
    """Add the paths of the input to a command. ``count`` is their number, ``+`` or ``*``."""
    command.add_argument("inputs", nargs=count, metavar="INPUT", type=Path, help=_INPUT)
    inside = (
        "open the jars inside the input (BOOT-INF/lib, WEB-INF/lib, wars of an ear); else each stays or goes as a whole"
    )
    command.add_argument("--nested", action="store_true", help=inside)
    joined = "join several inputs to one jar; else each stays a jar of its own, in the order of the class path"
    command.add_argument("--merge", action="store_true", help=joined)
    needed = "reduce what a coordinate or a pom.xml needs too; else these jars are libraries"
    command.add_argument("--with-dependencies", action="store_true", help=needed)


def resolved_input(options: argparse.Namespace) -> Resolved:
    """Return the inputs named by the words of the options, and put them in place of the words. Raise InputError."""
    if "resolved" not in options:
        fetch = getattr(options, "fetch", False)
        words = list(map(str, options.inputs))
        options.resolved = resolved(words, fetch=fetch, dependencies=options.with_dependencies)
        options.inputs = list(options.resolved.words)
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


@contextlib.contextmanager
def ending_gently(stop: Callable[[], None]) -> Iterator[Callable[[], bool]]:
    """Call ``stop`` at a signal of :data:`ENDING` within a ``with`` statement. The second one kills the program and all
    its commands. The ``with`` statement gives a function that returns whether a signal came."""
    came: list[int] = []

    def handle(number: int, frame: object) -> None:
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
