"""The folder of a window's reductions, one session folder for each input, and the interrupted ones among them."""

from __future__ import annotations

import time
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from core.archive.zips import Archive
from core.errors import JarletError
from core.outside_names import file_name_like
from core.protocol.events import KeptSession, Sessions
from core.store.accepted_steps import BEST
from core.store.session_folder import REPORT, SETTINGS, SUFFIX
from core.store.session_manifest import Manifest
from core.system.file_locks import holder
from core.system.removal import remove
from core.user_folders import inputs_folder, sessions_folder

INPUTS_KEPT = 7 * 86400.0
"""Seconds for which an input of "go on from here" is kept without a session."""

_LAST_REPORT = "last-report.json"
"""Name of the report of the run before, while a run has none of its own."""

FINISHED_KEPT = 20
"""Finished sessions that are kept for looking back; the oldest go first."""


def fresh_place(title: str) -> Path:
    """Return a new name of a session for an input of this title."""
    stem = file_name_like(title.removesuffix(".jar")) or "input"
    place = sessions_folder() / f"{stem}-{time.strftime('%Y%m%d-%H%M%S')}{SUFFIX}"
    number = 1
    while place.exists():
        number += 1
        place = place.with_name(f"{place.stem.partition('~')[0]}~{number}{SUFFIX}")
    return place


def begun(path: Path) -> None:
    """Note that a run begins: until the run ends, the session counts as interrupted."""
    with suppress(OSError):
        (path / _LAST_REPORT).unlink(missing_ok=True)
        (path / REPORT).rename(path / _LAST_REPORT)


def refused(path: Path) -> None:
    """Note that the present run could not search: the session is as it was before."""
    with suppress(OSError):
        (path / _LAST_REPORT).rename(path / REPORT)


def interrupted(path: Path) -> bool:
    """Return True if a run of the session has a result so far and did not reach its end."""
    return (path / SETTINGS).exists() and (path / BEST).exists() and not (path / REPORT).exists()


def sessions() -> Sessions:
    """Return the closed sessions that have a result and an existing input, interrupted ones first."""
    kept = [one for one in map(_kept, _all()) if one is not None]
    return Sessions(sorted(kept, key=lambda one: (one.finished, -one.time, one.path)))


def _kept(path: Path) -> KeptSession | None:
    """Return a session; None for one without a result, or one that cannot be read."""
    try:
        if not (path / SETTINGS).exists() or not (path / BEST).exists() or holder(path) is not None:
            return None
        manifest = Manifest.read(path / SETTINGS)
        manifest.inputs(path)
        manifest.chosen(path / SETTINGS)
        best = (path / BEST).stat()
        with Archive(path / BEST) as jar:
            octets = sum(info.file_size for info in jar.infos)
    except (JarletError, OSError, ValueError):
        return None
    return KeptSession(str(path), manifest.title, octets, best.st_mtime, (path / REPORT).exists())


def discard(path: Path) -> None:
    """Remove a closed session of ours. A session in a folder of the user's choice stays."""
    if path.parent.resolve() == sessions_folder().resolve() and path.suffix == SUFFIX and holder(path) is None:
        remove(path)


def sweep(spared: Iterable[Path] = (), inputs: Iterable[Path] = ()) -> None:
    """Remove the oldest finished sessions and those without an accepted step, then old inputs of ours without a
    session. ``spared`` are sessions that stay, ``inputs`` the open inputs."""
    kept = {path.resolve() for path in spared}
    finished = []
    for path in _all():
        if path.resolve() in kept or holder(path) is not None:
            continue
        with suppress(OSError):
            if (path / REPORT).exists():
                finished.append(((path / REPORT).stat().st_mtime, path))
            elif not (path / BEST).exists():
                discard(path)
    for _, path in sorted(finished)[:-FINISHED_KEPT]:
        discard(path)
    _sweep_inputs(inputs)


def _sweep_inputs(spared: Iterable[Path]) -> None:
    used = {path.resolve() for path in spared}
    for session in _all():
        try:
            used.update(Path(path).resolve() for path in Manifest.read(session / SETTINGS).paths)
        except JarletError:
            if (session / SETTINGS).exists():
                return  # it cannot be read: nobody knows what it is about
    before = time.time() - INPUTS_KEPT
    with suppress(OSError):
        for path in inputs_folder().iterdir():
            with suppress(OSError):
                if path.is_file() and path.resolve() not in used and path.stat().st_mtime < before:
                    path.unlink()


def _all() -> list[Path]:
    with suppress(OSError):
        return sorted(sessions_folder().glob(f"*{SUFFIX}"))
    return []
