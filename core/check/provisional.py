"""The verdicts and steps of a search whose check is not over: kept back until the check finds that they are sure."""

from __future__ import annotations

from collections.abc import Callable

from core.predicate.verdict import Outcome
from core.reduction.probing.memory import Memory


class Provisional:
    """A memory of verdicts in front of ``memory``, and a list of acts that wait until the search is sure.

    ``verdicts``: whether verdicts are kept back, too; ``acts``: whether acts wait at all. Whatever an objection of the
    check puts in doubt is dropped together with its provisional memory.
    """

    def __init__(self, memory: Memory, *, verdicts: bool = False, acts: bool = False) -> None:
        self._memory = memory
        self._verdicts: dict[bytes, Outcome] | None = {} if verdicts else None
        self._waiting: list[Callable[[], None]] | None = [] if acts else None
        self._latest: Callable[[], None] | None = None

    def get(self, key: bytes) -> Outcome | None:
        """Return the outcome of an earlier probe of the same content, if there was one."""
        found = self._verdicts.get(key) if self._verdicts is not None else None
        return self._memory.get(key) if found is None else found

    def put(self, key: bytes, outcome: Outcome) -> None:
        """Remember an outcome."""
        if self._verdicts is None:
            self._memory.put(key, outcome)
        else:
            self._verdicts[key] = outcome

    def once_sure(self, act: Callable[[], None]) -> None:
        """Do ``act`` now, or in its turn once the search is sure."""
        if self._waiting is None:
            act()
        else:
            self._waiting.append(act)

    def latest_once_sure(self, act: Callable[[], None]) -> None:
        """Do ``act`` now, or behind all others once the search is sure, unless another latest act takes its place."""
        if self._waiting is None:
            act()
        else:
            self._latest = act

    def release(self) -> None:
        """Hand on everything that was kept back: the search is sure."""
        verdicts, self._verdicts = self._verdicts, None
        for key, outcome in (verdicts or {}).items():
            self._memory.put(key, outcome)
        waiting, self._waiting = self._waiting or [], None
        for act in waiting:
            act()
        if self._latest is not None:
            self._latest()
            self._latest = None
