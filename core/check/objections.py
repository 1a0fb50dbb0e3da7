"""The objections of a check to the search beside it."""

from __future__ import annotations

from dataclasses import dataclass

from core.predicate.predicate import Calibration


@dataclass(frozen=True)
class NotInteresting:
    """An objection that the full input does not show the failure, or not every time."""

    message: str
    """Cause and remedy, in sentences for the user."""


@dataclass(frozen=True)
class Doubt:
    """An objection that the command failed beside another run of the command: verdicts may be wrong."""

    message: str
    """Cause, in a sentence without its full stop."""


@dataclass(frozen=True)
class Mistaken:
    """An objection that resident processes show other failures of the full input than new processes do."""

    message: str
    """Cause, in a sentence without its full stop."""
    cold: Calibration | None
    """The run in new processes, if it was interesting."""


Objection = Doubt | Mistaken | NotInteresting
"""A conclusion from runs of the full input that ends the search."""
