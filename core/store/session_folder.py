"""The files of a session's folder: its name, its lock, and its journal. A damaged journal is replaced by a whole one
with all readable rows."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

from core.errors import OutputError, UsageError
from core.store.accepted_steps import BEST, STEPS
from core.store.journal import Journal
from core.store.journal_schema import PAGE, TABLES, UNREADABLE, DamagedJournalError, JournalError, connected, plain_name
from core.system.file_locks import NAME as LOCK
from core.system.file_locks import FolderLock, holder
from core.system.files import link_whole, sweep, sync_folder
from core.system.work_folder import temporary_folder

SUFFIX, SETTINGS, JOURNAL, REPORT = ".jarlet", "settings.json", "journal.sqlite", "report.json"
LOGS = (JOURNAL, f"{JOURNAL}-wal", f"{JOURNAL}-shm", f"{JOURNAL}-journal")


def session_place(path: Path) -> Path:
    """Return the path of a new session of that name, with ``.jarlet`` added if need be. Raises UsageError without a
    name.
    """
    place = path if path.name not in ("", "..") else path.resolve()
    if place.suffix == SUFFIX:
        return place
    if place != path or not place.name:
        name = path / f"NAME{SUFFIX}"
        raise UsageError(f"{path}: a session is a new folder of its own. Name it, for instance {name}.")
    return place.with_name(place.name + SUFFIX)


def locked(path: Path) -> FolderLock:
    """Take the folder's lock. Raise UsageError while the session is open elsewhere."""
    try:
        return FolderLock(path)
    except BlockingIOError as error:
        pid = holder(path)
        who = f"another program (process {pid})" if pid else "another program"
        raise UsageError(f"{path}: {who} has this session open. Close it there first.") from error


def refuse_used(path: Path) -> None:
    """Raise UsageError if there is a session, or anything else, in the folder."""
    if (path / SETTINGS).exists():
        raise UsageError(f"{path}: there is a session already. Resume it, or choose another name.")
    sweep(path)
    strange = sorted({found.name for found in path.iterdir()} - {*LOGS, STEPS, LOCK})
    if strange or ((path / STEPS).is_dir() and any((path / STEPS).iterdir())):
        what = strange[0] if strange else STEPS
        raise UsageError(f"{path}: this folder has other things in it ({what}). Choose another name.")


def located(path: Path) -> Path:
    """Return the folder of the session of that name, with or without its ``.jarlet``."""
    if (path / SETTINGS).exists() or path.suffix == SUFFIX or path.name in ("", ".."):
        return path
    longer = session_place(path)
    return longer if longer.is_dir() else path


def journal_of(path: Path) -> tuple[Journal, str]:
    """Return the journal of a session; if it is damaged, a new one with what could be saved, and a warning."""
    (path / STEPS).mkdir(exist_ok=True)
    try:
        if not (path / JOURNAL).exists():
            raise DamagedJournalError(f"{path / JOURNAL}: the journal is gone.")
        return Journal(path / JOURNAL, hint=lambda: hint(path)), ""
    except DamagedJournalError as error:
        aside, saved = _renew(path)
        journal = Journal(path / JOURNAL, hint=lambda: hint(path))
        return journal, (
            f"{error} It was set aside in {aside}, which you may remove; {saved} of its verdicts could be saved, "
            "the others will be run again."
        )


def _renew(path: Path) -> tuple[Path, int]:
    """Put a whole journal in the damaged one's place, in steps that may each be the last one."""
    sweep(path)
    part = path / f".{JOURNAL}.part"
    journal = Journal(part, new=True)
    try:
        saved = salvage(path / JOURNAL, journal) if (path / JOURNAL).exists() else 0
        known = {row.file for row in journal.steps()}
    finally:
        journal.close()
    log = part.with_name(f"{part.name}-wal")
    if log.exists():  # it could not be folded in
        raise OutputError(f"{path}: the journal is damaged and no other can be written. Free some space.")
    number = 1
    while (path / f"damaged-{number}").exists():
        number += 1
    aside = path / f"damaged-{number}"
    aside.mkdir()
    for name in (BEST, JOURNAL):
        if (path / name).exists():
            link_whole(path / name, aside / name)
    for found in (path / STEPS).iterdir():
        if found.name not in known:
            found.rename(aside / found.name)
    for name in LOGS[1:]:  # a log beside a journal that is not its own would be taken for its
        if (path / name).exists():
            (path / name).rename(aside / name)
    part.replace(path / JOURNAL)
    sync_folder(path)
    return aside, saved


def hint(path: Path) -> str:
    """Return a sentence on the place of the best result, for messages of trouble; empty if there is no result."""
    return f"The best result so far is in {path / BEST}." if (path / BEST).exists() else ""


def salvage(damaged: Path, journal: Journal) -> int:
    """Copy every row that can be read from the file ``damaged`` to the empty ``journal``.

    SQLite reads a table from its first row to the damage and from its last row back to it; what lies between, or is no
    row of the table's types, is lost. Returns the number of verdicts saved. The seal of a row, checked by its reader,
    tells if the row is unchanged.
    """
    _copy_all(damaged, journal)
    if not journal.rows("SELECT 1 FROM predicates LIMIT 1"):
        # perhaps only the first page is damaged, with the places of the tables: these are always the same
        with temporary_folder() as folder:
            _copy_all(_grafted(damaged, folder), journal)
    journal.reload()
    return int(journal.rows("SELECT count(*) FROM probes")[0][0])


def _copy_all(damaged: Path, journal: Journal) -> None:
    with suppress(*UNREADABLE), closing(connected(damaged, "rw")) as old:
        old.execute("PRAGMA cell_size_check = ON")
        old.execute("PRAGMA writable_schema = ON")  # else a file shorter than it says is not read at all
        with journal.writing(durable=True):
            for table in TABLES:
                _copy(old, journal, table)
            journal.execute("DELETE FROM probes WHERE predicate NOT IN (SELECT id FROM predicates)")
            journal.execute("DELETE FROM steps WHERE run NOT IN (SELECT id FROM runs)")


def _grafted(damaged: Path, folder: Path) -> Path:
    """Return a copy of the file, with its log, that has the first page of an empty journal."""
    empty, graft = folder / "empty", folder / damaged.name
    Journal(empty, new=True).close()
    page = bytearray(empty.read_bytes()[:PAGE])
    page[28:32] = b"\0" * 4  # how many pages there are: the file's length tells
    for name in (damaged.name, f"{damaged.name}-wal"):
        if (source := damaged.with_name(name)).exists():
            shutil.copyfile(source, folder / name)
    with graft.open("r+b") as file:
        file.write(page)
    return graft


def _copy(old: sqlite3.Connection, journal: Journal, table: str) -> None:
    seen: set[int] = set()
    for order in ("ASC", "DESC"):
        for row in _readable(old, table, order):
            foreign = table == "steps" and row[-1] is not None and not plain_name(row[-1])  # no file in our own folder
            if not isinstance(row[0], int) or row[0] in seen or foreign:
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
