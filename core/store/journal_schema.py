"""The form of a journal's file: its tables, verdicts and failures in their rows, the test that tells a journal
from a damaged one, and SQLite's errors in words."""

from __future__ import annotations

import json
import re
import sqlite3
import zlib
from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from core.errors import JarletError

SCHEMA = 2
"""Version of the tables and the words in them. Version 1 wrote *boring* for *not interesting*; both are read."""

TABLES = {
    "predicates": "id INTEGER PRIMARY KEY, digest BLOB NOT NULL UNIQUE, parts TEXT NOT NULL, time_limit REAL",
    "runs": "id INTEGER PRIMARY KEY, predicate INTEGER NOT NULL, search TEXT NOT NULL, opened INTEGER NOT NULL, "
    "reason TEXT NOT NULL DEFAULT '', UNIQUE (predicate, search)",
    "failures": "id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE",
    "probes": "id INTEGER PRIMARY KEY, predicate INTEGER NOT NULL, key BLOB NOT NULL, verdict TEXT NOT NULL, "
    "seconds REAL NOT NULL, time_limit REAL, exit INTEGER, detail TEXT NOT NULL, failures BLOB NOT NULL, "
    "at REAL NOT NULL, seal INTEGER NOT NULL, UNIQUE (predicate, key)",
    "outputs": "probe INTEGER PRIMARY KEY, data BLOB NOT NULL",
    "steps": "number INTEGER PRIMARY KEY, run INTEGER NOT NULL, key BLOB NOT NULL, at REAL NOT NULL, "
    "probe INTEGER NOT NULL, classes INTEGER NOT NULL, items INTEGER NOT NULL, bytes INTEGER NOT NULL, file TEXT, "
    "UNIQUE (run, key)",
    "clocks": "run INTEGER PRIMARY KEY, used REAL NOT NULL",
}
"""Columns of each table; the first one of each is its row number."""

_LATER = frozenset({"clocks"})
"""Tables that a journal may lack: they are added when it is opened."""

PAGE = 4096
"""Bytes of a page of the file: SQLite's default since 2016."""

_APPLICATION = 0x4A61726C

UNREADABLE = (sqlite3.Error, ValueError, TypeError, OverflowError)
"""Exceptions that reading a journal may raise. SQLite does not check everything that it reads. Python's module decodes
names of columns and texts of errors strictly, so that damage may show as a UnicodeDecodeError."""

_ADVICE = {
    sqlite3.SQLITE_FULL: "The disk is full: free some space, then begin again, or resume the session if there is one.",
    sqlite3.SQLITE_IOERR: (
        "The disk refuses to write: free some space or use another disk, then begin again, or resume the session if "
        "there is one."
    ),
    sqlite3.SQLITE_READONLY: "It is not writable: copy the session to a writable folder.",
    sqlite3.SQLITE_CANTOPEN: "Make the file and its folder readable and writable.",
    sqlite3.SQLITE_BUSY: "Another program has it locked: end that program.",
}


class JournalError(JarletError):
    """The journal cannot be read or written; nothing that it held before is lost."""


class FullDiskError(JournalError):
    """There is no space for what was to be written."""


class DamagedJournalError(JournalError):
    """The file is no journal, or no whole one."""


@dataclass(frozen=True, slots=True)
class StepRow:
    """An accepted step: seconds and probes since its run began, size, and its jar's file name (None = dropped)."""

    number: int
    run: int
    key: bytes
    at: float
    probe: int
    classes: int
    items: int
    bytes: int
    file: str | None


def connected(path: Path, mode: str) -> sqlite3.Connection:
    """Return a connection to the file, in SQLite's ``mode`` of opening. Garbage among its texts is no reason to stop
    reading: a row's seal tells."""
    name = f"{path.absolute().as_uri()}?mode={mode}"
    connection = sqlite3.connect(name, uri=True, isolation_level=None, check_same_thread=False)
    connection.text_factory = lambda data: data.decode("utf-8", "replace")
    return connection


def create(connection: sqlite3.Connection, path: Path) -> None:
    """Make the tables in an empty file. Raise JournalError when it is not empty."""
    if _tables(connection):
        raise JournalError(f"{path}: there is a journal already.")
    for name, columns in TABLES.items():
        connection.execute(f"CREATE TABLE {name} ({columns}) STRICT")
    connection.execute(f"PRAGMA application_id = {_APPLICATION}")
    connection.execute(f"PRAGMA user_version = {SCHEMA}")


