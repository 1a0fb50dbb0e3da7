"""The accepted steps of a session, as its journal has them."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import NamedTuple

from core.archive.nested import unfolded
from core.archive.zips import Archive
from core.store.journal_schema import connected, plain_name
from core.store.session_manifest import Manifest


class Step(NamedTuple):
    """A row; ``jar`` is None where it is not kept."""

    number: int
    search: str
    probe: int
    classes: int
    bytes: int
    jar: Path | None


def steps(session: Path) -> list[Step]:
    """All steps, those of the run used last at the end."""
    with closing(connected(session / "journal.sqlite", "ro")) as journal:
        rows = journal.execute(
            "SELECT number, search, probe, classes, bytes, file FROM steps JOIN runs ON runs.id = run "
            "ORDER BY opened, bytes DESC, number"
        ).fetchall()
    return [Step(*row, _jar(session, file)) for *row, file in rows]


def entries(session: Path, number: int | None = None) -> list[tuple[str, bytes]]:
    """The entries of a step; without a number of the best one."""
    jar = session / "best.jar" if number is None else {step.number: step.jar for step in steps(session)}[number]
    assert jar is not None, "it was dropped"
    with Archive(jar) as archive:
        found = archive.entries()
    manifest = Manifest.read(session / "settings.json")
    return list(unfolded(found, inputs=manifest.class_path, nested=manifest.nested))


def _jar(session: Path, file: object) -> Path | None:
    jar = session / "steps" / str(file) if plain_name(file) else None
    return jar if jar is not None and jar.exists() else None
