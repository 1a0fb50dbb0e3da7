"""Reductions and watched runs in tests that tell what evidence they had."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from threading import Event as Flag

from core.evidence.clues import Clues, Ran
from core.evidence.watcher import Watcher
from core.protocol import events
from core.protocol.settings import Settings
from core.service.aims import aim_of
from core.service.workspace import Workspace
from core.store.session import Session
from core.system.work_folder import temporary_folder
from tests.support.driving import unpacked

JAVA = "java -XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
"""Command of a short run."""


def reduce_with_evidence(
    work: Path, command: str, folder: Path | None = None, *, path: Path, **more: object
) -> tuple[list[events.Evidence], Workspace, list[events.Event]]:
    """Reduces ``path``, with the session in ``folder`` if that is given: evidence that was told, workspace, events."""
    told: list[events.Event] = []
    session = Workspace(told.append, work)
    model = session.open([str(path)])
    settings = Settings(predicate=command, check_runs=1, **more)  # type: ignore[arg-type]
    try:
        if folder is None:
            session.reduce(settings)
        elif folder.exists():
            with Session.open(folder) as kept:
                session.reduce(settings, session=kept)
        else:
            with Session.create(folder, model.jar, settings.to_json()) as kept:
                session.reduce(settings, session=kept)
    finally:
        session.close()
    return [event for event in told if isinstance(event, events.Evidence)], session, told


def watch(workspace: Workspace, settings: Settings) -> None:
    """Watch a run of the input, and let the workspace know what ran."""
    model = workspace.opened
    made = aim_of(settings, model.jar.inputs, model.jar.contents).predicate(60.0)
    with closing(made) as predicate, temporary_folder() as folder:
        workspace.know(Watcher(predicate, folder, Flag()).watch(model, Clues()))


def ran_of(*jars: Path, command: str, nested: bool = False) -> tuple[Ran, list[str]]:
    """Return the used names of a watched run of some jars, and the resources among them."""
    told: list[events.Used] = []
    workspace = Workspace(lambda event: told.append(event) if isinstance(event, events.Used) else None)
    try:
        items = workspace.open([*map(str, jars)], nested=nested).items
        watch(workspace, Settings(predicate=command))
        assert workspace.clues is not None
        assert workspace.clues.ran is not None
        read = [item.name for n, item in enumerate(items) if unpacked(told[-1].read) >> n & 1]
        return workspace.clues.ran, read
    finally:
        workspace.close()
