"""Keys of candidates that are asked about again and again: making one takes a look at each of its entries."""

from __future__ import annotations

import sys
from collections import OrderedDict
from collections.abc import Callable

from core.search.item_sets import ItemSet

_BYTES = 64_000_000
"""Memory that the remembered sets and keys may take: of 40,000 items a set takes 5 kB."""

_EACH = 250
"""Bytes of an entry besides its set."""


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
