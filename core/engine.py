"""The engine process (``python -m core.engine``); what it does is :mod:`core.service.command_loop`'s."""

from __future__ import annotations

import sys


def main() -> int:
    """Reads commands from standard input until it closes or ``quit`` comes."""
    from core.service.command_loop import run

    return run()


if __name__ == "__main__":
    sys.exit(main())
