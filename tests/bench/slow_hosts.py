"""Makes each answer of a resident process take so many seconds more as ``JARLET_BENCH_SECONDS`` says.

A module that is loaded by who asks them: ``dask worker --preload tests.bench.slow_hosts``.
"""

from __future__ import annotations

import os
import time
from pathlib import Path
from threading import Event as Flag

from core.entries import Entries
from core.predicate.jvm.warm import WarmPredicate
from core.predicate.process import ProcessResult

SECONDS = "JARLET_BENCH_SECONDS"
_POLL = 0.02
_ask = WarmPredicate.ask


def _slow(
    self: WarmPredicate, entries: Entries, work: Path, seconds: float | None = None, cancel: Flag | None = None
) -> ProcessResult:
    end = time.monotonic() + float(os.environ[SECONDS])
    while time.monotonic() < end and not (cancel is not None and cancel.is_set()):
        time.sleep(_POLL)
    return _ask(self, entries, work, seconds, cancel)


WarmPredicate.ask = _slow  # type: ignore[method-assign]
