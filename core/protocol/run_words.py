"""The words in events and reports for the end of a run and for the origin of an answer."""

from __future__ import annotations

from enum import StrEnum


class EndReason(StrEnum):
    """Why a phase or a whole reduction ended."""

    DONE = "done"
    """The algorithm came to its end."""
    STOPPED = "stopped"
    """The user stopped the run."""
    TIME = "time"
    PROBES = "probes"
    """The limit of time, or of probes, was reached."""
    PATIENCE = "patience"
    """The last probes of the phase gained too little."""
    ENOUGH = "enough"
    """The phase gained so much that another one goes first."""
    CHECK = "check"
    """A check beside the search found its answers to be wrong or in doubt."""
    LOST = "lost"
    """The start of the phase was not interesting, so that the phase asked nothing else."""


class AnswerSource(StrEnum):
    """Where an answer about a candidate came from."""

    RUN = "run"
    """A probe."""
    CACHE = "cache"
    """An earlier outcome of the same content."""
    INVALID = "invalid"
    """The dependency model: the candidate is not valid."""
