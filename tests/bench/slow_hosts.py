"""Makes each answer of a resident process take so many seconds more as ``JARLET_BENCH_SECONDS`` says.

A module that is loaded by who asks them: ``dask worker --preload tests.bench.slow_hosts``.
"""

from __future__ import annotations

import os
import time
from threading import Event as Flag

from core.predicate.jvm import host

SECONDS = "JARLET_BENCH_SECONDS"
_POLL = 0.02
_ask = host.HostPool.ask


def _slow(pool: host.HostPool, jar: bytes, seconds: float | None = None, cancel: Flag | None = None) -> host.HostAnswer:
    end = time.monotonic() + float(os.environ[SECONDS])
    while time.monotonic() < end and not (cancel is not None and cancel.is_set()):
        time.sleep(_POLL)
    return _ask(pool, jar, seconds, cancel)


host.HostPool.ask = _slow  # type: ignore[method-assign]
