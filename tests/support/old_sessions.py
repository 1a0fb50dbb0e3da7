"""Sessions as version 1 wrote them: with its words for verdicts, sealed as it sealed them."""

from __future__ import annotations

import sqlite3
import zlib
from contextlib import closing
from pathlib import Path

PUT = "UPDATE probes SET verdict = ?, seal = ? WHERE id = ?"


def make_old(journal: Path) -> int:
    """Rewrites the rows of a closed journal as version 1 had them; how many were not interesting."""
    with closing(sqlite3.connect(journal)) as connection, connection:
        names = dict(connection.execute("SELECT id, name FROM failures"))
        rows = connection.execute(
            "SELECT id, predicate, key, seconds, time_limit, exit, failures FROM probes "
            "WHERE verdict = 'not interesting'"
        ).fetchall()
        for number, predicate, key, seconds, limit, code, packed in rows:
            numbers = zlib.decompress(packed).split() if packed else ()
            failures = tuple(names[int(one)] for one in numbers)
            text = repr((predicate, key, "boring", seconds, limit, code, failures))
            connection.execute(PUT, ("boring", zlib.crc32(text.encode()), number))
        connection.execute("PRAGMA user_version = 1")
    return len(rows)
