"""A reduction in tests that tells what evidence it had."""

from __future__ import annotations

from pathlib import Path

from core.protocol import events
from core.protocol.settings import Settings
from core.service.workspace import Workspace
from core.store.session import Session


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
                session.reduce(settings, folder=kept)
        else:
            with Session.create(folder, model.jar, settings.to_json()) as kept:
                session.reduce(settings, folder=kept)
    finally:
        session.close()
    return [event for event in told if isinstance(event, events.Evidence)], session, told
