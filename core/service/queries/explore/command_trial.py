"""One run of the predicate on the smallest valid set around a class, to see whether a command does what it should."""

from __future__ import annotations

from core.protocol.questions.background import CommandTried, TryCommand
from core.protocol.questions.explore import FindImpact
from core.service.aims import aim_of
from core.service.queries.desk import Desk
from core.service.queries.explore.impact import impact_of
from core.system.work_folder import temporary_folder

_SECONDS = 60.0
"""Time limit of the run, in seconds, where the user set none."""


def try_command(desk: Desk, wish: TryCommand) -> CommandTried:
    """Run the predicate on a class and its closure. Failures are those of this run, not of the whole input."""
    aim = aim_of(wish.settings)
    library = tuple(map(str, aim.class_path))
    entries = impact_of(desk, FindImpact((wish.item,), "around", library)).entries()
    limit = aim.limits.seconds or _SECONDS
    predicate = aim.predicate(limit)
    try:
        title = "The command on the selected class"
        with temporary_folder() as folder, desk.background.run("trial", title, 2 * limit) as cancel:
            _, outcome = predicate.calibrated(entries, folder / "run", cancel)
    finally:
        predicate.close()
    classes = sum(name.endswith(".class") for name, _ in entries)
    said = (outcome.verdict.value, outcome.detail, outcome.seconds, outcome.stdout, outcome.stderr)
    return CommandTried(wish.item, classes, *said)
