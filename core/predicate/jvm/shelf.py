"""Resident processes that outlive a predicate, for those that come after it."""

from __future__ import annotations

import threading
from pathlib import Path

from core.predicate.jvm.host import HostCommand, HostPool

_MOST_COMMANDS = 3
"""Commands whose hosts stay: each may hold its limit of memory."""


class HostShelf:
    """Pools by their commands, for predicates that come one after another: hosts that know their tool stay.

    Those of a few commands do, the ones that were asked for last: another class path is another command.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._pools: dict[HostCommand, HostPool] = {}
        self._closed = False

    def pool(self, command: HostCommand, work: Path | None = None) -> HostPool:
        """Return the pool for that command; the folders of its hosts are made in ``work``."""
        with self._lock:
            found = self._pools.pop(command, None) or HostPool(command, work)
            self._pools[command] = found
            old = [self._pools.pop(each) for each in list(self._pools)[:-_MOST_COMMANDS]]
            if self._closed:
                found.close()
        for pool in old:
            pool.close()
        return found

    def drop(self, command: HostCommand) -> None:
        """End the hosts of that command."""
        with self._lock:
            pool = self._pools.pop(command, None)
        if pool is not None:
            pool.close()

    def close(self) -> None:
        """End all hosts."""
        with self._lock:
            self._closed = True
            pools, self._pools = list(self._pools.values()), {}
        for pool in pools:
            pool.close()
