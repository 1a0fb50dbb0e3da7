"""The engine process (``python -m core.command_loop``); what it does is :mod:`core.service.engine`'s."""

from __future__ import annotations

import sys

from core.system.gc_pause import collector_paused
from core.system.numpy_threads import one_numpy_thread


def main() -> int:
    """Reads commands from standard input until it closes or ``quit`` comes."""
    with collector_paused(lasting=True), one_numpy_thread():
        from core.service.engine import run  # what it imports is most of a start

    return run()


if __name__ == "__main__":
    sys.exit(main())
