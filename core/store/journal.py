"""The journal of a session: every verdict and every accepted step, on disk before the algorithm goes on.

One SQLite file with a write-ahead log. These data survive:

* The end of the process, however it comes: every commit, from the moment that ``put``
  of :mod:`core.store.answers` returns.
* A power cut: every accepted step, and every verdict but those of the last ``AT_STAKE`` seconds of probes. A commit
  that waits for the disk takes 0.3 to 5 ms on solid-state disks and 10 to 30 ms on turning ones. Without the wait it
  takes less than 0.1 ms (``tests/bench/results/libraries.md``). So a commit waits when the probes since the last one
  that waited took ``AT_STAKE`` together: each one for probes of a second, every 20th for probes of 5 ms. Verdicts lost
  in a power cut are asked again, for at most ``AT_STAKE`` seconds.

A verdict is kept by the content of the candidate and the digest of the predicate. It is no answer any more (see
``get`` there) when the changed time limit could make it another one, or when a signal killed the command, since
signals may come from outside.
"""

from __future__ import annotations

import sqlite3
import threading
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, TypeVar

from core.store.journal_schema import (
    UNREADABLE,
    FullDiskError,
    JournalError,
    StepRow,
    complete,
    connected,
    create,
    error_of,
    unpack_failures,
    verify,
)  # fmt: skip

T = TypeVar("T")

AT_STAKE = 0.1
"""Seconds of probes that a power cut may cost."""


