"""The cyclic garbage collector, kept out of the way where much is made that stays."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

_MUCH = 50_000
"""New objects from which on a search through all of them is worth being spared (some ten milliseconds)."""


@contextmanager
def collector_paused(*, lasting: bool = False) -> Iterator[None]:
    """Keep the cyclic garbage collector from running: halves the time to load a thousand classes.

    Meant for batches of some thousand classes, since garbage stays until the end. ``lasting``: what is made is there
    to stay. If that is much, all objects there are leave the collector's sight for good: they go when nobody refers to
    them any more, but for cycles, of which a model has few. Otherwise the collector would look through all of it as
    soon as it runs again (h2: 0.4 s).
    """
    running = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if running:
            # while it is off the first count grows by each object made and falls by each that went
            if lasting and gc.get_count()[0] > _MUCH:
                gc.freeze()
            gc.enable()
