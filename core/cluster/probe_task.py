"""The task of a worker in the cluster: one probe, with a predicate that the worker keeps for the next probe.

The predicate comes pickled with every task (some kilobytes), since a worker may be new; its resident Java processes
last until another reduction's predicate comes, the reduction ends, or the worker does.
"""

from __future__ import annotations

import atexit
import itertools
import pickle
import threading
from dataclasses import dataclass
from pathlib import Path
from threading import Event as Flag
from typing import Any

from core.archive.zips import Archive
from core.entries import Entries
from core.predicate.predicate import Predicate, discard
from core.predicate.verdict import Outcome
from core.system.work_folder import WorkFolder

_LOOK = 0.02
"""Seconds between two looks at whether the task is still wanted: until then its worker takes no other one."""


@dataclass(eq=False)
class _Held:
    digest: str
    predicate: Predicate
    folder: WorkFolder
    probes: int = 0

    def close(self) -> None:
        self.predicate.close()
        self.folder.close()


_lock = threading.Lock()
_held: list[_Held] = []
"""At most one reduction's predicate."""
_numbers = itertools.count()


def run_probe(digest: str, pickled: bytes, packed: bytes, seconds: float | None, limit: float | None) -> Outcome:
    """Run a predicate on a candidate, within a worker. ``digest`` tells which predicate, ``pickled``, it is; ``packed``
    is the candidate as a jar; ``limit`` is the predicate's time limit, ``seconds`` shortens it."""
    held = _predicate(digest, pickled)
    cancel, ended = Flag(), Flag()
    key, worker = _task()
    watch = threading.Thread(target=_watch, args=(worker, key, cancel, ended), name="jarlet watch", daemon=True)
    watch.start()
    work = held.folder.path / f"probe-{next(_numbers):05d}"
    try:
        return held.predicate.limited(limit).probe(_entries(packed), work, cancel, seconds)
    finally:
        ended.set()
        discard(work)
        with _lock:
            held.probes -= 1


def forget(digest: str) -> None:
    """End the resident processes of a reduction's predicate on this worker."""
    with _lock:
        for held in [one for one in _held if one.digest == digest and not one.probes]:
            _held.remove(held)
            held.close()


def _predicate(digest: str, pickled: bytes) -> _Held:
    with _lock:
        found = next((one for one in _held if one.digest == digest), None)
        if found is None:
            for idle in [one for one in _held if not one.probes]:
                _held.remove(idle)
                idle.close()
            predicate = pickle.loads(pickled)
            found = _Held(digest, predicate, WorkFolder())
            _held.append(found)
        found.probes += 1
        return found


def _entries(packed: bytes) -> Entries:
    with Archive(Path("candidate.jar"), packed) as archive:
        return archive.entries()


def _task() -> tuple[str, Any]:
    import distributed

    worker = distributed.get_worker()
    return worker.get_current_task(), worker


def _watch(worker: Any, key: str, cancel: Flag, ended: Flag) -> None:
    """Set ``cancel`` once nobody waits for the task any more."""
    while not ended.wait(_LOOK):
        state = worker.state.tasks.get(key)
        if state is None or state.state in ("cancelled", "released", "forgotten"):
            cancel.set()
            return


@atexit.register
def _close() -> None:
    with _lock:
        while _held:
            _held.pop().close()
