"""The verdicts and accepted steps of a search, held back until its check has passed."""

from __future__ import annotations

from collections.abc import Callable

from core.predicate.verdict import Outcome
from core.reduction.probing.memory import Memory


class Provisional:
    """A memory of verdicts in front of ``memory``, and a list of actions that wait until the check has passed.

    ``verdicts``: True to hold back verdicts; ``acts``: True to delay actions. After an objection of the check, the
    provisional memory is dropped with everything in doubt.
    """

    def __init__(self, memory: Memory, *, verdicts: bool = False, acts: bool = False) -> None:
        self._memory = memory
        self._verdicts: dict[bytes, Outcome] | None = {} if verdicts else None
        self._waiting: list[Callable[[], None]] | None = [] if acts else None
        self._latest: Callable[[], None] | None = None

    def get(self, key: bytes) -> Outcome | None:
        """Return the outcome of an earlier probe with equal content; None if there was none."""
        found = self._verdicts.get(key) if self._verdicts is not None else None
        return self._memory.get(key) if found is None else found

    def put(self, key: bytes, outcome: Outcome) -> None:
        """Store an outcome."""
        if self._verdicts is None:
            self._memory.put(key, outcome)
        else:
            self._verdicts[key] = outcome

    def once_sure(self, act: Callable[[], None]) -> None:
        """Call ``act`` now, or in its turn once the check has passed."""
        if self._waiting is None:
            act()
        else:
            self._waiting.append(act)

    def latest_once_sure(self, act: Callable[[], None]) -> None:
        """Call ``act`` now, or after all other actions once the check has passed. A later call replaces ``act``."""
        if self._waiting is None:
            act()
        else:
            self._latest = act

    def release(self) -> None:
        """Pass on everything held back, once the check has passed."""
        verdicts, self._verdicts = self._verdicts, None
        for key, outcome in (verdicts or {}).items():
            self._memory.put(key, outcome)
        waiting, self._waiting = self._waiting or [], None
        for act in waiting:
            act()
        if self._latest is not None:
            self._latest()
            self._latest = None
