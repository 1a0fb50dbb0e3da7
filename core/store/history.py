"""Accepted steps and the predicate of a session, read beside its run or in another process.

Nothing here locks or changes a session.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from core.archive.nested import unfolded
from core.archive.zips import Archive
from core.entries import Entries
from core.errors import InputError
from core.store.accepted_steps import STEPS
from core.store.journal_schema import UNREADABLE, connected, error_of, plain_name, read_object, verify
from core.store.session_folder import JOURNAL, SETTINGS
from core.store.session_manifest import Manifest


def step(session: Path, size: int, items: int) -> Entries:
    """Return names and contents of the last accepted step of ``size`` unpacked bytes and so many items; 0 items: of any
    number. Raise InputError when its jar is not there any more, and JournalError."""
    with _reading(session) as connection:
        rows = connection.execute(
            "SELECT file FROM steps JOIN runs ON runs.id = run WHERE bytes = ? AND ? IN (items, 0) "
            "ORDER BY opened DESC, number DESC",
            (size, items),
        )
        jars = [session / STEPS / file for (file,) in rows if plain_name(file)]
    jar = next((jar for jar in jars if jar.exists()), None)
    if jar is None:
        raise InputError("The jar of this step is not kept any more.")
    with InputError.telling(f"{jar}: cannot be read"), Archive(jar) as archive:
        found = archive.entries()
    manifest = Manifest.read(session / SETTINGS)
    return list(unfolded(found, inputs=manifest.class_path, nested=manifest.nested))


def last_parts(session: Path) -> dict[str, Any]:
    """Return the named parts of the predicate used last (:mod:`core.store.fingerprint`). Raise InputError or
    JournalError."""
    with _reading(session) as connection:
        sql = "SELECT parts FROM predicates JOIN runs ON predicate = predicates.id ORDER BY opened DESC LIMIT 1"
        row = connection.execute(sql).fetchone()
    return read_object(row[0]) if row else {}


@contextmanager
def _reading(session: Path) -> Iterator[sqlite3.Connection]:
    """Yield a connection that cannot write. Raises InputError or JournalError."""
    path = session / JOURNAL
    if not path.is_file():
        raise InputError(f"{session}: this is not a session (there is no {JOURNAL} in it).")
    try:
        with closing(connected(path, "ro")) as connection:
            verify(connection, path, quick=True)
            yield connection
    except UNREADABLE as error:
        raise error_of(path, error, "Open the session to mend it.", opening=True) from error
