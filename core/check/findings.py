"""The findings of a check: what its runs say about the full input, and about the search that goes on meanwhile."""

from __future__ import annotations

from dataclasses import dataclass

from core.predicate.predicate import Calibration


@dataclass(frozen=True)
class Sure:
    """A finding that nothing speaks against the search: its verdicts count."""


@dataclass(frozen=True)
class NotInteresting:
    """A finding that the full input does not show the failure, or does not show it each time."""

    message: str
    """Cause and remedy, in sentences for the user."""


@dataclass(frozen=True)
class Doubt:
    """A finding that the command failed while another run of the command went on: verdicts may be wrong."""

    message: str
    """Cause, in a sentence without its full stop."""
    alone: NotInteresting
    """The finding that takes the place of the doubt if the command fails alone, too."""


@dataclass(frozen=True)
class Mistaken:
    """A finding that resident processes show other failures of the full input than new processes do."""

    message: str
    """Cause, in a sentence without its full stop."""
    cold: Calibration | None
    """The run in new processes, where that run was interesting."""


Objection = Doubt | Mistaken | NotInteresting
"""A finding that ends the search."""

Finding = Sure | Objection