def complete(connection: sqlite3.Connection) -> None:
    """Add the tables that a journal of an earlier version lacks; from here on it is one of this version."""
    for name in sorted(_LATER - _tables(connection)):
        connection.execute(f"CREATE TABLE {name} ({TABLES[name]}) STRICT")
    connection.execute(f"PRAGMA user_version = {SCHEMA}")


def verify(connection: sqlite3.Connection, path: Path, quick: bool = False) -> None:
    """Raise JournalError unless the file holds our tables, whole (which is not looked at if ``quick``)."""
    application = connection.execute("PRAGMA application_id").fetchone()[0]
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    if application == _APPLICATION and version > SCHEMA:
        raise JournalError(f"{path}: this session is of a newer Jarlet (schema {version}). Use that one.")
    if application != _APPLICATION or not 1 <= version <= SCHEMA or not TABLES.keys() - _LATER <= _tables(connection):
        raise DamagedJournalError(f"{path}: this is not the journal of a session.")
    if dict(_columns(connection)) != {name: _names(text) for name, text in TABLES.items()}:
        raise DamagedJournalError(f"{path}: the journal is damaged (its tables have other columns).")
    if not quick:
        with closing(connection.execute("PRAGMA quick_check(1)")) as found:
            if (text := found.fetchone()[0]) != "ok":
                raise DamagedJournalError(f"{path}: the journal is damaged ({' '.join(text.split())}).")


def error_of(path: Path, error: Exception, hint: str, opening: bool = False) -> JournalError:
    """Return an error of SQLite's in words, with what to do; ``hint`` ends the text."""
    if not isinstance(error, sqlite3.Error):
        return DamagedJournalError(f"{path}: the journal is damaged ({type(error).__name__}). {hint}".strip())
    code = getattr(error, "sqlite_errorcode", 0)
    damaged = code & 0xFF in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
    damaged |= code in (sqlite3.SQLITE_IOERR_SHORT_READ, getattr(sqlite3, "SQLITE_IOERR_DATA", -1))
    if damaged or (opening and code == sqlite3.SQLITE_ERROR):
        return DamagedJournalError(f"{path}: the journal is damaged ({error}). {hint}".strip())
    advice = _ADVICE.get(code & 0xFF, "")
    kind = FullDiskError if _full(code) else JournalError
    return kind(" ".join(f"{path}: the journal cannot be used ({error}). {advice} {hint}".split()))


def plain_name(file: object) -> bool:
    """Return True if ``file`` is the name of a step's jar, and leads to no other folder."""
    return isinstance(file, str) and re.fullmatch(r"\d+\.jar", file, re.ASCII) is not None


def _full(code: int) -> bool:
    """Return True if the disk is full. SQLite also calls a full disk a failed write where the disk fills while a log is
    written or mapped."""
    failed = (sqlite3.SQLITE_IOERR_WRITE, sqlite3.SQLITE_IOERR_SHMSIZE, sqlite3.SQLITE_IOERR_FSYNC)
    return code & 0xFF == sqlite3.SQLITE_FULL or code in failed


def _tables(connection: sqlite3.Connection) -> set[str]:
    return {name for (name,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")}


def _columns(connection: sqlite3.Connection) -> Iterator[tuple[str, list[str]]]:
    for table in TABLES:
        names = [str(row[1]) for row in connection.execute(f"PRAGMA table_info({table})")]
        if names or table not in _LATER:
            yield table, names
        else:
            yield table, _names(TABLES[table])


def _names(columns: str) -> list[str]:
    """Return the names of the columns in a table's text."""
    return [part.split()[0] for part in columns.split(", ") if not part.startswith("UNIQUE") and " " in part]


SHOWN = 4096
"""Characters that are kept of a detail."""


def unpack_failures(packed: bytes | None, names: Mapping[int, str]) -> tuple[str, ...]:
    """Return the failure names of a probe, by ``names`` of their numbers; none if they are damaged."""
    try:
        return tuple(names.get(int(number), "?") for number in zlib.decompress(packed).split()) if packed else ()
    except (zlib.error, ValueError, TypeError):
        return ()


def seal(*values: object) -> int:
    """Return a checksum of the values that decide, since SQLite does not notice a changed byte within a row."""
    return zlib.crc32(repr(values).encode())


def clean(text: str) -> str:
    """Return the text as UTF-8 can hold it."""
    return text.encode("utf-8", "backslashreplace").decode()


def read_object(text: str) -> dict[str, Any]:
    """Return the JSON object in a text; empty where there is none."""
    try:
        value = json.loads(text)
    except (ValueError, TypeError, RecursionError):
        value = None
    return value if isinstance(value, dict) else {}
