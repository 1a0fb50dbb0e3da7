"""Known answers about candidates: the key of an item set (the hash of its content), and outcomes by key."""

from __future__ import annotations

import sys
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import replace
from typing import Protocol

from core.predicate.verdict import Outcome
from core.sets import ItemSet

_BYTES = 64_000_000
"""Most bytes of the remembered sets and keys. A set of 40,000 items takes 5 kB.
See decisions/031-memory-of-a-search.md."""

_EACH = 250
"""Bytes of an entry besides its set. See decisions/031-memory-of-a-search.md."""


class Memory(Protocol):
    """Outcomes by content hash. The journal of a session is a memory that outlives the process.

    Only the driver's thread uses a memory. A memory does not know the interesting outcomes, so that reductions for
    different failures share one memory.
    """

    def get(self, key: bytes) -> Outcome | None:
        """Return the outcome of an earlier probe of the content, if there is one."""

    def put(self, key: bytes, outcome: Outcome) -> None:
        """Remember an outcome. Returns once the outcome is as safe as the memory can make it."""


class InMemory(dict[bytes, Outcome]):
    """A memory that ends with the process. The texts of both outputs are not kept."""

    def put(self, key: bytes, outcome: Outcome) -> None:
        self[key] = without_texts(outcome)


def without_texts(outcome: Outcome) -> Outcome:
    """Return the outcome without the outputs of the command: ten thousand outputs would fill the memory."""
    return replace(outcome, stdout="", stderr="") if outcome.stdout or outcome.stderr else outcome


class Keys:
    """The keys of the item sets used last, as many as ``most`` bytes hold.

    Delta debugging as published asks about every single element again after each success. If a full memory forgot the
    set *stored* first, it would forget each of them just before its turn. So the set *used* longest ago goes first.
    """

    def __init__(self, most: int = _BYTES) -> None:
        self._most = most
        self._held = 0
        self._keys: OrderedDict[ItemSet, bytes] = OrderedDict()

    def get(self, items: ItemSet, make: Callable[[ItemSet], bytes]) -> bytes:
        """Return the key of ``items``, made by ``make`` if the key is not remembered."""
        key = self._keys.get(items)
        if key is not None:
            self._keys.move_to_end(items)
            return key
        key = self._keys[items] = make(items)
        self._held += _EACH + sys.getsizeof(items)
        while self._held > self._most and len(self._keys) > 1:
            self._held -= _EACH + sys.getsizeof(self._keys.popitem(last=False)[0])
        return key

    def known(self, items: ItemSet) -> bytes | None:
        """Return the key of ``items`` if the key is remembered."""
        return self._keys.get(items)

    def clear(self) -> None:
        """Forget all keys: item numbers have a new meaning."""
        self._keys.clear()
        self._held = 0


class KnownAnswers:
    """Answers by key, of three origins: the word of the caller, the probes of this reduction, and ``memory``."""

    def __init__(self, memory: Memory, interesting: Callable[[Outcome], bool]) -> None:
        self._memory = memory
        self._interesting = interesting
        self._granted: set[bytes] = set()
        self._outcomes: dict[bytes, Outcome] = {}
        self._unknown: set[bytes] = set()

    def grant(self, key: bytes) -> None:
        """Take the caller's word that the content is interesting."""
        self._granted.add(key)

    def granted(self, key: bytes) -> bool:
        """Return True if the caller has vouched for the content."""
        return key in self._granted

    def put(self, key: bytes, outcome: Outcome) -> None:
        """Remember the outcome of a probe."""
        self._outcomes[key] = without_texts(outcome)
        self._unknown.discard(key)
        self._memory.put(key, outcome)

    def outcome(self, key: bytes) -> Outcome | None:
        """Return the outcome of the content, as far as this reduction has asked."""
        return self._outcomes.get(key)

    def interesting(self, key: bytes) -> bool | None:
        """Return True if the content is interesting, False if not, None if that is unknown."""
        if key in self._granted:
            return True
        outcome = self._outcomes.get(key)
        if outcome is None and key not in self._unknown:
            outcome = self._memory.get(key)
            if outcome is None:
                self._unknown.add(key)
            else:
                self._outcomes[key] = outcome = without_texts(outcome)
        return None if outcome is None else self._interesting(outcome)
