"""What a run of the full input, and the command itself, tell of a failure: words for what begins where they point."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from core.check.check import CRASH
from core.predicate.command import wording
from core.predicate.condition import Reference
from core.predicate.from_settings import wanted_by
from core.predicate.output.declarations import FailurePlace
from core.predicate.verdict import Outcome
from core.protocol.settings import Settings


class Told(NamedTuple):
    """The names of the failures that matter, what the run printed, whether it failed, the wording of the command, and
    where in source files the failures show."""

    failures: Sequence[str]
    output: str
    failed: bool
    command: str
    places: Sequence[FailurePlace] = ()


def told(settings: Settings, outcome: Outcome, reference: Reference | None, failure: str | None, work: Path) -> Told:
    """What is told of ``failure``, or of all that are wanted. ``work`` has the logs of crashed virtual machines."""
    chosen = wanted.chosen if (wanted := wanted_by(settings)) is not None else ()
    failures = (failure,) if failure is not None else chosen or outcome.failures
    texts = [outcome.stdout, outcome.stderr] if reference is None else [reference.out, reference.err]
    with suppress(OSError):
        texts.append((work / CRASH).read_text(encoding="utf-8"))
    command = wording(settings.predicate) if settings.preset is None else ""
    places = reference.places if reference is not None else ()
    return Told(failures, "\n".join(texts), bool(outcome.exit), command, places)
