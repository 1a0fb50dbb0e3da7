"""Saving what can still be read of a damaged journal into a whole one."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

from core.store.journal import Journal
from core.store.journal_schema import PAGE, TABLES, UNREADABLE, JournalError, plain_name

_ENDS = ("", "-wal", "-shm", "-journal")


def salvage(damaged: Path, journal: Journal) -> int:
    """Copy every row that can be read from the file ``damaged`` to the empty ``journal``.

    SQLite reads a table from its first row to the damage and from its last row back to it; what lies
    between, or is no row of the table's types, is lost. Returns the number of verdicts saved. Whether a row
    says what was written, its seal tells whoever asks for it.
    """
    _copy_all(damaged, journal)
    if not journal.rows("SELECT 1 FROM predicates LIMIT 1"):
        # perhaps only the first page is damaged, which says where the tables are: they are where they always are
        graft = damaged.with_name(f".{damaged.name}.part-graft")
        try:
            if _grafted(damaged, graft):
                _copy_all(graft, journal)
        finally:
            for end in _ENDS:
                graft.with_name(graft.name + end).unlink(missing_ok=True)
    journal.reload()
    return int(journal.rows("SELECT count(*) FROM probes")[0][0])


def _copy_all(damaged: Path, journal: Journal) -> None:
    with suppress(*UNREADABLE), closing(sqlite3.connect(f"{damaged.absolute().as_uri()}?mode=rw", uri=True)) as old:
        old.text_factory = lambda data: data.decode("utf-8", "replace")
        old.execute("PRAGMA cell_size_check = ON")
        old.execute("PRAGMA writable_schema = ON")  # else a file shorter than it says is not read at all
        with journal.writing(durable=True):
            for table in TABLES:
                _copy(old, journal, table)
            journal.execute("DELETE FROM probes WHERE predicate NOT IN (SELECT id FROM predicates)")
            journal.execute("DELETE FROM outputs WHERE probe NOT IN (SELECT id FROM probes)")
            journal.execute("DELETE FROM steps WHERE run NOT IN (SELECT id FROM runs)")


def _grafted(damaged: Path, graft: Path) -> bool:
    """Make a copy of the file, and of its log, with the first page of an empty journal. Return True on success."""
    with suppress(OSError, JournalError):
        empty = graft.with_name(f"{graft.name}-empty")
        try:
            Journal(empty, new=True).close()
            page = bytearray(empty.read_bytes()[:PAGE])
        finally:
            for end in ("", "-wal", "-shm"):
                empty.with_name(empty.name + end).unlink(missing_ok=True)
        page[28:32] = b"\0" * 4  # how many pages there are: the file's length tells
        for end in ("", "-wal"):
            if (source := damaged.with_name(damaged.name + end)).exists():
                shutil.copyfile(source, graft.with_name(graft.name + end))
        with graft.open("r+b") as file:
            file.write(page)
        return True
    return False


def _copy(old: sqlite3.Connection, journal: Journal, table: str) -> None:
    seen: set[int] = set()
    for order in ("ASC", "DESC"):
        for row in _readable(old, table, order):
            if not isinstance(row[0], int) or row[0] in seen or not _sound(table, row):
                continue
            seen.add(row[0])
            places = ", ".join("?" * len(row))
            with suppress(JournalError):
                journal.execute(f"INSERT OR IGNORE INTO {table} VALUES ({places})", *row)


def _readable(old: sqlite3.Connection, table: str, order: str) -> Iterator[tuple[Any, ...]]:
    """Yield the rows up to the first one that cannot be read."""
    with suppress(*UNREADABLE):
        key = TABLES[table].split()[0]
        yield from old.execute(f"SELECT * FROM {table} NOT INDEXED ORDER BY {key} {order}")


def _sound(table: str, row: tuple[Any, ...]) -> bool:
    """Return True if a row may be used: a row of a step must name a plain file in our own folder, or no file."""
    return table != "steps" or row[-1] is None or plain_name(row[-1])
