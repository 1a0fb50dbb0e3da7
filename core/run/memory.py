"""What is known of candidates already judged: outcomes by the hash of what was written."""

from __future__ import annotations

from typing import Protocol

from core.predicate.verdict import Outcome


class Memory(Protocol):
    """Outcomes by content hash. The journal of a session is one that outlives the process."""

    def get(self, key: bytes) -> Outcome | None:
        """The outcome of an earlier probe of the same content, if there was one."""

    def put(self, key: bytes, outcome: Outcome) -> None:
        """Remembers an outcome. Returns only when it is as safe as it will be."""


class Forgetful(dict[bytes, Outcome]):
    """A memory that ends with the process."""

    def put(self, key: bytes, outcome: Outcome) -> None:
        self[key] = outcome
