"""The objections of a check to the search beside it, and of the last run to its result."""

from __future__ import annotations

from dataclasses import dataclass

from core.entries import Entries
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

    @property
    def text(self) -> str:
        """Cause and consequence."""
        return f"{self.message}: the search begins anew, and its verdicts until now do not count."


@dataclass(frozen=True)
class Mistaken:
    """An objection that resident processes show other failures of the full input than new processes do."""

    message: str
    """Cause, in a sentence without its full stop."""
    cold: Calibration | None
    """The run in new processes, if it was interesting."""

    @property
    def text(self) -> str:
        """Cause and consequence."""
        return f"{self.message}: the reduction begins anew with the failures that this one finds."


@dataclass(frozen=True)
class Unconfirmed:
    """An objection that the search's smallest candidate, which a resident process found interesting, is not interesting
    in new processes."""

    confirmed: Entries
    """The smallest candidate that new processes find interesting."""

    @property
    def text(self) -> str:
        """Cause and consequence."""
        return (
            "The result of a resident Java process does not show the failure in processes of its own: the reduction "
            "goes on from the last result that does, in new processes alone (--cold)."
        )


Objection = Doubt | Mistaken | NotInteresting | Unconfirmed
"""A conclusion that puts a search in doubt: from runs of the full input, or from the last runs of the result."""
