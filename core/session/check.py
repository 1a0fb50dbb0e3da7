"""The check before a reduction: is the full input, as we write it, interesting, stable, and how fast?"""

from __future__ import annotations

import statistics
import tempfile
from pathlib import Path
from threading import Event as Flag

from core.model.items import Model
from core.predicate import presets
from core.predicate.predicate import Predicate, discard
from core.predicate.verdict import Outcome
from core.run.events import Checked
from core.session.diagnosis import diagnosis
from core.session.settings import Settings

FIRST_TIMEOUT = 300.0
"""Time limit of a check's run when the user set none, in seconds."""

_SLACK, _LEAST_TIMEOUT = 10.0, 5.0


def check(
    model: Model, settings: Settings, predicate: Predicate, folder: Path, cancel: Flag, runs: int
) -> tuple[Predicate, Checked, Outcome]:
    """Runs the settings' ``predicate`` ``runs`` times on the full input.

    Gives the predicate to reduce with (it compares with the first run and has a time limit),
    the diagnosis, and the outcome of the run that decided. The folder of a run that failed the
    check is moved beside ``folder`` and left there, so that the run can be repeated by hand.
    """
    entries = model.entries(model.full)
    work = folder / "check-1"
    discard(work)
    predicate, outcome = predicate.calibrated(entries, work, cancel)
    outcomes = [outcome]
    while outcome.interesting and len(outcomes) < runs and not cancel.is_set():
        discard(work)
        work = folder / f"check-{len(outcomes) + 1}"
        discard(work)
        outcome = predicate.probe(entries, work, cancel)
        outcomes.append(outcome)
    if outcome.interesting or cancel.is_set():
        discard(work)
    else:
        kept = Path(tempfile.mkdtemp(prefix="jarlet-check-", dir=folder.parent))
        work = work.rename(kept / "work") if work.is_dir() else kept
    seconds = statistics.median(outcome.seconds for outcome in outcomes)
    timeout = settings.timeout or max(_LEAST_TIMEOUT, _SLACK * max(outcome.seconds for outcome in outcomes))
    checked = Checked(
        interesting=outcome.interesting,
        stable=outcome.interesting or len(outcomes) == 1,
        runs=len(outcomes),
        seconds=seconds,
        verdict=outcome.verdict.value,
        message=diagnosis(outcomes, settings, wanted_text(settings)),
        command="" if outcome.interesting else predicate.shell_line(work),
        stdout=outcome.stdout,
        stderr=outcome.stderr,
        timeout=timeout,
        failures=sorted(set(outcome.failures)),
    )
    return predicate.limited(timeout), checked, outcome


def wanted_text(settings: Settings) -> str:
    """What counts as interesting, in words."""
    if settings.preset is None:
        return settings.condition().describe()
    wanted = settings.wanted or presets.find(settings.preset).wanted
    return wanted.describe() if wanted else "exit code 0"
