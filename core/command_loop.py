"""The engine process (``python -m core.command_loop``): it reads commands of a window and feeds the engine.

A command is one line of JSON on standard input, an event one line on standard output, of which the first is
``versions``. The commands are those of :mod:`core.protocol.commands`, the events those of :mod:`core.protocol.events`.
:class:`core.service.engine.Engine` carries them out.
"""

from __future__ import annotations

import io
import os
import signal
import sys
from contextlib import suppress
from typing import IO, TYPE_CHECKING, NoReturn

from core.system.interpreter import collector_paused, end_quickly, one_numpy_thread, short_turns
from core.system.processes import background
from core.system.processes.families import die

if TYPE_CHECKING:
    from core.service.engine import Engine


def main() -> int:
    """Read commands from standard input until it closes or ``quit`` comes. Return the exit code."""
    with collector_paused(lasting=True), one_numpy_thread():
        from core.service.engine import Engine  # its imports are most of a start
    # the folder of an opened session must not be searched for modules
    sys.path[:] = [part for part in sys.path if os.path.isabs(part)]
    output = _events()
    if output is None:
        print("jarlet: the engine's standard output is closed, so its client cannot read events.", file=sys.stderr)
        return 2
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(encoding="utf-8", errors="replace")
    background.serve_window()
    short_turns()
    engine = Engine(output)
    signal.signal(signal.SIGTERM, _end_gently)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C in the window's terminal is the window's affair
    _obey_all(engine)
    return 0


def _events() -> IO[str] | None:
    """Return the stream for events; None if standard output is closed. Whatever a library prints goes to standard
    error, so that it does not get between the events."""
    try:
        output = os.fdopen(os.dup(1), "w", encoding="utf-8")
    except OSError:
        return None
    with suppress(OSError):  # who closed standard error does not want to hear it
        os.dup2(2, 1)
    return output


def _obey_all(engine: Engine) -> None:
    """Hand commands to the engine until there are no more, then end it."""
    try:
        for line in sys.stdin:
            if line.strip() and not engine.obey(line):
                break
    except OSError:
        pass  # SIGTERM closed the input
    engine.end()


def _end_gently(number: int, frame: object) -> None:
    """Close the input. The second time, kill everything that runs."""
    try:
        os.close(0)
    except OSError:
        die(number)


def run() -> NoReturn:
    """Run as an engine process, to its end."""
    code = end_quickly()
    code[0] = main()
    sys.exit(code[0])


if __name__ == "__main__":
    run()
