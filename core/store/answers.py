"""A journal's verdicts of one predicate, and the choice of those that stand today."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, Protocol, TypeVar

from core.predicate.verdict import Outcome, Verdict, verdict_of
from core.store.journal_rows import SHOWN, clean, seal, unpack_outputs

T = TypeVar("T")

_KILLED = frozenset({-1, -2, -9, -15, 129, 130, 137, 143})
"""Exit codes of a command (or of a shell or JVM for it) that SIGHUP, SIGINT, SIGKILL or SIGTERM ended."""

_CANCELLED = "cancelled"
"""Detail of a probe that was cancelled (:meth:`core.predicate.condition.Condition.judge`)."""


class JournalRows(Protocol):
    """The part of a journal that :class:`Answers` needs (:class:`core.store.journal.Journal`)."""

    def rows(self, sql: str, *values: Any) -> list[tuple[Any, ...]]:
        """Return all rows of a query."""

    def execute(self, sql: str, *values: Any) -> int:
        """Run one statement and return the number of the row that the statement inserted."""

    def write(self, job: Callable[[], T], durable: bool = False, seconds: float = 0.0) -> T:
        """Run ``job`` as one transaction."""

    def failures(self, packed: bytes) -> tuple[str, ...]:
        """Return the names that :meth:`pack_failures` packed."""

    def pack_failures(self, names: tuple[str, ...]) -> bytes:
        """Return the numbers of failure names."""

    def keep_output(self, probe: int, outcome: Outcome) -> None:
        """Keep the ends of a probe's outputs."""


class Answers:
    """The verdicts of one predicate: a :class:`core.reduction.probing.memory.Memory` that outlives the process."""

    def __init__(self, journal: JournalRows, predicate: int, limit: float | None) -> None:
        self.predicate = predicate
        self.limit = None if limit is None else float(limit)
        """Time limit of a probe in seconds: run the predicate under this one."""
        self._journal = journal

    def __len__(self) -> int:
        return int(self._journal.rows("SELECT count(*) FROM probes WHERE predicate = ?", self.predicate)[0][0])

    def get(self, key: bytes) -> Outcome | None:
        """Return the outcome of an earlier probe of the same content, if it would be the same today.

        No answers are: the outcome of a probe that was cancelled; one of a command killed by a signal that may
        have come from outside (the end of the user's session, a lack of memory); a time-out when the limit
        is longer today; an interesting one that took longer than today's limit; a damaged row.
        """
        sql = (
            "SELECT verdict, seconds, time_limit, exit, detail, failures, seal, data FROM probes "
            "LEFT JOIN outputs ON probe = id WHERE predicate = ? AND key = ?"
        )
        for verdict, seconds, limit, code, detail, failures, sealed, data in self._journal.rows(
            sql, self.predicate, key
        ):
            names = self._journal.failures(failures)
            if sealed != seal(self.predicate, key, verdict, seconds, limit, code, names):
                return None
            out, err = unpack_outputs(data)
            outcome = Outcome(verdict_of(verdict), seconds, code, str(detail), out, err, names)
            return outcome if self._lasts(outcome, limit) else None
        return None

    def put(self, key: bytes, outcome: Outcome) -> None:
        """Write an outcome; return when it is safe (see the module's text). Raise JournalError.

        A probe that was cancelled, or cut short by the time limit of the whole run, said nothing: such
        outcomes are not to be put.
        """
        journal, verdict, seconds = self._journal, outcome.verdict.value, float(outcome.seconds)
        names = tuple(map(clean, outcome.failures))
        sealed = seal(self.predicate, key, verdict, seconds, self.limit, outcome.exit, names)

        def add() -> None:
            same = "FROM probes WHERE predicate = ? AND key = ?"
            journal.execute(f"DELETE FROM outputs WHERE probe IN (SELECT id {same})", self.predicate, key)
            journal.execute(f"DELETE {same}", self.predicate, key)
            sql = (
                "INSERT INTO probes (predicate, key, verdict, seconds, time_limit, exit, detail, failures, at, seal) "
                "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
            )
            values = (verdict, seconds, self.limit, outcome.exit, clean(outcome.detail[:SHOWN]))
            failures = journal.pack_failures(names)
            number = journal.execute(sql, self.predicate, key, *values, failures, time.time(), sealed)
            journal.keep_output(number, outcome)

        journal.write(add, seconds=seconds)

    def _lasts(self, outcome: Outcome, limit: float | None) -> bool:
        """Return True if the verdict, given under ``limit``, still holds under today's limit."""
        today = float("inf") if self.limit is None else self.limit
        then = float("inf") if limit is None else limit
        match outcome.verdict:
            case Verdict.INTERESTING:
                return today >= then or outcome.seconds <= today
            case Verdict.TIMED_OUT:
                return today <= then
            case Verdict.UNRESOLVED if outcome.exit is None and outcome.detail == _CANCELLED:
                return False
        return outcome.exit not in _KILLED
