"""What a run of the full input, and the command itself, tell of a failure: words for what begins where they point."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from core.evidence.failure import FailureReport
from core.predicate.command import wording
from core.predicate.condition import Reference
from core.predicate.verdict import Outcome
from core.protocol.settings import Settings
from core.service.checking.check import CRASH
from core.service.predicates import wanted_by


def told(
    settings: Settings, outcome: Outcome, reference: Reference | None, failure: str | None, work: Path
) -> FailureReport:
    """What is told of ``failure``, or of all that are wanted. ``work`` has the logs of crashed virtual machines."""
    chosen = wanted.chosen if (wanted := wanted_by(settings)) is not None else ()
    failures = (failure,) if failure is not None else chosen or outcome.failures
    texts = [outcome.stdout, outcome.stderr] if reference is None else [reference.out, reference.err]
    with suppress(OSError):
        texts.append((work / CRASH).read_text(encoding="utf-8"))
    command = wording(settings.predicate) if settings.preset is None else ""
    places = reference.places if reference is not None else ()
    return FailureReport(failures, "\n".join(texts), bool(outcome.exit), command, places)
