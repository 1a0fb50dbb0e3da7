"""The history of a session, to be read while it runs, in another process, or where nothing may be written.

Nothing here locks or changes a session.
"""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from core.archive.nested import unfolded
from core.archive.zips import Archive
from core.entries import Entries
from core.errors import InputError
from core.store.accepted_steps import BEST, STEPS
from core.store.journal_schema import UNREADABLE, error_of, plain_name, read_object, unpack_failures, verify
from core.store.session_folder import JOURNAL, SETTINGS
from core.store.session_manifest import Manifest
from core.system.work_folder import temporary_folder


@dataclass(frozen=True, slots=True)
class HistoryStep:
    """An accepted step: ``at`` and ``probe`` count from the beginning of its run, ``seconds`` is what its probe took.

    ``jar`` is None when it was dropped to save space. ``run`` tells runs apart, ``search`` is what its run was given.
    """

    number: int
    run: int
    search: dict[str, Any]
    at: float
    probe: int
    classes: int
    items: int
    bytes: int
    seconds: float | None
    failures: tuple[str, ...]
    jar: Path | None


@dataclass(frozen=True, slots=True)
class Change:
    """An entry that two steps do not share; sizes in bytes, None = it is not there."""

    name: str
    before: int | None
    after: int | None


def steps(session: Path) -> list[HistoryStep]:
    """Return all accepted steps in their order, of the run used last at the end. Raise InputError or JournalError."""
    with _reading(session) as connection:
        names = dict(connection.execute("SELECT id, name FROM failures"))
        rows = connection.execute(
            "SELECT number, run, search, steps.at, probe, classes, items, bytes, seconds, failures, file FROM steps "
            "JOIN runs ON runs.id = run LEFT JOIN probes USING (predicate, key) ORDER BY opened, bytes DESC, number"
        ).fetchall()
        return [_step(session, names, row) for row in rows]


def _step(session: Path, names: dict[int, str], row: tuple[Any, ...]) -> HistoryStep:
    number, run, search, at, probe, classes, items, size, seconds, failures, file = row
    jar = session / STEPS / file if plain_name(file) else None
    return HistoryStep(
        int(number), int(run), read_object(search), float(at), int(probe), int(classes), int(items), int(size),
        None if seconds is None else float(seconds), unpack_failures(failures, names),
        jar if jar and jar.exists() else None,
    )  # fmt: skip


def last_parts(session: Path) -> dict[str, Any]:
    """Return the named parts of the predicate used last (:mod:`core.store.fingerprint`). Raise InputError or
    JournalError."""
    with _reading(session) as connection:
        sql = "SELECT parts FROM predicates JOIN runs ON predicate = predicates.id ORDER BY opened DESC LIMIT 1"
        row = connection.execute(sql).fetchone()
    return read_object(row[0]) if row else {}


def entries(session: Path, number: int | None = None) -> Entries:
    """Return the names and contents of an accepted step; without a number of the best one, for which no journal is
    needed.

    Raises InputError when its jar is not there any more.
    """
    found = _read(_jar_of(session, number))
    manifest = Manifest.read(session / SETTINGS)
    return list(unfolded(found, inputs=manifest.class_path, nested=manifest.nested))


def _jar_of(session: Path, number: int | None) -> Path:
    """Return the jar of a step. Raise InputError when it is not there any more."""
    if number is None:
        return session / BEST
    with _reading(session) as connection:
        row = connection.execute("SELECT file FROM steps WHERE number = ?", (number,)).fetchone()
    if row is None:
        raise InputError(f"{session}: there is no step {number} in this session.")
    if not plain_name(row[0]):
        raise InputError(f"{session}: the jar of step {number} was dropped to save space. Choose a later step.")
    return session / STEPS / str(row[0])


def compare(before: Sequence[tuple[str, bytes]], after: Sequence[tuple[str, bytes]]) -> list[Change]:
    """Return the entries that were removed, added or changed between two steps, by name."""
    old, new = dict(before), dict(after)
    return [
        Change(name, len(old[name]) if name in old else None, len(new[name]) if name in new else None)
        for name in sorted(old.keys() | new.keys())
        if old.get(name) != new.get(name)
    ]


def _read(path: Path) -> Entries:
    try:
        with Archive(path) as archive:
            return archive.entries()
    except FileNotFoundError as error:
        raise InputError(f"{path}: this jar is not there (any more).") from error
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror or error}).") from error


@contextmanager
def _reading(session: Path) -> Iterator[sqlite3.Connection]:
    """Yield a connection that cannot write. Raises InputError or JournalError."""
    path = session / JOURNAL
    if not path.is_file():
        raise InputError(f"{session}: this is not a session (there is no {JOURNAL} in it).")
    with ExitStack() as stack:
        try:
            yield stack.enter_context(closing(_connected(path, stack)))
        except UNREADABLE as error:
            raise error_of(path, error, "Open the session to mend it.", opening=True) from error
        except OSError as error:
            raise InputError(f"{path}: cannot be read ({error.strerror or error}).") from error


def _connected(path: Path, stack: ExitStack) -> sqlite3.Connection:
    try:
        return _opened(path)
    except sqlite3.OperationalError as error:
        if error.sqlite_errorcode & 0xFF not in (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY):
            raise
    # a log can only be read where files may be made beside it
    copy = stack.enter_context(temporary_folder()) / path.name
    for end in ("", "-wal"):
        if (source := path.with_name(path.name + end)).exists():
            shutil.copyfile(source, copy.with_name(source.name))
    return _opened(copy)


def _opened(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, isolation_level=None)
    try:
        connection.text_factory = lambda data: data.decode("utf-8", "replace")
        verify(connection, path, quick=True)
    except BaseException:
        connection.close()
        raise
    return connection
