"""Saving what can still be read of a damaged journal into a whole one."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

from core.run.journal import Journal
from core.run.journal_schema import TABLES, JournalError


def salvage(damaged: Path, journal: Journal) -> int:
    """Copies every row that can be read from the file ``damaged`` to the empty ``journal``.

    SQLite reads a table from its first row to the damage and from its last row back to it; what lies
    between, or is no row of the table's types, is lost. Returns the number of verdicts saved. Whether a row
    says what was written, its seal tells whoever asks for it.
    """
    with suppress(sqlite3.Error), closing(sqlite3.connect(f"{damaged.absolute().as_uri()}?mode=rw", uri=True)) as old:
        old.text_factory = lambda data: data.decode("utf-8", "replace")
        old.execute("PRAGMA cell_size_check = ON")
        old.execute("PRAGMA writable_schema = ON")  # else a file shorter than it says is not read at all
        with journal.writing(durable=True):
            for table in TABLES:
                _copy(old, journal, table)
            journal.execute("DELETE FROM probes WHERE predicate NOT IN (SELECT id FROM predicates)")
            journal.execute("DELETE FROM outputs WHERE probe NOT IN (SELECT id FROM probes)")
            journal.execute("DELETE FROM steps WHERE run NOT IN (SELECT id FROM runs)")
    journal.reload()
    return int(journal.rows("SELECT count(*) FROM probes")[0][0])


def _copy(old: sqlite3.Connection, journal: Journal, table: str) -> None:
    seen: set[int] = set()
    for order in ("ASC", "DESC"):
        for row in _readable(old, table, order):
            if not isinstance(row[0], int) or row[0] in seen:
                continue
            seen.add(row[0])
            places = ", ".join("?" * len(row))
            with suppress(JournalError):
                journal.execute(f"INSERT OR IGNORE INTO {table} VALUES ({places})", *row)


def _readable(old: sqlite3.Connection, table: str, order: str) -> Iterator[tuple[Any, ...]]:
    """Rows up to the first one that cannot be read."""
    with suppress(sqlite3.Error, OverflowError):
        key = TABLES[table].split()[0]
        yield from old.execute(f"SELECT * FROM {table} NOT INDEXED ORDER BY {key} {order}")
