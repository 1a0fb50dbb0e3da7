"""``jarlet``: the window, or one of the commands that work without a display."""

from __future__ import annotations

import os
import sys

from core.system.interpreter import end_quickly


def main() -> int:
    """Start the command that the arguments ask for, and return the exit code."""
    code = end_quickly()
    try:
        _hold_streams()
        _end_quietly()  # while modules are imported, and nothing is open that would have to be closed
    except KeyboardInterrupt:
        os._exit(130)
    if sys.argv[1:2] == ["host"] and sys.argv[2:3] not in (["-h"], ["--help"]):
        from app.commands.hosting import call  # the other commands take ten times as long to load

        code[0] = call(sys.argv[2:])
        return code[0]
    from app import cli
    from core.system.stopwatch import process_began

    try:
        code[0] = cli.main(sys.argv[1:], process_began())
    except KeyboardInterrupt:  # before a command takes signals as it needs, or after it
        code[0] = 130
    finally:
        _end_quietly()
    return code[0]


def _hold_streams() -> None:
    """Take the places of standard streams that are closed: the next file would be opened there, and then whatever is
    printed would end in it."""
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)


def _end_quietly() -> None:
    """End at once on Ctrl+C, without a traceback. Where Ctrl+C is ignored (nohup), it stays ignored."""
    import signal  # here: its import too may be interrupted

    if signal.getsignal(signal.SIGINT) not in (signal.SIG_IGN, None):
        signal.signal(signal.SIGINT, lambda *_: os._exit(130))


if __name__ == "__main__":
    sys.exit(main())
