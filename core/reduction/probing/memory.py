"""What is known of candidates without a probe: the key of an item set (hash of what is written), outcomes by key."""

from __future__ import annotations

import sys
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import replace
from typing import Protocol

from core.predicate.verdict import Outcome
from core.search.item_sets import ItemSet

_BYTES = 64_000_000
"""Memory that the remembered sets and keys may take: of 40,000 items a set takes 5 kB."""

_EACH = 250
"""Bytes of an entry besides its set."""


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


class Keys:
    """The keys of the item sets asked about last, as many as ``most`` bytes hold.

    Delta debugging as published asks about each single element again after every success. A memory of a fixed number
    of sets that forgets the oldest first has just forgotten each of them when its turn comes, so what was used last
    stays.
    """

    def __init__(self, most: int = _BYTES) -> None:
        self._most = most
        self._held = 0
        self._keys: OrderedDict[ItemSet, bytes] = OrderedDict()

    def get(self, items: ItemSet, make: Callable[[ItemSet], bytes]) -> bytes:
        """The key of ``items``, made where it is not remembered."""
        key = self._keys.get(items)
        if key is not None:
            self._keys.move_to_end(items)
            return key
        key = self._keys[items] = make(items)
        self._held += _EACH + sys.getsizeof(items)
        while self._held > self._most and len(self._keys) > 1:
            self._held -= _EACH + sys.getsizeof(self._keys.popitem(last=False)[0])
        return key

    def clear(self) -> None:
        """Forgets all: item numbers mean something else."""
        self._keys.clear()
        self._held = 0


class KnownAnswers:
    """Answers by key: what the caller vouches for, what this reduction's probes said, and what ``memory`` has."""

    def __init__(self, memory: Memory, interesting: Callable[[Outcome], bool]) -> None:
        self._memory = memory
        self._interesting = interesting
        self._granted: set[bytes] = set()
        self._outcomes: dict[bytes, Outcome] = {}
        self._unknown: set[bytes] = set()

    def grant(self, key: bytes) -> None:
        """That content is interesting, by the caller's word."""
        self._granted.add(key)

    def granted(self, key: bytes) -> bool:
        """Whether that was the caller's word."""
        return key in self._granted

    def put(self, key: bytes, outcome: Outcome) -> None:
        """Remembers what a probe said."""
        self._outcomes[key] = without_texts(outcome)
        self._unknown.discard(key)
        self._memory.put(key, outcome)

    def outcome(self, key: bytes) -> Outcome | None:
        """What a probe of that content said, as far as this reduction has asked."""
        return self._outcomes.get(key)

    def interesting(self, key: bytes) -> bool | None:
        """Whether that content is interesting, if that is known."""
        if key in self._granted:
            return True
        outcome = self._recall(key)
        return None if outcome is None else self._interesting(outcome)

    def _recall(self, key: bytes) -> Outcome | None:
        outcome = self._outcomes.get(key)
        if outcome is None and key not in self._unknown:
            outcome = self._memory.get(key)
            if outcome is None:
                self._unknown.add(key)
            else:
                self._outcomes[key] = outcome = without_texts(outcome)
        return outcome
