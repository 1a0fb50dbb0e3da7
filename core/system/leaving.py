"""The end of a process without the taking apart of its objects."""

from __future__ import annotations

import atexit
import os
import sys
from contextlib import suppress


def end_quickly() -> list[int]:
    """End this process, once everything is closed, with the exit code that the returned list will hold.

    To be called before anything else is registered for the end: what is registered first is called last. Python would
    take all objects apart, one by one: a fifth of the processor time of an idle engine, more where a model is large.
    """
    code = [1]
    atexit.register(_leave, code)
    return code


def _leave(code: list[int]) -> None:
    for stream in (sys.stdout, sys.stderr):
        with suppress(AttributeError, OSError, ValueError):  # there is none, it was closed, or nobody reads
            stream.flush()
    os._exit(code[0])
