"""The command line. Without a command it opens the window; no command imports Qt."""

from __future__ import annotations

import argparse
import os
import signal
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from types import FrameType

from app.commands.options import add_options, declared, sentence
from app.commands.parsing import BAD_USE, INTERRUPTED, Parser, in_import
from app.terminal import Sink, guarded_streams, told_while
from core.crash import explained
from core.system.interpreter import collector_paused, one_numpy_thread, short_turns
from core.user_folders import have_home
from core.version import VERSION
from core.words import no_such

_DESCRIPTION = "Reduces a jar that breaks a tool to the few classes that break it."

_MAKE_FILES = ("reduce", "batch", "hunt", "sample")
"""Commands that make files: their printed output only tells of the files."""


@dataclass(frozen=True)
class Ending:
    """The end of a command: its exit code, and whether its printed output is its only product."""

    code: int
    printed_product: bool


def main(arguments: Sequence[str], began: float | None = None) -> int:
    """Run the command line and return the exit code. ``began`` is the start of the program, by the monotonic clock."""
    began = time.monotonic() if began is None else began
    have_home()
    with guarded_streams(began) as (out, _):
        ending = _run(arguments, began)
        return _settled(out, ending.code, product=ending.printed_product)


def _run(arguments: Sequence[str], began: float) -> Ending:
    product = False
    try:
        if arguments and arguments[0] in ("-h", "--help", "--version"):
            _overview().parse_args(arguments)
        if not arguments or arguments[0] not in described():
            return Ending(_window(arguments), printed_product=False)
        own = arguments.index("--") if "--tool" in arguments and "--" in arguments else len(arguments)
        words, asked = arguments[1:own], f"running 'jarlet {arguments[0]}'"
        with told_while(asked, quiet=not {"-q", "--quiet", "--json"}.isdisjoint(words), began=began):
            parser = _parser(arguments[0])
            in_rows = "--" in words or any(str(action.nargs).endswith(argparse.REMAINDER) for action in parser._actions)
            options = (parser.parse_args if in_rows else parser.parse_intermixed_args)(words)
            options.tool_words = arguments[own + 1 :]
            options.began = began
            product = arguments[0] not in _MAKE_FILES and getattr(options, "output", None) is None
            if signal.getsignal(signal.SIGINT) not in (signal.SIG_IGN, None):
                signal.signal(signal.SIGINT, _interrupt)  # from here on there is something to close
            short_turns()
            return Ending(int(options.run(options)), product)
    except SystemExit as end:  # --help, and arguments that nothing can be made of
        return Ending(end.code if isinstance(end.code, int) else BAD_USE, printed_product=True)
    except KeyboardInterrupt:
        return Ending(INTERRUPTED, product)
    except Exception as error:
        code, message = explained(error)
        print(f"jarlet: {message}", file=sys.stderr)
        return Ending(code, product)


def _settled(out: Sink, code: int, *, product: bool) -> int:
    """Return the exit code of a command that would end with ``code``; ``product``: it makes nothing but its printed
    output. A lost product is a failure, unless the reader left."""
    out.flush()
    if not out.lost:
        return code
    what = "the result is lost" if product else "the output is incomplete"
    print(f"jarlet: standard output cannot be written to ({out.lost}): {what}.", file=sys.stderr)
    return BAD_USE if product else code


def _interrupt(_: int, frame: FrameType | None) -> None:
    """Raise KeyboardInterrupt. Within an import, end at once: Ctrl+C could be lost there."""
    if in_import(frame):
        os._exit(INTERRUPTED)
    raise KeyboardInterrupt


def parsers() -> dict[str, argparse.ArgumentParser]:
    """Return the parser of each command, for the manual page and completions. The window's has an empty name."""
    return {"": _window_parser()} | {name: _parser(name) for name in described()}


def described() -> dict[str, str]:
    """Return the sentence on the task of each command, by its name."""
    return dict(declared("shared")["commands"])


def _window_parser() -> argparse.ArgumentParser:
    parser = Parser(prog="jarlet", description=_DESCRIPTION)
    parser.add_argument("inputs", nargs="*", metavar="FILE", help="jar, war, zip or folder of classes to open")
    parser.add_argument("--sample", action="store_true", help="open the sample that comes with Jarlet")
    return parser


def _parser(name: str) -> argparse.ArgumentParser:
    parser = Parser(prog=f"jarlet {name}", description=sentence(described()[name]))
    with collector_paused(lasting=True), one_numpy_thread():
        add_options(parser, declared(name))
    return parser


def _overview() -> argparse.ArgumentParser:
    """Return the parser of ``jarlet --help``, which has the commands without their options."""
    parser = Parser(
        prog="jarlet",
        description=_DESCRIPTION,
        epilog="Without a command, 'jarlet [FILE ...]' opens the window. 'jarlet COMMAND --help' tells more.\n\n"
        + declared("shared")["texts"]["exits"],
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"jarlet {VERSION}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND", parser_class=Parser)
    for name, text in described().items():
        commands.add_parser(name, help=text)
    return parser


def _window(arguments: Sequence[str]) -> int:
    parser = _window_parser()
    options = parser.parse_args(arguments)
    if options.inputs and not Path(options.inputs[0]).exists() and "." not in options.inputs[0]:
        parser.error(no_such("command or file", options.inputs[0], described()))
    if sys.platform.startswith("linux") and not any(
        os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")
    ):
        parser.error("there is no display to open a window on; 'jarlet reduce' works without one")
    with one_numpy_thread():
        from app.window.application import run_window  # only here: no command needs Qt

    return run_window(options.inputs, options.sample)
