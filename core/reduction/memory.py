"""What is known of candidates already judged: outcomes by the hash of what was written."""

from __future__ import annotations

from dataclasses import replace
from typing import Protocol

from core.predicate.verdict import Outcome


class Memory(Protocol):
    """Outcomes by content hash. The journal of a session is one that outlives the process.

    Only the driver's thread calls it. Whether an outcome is interesting is not its business: reductions for
    different failures share one memory.
    """

    def get(self, key: bytes) -> Outcome | None:
        """The outcome of an earlier probe of the same content, if there was one."""

    def put(self, key: bytes, outcome: Outcome) -> None:
        """Remembers an outcome. Returns only when it is as safe as it will be."""


class Forgetful(dict[bytes, Outcome]):
    """A memory that ends with the process; the texts of both outputs are not kept."""

    def put(self, key: bytes, outcome: Outcome) -> None:
        self[key] = without_texts(outcome)


def without_texts(outcome: Outcome) -> Outcome:
    """The outcome without what the command printed: ten thousand outputs would fill the memory."""
    return replace(outcome, stdout="", stderr="") if outcome.stdout or outcome.stderr else outcome
