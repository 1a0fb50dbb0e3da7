"""The run that a session used last, as its journal tells."""

from __future__ import annotations

import json
from typing import Any

from core.store.journal import Journal

_LAST = "ORDER BY opened DESC LIMIT 1"
_PREDICATE = f"SELECT predicate FROM runs {_LAST}"


class LastRun:
    """The last run of a journal, read anew each time, since another run may have become the last one."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal

    def parts(self) -> dict[str, Any]:
        """Return the parts of the predicate's fingerprint; empty if there are none that can be read."""
        rows = self._journal.rows(f"SELECT parts FROM predicates JOIN runs ON predicate = predicates.id {_LAST}")
        try:
            return dict(json.loads(rows[0][0])) if rows else {}
        except (ValueError, TypeError, RecursionError):
            return {}

    def start(self) -> dict[str, int]:
        """Return the step from which the run started (fields of :class:`core.protocol.commands.StepKey`); empty: the
        run started from the input."""
        rows = self._journal.rows(f"SELECT search FROM runs {_LAST}")
        try:
            start = json.loads(rows[0][0]).get("start") if rows else None
        except (ValueError, TypeError, AttributeError, RecursionError):
            return {}
        fine = isinstance(start, dict) and all(type(value) is int for value in start.values())
        return dict(start) if fine and start else {}

    def smallest(self) -> int:
        """Return the unpacked bytes of the predicate's smallest step; 0 if there is none."""
        sql = f"SELECT min(bytes) FROM steps JOIN runs ON runs.id = run WHERE predicate = ({_PREDICATE})"
        rows = self._journal.rows(sql)
        return int(rows[0][0] or 0) if rows else 0

    def answered(self) -> int:
        """Return the number of verdicts on the predicate."""
        return int(self._journal.rows(f"SELECT count(*) FROM probes WHERE predicate = ({_PREDICATE})")[0][0])
