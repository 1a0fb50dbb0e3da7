"""A predicate whose probes run on the workers of a cluster; its verdicts are those of the predicate here.

Before its first probe each worker is put to runs with a known outcome. A worker with another JDK or without a tool
finds other failures, and would lead the search astray.
"""

from __future__ import annotations

import hashlib
import itertools
import math
import pickle
import threading
from collections.abc import Callable, Iterable, Sequence
from collections.abc import Set as AbstractSet
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event as Flag
from typing import Any

from core.cluster.connection import workers_of
from core.cluster.probe_task import forget, run_probe
from core.entries import Entries
from core.predicate.predicate import AroundPredicate, Predicate
from core.predicate.tool_chain import StepsPredicate
from core.predicate.verdict import Outcome, Verdict
from core.system.stopwatch import AwakeClock

_LOOK = 0.02
"""Seconds between two looks at whether the probe is still wanted."""
_ASK = 1.0
"""Seconds between two questions to the scheduler whether there are workers."""
_FIRST = 10.0
"""Limits of a probe that a worker may take for its first runs, and a probe for its way there and back."""
_LOST = 10.0
"""Seconds without any worker after which a probe is run here; also the time of workers to end their probes."""


@dataclass(eq=False)
class _Sent:
    """The predicate in the workers' form, and the state that its forms with other time limits share."""

    client: Any
    pickled: bytes
    digest: str
    tell: Callable[[str], None]
    numbers: itertools.count[int] = field(default_factory=itertools.count)
    told: bool = False
    vetting: Vetting | None = None

    def submit(self, packed: bytes, seconds: float | None, limit: float | None, workers: Sequence[str]) -> Any:
        """Return the task of a probe on one of the workers."""
        return self.client.submit(
            run_probe, self.digest, self.pickled, packed, seconds, limit,
            key=f"jarlet-probe-{self.digest[:16]}-{id(self)}-{next(self.numbers)}", pure=False, retries=2,
            workers=list(workers), allow_other_workers=False,
        )  # fmt: skip

    def trusted(self) -> list[str]:
        """Return the workers that are there, as far as they are not known to judge otherwise than this machine."""
        there = list(workers_of(self.client))
        return there if self.vetting is None else self.vetting.look(there)

    def distrust(self, task: Any) -> None:
        """Send no more probes to the worker that does not end ``task``."""
        if self.vetting is not None:
            for address, keys in self.client.processing().items():
                if task.key in keys:
                    self.vetting.exclude(address)

    def trouble(self, what: str) -> None:
        """Tell of the first trouble."""
        if not self.told:
            self.told = True
            self.tell(f"{what} Its probes are run on this machine.")


class ClusterPredicate(AroundPredicate[Predicate]):
    """``local``, the calibrated predicate, with its probes on the cluster of ``client`` (see
    :func:`core.cluster.connection.connected`). The workers need the same Jarlet, and the same files and tools under the
    same paths. The probes of a lost worker go to another one. Candidates that no worker can run are run here. ``tell``
    is told of that once.
    """

    def __init__(self, local: Predicate, client: Any, tell: Callable[[str], None], sent: _Sent | None = None) -> None:
        super().__init__(local)
        if sent is None:
            pickled = pickle.dumps(local.portable())
            sent = _Sent(client, pickled, hashlib.sha256(pickled).hexdigest(), tell)
        self._sent = sent

    def limited(self, timeout: float | None) -> ClusterPredicate:
        return ClusterPredicate(self.inner.limited(timeout), self._sent.client, self._sent.tell, self._sent)

    def probe(self, entries: Entries, work: Path, cancel: Flag | None = None, seconds: float | None = None) -> Outcome:
        sent = self._sent
        packed = self._packed(entries)
        try:
            workers = sent.trusted()
            if workers:
                outcome = self._wait(sent.submit(packed, seconds, self.timeout, workers), set(workers), cancel)
            else:
                sent.trouble("The cluster has no workers that judge as this machine does.")
                outcome = None
        except Exception as error:  # whatever the worker, its Python or the network had to say
            sent.trouble(f"The cluster could not run a probe ({type(error).__name__}: {str(error)[:200]}).")
            outcome = None
        return self.inner.probe(entries, work, cancel, seconds) if outcome is None else outcome

    def describe(self) -> str:
        return f"{self.inner.describe()} (on the cluster's workers)"

    def close(self) -> None:
        """End the predicate here, and the resources that the workers hold."""
        asking = threading.Thread(target=self._forget, name="cluster", daemon=True)
        asking.start()
        asking.join(_LOST)
        with suppress(Exception):
            self._sent.client.close()
        self.inner.close()

    def _packed(self, entries: Entries) -> bytes:
        """Return a candidate as it is sent: a worker does not know which jars inside are opened ones."""
        inner = self.inner.cold
        return b"".join(self.packer.pack(inner.given(entries) if isinstance(inner, StepsPredicate) else entries))

    def _forget(self) -> None:
        with suppress(Exception):  # workers that are gone hold nothing
            self._sent.client.run(forget, self._sent.digest, on_error="ignore")

    def vet(self, known: Sequence[tuple[Entries, Outcome]], cancel: Flag) -> int:
        """Test the workers with runs of known outcome, now and whenever one comes. Return the threads of those that
        agree."""
        sent, limit = self._sent, None if self.timeout is None else _FIRST * self.timeout
        controls = [KnownRun(self._packed(entries), outcome) for entries, outcome in known]
        sent.vetting = Vetting(lambda address, packed: sent.submit(packed, None, limit, [address]), controls, sent.tell)
        agree = sent.vetting.settle(lambda: workers_of(sent.client), cancel, _LOST + (limit or math.inf))
        return sum(count for address, count in workers_of(sent.client).items() if address in agree)

    def _wait(self, task: Any, workers: AbstractSet[str], cancel: Flag | None) -> Outcome | None:
        """Return the outcome of a task of some workers; None when none of them can run it, or they take too long."""
        most = math.inf if self.timeout is None else _FIRST * self.timeout + _LOST
        ended = Flag()
        task.add_done_callback(lambda _: ended.set())
        clock = AwakeClock()
        with_workers = asked = 0.0
        while not ended.wait(_LOOK):
            if cancel is not None and cancel.is_set():
                task.cancel()
                return Outcome(Verdict.UNRESOLVED, 0.0, None, "cancelled")
            now = clock.elapsed()
            if now - asked < _ASK:
                continue
            asked = now
            if workers & set(self._sent.trusted()):
                with_workers = now
            lost, overdue = now - with_workers > _LOST, now > most
            if lost or overdue:
                if overdue:
                    self._sent.distrust(task)
                task.cancel()
                self._sent.trouble("The cluster has no workers any more." if lost else "A worker does not answer.")
                return None
        outcome = task.result()
        assert isinstance(outcome, Outcome)
        return outcome


