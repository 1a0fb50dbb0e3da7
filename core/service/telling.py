"""Word of long work beside a search: what is done, and for how long, every few seconds."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

from core.protocol.events import Listener, Working

_EVERY = 4.0
"""Seconds between two messages."""


@contextmanager
def telling(emit: Listener, what: str) -> Iterator[None]:
    """Tell again and again what is done within a ``with`` statement; of short work nothing."""
    begun, over = time.monotonic(), threading.Event()

    def tell() -> None:
        while not over.wait(_EVERY):
            emit(Working(f"{what}: {time.monotonic() - begun:.0f} s so far"))

    teller = threading.Thread(target=tell, name="telling", daemon=True)
    teller.start()
    try:
        yield
    finally:
        over.set()
        teller.join()
