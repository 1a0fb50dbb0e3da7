"""Wishes of which only the newest is worth carrying out, one at a time."""

from __future__ import annotations

import threading
from collections.abc import Callable


class Newest:
    """Whoever wishes first carries out the newest of what is wished meanwhile as well; the others return at once."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._wanted: Callable[[], None] | None = None
        self._busy = False

    def do(self, wish: Callable[[], None]) -> None:
        """Carries the wish out, or leaves it to who is at work. What it raises ends it, not those that come after."""
        with self._lock:
            self._wanted = wish
            if self._busy:
                return
            self._busy = True
        try:
            while (wanted := self._next()) is not None:
                wanted()
        except BaseException:
            with self._lock:
                self._busy = False
            raise

    def _next(self) -> Callable[[], None] | None:
        with self._lock:
            wanted, self._wanted = self._wanted, None
            self._busy = wanted is not None
            return wanted