_LOOK_AT_FIRST = 0.05
"""Seconds between two looks at the first answers."""


@dataclass(frozen=True)
class KnownRun:
    """A candidate, as a jar, and the outcome that it has on this machine."""

    packed: bytes
    outcome: Outcome

    def agrees(self, other: Outcome) -> bool:
        """Return True if another machine's outcome says the same."""
        mine = self.outcome
        return mine.verdict is other.verdict and set(mine.failures) == set(other.failures)


@dataclass(eq=False)
class Vetting:
    """The workers that agree on all ``runs``. ``ask(address, packed)`` makes a worker run a candidate and returns
    the task; ``tell`` is told of each worker that disagrees."""

    ask: Callable[[str, bytes], Any]
    runs: Sequence[KnownRun]
    tell: Callable[[str], None]

    def __post_init__(self) -> None:
        self._asked: dict[str, list[Any]] = {}
        self._agree: dict[str, bool] = {}
        self._lock = threading.Lock()

    def look(self, addresses: Iterable[str]) -> list[str]:
        """Return the present workers that agree; ask new ones, and take in their answers."""
        with self._lock:
            return self._look(set(addresses))

    def _look(self, there: set[str]) -> list[str]:
        for address in sorted(there - self._asked.keys()):
            self._asked[address] = [self.ask(address, known.packed) for known in self.runs]
        for address in sorted(there - self._agree.keys()):
            if all(task.done() for task in self._asked[address]):
                self._agree[address] = self._judged(address)
        return sorted(address for address in there if self._agree.get(address))

    def exclude(self, address: str) -> None:
        """Count a worker that agreed as one in disagreement."""
        with self._lock:
            self._agree[address] = False

    def settle(self, addresses: Callable[[], Iterable[str]], cancel: Flag, seconds: float) -> list[str]:
        """Wait until every worker that is there has answered, or for so long: one may hang. Return those that agree."""
        clock = AwakeClock()
        while True:
            found = set(addresses())
            agree = self.look(found)
            if found <= self._agree.keys() or clock.elapsed() > seconds or cancel.wait(_LOOK_AT_FIRST):
                return agree

    def _judged(self, address: str) -> bool:
        for task, known in zip(self._asked[address], self.runs, strict=True):
            try:
                outcome = task.result()
            except Exception as error:  # whatever the worker, its Python or the network had to say
                self.tell(
                    f"The worker {address} cannot run the predicate ({type(error).__name__}: {str(error)[:200]})."
                )
                return False
            if not known.agrees(outcome):
                self.tell(
                    f"The worker {address} gets no probes: a run that is {_said(known.outcome)} here is "
                    f"{_said(outcome)} there. Does it have the same tools, JDK and files?"
                )
                return False
        return True


def _said(outcome: Outcome) -> str:
    count = len(set(outcome.failures))
    return outcome.verdict.value + (f" (with {count} failures)" if count else "")
