"""The answers in a journal: the verdicts of one predicate, the valid ones of today, and the run used last."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from typing import Any

from core.predicate.verdict import Outcome, Verdict, verdict_of
from core.store.journal import Journal
from core.store.journal_schema import SHOWN, clean, read_object, seal

_KILLED = frozenset({-1, -2, -9, -15, 129, 130, 137, 143})
"""Exit codes of a command (or of a shell or JVM for it) that SIGHUP, SIGINT, SIGKILL or SIGTERM ended."""

_CANCELLED = "cancelled"
"""Detail of a probe that was cancelled (:meth:`core.predicate.condition.Condition.judge`)."""


class Answers:
    """The verdicts of one predicate: a :class:`core.reduction.probing.memory.Memory` that outlives the process."""

    def __init__(self, journal: Journal, predicate: int, limit: float | None) -> None:
        self.predicate = predicate
        self.limit = None if limit is None else float(limit)
        """Time limit of a probe in seconds: run the predicate under this one."""
        self._journal = journal

    @classmethod
    def of(
        cls, journal: Journal, digest: bytes, parts: Mapping[str, str], limit: float | None, measured: bool
    ) -> Answers:
        """Return the verdicts of the predicate with that digest, under a time limit of so many seconds.

        A ``measured`` limit (a multiple of the check's time) gives way to the first one, so that a slower or faster
        check does not undo the verdicts.
        """

        def known() -> Answers:
            rows = journal.rows("SELECT id, time_limit FROM predicates WHERE digest = ?", digest)
            if not rows:
                sql = "INSERT INTO predicates (digest, parts, time_limit) VALUES (?, ?, ?)"
                return cls(journal, journal.execute(sql, digest, json.dumps(dict(sorted(parts.items()))), limit), limit)
            number, before = rows[0]
            now = before if measured and before is not None else limit
            journal.execute("UPDATE predicates SET time_limit = ? WHERE id = ?", now, number)
            return cls(journal, number, now)

        return journal.write(known, durable=True)

    def __len__(self) -> int:
        return int(self._journal.rows("SELECT count(*) FROM probes WHERE predicate = ?", self.predicate)[0][0])

    def get(self, key: bytes) -> Outcome | None:
        """Return the outcome of an earlier probe of the same content, if it would be the same today.

        No answers are: the outcome of a cancelled probe; one of a command killed by a signal, perhaps from outside (the
        end of the user's session, a lack of memory); a time-out when the limit is longer today; an interesting one that
        took longer than today's limit; a damaged row.
        """
        columns = "verdict, seconds, time_limit, exit, detail, failures, seal"
        sql = f"SELECT {columns} FROM probes WHERE predicate = ? AND key = ?"
        for verdict, seconds, limit, code, detail, failures, sealed in self._journal.rows(sql, self.predicate, key):
            names = self._journal.failures(failures)
            if sealed != seal(self.predicate, key, verdict, seconds, limit, code, names):
                return None
            outcome = Outcome(verdict_of(verdict), seconds, code, str(detail), failures=names)
            return outcome if self._lasts(outcome, limit) else None
        return None

    def put(self, key: bytes, outcome: Outcome) -> None:
        """Write an outcome without its outputs; return when it is safe (see the module's text). Raise JournalError.

        A probe that was cancelled, or cut short by the time limit of the whole run, said nothing: such
        outcomes are not to be put.
        """
        journal, verdict, seconds = self._journal, outcome.verdict.value, float(outcome.seconds)
        names = tuple(map(clean, outcome.failures))
        sealed = seal(self.predicate, key, verdict, seconds, self.limit, outcome.exit, names)

        def add() -> None:
            journal.execute("DELETE FROM probes WHERE predicate = ? AND key = ?", self.predicate, key)
            sql = (
                "INSERT INTO probes (predicate, key, verdict, seconds, time_limit, exit, detail, failures, at, seal) "
                "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
            )
            values = (verdict, seconds, self.limit, outcome.exit, clean(outcome.detail[:SHOWN]))
            failures = journal.pack_failures(names)
            journal.execute(sql, self.predicate, key, *values, failures, time.time(), sealed)

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


_LAST = "ORDER BY opened DESC LIMIT 1"
_PREDICATE = f"SELECT predicate FROM runs {_LAST}"


class LastRun:
    """The last run of a journal, read anew each time, since another run may have become the last one."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal

    def parts(self) -> dict[str, Any]:
        """Return the parts of the predicate's fingerprint; empty if there are none that can be read."""
        rows = self._journal.rows(f"SELECT parts FROM predicates JOIN runs ON predicate = predicates.id {_LAST}")
        return read_object(rows[0][0]) if rows else {}

    def start(self) -> dict[str, int]:
        """Return the step from which the run started (fields of :class:`core.protocol.commands.StepKey`); empty: the
        run started from the input."""
        rows = self._journal.rows(f"SELECT search FROM runs {_LAST}")
        start = read_object(rows[0][0]).get("start") if rows else None
        fine = isinstance(start, dict) and all(type(value) is int for value in start.values())
        return dict(start) if fine and start else {}

    def smallest(self) -> int:
        """Return the unpacked bytes of the predicate's smallest step; 0 if there is none."""
        sql = f"SELECT min(bytes) FROM steps JOIN runs ON runs.id = run WHERE predicate = ({_PREDICATE})"
        rows = self._journal.rows(sql)
        return int(rows[0][0] or 0) if rows else 0
