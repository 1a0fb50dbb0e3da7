"""The turns that Python's threads take at the interpreter, of which one runs at a time."""

from __future__ import annotations

import sys

_TURN = 0.0005
"""Length of a turn in seconds, instead of Python's 0.005. The threads that start and watch the predicate want a turn
hundreds of times in a run, while the main thread is busy with the next candidate."""


def short_turns() -> None:
    """Make turns short in this process. A program calls the function once, at its entry."""
    sys.setswitchinterval(_TURN)
