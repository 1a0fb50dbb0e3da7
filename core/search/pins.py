"""Items that the user wants kept, on top of what the logic itself demands."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from core.search.logic import Logic
from core.search.spaces import ItemSet


class Pinned:
    """A logic in which every valid set holds ``pins`` (item numbers) too."""

    def __init__(self, logic: Logic, pins: Iterable[int]) -> None:
        self.count = logic.count
        self._logic = logic
        self._pins = tuple([pin] for pin in sorted(set(pins)))
        self._mask = sum(1 << pin[0] for pin in self._pins)

    def order(self, weights: Sequence[int] | None = None) -> list[int]:
        return self._logic.order(weights)

    def least(self, wanted: Iterable[int] = (), learned: Sequence[Iterable[int]] = ()) -> ItemSet:
        return self._logic.least(wanted, [*self._pins, *learned])

    def progression(
        self, order: Sequence[int], learned: Sequence[Iterable[int]] = (), within: ItemSet | None = None
    ) -> list[list[int]]:
        return self._logic.progression(order, [*self._pins, *learned], within)

    def largest(self, within: ItemSet) -> ItemSet | None:
        found = self._logic.largest(within)
        # a pin that falls takes nothing back: no valid subset of ``within`` holds it
        return None if found is None or self._mask & ~found else found
