"""A dictionary of bounded size that prefers entries used in every round."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Container
from typing import Generic, TypeVar

Key = TypeVar("Key")
Value = TypeVar("Value")


class Bounded(Generic[Key, Value]):
    """Values with a cost each, whose costs together stay within ``limit``.

    Users come in rounds that each ask for many values, often for the same ones and in the same order. Forgetting
    the one used longest ago would then forget each just before it is asked for; so a value makes room only if
    neither this round nor the last has used it, and a value for which there is no room is not taken.
    """

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.cost = 0
        self._round = 0
        self._known: OrderedDict[Key, tuple[Value, int, int]] = OrderedDict()

    def __len__(self) -> int:
        return len(self._known)

    def next_round(self) -> None:
        """Begin another round: later uses of values count for the new round."""
        self._round += 1

    def get(self, key: Key) -> Value | None:
        """Return the value, which counts as used; None if it is not known."""
        found = self._known.get(key)
        if found is None:
            return None
        value, cost, used = found
        if used != self._round:
            self._known[key] = value, cost, self._round
            self._known.move_to_end(key)
        return value

    def keep(self, keys: Container[Key]) -> None:
        """Forget all values but those of ``keys``."""
        for key in [key for key in self._known if key not in keys]:
            self.cost -= self._known.pop(key)[1]

    def put(self, key: Key, value: Value, cost: int) -> None:
        """Remember a value that is not known, if there is room or room can be made."""
        while self.cost + cost > self.limit:
            oldest = next(iter(self._known), None)
            if oldest is None or self._known[oldest][2] >= self._round - 1:
                return
            self.cost -= self._known.pop(oldest)[1]
        self._known[key] = value, cost, self._round
        self.cost += cost