class Journal:
    """The open file. Any thread may use it; one process at a time may write (see the session's lock).

    ``hint()`` ends every error's text: what the user still has. Raises JournalError when the file
    cannot be used, DamagedJournalError when it is no whole journal.
    """

    def __init__(self, path: Path, *, new: bool = False, hint: Callable[[], str] = str) -> None:
        self.path = path
        self._hint = hint
        self._lock = threading.RLock()
        self._at_stake = 0.0
        self.relieve: Callable[[], bool] = lambda: False
        """Frees space on a full disk by giving up files worth less than the run; returns True if there were any."""
        self._names: dict[int, str] = {}
        self._numbers: dict[str, int] = {}
        try:
            self._connection = connected(path, "rwc" if new else "rw")
        except sqlite3.Error as error:
            raise error_of(path, error, hint()) from error
        try:
            self._prepare(new)
        except BaseException as error:
            self._connection.close()
            if isinstance(error, UNREADABLE):
                raise error_of(path, error, hint(), opening=True) from error
            raise

    def close(self) -> None:
        """Fold the log into the file and close it. On a full disk the log stays."""
        with self._lock, suppress(sqlite3.Error):
            self._connection.close()

    def begin_run(self, predicate: int, search: str) -> int:
        """Return the run of a predicate and a search, and make it the last one from here on. The text tells searches
        apart."""
        return self.write(lambda: self._begin(predicate, search), durable=True)

    def _begin(self, predicate: int, search: str) -> int:
        opened = int(self.rows("SELECT coalesce(max(opened), 0) + 1 FROM runs")[0][0])
        sql = (
            "INSERT INTO runs (predicate, search, opened) VALUES (?, ?, ?) "
            "ON CONFLICT DO UPDATE SET opened = excluded.opened, reason = ''"
        )
        self.execute(sql, predicate, search, opened)
        return int(self.rows("SELECT id FROM runs WHERE opened = ?", opened)[0][0])

    def last_run(self) -> tuple[int, str]:
        """Return the run used last and how it ended (empty: it did not); 0 where there is none."""
        rows = self.rows("SELECT id, reason FROM runs ORDER BY opened DESC LIMIT 1")
        return (int(rows[0][0]), str(rows[0][1])) if rows else (0, "")

    def seconds_used(self, run: int) -> float:
        """Return the seconds that the run took until now, all its parts together."""
        rows = self.rows("SELECT used FROM clocks WHERE run = ?", run)
        seconds = float(rows[0][0]) if rows else 0.0
        return seconds if 0 <= seconds < float("inf") else 0.0

    def use(self, run: int, seconds: float) -> None:
        """Write the seconds that :meth:`seconds_used` returns."""
        sql = "INSERT OR REPLACE INTO clocks VALUES (?, ?)"
        self.write(lambda: self.execute(sql, run, float(seconds)))

    def add_step(self, step: StepRow) -> None:
        """Write a step and wait for the disk."""
        values = (step.run, step.key, step.at, step.probe, step.classes, step.items, step.bytes, step.file)
        sql = "INSERT INTO steps VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"
        self.write(lambda: self.execute(sql, step.number, *values), durable=True)

    def steps(self, where: str = "TRUE", *values: Any) -> list[StepRow]:
        """Return the steps in the order of their numbers; ``where`` is a condition on the columns."""
        return [StepRow(*row) for row in self.rows(f"SELECT * FROM steps WHERE {where} ORDER BY number", *values)]

    def pack_failures(self, names: tuple[str, ...]) -> bytes:
        """Return the numbers of failure names, compressed; a name seen for the first time is given one."""
        if not names:
            return b""
        for name in names:
            if name not in self._numbers:
                self._learn(self.execute("INSERT INTO failures (name) VALUES (?)", name), name)
        return zlib.compress(" ".join(str(self._numbers[name]) for name in names).encode())

    def failures(self, packed: bytes) -> tuple[str, ...]:
        """Return the names that :meth:`pack_failures` packed; none when they are damaged."""
        with self._lock:
            return unpack_failures(packed, self._names)

    def write(self, job: Callable[[], T], durable: bool = False, seconds: float = 0.0) -> T:
        """Return the result of ``job``, run as :meth:`writing` does. On a full disk, try again once after
        :attr:`relieve`."""
        try:
            with self.writing(durable, seconds):
                return job()
        except FullDiskError:
            if not self.relieve():
                raise
        with self.writing(durable):
            return job()

    @contextmanager
    def writing(self, durable: bool = False, seconds: float = 0.0) -> Iterator[None]:
        """Hold one transaction, whole or not at all. It waits for the disk if ``durable``, or when the probes of
        ``seconds`` and those before are worth it. Raises JournalError.
        """
        with self._lock:
            self._at_stake += seconds
            wait = durable or self._at_stake >= AT_STAKE
            try:
                self._connection.execute(f"PRAGMA synchronous = {'FULL' if wait else 'NORMAL'}")
                self._connection.execute("BEGIN IMMEDIATE")
                yield
                self._connection.execute("COMMIT")
            except BaseException as error:
                with suppress(sqlite3.Error):
                    self._connection.execute("ROLLBACK")
                with suppress(sqlite3.Error, JournalError):
                    self.reload()
                if isinstance(error, sqlite3.Error):
                    raise error_of(self.path, error, self._hint()) from error
                raise
            if wait:
                self._at_stake = 0.0

    def execute(self, sql: str, *values: Any) -> int:
        """Run one statement and return the number of the row that the statement inserted. Raise JournalError."""
        return self._done(sql, values)[1]

    def rows(self, sql: str, *values: Any) -> list[tuple[Any, ...]]:
        """Return all rows of a query. Raise JournalError."""
        return self._done(sql, values)[0]

    def _done(self, sql: str, values: Sequence[Any]) -> tuple[list[tuple[Any, ...]], int]:
        """Return the rows of a statement, and the number of an inserted row."""
        with self._lock:
            try:
                cursor = self._connection.execute(sql, values)
                return cursor.fetchall(), int(cursor.lastrowid or 0)
            except (sqlite3.Error, UnicodeDecodeError) as error:
                raise error_of(self.path, error, self._hint()) from error

    def reload(self) -> None:
        """Read again the failure names that are kept in memory."""
        self._names.clear()
        self._numbers.clear()
        for number, name in self.rows("SELECT id, name FROM failures"):
            self._learn(number, name)

    def _prepare(self, new: bool) -> None:
        if not new:
            verify(self._connection, self.path)
        if self._connection.execute("PRAGMA journal_mode = WAL").fetchone() != ("wal",):
            raise JournalError(f"{self.path}: no write-ahead log can be kept here. Use a folder on a local disk.")
        self._connection.execute("PRAGMA journal_size_limit = 4194304")
        if new:
            with self.writing(durable=True):
                create(self._connection, self.path)
        else:
            with self.writing():
                complete(self._connection)
        self.reload()

    def _learn(self, number: int, name: str) -> None:
        self._names[number] = name
        self._numbers[name] = number
