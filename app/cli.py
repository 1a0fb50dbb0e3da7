"""The command line. It never imports Qt, except to open the window when no command is named."""

from __future__ import annotations

import argparse
import importlib
import os
import signal
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from app.commands.parsing import BAD_USE, EXIT_CODES, INTERRUPTED, Parser
from app.terminal import guarded_streams, settled
from core.crash import CRASHED, record
from core.errors import JarletError
from core.system.gc_pause import collector_paused
from core.system.numpy_threads import one_numpy_thread
from core.version import VERSION
from core.words import sentence

_DESCRIPTION = "Reduces a jar that breaks a tool to the few classes that break it."

_COMMANDS = {
    "reduce": ("reduce", "remove everything that the failure does not need"),
    "check": ("reduce", "run the predicate on the full input: is it interesting, is it stable, how fast is it"),
    "batch": ("batch", "run the reductions of a batch file, here or on a Dask cluster"),
    "tools": ("who_fails", "run all installed tools on an input: who fails, and how"),
    "presets": ("show_presets", "list the predicates that come with Jarlet, and your own"),
    "inspect": ("show", "show what is in an input: classes, dependencies, components"),
    "graph": ("show", "write the class graph"),
    "why": ("show", "explain why an item must stay: the shortest chain of rules"),
    "around": ("around", "write the smallest valid sub-input around some items, or explain why there is none"),
    "rules": ("around", "list the rules that make a sub-input valid"),
    "sample": ("show", "write random valid sub-inputs as jars"),
    "bench": ("bench", "measure the algorithms on jars that break decompilers"),
}
"""Name of a command -> the module of :mod:`app.commands` that has it, and what it does. The module is imported when
the command is asked for."""


_MAKE_FILES = ("reduce", "batch", "sample", "bench")
"""Commands that make files: what they print only tells of them."""


def main(arguments: Sequence[str], began: float | None = None) -> int:
    """Runs the command line; the exit code. ``began``: when the program was started, by the monotonic clock; else it is
    now."""
    began = time.monotonic() if began is None else began
    with guarded_streams() as (out, _):
        try:
            code, product = _run(arguments, began)
        except SystemExit as end:  # --help, and arguments that nothing can be made of
            code, product = end.code if isinstance(end.code, int) else BAD_USE, True
        return settled(out, code, product=product)


def _run(arguments: Sequence[str], began: float) -> tuple[int, bool]:
    """The exit code, and whether what was printed is all that was to be made."""
    product = False
    try:
        if arguments and arguments[0] in ("-h", "--help", "--version"):
            _overview().parse_args(arguments)
        if not arguments or arguments[0] not in _COMMANDS:
            return _window(arguments), False
        options = _parser(arguments[0]).parse_args(arguments[1:])
        options.began = began
        product = arguments[0] not in _MAKE_FILES and getattr(options, "output", None) is None
        if signal.getsignal(signal.SIGINT) not in (signal.SIG_IGN, None):
            signal.signal(signal.SIGINT, signal.default_int_handler)  # from here on there is something to close
        return int(options.run(options)), product
    except JarletError as error:
        print(f"jarlet: {error}", file=sys.stderr)
        return error.exit_code, product
    except KeyboardInterrupt:
        return INTERRUPTED, product
    except OSError as error:
        if error.filename is None:
            print(f"jarlet: {record(error)}", file=sys.stderr)
            return CRASHED, product
        record(error)  # nobody there knew that this can happen
        name = os.fsdecode(error.filename) if isinstance(error.filename, (str, bytes)) else str(error.filename)
        print(f"jarlet: {sentence(f'{name}: {error.strerror or error}.')}", file=sys.stderr)
        return BAD_USE, product
    except MemoryError as error:
        record(error)
        print("jarlet: There is not enough memory. Close other programs, or use fewer --jobs.", file=sys.stderr)
        return CRASHED, product
    except Exception as error:
        print(f"jarlet: {record(error)}", file=sys.stderr)
        return CRASHED, product


def parsers() -> dict[str, argparse.ArgumentParser]:
    """The parser of each command by its name, for the manual page and completions; that of the window by ``""``."""
    return {"": _window_parser()} | {name: _parser(name) for name in _COMMANDS}


def described() -> dict[str, str]:
    """What each command does, by its name."""
    return {name: text for name, (_, text) in _COMMANDS.items()}


def _window_parser() -> argparse.ArgumentParser:
    parser = Parser(prog="jarlet", description=_DESCRIPTION)
    parser.add_argument("inputs", nargs="*", metavar="FILE", help="jar, war, zip or folder of classes to open")
    parser.add_argument("--sample", action="store_true", help="open the sample that comes with Jarlet")
    return parser


def _parser(name: str) -> argparse.ArgumentParser:
    module, text = _COMMANDS[name]
    parser = Parser(prog=f"jarlet {name}", description=f"{text[0].upper()}{text[1:]}.")
    with collector_paused(lasting=True), one_numpy_thread():
        loaded = importlib.import_module(f"{__package__}.commands.{module}")
    getattr(loaded, f"add_{name}")(parser)
    return parser


def _overview() -> argparse.ArgumentParser:
    """What ``jarlet --help`` tells: the commands, not what they take."""
    parser = Parser(
        prog="jarlet",
        description=_DESCRIPTION,
        epilog="Without a command, 'jarlet [FILE ...]' opens the window. 'jarlet COMMAND --help' tells more.\n\n"
        + EXIT_CODES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"jarlet {VERSION}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND", parser_class=Parser)
    for name, (_, text) in _COMMANDS.items():
        commands.add_parser(name, help=text)
    return parser


def _window(arguments: Sequence[str]) -> int:
    parser = _window_parser()
    options = parser.parse_args(arguments)
    if options.inputs and not Path(options.inputs[0]).exists() and "." not in options.inputs[0]:
        parser.error(f"there is no command and no file {options.inputs[0]!r} (commands: {', '.join(_COMMANDS)})")
    if sys.platform.startswith("linux") and not any(
        os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")
    ):
        parser.error("there is no display to open a window on; 'jarlet reduce' works without one")
    with one_numpy_thread():
        from app.window.application import run_window  # only here: no command needs Qt

    return run_window(options.inputs, options.sample)
